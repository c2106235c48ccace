// Exact Shapley values of a tree's prediction in polynomial time (Lundberg, Erion and Lee,
// "Consistent individualized feature attribution for tree ensembles", 2018).
//
// The game: a coalition S of columns is worth the mean prediction when rows follow the splits on
// columns in S as the explained row does, and every other split sends a row to both sides in
// proportion to their weights.
#pragma once

#include <vector>

#include "data/strided_matrix.hpp"
#include "tree/tree.hpp"

namespace nonet {

// Adds the Shapley values to out, shape (n_rows, n_columns, n_outputs).
template <typename T>
void add_shap_values(const Tree& tree, const StridedMatrix<T>& table, int n_threads, double* out);

// What the empty coalition is worth: the mean of the leaf values by weight, one an output.
std::vector<double> mean_leaf_values(const Tree& tree);

}  // namespace nonet
