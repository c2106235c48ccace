// Order statistics of resamples, found by counting: the values are sorted once, not in each
// resample.
#pragma once

#include <span>

#include "base/views.hpp"
#include "resample/draws.hpp"

namespace nonet {

// rank[u] is the position of unit u among the sorted values. positions.row(b) becomes the positions
// of the order statistics `lower` and `lower + 1` (from 0) of resample first + b; past the end, the
// last.
void resampled_order_statistics(std::span<const std::uint32_t> rank, const Pool& pool,
                                std::uint64_t seed, std::uint64_t first, index_t lower,
                                int n_threads, MatrixView<std::int64_t> positions);

}  // namespace nonet
