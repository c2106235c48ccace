// Newton's step of boosting: what a split gains by gradients and hessians, and the values of
// leaves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "grow/criteria/node_values.hpp"
#include "grow/criteria/split_gain.hpp"
#include "grow/histogram/moment_rows.hpp"
#include "grow/task/grow_params.hpp"
#include "grow/task/targets.hpp"

namespace nonet {

// Half of T(G)^2 / (H + l2), where T moves G towards 0 by l1; if the step T(G) / (H + l2) is longer
// than allowed, what the longest step gains.
struct Newton {
    static constexpr double factor = 0.5;

    explicit Newton(const GrowParams& params)
        : l1(params.l1), l2(params.l2), max_step(params.max_step) {}
    static constexpr bool has_pure_nodes = false;
    static constexpr bool is_quadratic = true;
    static constexpr bool has_hessians = true;
    static double hessian(const Targets& targets, std::uint32_t row) noexcept {
        return targets.hessians[row];
    }
    static double centre(const Targets&, std::span<const std::uint32_t>) noexcept { return 0.0; }
    double shrunk(double gradient) const noexcept {
        return std::copysign(std::max(std::abs(gradient) - l1, 0.0), gradient);
    }
    double prediction(double gradient, double hessian, double) const noexcept {
        if (!(hessian + l2 > 0)) return 0.0;
        return std::clamp(-shrunk(gradient) / (hessian + l2), -max_step, max_step);
    }
    double score(double gradient, double hessian) const noexcept {
        if (!(hessian + l2 > 0)) return 0.0;
        const double g = l1 > 0 ? shrunk(gradient) : gradient;
        const double size = std::abs(g);
        if (size > max_step * (hessian + l2))
            return factor * (max_step * (2 * size - max_step * (hessian + l2)));
        return factor * (g * g / (hessian + l2));
    }

    // As in MomentScale: what a split gains then has a form that loses no bits.
    bool is_free() const noexcept {
        return !(l1 > 0) && max_step == std::numeric_limits<double>::infinity();
    }
    // Of a node before it is split, and of its two children, whose penalty may be larger.
    double node_score(double gradient, double hessian, double extra_l2) const noexcept {
        if (!is_free()) return score(gradient, hessian);
        return factor * lost_to_l2(gradient, hessian, l2, extra_l2);
    }
    double score_children(double left_gradient, double left_hessian, double right_gradient,
                          double right_hessian, double extra_l2) const noexcept {
        const double left = left_hessian + extra_l2;
        const double right = right_hessian + extra_l2;
        if (!is_free()) return score(left_gradient, left) + score(right_gradient, right);
        return factor * difference_of_means(left_gradient, left + l2, right_gradient, right + l2);
    }

    double l1;
    double l2;
    double max_step;
};

// Summary: gradient and hessian, their high parts and their low parts; these add up without
// rounding, whatever the order of the rows. Value: Newton's step, -T(G) / (H + l2); children of
// sets of categories may have an l2 of their own, which changes their steps only.
class NewtonValues {
public:
    NewtonValues(const Targets& targets, const GrowParams& params, const MomentParts& parts)
        : targets_(targets),
          loss_(params),
          high_{parts.gradients.high_rounder(), parts.hessians.high_rounder()},
          low_{parts.gradients.low_rounder(), parts.hessians.low_rounder()} {}

    static constexpr index_t n_outputs() noexcept { return 1; }
    static constexpr index_t summary_size() noexcept { return 4; }

    void sum_rows(std::span<const std::uint32_t> rows, double* summary) const noexcept {
        const double* gradients = targets_.values.data();
        const double* hessians = targets_.hessians.data();
        const auto plain = [=](std::uint32_t row) { return Pair{gradients[row], hessians[row]}; };
        if (!targets_.has_weights())
            return add_up(rows, summary, [&](std::uint32_t row) { return parted(plain(row)); });
        // A row that counts twice is two rows: rounded first, then counted.
        add_up(rows, summary, [&](std::uint32_t row) {
            const auto [count, weight] = targets_.times(row);
            Parts parts = parted(weight * plain(row));
            parts.high *= static_cast<double>(count);
            parts.low *= static_cast<double>(count);
            return parts;
        });
    }
    static void join(const double* left, const double* right, double* summary) noexcept {
        for (index_t i = 0; i < summary_size(); ++i) summary[i] = left[i] + right[i];
    }
    NodeMeasures describe(const double* summary, double* out, double extra_l2) const noexcept {
        const double gradient = summary[0] + summary[2];
        const double weight = summary[1] + summary[3];
        out[0] = loss_.prediction(gradient, weight + extra_l2, 0.0);
        return {weight > 0 ? -loss_.score(gradient, weight) / weight : 0.0, weight};
    }
    static void clip(const PredictionBounds& bounds, double* out) noexcept {
        out[0] = bounds.clipped(out[0]);
    }

private:
    using Pair [[gnu::vector_size(16)]] = double;  // gradient and hessian
    struct Parts {
        Pair high;
        Pair low;

        Parts& operator+=(const Parts& other) noexcept {
            high += other.high;
            low += other.low;
            return *this;
        }
        friend Parts operator+(Parts one, const Parts& other) noexcept { return one += other; }
    };

    Parts parted(const Pair& row) const noexcept {
        const Pair high = PartedTerms::part(row, high_);
        return {high, PartedTerms::part(Pair(row - high), low_)};
    }
    template <typename PartsOf>
    static void add_up(std::span<const std::uint32_t> rows, double* summary,
                       const PartsOf& parts_of) noexcept {
        const Parts sums = sum_over<Parts>(rows, parts_of);
        for (std::size_t i = 0; i < 2; ++i) {
            summary[i] = sums.high[i];
            summary[2 + i] = sums.low[i];
        }
    }

    const Targets& targets_;
    Newton loss_;
    Pair high_;
    Pair low_;
};

// The same for several scores. Summary: their gradients, then their hessians.
class VectorNewtonValues {
public:
    VectorNewtonValues(const Targets& targets, const GrowParams& params)
        : targets_(targets), loss_(params) {}

    index_t n_outputs() const noexcept { return targets_.n_outputs; }
    index_t summary_size() const noexcept { return 2 * targets_.n_outputs; }

    void sum_rows(std::span<const std::uint32_t> rows, double* summary) const noexcept {
        for (const std::uint32_t row : rows) {
            const double weight = targets_.weight(row) * targets_.count(row);
            for (index_t k = 0; k < n_outputs(); ++k) {
                const auto output = static_cast<std::size_t>(k);
                summary[k] += weight * targets_.value(row, output);
                summary[n_outputs() + k] += weight * targets_.hessian(row, output);
            }
        }
    }
    void join(const double* left, const double* right, double* summary) const noexcept {
        for (index_t k = 0; k < summary_size(); ++k) summary[k] = left[k] + right[k];
    }
    NodeMeasures describe(const double* summary, double* out, double extra_l2) const noexcept {
        double score = 0;
        double hessians = 0;
        for (index_t k = 0; k < n_outputs(); ++k) {
            const double hessian = summary[n_outputs() + k];
            out[k] = loss_.prediction(summary[k], hessian + extra_l2, 0.0);
            score += loss_.score(summary[k], hessian);
            hessians += hessian;
        }
        const double weight = hessians / static_cast<double>(n_outputs());
        return {weight > 0 ? -score / weight : 0.0, weight};
    }
    static void clip(const PredictionBounds&, double*) noexcept {
    }  // no constraints on several scores

private:
    const Targets& targets_;
    Newton loss_;
};

}  // namespace nonet
