#include "resample/order_statistics.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "resample/for_each_resample.hpp"

namespace nonet {
namespace {

using Counts = std::vector<std::uint32_t>;

// Neighbouring positions that are added up at once: the search takes long steps first.
constexpr std::size_t step = 64;

// The position at which the running count first exceeds `order`. Counts reach to a whole step.
NONET_CLONES index_t find_position(const Counts& counts, index_t order) {
    const std::uint32_t* next = counts.data();
    std::uint32_t left = static_cast<std::uint32_t>(order);
    for (;; next += step) {
        const std::uint32_t sum = std::accumulate(next, next + step, std::uint32_t{0});
        if (sum > left) break;
        left -= sum;
    }
    while (*next <= left) left -= *next++;
    return next - counts.data();
}

}  // namespace

void resampled_order_statistics(std::span<const std::uint32_t> rank, const Pool& pool,
                                std::uint64_t seed, std::uint64_t first, index_t lower,
                                int n_threads, MatrixView<std::int64_t> positions) {
    check(static_cast<index_t>(rank.size()) == pool.n_units && positions.n_columns == 2,
          "There must be one rank per unit, and two positions per resample.");
    check(0 <= lower && lower < pool.n_draws && pool.n_draws <= index_t{0xFFFFFFFF},
          "The order must lie below the number of draws, and these below 2^32.");
    const std::size_t n_counts = (rank.size() + step - 1) / step * step;
    for_each_resample(positions.n_rows, n_threads, [&](index_t b) {
        thread_local Counts counts;
        counts.assign(n_counts, 0);
        for_each_chunk(seed, first + static_cast<std::uint64_t>(b), pool,
                       [&](std::span<const std::uint32_t> units) {
                           for (const std::uint32_t unit : units) ++counts[rank[unit]];
                       });
        positions.row(b)[0] = find_position(counts, lower);
        positions.row(b)[1] = find_position(counts, std::min(lower + 1, pool.n_draws - 1));
    });
}

}  // namespace nonet
