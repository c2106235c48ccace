#include "grow/sampling/row_draws.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
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

constexpr index_t rows_per_block = 1 << 15;
constexpr index_t rows_per_random_block = 8;  // half a word of a block of four is enough for a row
constexpr index_t rows_per_chunk = 512;       // whose halves of words stay in the nearest cache

using Halves = std::array<std::uint32_t, rows_per_chunk>;

// Of the rows of a chunk, the first of which begins a block of random words.
void draw_halves(const RowDraw& draw, index_t first, Halves& halves) {
    static_assert(std::endian::native == std::endian::little, "the lower half comes first");
    std::array<std::uint64_t, rows_per_chunk / 2> words;
    const auto number = static_cast<std::uint64_t>(first / rows_per_random_block);
    RandomStream::write(draw.seed, StreamUse::round_rows, {draw.round}, number, words);
    std::memcpy(halves.data(), words.data(), sizeof halves);
}

NONET_INLINE double uniform_of(std::uint32_t half) {
    return static_cast<double>(half) * 0x1.0p-32;  // in [0, 1)
}

// Calls choose(halves, first, n) for n rows from `first` on.
template <typename Choose>
void each_chunk(const RowDraw& draw, index_t n_rows, const Choose& choose) {
    parallel_blocks(n_rows, rows_per_block, draw.n_threads,
                    [&](index_t, index_t begin, index_t end) {
                        Halves halves;
                        for (index_t first = begin; first < end; first += rows_per_chunk) {
                            const index_t n = std::min(rows_per_chunk, end - first);
                            draw_halves(draw, first, halves);
                            choose(halves.data(), first, n);
                        }
                    });
}

NONET_CLONES void choose_uniform(const std::uint32_t* halves, index_t n, double fraction,
                                 double* factors) {
    for (index_t i = 0; i < n; ++i) factors[i] = uniform_of(halves[i]) < fraction ? 1.0 : 0.0;
}

NONET_CLONES void choose_one_side(const std::uint32_t* halves, const double* sizes, index_t n,
                                  double minimum, double probability, double* factors) {
    const double factor = 1 / probability;
    for (index_t i = 0; i < n; ++i) {
        const double if_small = uniform_of(halves[i]) < probability ? factor : 0.0;
        factors[i] = sizes[i] >= minimum ? 1.0 : if_small;
    }
}

NONET_CLONES void choose_by_size(const std::uint32_t* halves, const double* sizes, index_t n,
                                 double bound, double* factors) {
    for (index_t i = 0; i < n; ++i) {
        const double fraction = sizes[i] / bound;
        const double probability = fraction < 1.0 ? fraction : 1.0;
        factors[i] = uniform_of(halves[i]) < probability ? 1 / probability : 0.0;
    }
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
    std::vector<Parts> blocks(sizes.size() / rows_per_block + 1);
    parallel_blocks(std::ssize(sizes), rows_per_block, n_threads,
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

NONET_CLONES void add_squares(const double* gradients, const double* hessians, double lambda,
                              index_t n, double* sums) {
    for (index_t i = 0; i < n; ++i)
        sums[i] += gradients[i] * gradients[i] + lambda * hessians[i] * hessians[i];
}

NONET_CLONES void take_roots(const double* weights, index_t n, double* sums) {
    for (index_t i = 0; i < n; ++i) sums[i] = std::sqrt(sums[i]);
    for (index_t i = 0; i < n && weights != nullptr; ++i) sums[i] *= weights[i];
}

// The size that n_larger others are not below. Leading bits of numbers that are not negative are in
// their order: they are counted, and only sizes that share those of the wanted one are compared.
double maximum_except(std::span<const double> sizes, index_t n_larger) {
    constexpr int leading_bits = 16;
    const auto lead = [](double size) {
        return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(size) >> (64 - leading_bits));
    };
    std::vector<index_t> counts(std::size_t{1} << leading_bits);
    for (const double size : sizes) ++counts[lead(size)];
    std::size_t wanted = counts.size() - 1;
    for (; n_larger >= counts[wanted]; --wanted) n_larger -= counts[wanted];
    std::vector<double> alike;
    alike.reserve(static_cast<std::size_t>(counts[wanted]));
    for (const double size : sizes)
        if (lead(size) == wanted) alike.push_back(size);
    std::ranges::nth_element(alike, alike.begin() + n_larger, std::greater{});
    return alike[static_cast<std::size_t>(n_larger)];
}

}  // namespace

void draw_uniform(const RowDraw& draw, double fraction, std::span<double> factors) {
    each_chunk(draw, std::ssize(factors),
               [&](const std::uint32_t* halves, index_t first, index_t n) {
                   choose_uniform(halves, n, fraction, factors.data() + first);
               });
    take_all_if_none(factors);
}

void measure_derivatives(std::span<const double> gradients, std::span<const double> hessians,
                         std::span<const double> weights, double lambda, int n_threads,
                         std::span<double> sizes) {
    const index_t n_rows = std::ssize(sizes);
    check(gradients.size() == hessians.size() && n_rows > 0 &&
              std::ssize(gradients) % n_rows == 0 &&
              (weights.empty() || std::ssize(weights) == n_rows),
          "Gradients must have one entry per score and row, weights one per row.");
    parallel_blocks(n_rows, rows_per_block, n_threads, [&](index_t, index_t begin, index_t end) {
        double* out = sizes.data() + begin;
        std::fill_n(out, end - begin, 0.0);
        for (index_t k = begin; k < std::ssize(gradients); k += n_rows)
            add_squares(gradients.data() + k, hessians.data() + k, lambda, end - begin, out);
        take_roots(weights.empty() ? nullptr : weights.data() + begin, end - begin, out);
    });
}

void draw_one_side(const RowDraw& draw, std::span<const double> sizes, double top, double other,
                   std::span<double> factors) {
    check(sizes.size() == factors.size(), "Sizes must have one entry per row.");
    const auto n_rows = static_cast<double>(sizes.size());
    const double minimum =
        maximum_except(sizes, static_cast<index_t>(std::max(top * n_rows, 1.0)) - 1);
    const double probability = other / (1 - top);
    each_chunk(draw, std::ssize(factors),
               [&](const std::uint32_t* halves, index_t first, index_t n) {
                   choose_one_side(halves, sizes.data() + first, n, minimum, probability,
                                   factors.data() + first);
               });
}

void draw_min_variance(const RowDraw& draw, std::span<const double> sizes, double fraction,
                       std::span<double> factors) {
    check(sizes.size() == factors.size(), "Sizes must have one entry per row.");
    const double n_wanted = fraction * static_cast<double>(sizes.size());
    const double bound = find_bound(sizes, n_wanted, draw.n_threads);
    each_chunk(draw, std::ssize(factors),
               [&](const std::uint32_t* halves, index_t first, index_t n) {
                   choose_by_size(halves, sizes.data() + first, n, bound, factors.data() + first);
               });
    take_all_if_none(factors);
}

}  // namespace nonet
