#include "grow/row_draws.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"

namespace nonet {
namespace {

constexpr index_t rows_a_block = 1 << 15;
constexpr index_t rows_a_random_block = 8;  // half a word of a block of four is enough for a row

// A name of its own for these draws among those of the seed.
constexpr std::uint64_t row_draws = 3;

// factors[row] = factor_of(row, u) with u uniform in [0, 1).
template <typename FactorOf>
void each_row(const RowDraw& draw, std::span<double> factors, const FactorOf& factor_of) {
    parallel_blocks(
        std::ssize(factors), rows_a_block, draw.n_threads,
        [&](index_t, index_t begin, index_t end) {
            for (index_t first = begin; first < end; first += rows_a_random_block) {
                const auto number = static_cast<std::uint64_t>(first / rows_a_random_block);
                const PhiloxBlock words =
                    philox4x64({number, 0, 0, row_draws}, {draw.seed, draw.round});
                const index_t n = std::min(rows_a_random_block, end - first);
                for (index_t i = 0; i < n; ++i) {
                    const auto row = static_cast<std::size_t>(first + i);
                    const auto half = static_cast<std::uint32_t>(
                        words[static_cast<std::size_t>(i / 2)] >> (32 * (i % 2)));
                    factors[row] = factor_of(row, static_cast<double>(half) * 0x1.0p-32);
                }
            }
        });
}

// A tree needs a row: a draw of none is a draw of all.
void take_all_if_none(std::span<double> factors) {
    const bool has_row = std::ranges::any_of(factors, [](double factor) { return factor > 0; });
    if (!has_row) std::ranges::fill(factors, 1.0);
}

// The sum of the sizes below a bound and the number of the others, in lanes that do not wait for
// one another, blocks one after another.
struct Parts {
    double sum_below = 0;
    double n_from = 0;
};
NONET_CLONES Parts parts_of(const double* sizes, index_t n, double bound) {
    constexpr index_t lanes = 8;
    double sums[lanes] = {};
    double numbers[lanes] = {};
    const auto add = [&](index_t lane, double size) {
        sums[lane] += size < bound ? size : 0.0;
        numbers[lane] += size < bound ? 0.0 : 1.0;
    };
    index_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (index_t lane = 0; lane < lanes; ++lane) add(lane, sizes[i + lane]);
    for (; i < n; ++i) add(0, sizes[i]);
    return {std::accumulate(sums, sums + lanes, 0.0),
            std::accumulate(numbers, numbers + lanes, 0.0)};
}

Parts parts_at(std::span<const double> sizes, double bound, int n_threads) {
    std::vector<Parts> blocks(sizes.size() / rows_a_block + 1);
    parallel_blocks(std::ssize(sizes), rows_a_block, n_threads,
                    [&](index_t block, index_t begin, index_t end) {
                        blocks[static_cast<std::size_t>(block)] =
                            parts_of(sizes.data() + begin, end - begin, bound);
                    });
    Parts all;
    for (const Parts& part : blocks)
        all = {all.sum_below + part.sum_below, all.n_from + part.n_from};
    return all;
}

// The mu at which the sum of min(1, size / mu) is n_wanted. In 1 / mu the sum is concave and made
// of straight pieces: Newton's steps from the left never pass the solution, and end on its piece.
double find_bound(std::span<const double> sizes, double n_wanted, int n_threads) {
    double bound = std::numeric_limits<double>::infinity();
    for (;;) {
        const auto [sum_below, n_from] = parts_at(sizes, bound, n_threads);
        if (n_from >= n_wanted || sum_below == 0) return bound;
        const double next = sum_below / (n_wanted - n_from);
        if (!(next < bound)) return bound;
        bound = next;
    }
}

}  // namespace

void draw_uniform(const RowDraw& draw, double share, std::span<double> factors) {
    each_row(draw, factors, [share](std::size_t, double u) { return u < share ? 1.0 : 0.0; });
    take_all_if_none(factors);
}

void measure_slopes(std::span<const double> gradients, std::span<const double> hessians,
                    std::span<const double> weights, double lambda, int n_threads,
                    std::span<double> sizes) {
    const std::size_t n_rows = sizes.size();
    check(gradients.size() == hessians.size() && n_rows > 0 && gradients.size() % n_rows == 0 &&
              (weights.empty() || weights.size() == n_rows),
          "Slopes must have one entry a score and row, weights one a row.");
    parallel_blocks(
        std::ssize(sizes), rows_a_block, n_threads, [&](index_t, index_t begin, index_t end) {
            for (index_t row = begin; row < end; ++row) {
                const auto i = static_cast<std::size_t>(row);
                double sum = 0;
                for (std::size_t k = i; k < gradients.size(); k += n_rows)
                    sum += gradients[k] * gradients[k] + lambda * hessians[k] * hessians[k];
                sizes[i] = std::sqrt(sum) * (weights.empty() ? 1.0 : weights[i]);
            }
        });
}

void draw_one_side(const RowDraw& draw, std::span<const double> sizes, double top, double other,
                   std::span<double> factors) {
    check(sizes.size() == factors.size(), "Sizes must have one entry a row.");
    const auto n_rows = static_cast<double>(sizes.size());
    const auto n_top = static_cast<std::size_t>(std::max(top * n_rows, 1.0));
    std::vector<double> ordered(sizes.begin(), sizes.end());
    const auto last = ordered.begin() + static_cast<std::ptrdiff_t>(n_top - 1);
    std::ranges::nth_element(ordered, last, std::greater{});
    const double least = *last;
    const double probability = other / (1 - top);
    each_row(draw, factors, [&](std::size_t row, double u) {
        if (sizes[row] >= least) return 1.0;
        return u < probability ? 1 / probability : 0.0;
    });
}

void draw_least_variance(const RowDraw& draw, std::span<const double> sizes, double share,
                         std::span<double> factors) {
    check(sizes.size() == factors.size(), "Sizes must have one entry a row.");
    const double n_wanted = share * static_cast<double>(sizes.size());
    const double bound = find_bound(sizes, n_wanted, draw.n_threads);
    each_row(draw, factors, [&](std::size_t row, double u) {
        const double probability = std::min(1.0, sizes[row] / bound);
        return u < probability ? 1 / probability : 0.0;
    });
    take_all_if_none(factors);
}

}  // namespace nonet
