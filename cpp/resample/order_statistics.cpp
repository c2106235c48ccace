#include "resample/order_statistics.hpp"

#include <algorithm>
#include <vector>

#include "base/check.hpp"
#include "resample/each.hpp"

namespace nonet {
namespace {

// Neighbouring places counted together: the scan for an order statistic takes long steps first.
constexpr index_t step = 64;

struct Counts {
    std::vector<std::uint32_t> of_place;
    std::vector<std::uint32_t> of_step;

    void clear(index_t n_places) {
        of_place.assign(static_cast<std::size_t>(n_places), 0);
        of_step.assign(static_cast<std::size_t>(n_places / step + 1), 0);
    }

    void add(std::uint32_t place) {
        ++of_place[place];
        ++of_step[place / step];
    }
};

// The place at which the running count first exceeds `order`.
index_t find_place(const Counts& counts, index_t order) {
    index_t below = 0;
    std::size_t block = 0;
    while (below + counts.of_step[block] <= order) below += counts.of_step[block++];
    std::size_t place = block * step;
    while (below + counts.of_place[place] <= order) below += counts.of_place[place++];
    return static_cast<index_t>(place);
}

}  // namespace

void resampled_order_statistics(std::span<const std::uint32_t> rank, const Pool& pool,
                                std::uint64_t seed, std::uint64_t first, index_t lower,
                                int n_threads, MatrixView<std::int64_t> places) {
    check(static_cast<index_t>(rank.size()) == pool.n_units && places.n_columns == 2,
          "There must be one rank a unit, and two places a resample.");
    check(0 <= lower && lower < pool.n_draws, "The order must lie below the number of draws.");
    for_each_resample(places.n_rows, n_threads, [&](index_t b) {
        thread_local Counts counts;
        counts.clear(pool.n_units);
        for_each_chunk(seed, first + static_cast<std::uint64_t>(b), pool,
                       [&](std::span<const std::uint32_t> units) {
                           for (const std::uint32_t unit : units) counts.add(rank[unit]);
                       });
        places.row(b)[0] = find_place(counts, lower);
        places.row(b)[1] = find_place(counts, std::min(lower + 1, pool.n_draws - 1));
    });
}

}  // namespace nonet
