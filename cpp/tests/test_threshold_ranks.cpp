// Ranks among thresholds against a plain search, wherever these lie.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "base/types.hpp"
#include "testing.hpp"
#include "tree/predict/threshold_ranks.hpp"

namespace nonet {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double maximum = std::numeric_limits<double>::max();

// The thresholds themselves, their neighbours, and what is far from all of them.
std::vector<double> numbers_around(const std::vector<double>& thresholds) {
    std::vector<double> numbers = {-infinity, -maximum, -1.0,    -0.0,    0.0,
                                   1e-300,    1.0,      maximum, infinity};
    for (const double threshold : thresholds)
        numbers.insert(numbers.end(), {std::nextafter(threshold, -infinity), threshold,
                                       std::nextafter(threshold, infinity)});
    return numbers;
}

void expect_ranks(std::vector<double> thresholds) {
    std::ranges::sort(thresholds);
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
    const ThresholdRanks ranks(thresholds);
    EXPECT(ranks.size() == thresholds.size());
    for (const double number : numbers_around(thresholds)) {
        double numbers[ranked_together];
        std::uint32_t found[ranked_together];
        std::fill_n(numbers, ranked_together, number);
        numbers[3] = std::numeric_limits<double>::quiet_NaN();  // any rank, but no other harm
        ranks.find(numbers, found);
        const auto expected = std::ranges::lower_bound(thresholds, number) - thresholds.begin();
        EXPECT(static_cast<index_t>(found[0]) == expected);
        EXPECT(static_cast<index_t>(found[ranked_together - 1]) == expected);
        EXPECT(found[3] <= thresholds.size());
    }
}

std::vector<double> drawn(std::size_t n, double exponent) {
    RandomStream random(7, {n});
    std::vector<double> thresholds(n);
    for (double& threshold : thresholds)
        threshold = std::pow(random.uniform(), exponent) - (random.below(2) == 1 ? 0.0 : 0.5);
    return thresholds;
}

NONET_TEST(ranks_of_any_thresholds_are_right) {
    expect_ranks({});
    expect_ranks({0.0});
    expect_ranks({infinity});
    expect_ranks({1.0, infinity});
    expect_ranks({-maximum, maximum});
    expect_ranks({-maximum, 0.0, maximum, infinity});
    expect_ranks({1e-310, 2e-310, 3e-310});
    for (const std::size_t n : {2U, 3U, 7U, 8U, 100U, 5000U, 9000U})
        for (const double exponent : {1.0, 9.0, 60.0}) {
            std::vector<double> thresholds = drawn(n, exponent);
            expect_ranks(thresholds);
            thresholds.push_back(1e300);  // leaves all others in one cell
            expect_ranks(thresholds);
        }
}

}  // namespace
}  // namespace nonet
