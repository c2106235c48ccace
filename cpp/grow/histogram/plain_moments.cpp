#include "grow/histogram/plain_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/dispatch.hpp"

namespace nonet {
namespace {

constexpr index_t lanes = 8;

struct Lanes {
    double max_gradient[lanes] = {};
    double min_hessian[lanes];
    double max_hessian[lanes] = {};
};

// Comparisons become instructions of vectors where NaN is not looked after; there is none.
NONET_INLINE double larger(double one, double other) noexcept { return one > other ? one : other; }
NONET_INLINE double smaller(double one, double other) noexcept { return one < other ? one : other; }

NONET_INLINE void add(Lanes& sums, index_t lane, double gradient, double hessian) noexcept {
    const double size = std::abs(gradient);
    sums.max_gradient[lane] = larger(size, sums.max_gradient[lane]);
    sums.min_hessian[lane] = smaller(hessian, sums.min_hessian[lane]);
    sums.max_hessian[lane] = larger(hessian, sums.max_hessian[lane]);
}

}  // namespace

NONET_CLONES MomentSizes measure_plain(const PlainMoments& rows) {
    const auto n_rows = static_cast<index_t>(rows.gradients.size());
    const double* gradients = rows.gradients.data();
    const double* hessians = rows.hessians.data();
    Lanes sums;
    std::fill_n(sums.min_hessian, lanes, std::numeric_limits<double>::infinity());
    index_t i = 0;
    for (; i + lanes <= n_rows; i += lanes)
        for (index_t lane = 0; lane < lanes; ++lane)
            add(sums, lane, gradients[i + lane], hessians[i + lane]);
    for (; i < n_rows; ++i) add(sums, 0, gradients[i], hessians[i]);
    MomentSizes sizes;
    for (index_t lane = 0; lane < lanes; ++lane) {
        sizes.max_gradient = larger(sums.max_gradient[lane], sizes.max_gradient);
        sizes.min_hessian = smaller(sums.min_hessian[lane], sizes.min_hessian);
        sizes.max_hessian = larger(sums.max_hessian[lane], sizes.max_hessian);
    }
    sizes.lightest = sizes.heaviest = 1;
    sizes.n_rows = sizes.n_times = n_rows;
    return sizes;
}

NONET_CLONES MomentTotals total_plain(const PlainMoments& rows, const MomentParts& parts) {
    const auto n_rows = static_cast<index_t>(rows.gradients.size());
    const double* gradients = rows.gradients.data();
    const double* hessians = rows.hessians.data();
    const PartedTerms of_gradients = parts.gradients;  // in registers
    const PartedTerms of_hessians = parts.hessians;
    double gradient[lanes] = {};
    double hessian[lanes] = {};
    index_t i = 0;
    for (; i + lanes <= n_rows; i += lanes)
        for (index_t lane = 0; lane < lanes; ++lane) {
            gradient[lane] += of_gradients.high(std::abs(gradients[i + lane]));
            hessian[lane] += of_hessians.high(hessians[i + lane]);
        }
    MomentTotals totals;
    for (; i < n_rows; ++i) totals.add(std::abs(gradients[i]), hessians[i], 0, 1, parts);
    for (index_t lane = 0; lane < lanes; ++lane) {
        totals.gradient += gradient[lane];
        totals.hessian += hessian[lane];
    }
    totals.weight = static_cast<double>(n_rows);
    return totals;
}

NONET_CLONES LightRows count_light(const PlainMoments& rows, double gradient_limit,
                                   double hessian_limit) {
    const auto n_rows = static_cast<index_t>(rows.gradients.size());
    const double* gradients = rows.gradients.data();
    const double* hessians = rows.hessians.data();
    LightRows light{};
    for (index_t i = 0; i < n_rows; ++i) {
        const double size = std::abs(gradients[i]);
        light.n_gradients += (size != 0) & (size < gradient_limit);
        light.n_hessians += (hessians[i] != 0) & (hessians[i] < hessian_limit);
    }
    return light;
}

NONET_CLONES void pack_plain(const PlainMoments& rows, const FixedPoint& gradient_bits,
                             const FixedPoint& hessian_bits, std::uint64_t* __restrict out) {
    using Rows = PackedRows<13>;
    const auto n_rows = static_cast<index_t>(rows.gradients.size());
    const double* gradients = rows.gradients.data();
    const double* hessians = rows.hessians.data();
    const FixedPoint of_gradients = gradient_bits;  // in registers
    const FixedPoint of_hessians = hessian_bits;
    for (index_t i = 0; i < n_rows; ++i)
        out[i] = Rows::row(of_gradients(gradients[i]), of_hessians(hessians[i]), 1, 0);
}

}  // namespace nonet
