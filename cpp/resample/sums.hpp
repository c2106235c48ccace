// Sums of terms over the units that each resample draws: what means, variances, correlations,
// ratios and least-squares fits are made of.
#pragma once

#include "base/views.hpp"
#include "resample/draws.hpp"

namespace nonet {

// Resamples first, ..., first + sums.n_rows - 1; sums.row(b) gains the sum of the terms' rows that
// resample first + b draws. A resample is summed by one thread, in the order of its draws.
void add_resampled_sums(MatrixView<const double> terms, const Pool& pool, std::uint64_t seed,
                        std::uint64_t first, int n_threads, MatrixView<double> sums);

}  // namespace nonet
