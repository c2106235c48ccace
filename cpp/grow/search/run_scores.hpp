// Scores of one threshold for each of some columns of a node whose rows lie class by class, by
// Gini's impurity. See ThresholdScores, which is for rows in any order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grow/criteria/gini_scores.hpp"
#include "grow/criteria/score_batch.hpp"
#include "grow/histogram/class_runs.hpp"
#include "grow/histogram/row_bins.hpp"
#include "grow/search/threshold_scores.hpp"
#include "grow/task/grow_params.hpp"

namespace nonet {

class RunScores {
public:
    using Batch = ClassSquares;
    // The classes of a node, and the sum of the squares of their sizes.
    struct Rows {
        std::span<const ClassRun> runs;
        std::uint64_t squares;
    };

    template <typename Criterion>
    RunScores(const Criterion& criterion, const GrowParams& params, index_t stride)
        : batch_(criterion, {static_cast<double>(params.min_rows_leaf), params.min_weight_leaf}),
          last_left_(static_cast<std::size_t>(stride)),
          few_rows_(last_left_.size()),
          few_sums_(2 * last_left_.size()),
          sums_(3 * last_left_.size()),
          memory_(static_cast<std::size_t>(few_left_bytes)) {}

    void look(const NodeBins& node, std::span<const ColumnThresholdSum> thresholds,
              const Rows& rows) {
        n_rows_ = node.n_rows;
        for (const auto& [column, last_left] : thresholds)
            last_left_[static_cast<std::size_t>(column)] = static_cast<std::uint8_t>(last_left);
        const std::size_t stride = last_left_.size();
        if (are_few())
            sum_few_left(node, rows.runs, last_left_.data(), memory_.data(),
                         {few_rows_.data(), few_sums_.data(), few_sums_.data() + stride});
        else
            sum_runs_left(node, rows.runs, last_left_.data(),
                          {sums_.data(), sums_.data() + stride, sums_.data() + 2 * stride});
    }

    // Scores of some of these thresholds, no more than a batch holds; minus infinity: not allowed.
    const double* of(std::span<const ColumnThresholdSum> thresholds, const Rows& rows) {
        const std::size_t stride = last_left_.size();
        for (std::size_t i = 0; i < thresholds.size(); ++i) {
            const auto c = static_cast<std::size_t>(thresholds[i].column);
            const ClassSums left =
                are_few() ? ClassSums{few_rows_[c], few_sums_[c], few_sums_[stride + c]}
                          : ClassSums{sums_[c], sums_[stride + c], sums_[2 * stride + c]};
            batch_.add(static_cast<index_t>(i), left);
        }
        const auto n_rows = static_cast<std::uint64_t>(n_rows_);
        return batch_.scores(std::ssize(thresholds), {n_rows, rows.squares, rows.squares});
    }

private:
    bool are_few() const noexcept { return n_rows_ <= max_rows_squared; }

    Batch batch_;
    index_t n_rows_ = 0;
    std::vector<std::uint8_t> last_left_;
    std::vector<std::uint8_t> few_rows_;   // rows left in each column
    std::vector<std::uint16_t> few_sums_;  // squares of each column, then products
    std::vector<std::uint64_t> sums_;      // the same three, of many rows
    std::vector<std::uint8_t> memory_;
};

}  // namespace nonet
