// How much a tree owes to each of its columns.
#pragma once

#include <span>

#include "tree/tree.hpp"

namespace nonet {

// Adds to out (one number per column) the gain of every split, as a fraction of the weight of the
// root.
void add_gain_importances(const Tree& tree, std::span<double> out);

// Adds to out the number of splits.
void add_split_counts(const Tree& tree, std::span<double> out);

}  // namespace nonet
