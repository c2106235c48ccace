// Numbers as whole multiples of a power of two: their sums are exact and do not depend on order.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace nonet {

class FixedPoint {
public:
    // Sums of so many bits become doubles, and are subtracted as doubles, without rounding: a split
    // and its mirror image have equal scores.
    static constexpr int exact_bits = 52;

    // Sums of terms whose absolute values add up to `total` stay below 2**bits.
    FixedPoint(double total, int bits) noexcept {
        int exponent = 0;
        if (total > 0) std::frexp(total, &exponent);  // total < 2**exponent
        // One bit is for the rounding of the terms. Tiny totals stop short of an infinite scale.
        scale_ = std::ldexp(1.0, std::min(bits - 1 - exponent, 1000));
    }

    // To the nearest, ties to even. In 1.5 * 2**52 + x, the last bits of the double are x: no call
    // is needed, and loops of this run in vectors.
    std::int64_t operator()(double value) const noexcept {
        constexpr double bias = 0x1.8p52;
        return std::bit_cast<std::int64_t>(value * scale_ + bias) -
               std::bit_cast<std::int64_t>(bias);
    }
    double unit() const noexcept { return 1 / scale_; }

private:
    double scale_;
};

}  // namespace nonet
