// Sums of products of columns over the units that each resample draws: the normal equations of a
// least-squares fit, without an array of all products.
#pragma once

#include "base/views.hpp"
#include "resample/draws.hpp"

namespace nonet {

// sums.row(b) gains the lower triangle, row after row, of the sum of z z' over the rows z of
// `columns` that resample first + b draws.
void add_resampled_products(MatrixView<const double> columns, const Pool& pool, std::uint64_t seed,
                            std::uint64_t first, int n_threads, MatrixView<double> sums);

}  // namespace nonet
