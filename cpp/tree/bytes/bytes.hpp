// A tree as bytes and back.
//
// Layout, all little-endian: "nonettre", version, flags, five sizes of 8 bytes, the arrays one
// after another without gaps, and an FNV-1a checksum of everything before it.
#pragma once

#include <span>
#include <string>

#include "tree/tree.hpp"

namespace nonet {

std::string to_bytes(const Tree& tree);

// Throws std::invalid_argument for anything that to_bytes did not write.
Tree tree_from_bytes(std::span<const char> bytes);

}  // namespace nonet
