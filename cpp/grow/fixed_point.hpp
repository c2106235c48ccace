// Numbers as whole multiples of a power of two: their sums are exact and do not depend on order.
#pragma once

#include <algorithm>
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

    std::int64_t operator()(double value) const noexcept { return std::llrint(value * scale_); }
    double unit() const noexcept { return 1 / scale_; }

private:
    double scale_;
};

}  // namespace nonet
