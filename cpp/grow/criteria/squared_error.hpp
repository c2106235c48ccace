// The squared error of numbers: the distances of targets from their mean, squared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/check.hpp"
#include "grow/criteria/node_values.hpp"
#include "grow/criteria/split_gain.hpp"
#include "grow/task/fixed_point.hpp"
#include "grow/task/grow_params.hpp"
#include "grow/task/targets.hpp"

namespace nonet {

// Summary: weight; then for each output its mean and the weighted sum of squared distances from it.
// Value: the means. Impurity: the mean over outputs of their variances.
class MeanValues {
public:
    explicit MeanValues(const Targets& targets) : targets_(targets) {}

    index_t n_outputs() const noexcept { return targets_.n_outputs; }
    index_t summary_size() const noexcept { return 1 + 2 * targets_.n_outputs; }

    void sum_rows(std::span<const std::uint32_t> rows, double* summary) const noexcept {
        summary[0] = targets_.has_weights()
                         ? sum_over(rows, [this](std::uint32_t row) { return weight_of(row); })
                         : static_cast<double>(rows.size());
        for (index_t k = 0; k < n_outputs(); ++k) sum_output(rows, k, summary);
    }
    // Chan, Golub and LeVeque (1979): no large numbers are subtracted.
    void join(const double* left, const double* right, double* summary) const noexcept {
        const double weight = left[0] + right[0];
        summary[0] = weight;
        for (index_t k = 1; k < summary_size(); k += 2) {
            const double distance = right[k] - left[k];
            summary[k] = left[k] + distance * (right[0] / weight);
            summary[k + 1] =
                left[k + 1] + right[k + 1] + distance * distance * (left[0] * right[0] / weight);
        }
    }
    NodeMeasures describe(const double* summary, double* out) const noexcept {
        return describe_middles(summary, n_outputs(), out);
    }
    static void clip(const PredictionBounds& bounds, double* out) noexcept {
        out[0] = bounds.clipped(out[0]);
    }

private:
    void sum_output(std::span<const std::uint32_t> rows, index_t k,
                    double* summary) const noexcept {
        const auto output = static_cast<std::size_t>(k);
        const double sum = sum_over(
            rows, [&](std::uint32_t row) { return weight_of(row) * targets_.value(row, output); });
        const double mean = sum / summary[0];
        const double squares = sum_over(rows, [&](std::uint32_t row) {
            const double distance = targets_.value(row, output) - mean;
            return weight_of(row) * distance * distance;
        });
        summary[1 + 2 * k] = mean;
        summary[2 + 2 * k] = squares;
    }
    double weight_of(std::uint32_t row) const noexcept {
        return targets_.weight(row) * targets_.count(row);
    }
    const Targets& targets_;
};

// The median target of some rows. Any centre would do: the closer it is to most targets, the more
// bits do these keep.
inline double typical_target(const Targets& targets, std::span<const std::uint32_t> rows) {
    constexpr std::size_t max_looked_at = 255;
    const std::size_t n = std::min(rows.size(), max_looked_at);
    std::vector<double> sample(n);
    for (std::size_t i = 0; i < n; ++i) sample[i] = targets.values[rows[i * rows.size() / n]];
    std::ranges::nth_element(sample, sample.begin() + static_cast<std::ptrdiff_t>(n / 2));
    return sample[n / 2];
}

// Several outputs.
struct SquaredErrors {
    static constexpr bool is_centred = true;
    // Against the node's own mean, which splits share: see difference_of_means.
    static double score(double, double) noexcept { return 0.0; }
    static double score_children(double left_sum, double left_weight, double right_sum,
                                 double right_weight) noexcept {
        return difference_of_means(left_sum, left_weight, right_sum, right_weight);
    }
    static bool allows(double) noexcept { return true; }
};

// Targets less a centre are the gradients, weights the hessians. Children are scored by the
// difference of their means, for which a node has no score of its own.
struct SquaredError {
    static constexpr double l1 = 0;
    static constexpr double l2 = 0;
    static constexpr double max_step = std::numeric_limits<double>::infinity();
    static constexpr double factor = 1;

    using Outputs = SquaredErrors;
    using Values = MeanValues;
    static void check_targets(const Targets& targets, std::span<const std::uint32_t>) {
        check(!targets.values.empty() && targets.n_outputs >= 1,
              "Squared error needs the targets of the rows.");
    }

    explicit SquaredError(const GrowParams&) {}
    static constexpr bool has_pure_nodes = true;
    static constexpr bool is_quadratic = true;
    static constexpr bool has_hessians = false;
    static double hessian(const Targets&, std::uint32_t) noexcept { return 1.0; }
    static double centre(const Targets& targets, std::span<const std::uint32_t> rows) {
        return typical_target(targets, rows);
    }
    static double prediction(double gradient, double weight, double centre) noexcept {
        return centre + ratio(gradient, weight);
    }
    static double node_score(double, double, double) noexcept { return 0.0; }
};

}  // namespace nonet
