// Half the Poisson deviance of numbers, for counts and rates; and of indicators of classes, whose
// deviance is their entropy.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>

#include "base/check.hpp"
#include "grow/criteria/node_values.hpp"
#include "grow/task/fixed_point.hpp"
#include "grow/task/grow_params.hpp"
#include "grow/task/targets.hpp"

namespace nonet {

// Summary: weight; then for each output the sum of its targets and of their y log y. Values: the
// means. Impurity: half the mean Poisson deviance, averaged over outputs.
class PoissonValues {
public:
    explicit PoissonValues(const Targets& targets) : targets_(targets) {}

    index_t n_outputs() const noexcept { return targets_.n_outputs; }
    index_t summary_size() const noexcept { return 1 + 2 * targets_.n_outputs; }

    void sum_rows(std::span<const std::uint32_t> rows, double* summary) const noexcept {
        for (const std::uint32_t row : rows) {
            const double weight = targets_.weight(row) * targets_.count(row);
            summary[0] += weight;
            for (index_t k = 0; k < n_outputs(); ++k) {
                const double y = targets_.value(row, static_cast<std::size_t>(k));
                summary[1 + 2 * k] += weight * y;
                summary[2 + 2 * k] += weight * x_log_x(y);
            }
        }
    }
    void join(const double* left, const double* right, double* summary) const noexcept {
        for (index_t k = 0; k < summary_size(); ++k) summary[k] = left[k] + right[k];
    }
    NodeMeasures describe(const double* summary, double* out) const noexcept {
        double deviance = 0;
        for (index_t k = 0; k < n_outputs(); ++k) {
            out[k] = summary[1 + 2 * k] / summary[0];
            deviance += summary[2 + 2 * k] / summary[0] - x_log_x(out[k]);
        }
        return {std::max(deviance / static_cast<double>(n_outputs()), 0.0), summary[0]};
    }
    static void clip(const PredictionBounds& bounds, double* out) noexcept {
        out[0] = bounds.clipped(out[0]);
    }

private:
    static double x_log_x(double x) noexcept { return x > 0 ? x * std::log(x) : 0.0; }
    const Targets& targets_;
};

// Half the deviance is the sum of S log(S / W), up to what all splits share. A rate of 0 is none;
// the fraction of a class may well be 0.
template <bool are_rates>
struct Deviances {
    static constexpr bool is_centred = false;
    static double score(double sum, double weight) noexcept {
        return sum > 0 && weight > 0 ? sum * std::log(sum / weight) : 0.0;
    }
    static double score_children(double left_sum, double left_weight, double right_sum,
                                 double right_weight) noexcept {
        return score(left_sum, left_weight) + score(right_sum, right_weight);
    }
    static bool allows(double sum) noexcept { return !are_rates || sum > 0; }
};

inline void check_not_negative(const Targets& targets, std::span<const std::uint32_t> rows) {
    check(!targets.values.empty() && targets.n_outputs >= 1,
          "Deviances need the targets of the rows.");
    double total = 0;
    for (const std::uint32_t row : rows)
        for (index_t k = 0; k < targets.n_outputs; ++k) {
            const double target = targets.value(row, static_cast<std::size_t>(k));
            check(target >= 0, [row] {
                return "Targets of a deviance must not be negative, which fails in row " +
                       std::to_string(row) + ".";
            });
            total += target;
        }
    check(total > 0, "A deviance needs a target above 0.");
}

// Half the Poisson deviance of targets that are not negative: the score is G log(G / W). A child
// whose targets are all 0 would have a mean of 0, which is no rate, and is forbidden.
struct Poisson {
    using Outputs = Deviances<true>;
    using Values = PoissonValues;
    static void check_targets(const Targets& targets, std::span<const std::uint32_t> rows) {
        check_not_negative(targets, rows);
    }

    explicit Poisson(const GrowParams&) {}
    static constexpr bool has_pure_nodes = true;
    static constexpr bool is_quadratic = false;
    static double hessian(const Targets&, std::uint32_t) noexcept { return 1.0; }
    static double centre(const Targets&, std::span<const std::uint32_t>) noexcept { return 0.0; }
    static double prediction(double sum, double weight, double) noexcept {
        return ratio(sum, weight);
    }
    static bool allows(double sum) noexcept { return sum > 0; }
    static double score(double sum, double weight) noexcept {
        return sum > 0 && weight > 0 ? sum * std::log(sum / weight) : 0.0;
    }
    static double node_score(double sum, double weight, double) noexcept {
        return score(sum, weight);
    }
};

}  // namespace nonet
