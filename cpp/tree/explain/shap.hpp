// Exact Shapley values of sums of trees, and their interactions.
//
// The game: a coalition S of columns is worth the mean prediction when rows follow the splits on
// columns in S as the explained row does, and every other split sends a row to both sides by their
// cover (Lundberg, Erion and Lee, "Consistent individualized feature attribution for tree
// ensembles", 2018). `path_terms.hpp` describes the method: a row costs a few operations per node.
#pragma once

#include <span>

#include "data/strided_matrix.hpp"
#include "tree/explain/cover.hpp"
#include "tree/tree.hpp"

namespace nonet {

// Adds the Shapley values to out, shape (n_rows, n_columns, n_outputs).
template <typename T>
void add_shap_values(std::span<const Tree* const> trees, const StridedMatrix<T>& table, Cover cover,
                     int n_threads, double* out);

// Adds the interactions to out, shape (n_rows, n_columns, n_columns, n_outputs): half of the
// Shapley interaction index of a pair in each of its two entries, and on the diagonal what is left
// of a column's Shapley value, so that rows sum to it.
template <typename T>
void add_shap_interactions(std::span<const Tree* const> trees, const StridedMatrix<T>& table,
                           Cover cover, int n_threads, double* out);

}  // namespace nonet
