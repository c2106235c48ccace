#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "resample/jackknife.hpp"
#include "resample/order_statistics.hpp"
#include "resample/products.hpp"
#include "resample/sums.hpp"
#include "resample/xoshiro.hpp"
#include "testing.hpp"

namespace nonet {
namespace {

constexpr Pool pool{130, 3000, 1};  // more draws than a chunk

std::vector<double> ramp(index_t size) {
    std::vector<double> numbers(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i % 17) - 5;
    return numbers;
}

std::vector<std::uint32_t> drawn(std::uint64_t resample) {
    std::vector<std::uint32_t> units;
    for_each_chunk(9, resample, pool, [&](std::span<const std::uint32_t> chunk) {
        units.insert(units.end(), chunk.begin(), chunk.end());
    });
    return units;
}

}  // namespace

// First words of the authors' reference for the state (1, 2, 3, 4).
NONET_TEST(xoshiro_against_reference) {
    Xoshiro256 words({1, 2, 3, 4});
    for (const std::uint64_t word :
         {std::uint64_t{41943041}, std::uint64_t{58720359}, std::uint64_t{3588806011781223}})
        EXPECT(words.next() == word);
}

NONET_TEST(draws_lie_in_the_pool_and_do_not_depend_on_chunks) {
    const std::vector<std::uint32_t> units = drawn(4);
    EXPECT(static_cast<index_t>(units.size()) == pool.n_draws);
    EXPECT(*std::max_element(units.begin(), units.end()) < pool.n_units);
    UnitDraws one_by_one(9, 4, pool);
    for (const std::uint32_t unit : units) EXPECT(one_by_one.next(1)[0] == unit);
}

NONET_TEST(draws_reject_an_empty_pool) {
    EXPECT_THROWS(std::exception, UnitDraws(0, 0, Pool{0, 1, 0}));
}

NONET_TEST(resampled_sums_on_four_threads_against_naive) {
    for (const index_t width : {1, 2, 5, 8}) {
        const std::vector<double> terms = ramp(pool.n_units * width);
        std::vector<double> sums(static_cast<std::size_t>(70 * width));
        add_resampled_sums({terms.data(), pool.n_units, width}, pool, 9, 2, 4,
                           {sums.data(), 70, width});
        for (index_t b = 0; b < 70; b += 23)
            for (index_t k = 0; k < width; ++k) {
                double sum = 0;  // of whole numbers, so that their order does not matter
                for (const std::uint32_t unit : drawn(static_cast<std::uint64_t>(b) + 2))
                    sum +=
                        terms[unit * static_cast<std::size_t>(width) + static_cast<std::size_t>(k)];
                EXPECT(sums[static_cast<std::size_t>(b * width + k)] == sum);
            }
    }
}

NONET_TEST(resampled_products_on_four_threads_against_naive) {
    const std::vector<double> columns = ramp(pool.n_units * 2);
    std::vector<double> sums(70 * 3);
    add_resampled_products({columns.data(), pool.n_units, 2}, pool, 9, 0, 4, {sums.data(), 70, 3});
    std::array<double, 3> expected{};
    for (const std::uint32_t unit : drawn(69)) {
        const double* z = columns.data() + 2 * unit;
        expected[0] += z[0] * z[0];
        expected[1] += z[0] * z[1];
        expected[2] += z[1] * z[1];
    }
    EXPECT(std::equal(expected.begin(), expected.end(), sums.end() - 3));
}

NONET_TEST(resampled_order_statistics_on_four_threads_against_naive) {
    std::vector<std::uint32_t> rank(static_cast<std::size_t>(pool.n_units));
    for (std::size_t i = 0; i < rank.size(); ++i)
        rank[i] = static_cast<std::uint32_t>(i * 37 % rank.size());
    for (const index_t lower : {index_t{0}, index_t{1500}, pool.n_draws - 1}) {
        std::vector<std::int64_t> positions(70 * 2);
        resampled_order_statistics(rank, pool, 9, 0, lower, 4, {positions.data(), 70, 2});
        std::vector<std::uint32_t> ordered = drawn(69);
        for (std::uint32_t& unit : ordered) unit = rank[unit];
        std::sort(ordered.begin(), ordered.end());
        const index_t upper = std::min(lower + 1, pool.n_draws - 1);
        EXPECT(positions[138] == ordered[static_cast<std::size_t>(lower)]);
        EXPECT(positions[139] == ordered[static_cast<std::size_t>(upper)]);
    }
}

NONET_TEST(resampled_kernels_reject_wrong_shapes) {
    std::vector<double> numbers(260);
    EXPECT_THROWS(std::exception, add_resampled_sums({numbers.data(), 129, 2}, pool, 0, 0, 1,
                                                     {numbers.data(), 1, 2}));
    EXPECT_THROWS(std::exception, add_resampled_products({numbers.data(), 130, 2}, pool, 0, 0, 1,
                                                         {numbers.data(), 1, 2}));
}

NONET_TEST(gaps_on_four_threads_against_naive) {
    const std::vector<double> x = ramp(300'000);
    const Spread spread = spread_of(x, 1);
    const double mean = spread.mean.base + spread.mean.rest;
    double squares = 0, total = 0, of_squares = 0;
    for (const double value : x) {
        const double d = value - mean, gap = 1 + 2 * d * d;
        squares += d * d;
        total += gap;
        of_squares += gap * gap;
    }
    EXPECT(std::abs(spread.squares / squares - 1) < 1e-10);
    const std::array<double, 3> coefficients{1, 0, 2};
    const GapSums one = polynomial_gaps(x, spread.mean, coefficients, 1);
    const GapSums four = polynomial_gaps(x, spread.mean, coefficients, 4);
    EXPECT(one.total == four.total && one.squares == four.squares);
    EXPECT(std::abs(one.total / total - 1) < 1e-10);
    EXPECT(std::abs(one.squares / of_squares - 1) < 1e-10);
}

NONET_TEST(gaps_reject_columns_of_unequal_length) {
    const std::vector<double> x = ramp(5), y = ramp(4);
    EXPECT_THROWS(std::exception, spread_of({}, 1));
    EXPECT_THROWS(std::exception, correlation_gaps(x, y, 1));
}

}  // namespace nonet
