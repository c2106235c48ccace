// The values and statistics of a tree as bytes, in the shortest way that brings every bit back.
#pragma once

#include "tree/bytes/byte_stream.hpp"
#include "tree/node_kinds.hpp"
#include "tree/tree.hpp"

namespace nonet {

void write_details(ByteWriter& out, const Tree& tree);

// Nodes must be linked; their numbers, values and statistics are filled in.
void take_details(ByteReader& in, TreeParts& parts, const NodeKinds& kinds);

}  // namespace nonet
