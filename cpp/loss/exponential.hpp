// Exponential and logarithm without branches or calls, which the compiler can run on several rows
// at once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/dispatch.hpp"

namespace nonet {

// Within 2 units of the last place of exp(x); beyond the range of normal doubles it stays at its
// ends (about 1e-307 and 1e307), so that no score, however wild, makes an infinity.
NONET_INLINE double exp_of(double x) {
    constexpr double log2_e = 0x1.71547652b82fep0;
    constexpr double ln2_high = 0x1.62e42fee00000p-1;  // ends in zeros: times a whole number exact
    constexpr double ln2_low = 0x1.a39ef35793c76p-33;
    constexpr double to_whole =
        0x1.8p52;  // adding it rounds, and leaves the number in the low bits
    constexpr double maximum = 707.0;

    const double inside = std::min(std::max(x, -maximum), maximum);
    const double shifted = inside * log2_e + to_whole;
    const double whole = shifted - to_whole;
    const double r = (inside - whole * ln2_high) - whole * ln2_low;
    // The series of exp at |r| <= ln(2) / 2; the first term left out is below the last bit.
    double series = 1.0 / 6227020800.0;
    constexpr double inverse_factorials[] = {1.0 / 479001600,
                                             1.0 / 39916800,
                                             1.0 / 3628800,
                                             1.0 / 362880,
                                             1.0 / 40320,
                                             1.0 / 5040,
                                             1.0 / 720,
                                             1.0 / 120,
                                             1.0 / 24,
                                             1.0 / 6,
                                             1.0 / 2,
                                             1.0,
                                             1.0};
    for (const double coefficient : inverse_factorials) series = series * r + coefficient;
    const std::uint64_t exponent = std::bit_cast<std::uint64_t>(shifted) << 52;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(series) + exponent);
}

// log(1 + x) for x from 0 to 1, within 2 units of the last place: twice the inverse hyperbolic
// tangent of x / (2 + x), which is at most 1/3, so that the first term left out is below the last
// bit.
NONET_INLINE double log1p_of(double x) {
    const double s = x / (2.0 + x);
    double series = 1.0 / 33;
    constexpr double odd_parts[] = {1.0 / 31, 1.0 / 29, 1.0 / 27, 1.0 / 25, 1.0 / 23, 1.0 / 21,
                                    1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9,
                                    1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
    for (const double coefficient : odd_parts) series = series * (s * s) + coefficient;
    return 2.0 * s * series;
}

// log(x) for normal doubles above 0, within 2 units of the last place: the same way, of the
// fraction between sqrt(1/2) and sqrt(2) that is left when a power of two is taken out.
NONET_INLINE double log_of(double x) {
    constexpr double ln2_high = 0x1.62e42fee00000p-1;
    constexpr double ln2_low = 0x1.a39ef35793c76p-33;
    constexpr std::uint64_t root_of_half = 0x3fe6a09e667f3bcd;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::int64_t exponent = static_cast<std::int64_t>(bits - root_of_half) >> 52;
    const double fraction =
        std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52));
    const double s = (fraction - 1.0) / (fraction + 1.0);
    double series = 1.0 / 23;
    constexpr double odd_parts[] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                                    1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3};
    for (const double coefficient : odd_parts) series = series * (s * s) + coefficient;
    const auto whole = static_cast<double>(exponent);
    const double small = 2.0 * s * (s * s) * series + whole * ln2_low;
    return whole * ln2_high + (2.0 * s + small);
}

}  // namespace nonet
