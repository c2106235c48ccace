// The same splits with other values.
#pragma once

#include <span>

#include "tree/tree.hpp"

namespace nonet {

// A tree with the given values of its nodes, in preorder, those of a node side by side.
Tree with_values(const Tree& tree, std::span<const double> values);

}  // namespace nonet
