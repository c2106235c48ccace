// Partial dependence by recursion: the mean prediction when some columns are given, and every split
// on another column sends rows to both sides by their cover (J. Friedman, "Greedy function
// approximation: a gradient boosting machine", 2001, section 8.2).
#pragma once

#include <span>

#include "data/strided_matrix.hpp"
#include "tree/explain/cover.hpp"
#include "tree/tree.hpp"

namespace nonet {

// A row of `points` gives the numbers of `columns`. Adds to out, shape (n_points, n_outputs).
template <typename T>
void add_dependence(std::span<const Tree* const> trees, const StridedMatrix<T>& points,
                    std::span<const std::int32_t> columns, Cover cover, int n_threads, double* out);

}  // namespace nonet
