// What the nodes of a grown tree answer, and their statistics, in double precision from the rows
// themselves: what fixed point rounds off decides about splits at most.
//
// Leaves are summed up from their rows, inner nodes from their children. A summary is a few
// doubles; `describe` writes the values that it says and returns the rest.
#pragma once

#include <cmath>
#include <numeric>
#include <span>

#include "grow/criteria/class_criterion.hpp"
#include "grow/criteria/moment_criterion.hpp"
#include "grow/node/split.hpp"
#include "tree/tree.hpp"

namespace nonet {

struct NodeMeasures {
    double impurity;
    double weight;
};

// Summary: weight of each class. Value: their shares.
template <typename Impurity>
class ClassValues {
public:
    explicit ClassValues(const Targets& targets) : targets_(targets) {}

    index_t n_outputs() const noexcept { return targets_.n_classes; }
    index_t summary_size() const noexcept { return targets_.n_classes; }

    void sum_rows(std::span<const std::uint32_t> rows, double* summary) const noexcept {
        if (n_outputs() == 2) return sum_two_classes(rows, summary);
        for (const std::uint32_t row : rows) summary[targets_.classes[row]] += weight_of(row);
    }
    void join(const double* left, const double* right, double* summary) const noexcept {
        for (index_t k = 0; k < n_outputs(); ++k) summary[k] = left[k] + right[k];
    }
    NodeMeasures describe(const double* summary, double* out) const noexcept {
        const std::span<const double> weights(summary, static_cast<std::size_t>(n_outputs()));
        const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
        for (const double weight : weights) *out++ = weight / total;
        const double impure = Impurity::most - Impurity::score(weights, total) / total;
        return {std::max(impure, 0.0), total};
    }
    // Only two classes have bounds.
    void clip(const AnswerBounds& bounds, double* out) const noexcept {
        if (n_outputs() != 2 || bounds.contains(out[1])) return;
        out[1] = bounds.clipped(out[1]);
        out[0] = 1 - out[1];
    }

private:
    double weight_of(std::uint32_t row) const noexcept {
        return targets_.weight(row) * targets_.count(row);
    }
    // In four lanes, as in sum_over, and on the stack: the caller's summary might be anywhere.
    void sum_two_classes(std::span<const std::uint32_t> rows, double* summary) const noexcept {
        double lanes[4][2] = {};
        for (std::size_t i = 0; i < rows.size(); ++i)
            lanes[i % 4][targets_.classes[rows[i]]] += weight_of(rows[i]);
        for (std::size_t k = 0; k < 2; ++k)
            summary[k] = (lanes[0][k] + lanes[1][k]) + (lanes[2][k] + lanes[3][k]);
    }

    const Targets& targets_;
};

// From a weight, and for each output a value and the weighted sum of distances from it: the values,
// and the mean over outputs of their mean distances.
inline NodeMeasures describe_middles(const double* summary, index_t n_outputs,
                                     double* out) noexcept {
    double sum = 0;
    for (index_t k = 0; k < n_outputs; ++k) {
        out[k] = summary[1 + 2 * k];
        sum += summary[2 + 2 * k];
    }
    return {sum / summary[0] / static_cast<double>(n_outputs), summary[0]};
}

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
    static void clip(const AnswerBounds& bounds, double* out) noexcept {
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
    static void clip(const AnswerBounds& bounds, double* out) noexcept {
        out[0] = bounds.clipped(out[0]);
    }

private:
    static double x_log_x(double x) noexcept { return x > 0 ? x * std::log(x) : 0.0; }
    const Targets& targets_;
};

// Summary: gradient and hessian. Value: Newton's step, -T(G) / (H + l2); children of sets of
// categories may have an l2 of their own, which changes their steps only.
class NewtonValues {
public:
    NewtonValues(const Targets& targets, const GrowParams& params)
        : targets_(targets), loss_(params) {}

    static constexpr index_t n_outputs() noexcept { return 1; }
    static constexpr index_t summary_size() noexcept { return 2; }

    void sum_rows(std::span<const std::uint32_t> rows, double* summary) const noexcept {
        using Pair [[gnu::vector_size(16)]] = double;
        const Pair sums = sum_over<Pair>(rows, [this](std::uint32_t row) {
            const double weight = targets_.weight(row) * targets_.count(row);
            return weight * Pair{targets_.values[row], targets_.hessians[row]};
        });
        summary[0] = sums[0];
        summary[1] = sums[1];
    }
    static void join(const double* left, const double* right, double* summary) noexcept {
        summary[0] = left[0] + right[0];
        summary[1] = left[1] + right[1];
    }
    NodeMeasures describe(const double* summary, double* out, double extra_l2) const noexcept {
        const double weight = summary[1];
        out[0] = loss_.answer(summary[0], weight + extra_l2, 0.0);
        return {weight > 0 ? -loss_.score(summary[0], weight) / weight : 0.0, weight};
    }
    static void clip(const AnswerBounds& bounds, double* out) noexcept {
        out[0] = bounds.clipped(out[0]);
    }

private:
    const Targets& targets_;
    Newton loss_;
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
            out[k] = loss_.answer(summary[k], hessian + extra_l2, 0.0);
            score += loss_.score(summary[k], hessian);
            hessians += hessian;
        }
        const double weight = hessians / static_cast<double>(n_outputs());
        return {weight > 0 ? -score / weight : 0.0, weight};
    }
    static void clip(const AnswerBounds&, double*) noexcept {}  // no constraints on several scores

private:
    const Targets& targets_;
    Newton loss_;
};

}  // namespace nonet
