// Numbers as whole multiples of a power of two: their sums are exact and do not depend on order.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "base/types.hpp"

namespace nonet {

// A row whose weight is fewer units than this is rounded by up to 1 % of it: that takes longer
// sums.
constexpr double min_units_per_row = 64;
// So many of the gradients may be so light, because they are close to 0 by chance.
constexpr double max_light_fraction = 1e-3;

template <typename Number>
class BasicFixedPoint {
public:
    // Sums of 52 bits become doubles, and are subtracted as doubles, without rounding: a split and
    // its mirror image have equal scores. Longer sums are subtracted before they become doubles.
    static constexpr bool is_long = std::is_same_v<Number, int128_t>;
    static constexpr int exact_bits = is_long ? 120 : 52;
    static constexpr int word_bits = is_long ? 127 : 63;

    // Sums of terms whose absolute values add up to `total` stay below 2**bits.
    BasicFixedPoint(double total, int bits) noexcept {
        int exponent = 0;
        if (total > 0) std::frexp(total, &exponent);  // total < 2**exponent
        // One bit is for the rounding of the terms. Tiny totals stop short of an infinite scale.
        scale_ = std::ldexp(1.0, std::min(bits - 1 - exponent, 1000));
    }
    // The same where a word holds the number of rows as well, in its last bits.
    static BasicFixedPoint above_rows(double total, int row_bits) noexcept {
        return {total, std::min(word_bits - row_bits, exact_bits)};
    }

    // To the nearest, ties to even. In 1.5 * 2**52 + x, the last bits of the double are x: no call
    // is needed, and loops of this run in vectors.
    Number operator()(double value) const noexcept {
        if constexpr (is_long) return static_cast<Number>(std::nearbyint(value * scale_));
        constexpr double bias = 0x1.8p52;
        return std::bit_cast<std::int64_t>(value * scale_ + bias) -
               std::bit_cast<std::int64_t>(bias);
    }
    double unit() const noexcept { return 1 / scale_; }

private:
    double scale_;
};

using FixedPoint = BasicFixedPoint<std::int64_t>;

inline bool are_rare(index_t n, index_t n_terms, double fraction) noexcept {
    return static_cast<double>(n) <= fraction * static_cast<double>(n_terms);
}

// Counts terms that are rounded too coarsely; a term of 0 is exact.
class LightTerms {
public:
    explicit LightTerms(double limit) noexcept : limit_(limit) {}
    void look_at(double term) noexcept { n_ += term != 0 && std::abs(term) < limit_; }
    void add(index_t n_light) noexcept { n_ += n_light; }
    void join(const LightTerms& other) noexcept { n_ += other.n_; }
    index_t n() const noexcept { return n_; }
    bool are_rare(index_t n_terms, double fraction) const noexcept {
        return nonet::are_rare(n_, n_terms, fraction);
    }

private:
    double limit_;
    index_t n_ = 0;
};

// A quotient by a weight that may have been rounded to 0.
inline double ratio(double numerator, double weight) noexcept {
    return weight > 0 ? numerator / weight : 0.0;
}

}  // namespace nonet
