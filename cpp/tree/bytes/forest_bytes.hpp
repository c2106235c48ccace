// The bytes of many trees, in a fraction of what the trees take in memory.
//
// What can be worked out is left out: children follow from the order of nodes, and statistics and
// values of inner nodes from those of the leaves, by the arithmetic by which the grower made them.
// The writer does that arithmetic and compares; what does not come out the same, bit for bit, is
// written as it is. Nothing is rounded.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tree/predict/predict.hpp"

namespace nonet {

std::string forest_to_bytes(TreeRefs trees);

// Throws std::invalid_argument unless the bytes are those of trees.
std::vector<Tree> forest_from_bytes(std::span<const char> bytes);

}  // namespace nonet
