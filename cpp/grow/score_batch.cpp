#include "grow/score_batch.hpp"

#include <cmath>
#include <limits>

#include "base/dispatch.hpp"

namespace nonet {
namespace {

constexpr double forbidden = -std::numeric_limits<double>::infinity();

NONET_INLINE double moved_to_zero(double gradient, double l1) {
    const double size = std::abs(gradient) - l1;
    return size > 0 ? size : 0.0;  // its sign is squared away
}

}  // namespace

NONET_CLONES void score_moments(const std::int64_t* gradients,
                                const std::int64_t* hessians_and_rows, std::int64_t all_gradients,
                                std::int64_t all_hessians_and_rows, const MomentScale& scale,
                                const ChildLimits& limits, index_t n, double* scores) {
    const auto [row_bits, gradient_unit, hessian_unit, l1, l2, factor] = scale;
    const std::int64_t row_mask = (std::int64_t{1} << row_bits) - 1;
    const auto min_rows = static_cast<std::int64_t>(limits.min_rows);
    const double min_weight = limits.min_weight;
    for (index_t i = 0; i < n; ++i) {
        const std::int64_t left = hessians_and_rows[i];
        const std::int64_t right = all_hessians_and_rows - left;
        const double left_hessian = static_cast<double>(left >> row_bits) * hessian_unit;
        const double right_hessian = static_cast<double>(right >> row_bits) * hessian_unit;
        const double left_gradient =
            moved_to_zero(static_cast<double>(gradients[i]) * gradient_unit, l1);
        const double right_gradient =
            moved_to_zero(static_cast<double>(all_gradients - gradients[i]) * gradient_unit, l1);
        const double score = factor * (left_gradient * left_gradient / (left_hessian + l2) +
                                       right_gradient * right_gradient / (right_hessian + l2));
        const bool allowed = ((left & row_mask) >= min_rows) & ((right & row_mask) >= min_rows) &
                             (left_hessian >= min_weight) & (right_hessian >= min_weight) &
                             (left_hessian + l2 > 0) & (right_hessian + l2 > 0);
        scores[i] = allowed ? score : forbidden;
    }
}

NONET_CLONES void score_two_classes(const std::int64_t* first, const std::int64_t* second,
                                    std::int64_t all_first, std::int64_t all_second,
                                    const ClassScale& scale, const ChildLimits& limits, index_t n,
                                    double* scores) {
    const auto [row_bits, unit] = scale;
    const std::int64_t row_mask = row_bits > 0 ? (std::int64_t{1} << row_bits) - 1 : -1;
    const auto min_rows = static_cast<std::int64_t>(limits.min_rows);
    const double min_weight = limits.min_weight;
    for (index_t i = 0; i < n; ++i) {
        const std::int64_t right_first = all_first - first[i];
        const std::int64_t right_second = all_second - second[i];
        const double a = static_cast<double>(first[i] >> row_bits) * unit;
        const double b = static_cast<double>(second[i] >> row_bits) * unit;
        const double c = static_cast<double>(right_first >> row_bits) * unit;
        const double d = static_cast<double>(right_second >> row_bits) * unit;
        const double score = (a * a + b * b) / (a + b) + (c * c + d * d) / (c + d);
        const std::int64_t left_rows = (first[i] & row_mask) + (second[i] & row_mask);
        const std::int64_t right_rows = (right_first & row_mask) + (right_second & row_mask);
        const bool allowed = (left_rows >= min_rows) & (right_rows >= min_rows) &
                             (a + b >= min_weight) & (c + d >= min_weight);
        scores[i] = allowed ? score : forbidden;
    }
}

}  // namespace nonet
