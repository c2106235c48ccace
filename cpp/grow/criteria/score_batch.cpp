#include "grow/criteria/score_batch.hpp"

#include <algorithm>
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

constexpr index_t lanes = 8;

// What both children gain together; each step has its own division.
struct ClippedSteps {
    double longest;
    NONET_INLINE double gradient(double sum, double l1) const { return moved_to_zero(sum, l1); }
    NONET_INLINE double of_child(double g, double h) const {
        const double step = std::min(g / h, longest);
        return step * (2 * g - step * h);
    }
    NONET_INLINE double operator()(double g, double h, double right_g, double right_h) const {
        return of_child(g, h) + of_child(right_g, right_h);
    }
};

// In units of the sums: their squares and products stay far from the maximum double, so that both
// children share one division.
struct ShrunkSteps {
    NONET_INLINE double gradient(double sum, double l1) const { return moved_to_zero(sum, l1); }
    NONET_INLINE double operator()(double g, double h, double right_g, double right_h) const {
        return (g * g * right_h + right_g * right_g * h) / (h * right_h);
    }
};

// The same without l1, less what the parent has: see difference_of_means.
struct FreeSteps {
    NONET_INLINE double gradient(double sum, double) const { return sum; }
    NONET_INLINE double operator()(double g, double h, double right_g, double right_h) const {
        const double difference = g * right_h - right_g * h;
        return difference * difference / (h * right_h * (h + right_h));
    }
};

NONET_INLINE double maximum_of(const double* scores, index_t n) {
    double found[lanes];
    std::fill_n(found, lanes, forbidden);
    index_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (index_t lane = 0; lane < lanes; ++lane)
            found[lane] = scores[i + lane] > found[lane] ? scores[i + lane] : found[lane];
    double most = forbidden;
    for (const double one : found) most = std::max(most, one);
    for (; i < n; ++i) most = std::max(most, scores[i]);
    return most;
}

template <typename Steps>
NONET_INLINE void score_all(const Steps& steps, const std::int64_t* gradients,
                            const std::int64_t* hessians_and_rows, std::int64_t all_gradients,
                            std::int64_t all_hessians_and_rows, const MomentScale& scale,
                            const ChildLimits& limits, index_t n, double* scores) {
    const auto [row_bits, gradient_unit, hessian_unit, l1, l2, max_step, factor] = scale;
    const std::int64_t row_mask = (std::int64_t{1} << row_bits) - 1;
    const auto min_rows = static_cast<std::int64_t>(limits.min_rows);
    const double min_weight = limits.min_weight;
    const double l1_units = l1 / gradient_unit;
    const double l2_units = l2 / hessian_unit;
    const double score_unit = factor * (gradient_unit * gradient_unit / hessian_unit);
    for (index_t i = 0; i < n; ++i) {
        const std::int64_t left = hessians_and_rows[i];
        const std::int64_t right = all_hessians_and_rows - left;
        const auto left_hessian = static_cast<double>(left >> row_bits);
        const auto right_hessian = static_cast<double>(right >> row_bits);
        const double g = steps.gradient(static_cast<double>(gradients[i]), l1_units);
        const double h = left_hessian + l2_units;
        const double right_g =
            steps.gradient(static_cast<double>(all_gradients - gradients[i]), l1_units);
        const double right_h = right_hessian + l2_units;
        const double score = steps(g, h, right_g, right_h);
        const bool allowed = ((left & row_mask) >= min_rows) & ((right & row_mask) >= min_rows) &
                             (left_hessian * hessian_unit >= min_weight) &
                             (right_hessian * hessian_unit >= min_weight) & (h > 0) & (right_h > 0);
        scores[i] = allowed ? score_unit * score : forbidden;
    }
}

// One function a kind of step, as clones need.
NONET_CLONES void score_free(const std::int64_t* gradients, const std::int64_t* hessians_and_rows,
                             std::int64_t all_gradients, std::int64_t all_hessians_and_rows,
                             const MomentScale& scale, const ChildLimits& limits, index_t n,
                             double* scores) {
    score_all(FreeSteps{}, gradients, hessians_and_rows, all_gradients, all_hessians_and_rows,
              scale, limits, n, scores);
}

NONET_CLONES void score_shrunk(const std::int64_t* gradients, const std::int64_t* hessians_and_rows,
                               std::int64_t all_gradients, std::int64_t all_hessians_and_rows,
                               const MomentScale& scale, const ChildLimits& limits, index_t n,
                               double* scores) {
    score_all(ShrunkSteps{}, gradients, hessians_and_rows, all_gradients, all_hessians_and_rows,
              scale, limits, n, scores);
}

NONET_CLONES void score_clipped(const std::int64_t* gradients,
                                const std::int64_t* hessians_and_rows, std::int64_t all_gradients,
                                std::int64_t all_hessians_and_rows, const MomentScale& scale,
                                const ChildLimits& limits, index_t n, double* scores) {
    const ClippedSteps steps{scale.max_step * scale.hessian_unit / scale.gradient_unit};
    score_all(steps, gradients, hessians_and_rows, all_gradients, all_hessians_and_rows, scale,
              limits, n, scores);
}

}  // namespace

void score_moments(const std::int64_t* gradients, const std::int64_t* hessians_and_rows,
                   std::int64_t all_gradients, std::int64_t all_hessians_and_rows,
                   const MomentScale& scale, const ChildLimits& limits, index_t n, double* scores) {
    const bool is_clipped = scale.max_step < std::numeric_limits<double>::infinity();
    const auto score = scale.has_free_steps() ? score_free
                       : is_clipped           ? score_clipped
                                              : score_shrunk;
    score(gradients, hessians_and_rows, all_gradients, all_hessians_and_rows, scale, limits, n,
          scores);
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
                             (a + b >= min_weight) & (c + d >= min_weight) & (a + b > 0) &
                             (c + d > 0);
        scores[i] = allowed ? score : forbidden;
    }
}

NONET_CLONES void score_many_classes(const ClassSums* lefts, const ClassSums& all,
                                     const ChildLimits& limits, index_t n, double* scores) {
    const double minimum = std::max(limits.min_rows, limits.min_weight);
    for (index_t i = 0; i < n; ++i) {
        const auto [weight, squares, products] = lefts[i];
        const auto left = static_cast<double>(weight);
        const auto right = static_cast<double>(all.weight - weight);
        const std::uint64_t right_squares = all.squares - 2 * products + squares;
        const double score =
            static_cast<double>(squares) / left + static_cast<double>(right_squares) / right;
        const bool allowed = (left >= minimum) & (right >= minimum);
        scores[i] = allowed ? score : forbidden;
    }
}

NONET_CLONES double maximum(const double* scores, index_t n) { return maximum_of(scores, n); }

NONET_CLONES index_t first_maximum(const double* scores, index_t n) {
    if (n < 2 * lanes) return std::max_element(scores, scores + n) - scores;
    const double most = maximum_of(scores, n);
    const index_t whole = n - n % lanes;
    index_t first = 0;
    for (bool found = false; first < whole; first += lanes) {
        for (index_t lane = 0; lane < lanes; ++lane) found |= scores[first + lane] == most;
        if (found) break;
    }
    while (first + 1 < n && scores[first] != most) ++first;
    return first;
}

}  // namespace nonet
