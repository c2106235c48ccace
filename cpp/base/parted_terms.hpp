// Sums of doubles that do not depend on the order of their terms.
//
// A term is cut into a high and a low part, each a whole multiple of a power of two that is so
// large that all such parts add up without rounding, in any order and in groups of any kind. What
// is cut off behind the low parts is less than 2**-(104 - 2 b) of the largest term, for 2**b terms.
// See Demmel and Nguyen, "Fast reproducible floating-point summation" (2013), whose slices these
// are.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/types.hpp"

namespace nonet {

class PartedTerms {
public:
    PartedTerms() = default;
    // At most n_terms of them are added, counted as often as they are there, and none is larger.
    PartedTerms(double largest, index_t n_terms) noexcept {
        int exponent = 0;
        if (largest > 0) std::frexp(largest, &exponent);  // largest < 2**exponent
        const int term_bits =
            1 + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n_terms)));
        // Adding 1.5 * 2**52 units leaves whole units. Sizes near the end of the range of doubles
        // keep parts that may be rounded, instead of infinite ones.
        const int high_unit = std::min(exponent + term_bits, 1021) - 52;
        high_ = std::ldexp(1.5, high_unit + 52);
        low_ = std::ldexp(1.5, high_unit + term_bits);
    }

    // For doubles, and for vectors of them.
    template <typename Number>
    static Number part(const Number& term, const Number& rounder) noexcept {
        return (term + rounder) - rounder;
    }
    double high(double term) const noexcept { return part(term, high_); }
    double low(double term) const noexcept { return part(term - high(term), low_); }

    double high_rounder() const noexcept { return high_; }
    double low_rounder() const noexcept { return low_; }

private:
    double high_ = 0;
    double low_ = 0;
};

}  // namespace nonet
