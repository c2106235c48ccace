#include "vote/log_sum.hpp"

#include <bit>
#include <cstdint>
#include <limits>

#include "vote/lane_sums.hpp"

namespace nonet {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// The odd part of the logarithm: log((1+s)/(1-s)) = 2s + s * tail(s^2), here for |s| < 0.172, where
// the first term left out is below the last bit.
NONET_INLINE double series_tail(double z) {
    double tail = 2.0 / 23;
    for (int odd = 21; odd >= 3; odd -= 2) tail = tail * z + 2.0 / odd;
    return tail * z;
}

// A logarithm without branches or calls, which the compiler can run on several lanes at once; the
// library's cannot. It is within 2 units of the last place of the true value.
NONET_INLINE double log_of(double x) {
    constexpr double ln2_high = 0x1.62e42fee00000p-1;  // ends in zeros: times an exponent is exact
    constexpr double ln2_low = 0x1.a39ef35793c76p-33;
    constexpr double subnormal_lift = 0x1.0p54;
    constexpr std::uint64_t one = 0x3ff0000000000000;
    constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcd;
    constexpr std::uint64_t exponent_to_double = 0x4330000000000000;  // 2^52: low bits count ones

    const bool subnormal = x < std::numeric_limits<double>::min();
    const double lifted = subnormal ? x * subnormal_lift : x;
    // Scale x = 2^e * m with m in [sqrt(1/2), sqrt(2)), so that f = m - 1 is small.
    const std::uint64_t shifted = std::bit_cast<std::uint64_t>(lifted) + (one - sqrt_half);
    const double biased_e = std::bit_cast<double>((shifted >> 52) | exponent_to_double) - 0x1.0p52;
    const double e = biased_e - (subnormal ? 1023.0 + 54.0 : 1023.0);
    const double m = std::bit_cast<double>((shifted & 0x000fffffffffffff) + sqrt_half);

    const double f = m - 1.0;
    const double s = f / (2.0 + f);
    const double half_square = 0.5 * f * f;
    // log m = f - f^2/2 + s * (f^2/2 + tail): the large terms first, exact, the rest a correction.
    const double correction = s * (half_square + series_tail(s * s)) + e * ln2_low;
    const double finite = e * ln2_high - ((half_square - correction) - f);

    const double positive = x == infinity ? infinity : finite;
    return x > 0 ? positive : (x == 0 ? -infinity : not_a_number);
}

constexpr auto log_term = [](double weight, double probability) {
    return weight == 0 ? 0.0 : weight * log_of(probability);
};

// Widened before the logarithm: masks of two widths in one loop would keep the compiler from using
// vectors.
NONET_CLONES void add_float(StridedRows<const float> members, const double* weights,
                            index_t n_members, index_t n_lanes, double* sums) {
    constexpr index_t piece = 256;
    double wide[piece];
    for (index_t m = 0; m < n_members; ++m)
        for (index_t first = 0; first < n_lanes; first += piece) {
            const index_t n = std::min(piece, n_lanes - first);
            for (index_t lane = 0; lane < n; ++lane)
                wide[lane] = static_cast<double>(members.row(m)[first + lane]);
            add_members<1>(log_term, StridedRows<const double>{wide, 0}, weights + m, n,
                           sums + first);
        }
}

NONET_CLONES void add_double(StridedRows<const double> members, const double* weights,
                             index_t n_members, index_t n_lanes, double* sums) {
    add_terms<1>(log_term, members, weights, n_members, n_lanes, sums);
}

}  // namespace

template <>
bool weighted_log_sum(const Outputs<float>& probabilities, std::span<const double> weights,
                      int n_threads, double* out) {
    return sum_lanes(probabilities, weights, add_float, 1.0, n_threads, out);
}

template <>
bool weighted_log_sum(const Outputs<double>& probabilities, std::span<const double> weights,
                      int n_threads, double* out) {
    return sum_lanes(probabilities, weights, add_double, 1.0, n_threads, out);
}

}  // namespace nonet
