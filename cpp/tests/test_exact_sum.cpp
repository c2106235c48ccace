// Sums that do not depend on the order of their terms.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/exact_sum.hpp"
#include "base/parted_terms.hpp"
#include "base/random.hpp"
#include "testing.hpp"

namespace nonet {
namespace {

std::vector<double> spread_numbers(index_t n) {
    RandomStream stream(37, {1});
    std::vector<double> numbers(static_cast<std::size_t>(n));
    for (double& number : numbers)
        number = std::ldexp(stream.uniform() - 0.5, static_cast<int>(80 * stream.uniform()));
    return numbers;
}

double sum_of(const std::vector<double>& terms, int n_threads) {
    return exact_sum(terms, {}, n_threads).value();
}

NONET_TEST(exact_sum_has_no_order) {
    std::vector<double> terms = spread_numbers(100'000);
    const double expected = sum_of(terms, 1);
    std::ranges::sort(terms);
    EXPECT(sum_of(terms, 1) == expected);
    EXPECT(sum_of(terms, 3) == expected);
}

NONET_TEST(exact_sum_rounds_once) {
    const double last_bit = std::ldexp(1.0, -53);
    EXPECT(sum_of({1.0, last_bit}, 1) == 1.0);  // a tie, to even
    EXPECT(sum_of({1.0, last_bit, std::numeric_limits<double>::denorm_min()}, 1) > 1.0);
    EXPECT(sum_of({-1.0, -last_bit, -last_bit}, 1) == -1.0 - 2 * last_bit);
    EXPECT(sum_of({}, 1) == 0.0);
}

NONET_TEST(exact_sum_passes_through_its_state) {
    const std::vector<double> terms = spread_numbers(5'000);
    const std::span<const double> all = terms;
    ExactSum sum = ExactSum::of_state(exact_sum(all.first(1'234), {}, 1).state());
    sum.add(exact_sum(all.subspan(1'234), {}, 1));
    EXPECT(sum.value() == sum_of(terms, 1));
}

NONET_TEST(parts_add_up_without_rounding) {
    std::vector<double> terms = spread_numbers(4'000);
    double largest = 0;
    for (const double term : terms) largest = std::max(largest, std::abs(term));
    const PartedTerms parts(largest, std::ssize(terms));
    const auto sums = [&] {
        double high = 0, low = 0;
        for (const double term : terms) {
            high += parts.high(term);
            low += parts.low(term);
        }
        return high + low;
    };
    const double expected = sums();
    std::ranges::reverse(terms);
    EXPECT(sums() == expected);
    EXPECT(std::abs(expected - sum_of(terms, 1)) <= 1e-22 * largest * 4'000);
}

}  // namespace
}  // namespace nonet
