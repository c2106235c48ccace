// Where rows go if a column is unknown: to both sides of a split, by what went there in
// training.
#pragma once

#include <vector>

#include "tree/tree.hpp"

namespace nonet {

// What counts as going there. Trees on gradients of a loss keep hessians as weights; their fraction
// of the training rows is the number of these.
enum class Cover { weight, n_rows };

// The fraction of its parent's cover that each node has; 1 for the root, 1/2 where nothing arrived.
// Throws std::invalid_argument if the tree was made without statistics.
std::vector<double> cover_fractions(const Tree& tree, Cover cover);

// The mean of the leaf values by cover, one an output.
std::vector<double> mean_leaf_values(const Tree& tree, Cover cover);

}  // namespace nonet
