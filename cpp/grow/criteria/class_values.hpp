// Values of the nodes of a classification tree. See node_values.hpp.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>

#include "grow/criteria/node_values.hpp"
#include "grow/histogram/class_runs.hpp"
#include "grow/task/targets.hpp"

namespace nonet {

// Summary: weight of each class. Value: their fractions.
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
    // From the classes of rows of weight 1; `out` is all 0. Numbers of rows and their squares are
    // exact in any order, so that the result is the one above.
    NodeMeasures describe(std::span<const ClassRun> runs, double* out) const noexcept
        requires Impurity::is_sum_of_squares
    {
        std::uint64_t n_rows = 0;
        std::uint64_t squares = 0;
        for (const ClassRun& run : runs) {
            n_rows += run.n_rows;
            squares += std::uint64_t{run.n_rows} * run.n_rows;
        }
        const auto total = static_cast<double>(n_rows);
        for (const ClassRun& run : runs) out[run.label] = static_cast<double>(run.n_rows) / total;
        const double impure = Impurity::most - static_cast<double>(squares) / total / total;
        return {std::max(impure, 0.0), total};
    }
    // Only two classes have bounds.
    void clip(const PredictionBounds& bounds, double* out) const noexcept {
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

}  // namespace nonet
