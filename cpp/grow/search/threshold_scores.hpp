// Scores of one cut for each of some columns of a node, from bins that lie row by row: one look at
// a row serves all columns. How rows are added up depends on what they add.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "grow/criteria/criterion.hpp"
#include "grow/criteria/gini_scores.hpp"
#include "grow/criteria/score_batch.hpp"
#include "grow/histogram/row_bins.hpp"
#include "grow/task/grow_params.hpp"

namespace nonet {

// A column, and the last of its bins that goes left.
struct ColumnThresholdSum {
    index_t column;
    std::uint32_t last_left;
};

template <SplitCriterion Criterion>
class ThresholdScores {
public:
    using Sums = typename Criterion::Sums;
    using Row = typename Criterion::Row;
    using Batch = typename Criterion::Batch;
    // What the rows of a node add, and their sum.
    struct Rows {
        const Row* added;
        const Sums& all;
    };

    ThresholdScores(const Criterion& criterion, const GrowParams& params, index_t stride)
        : criterion_(criterion),
          batch_(criterion, {static_cast<double>(params.min_rows_leaf), params.min_weight_leaf}),
          left_(criterion),
          last_left_(static_cast<std::size_t>(stride)) {}

    void look(const NodeBins& node, std::span<const ColumnThresholdSum> thresholds,
              const Rows& rows) {
        node_ = node;
        added_ = rows.added;
        for (const auto& [column, last_left] : thresholds)
            last_left_[static_cast<std::size_t>(column)] = static_cast<std::uint8_t>(last_left);
        if constexpr (has_squares)
            if (can_square()) return square(rows.all);
        if constexpr (has_labels)
            if (can_count()) return count();
        if constexpr (has_moments) sum_moments();
    }

    // Scores of some of these thresholds, no more than a batch holds; minus infinity: not allowed.
    const double* of(std::span<const ColumnThresholdSum> thresholds, const Rows& rows) {
        const Sums& all = rows.all;
        if (!add_squares(thresholds) && !add_counts(thresholds, all) &&
            !add_moments(thresholds, all))
            add_rows(thresholds, all);
        return batch_.scores(std::ssize(thresholds), all);
    }

private:
    static constexpr bool has_labels = HasLabels<Criterion>;
    static constexpr bool has_squares = std::is_same_v<Batch, ClassSquares>;
    static constexpr bool has_moments = HasMoments<Criterion>;

    // Rows of weight 1 need only be counted; with more classes than rows that does not pay.
    bool can_count() const noexcept {
        return counts_labels() && criterion_.width() <= node_.n_rows;
    }
    bool can_square() const noexcept { return counts_labels() && node_.n_rows <= max_rows_squared; }
    bool counts_labels() const noexcept {
        return criterion_.counts_rows() && criterion_.width() <= max_labels_counted;
    }

    void square(const Sums& all) {
        const auto stride = last_left_.size();
        n_left_.resize(stride);
        squares_.resize(2 * stride);
        totals_.assign(all.cells().begin(), all.cells().end());
        sum_squares_left(node_, Criterion::labels(added_), totals_, last_left_.data(),
                         {n_left_.data(), squares_.data(), squares_.data() + stride});
    }
    bool add_squares(std::span<const ColumnThresholdSum> thresholds) {
        if constexpr (has_squares) {
            if (!can_square()) return false;
            for (std::size_t i = 0; i < thresholds.size(); ++i) {
                const auto c = static_cast<std::size_t>(thresholds[i].column);
                batch_.add(static_cast<index_t>(i),
                           {n_left_[c], squares_[c], squares_[last_left_.size() + c]});
            }
            return true;
        }
        return false;
    }

    void count() {
        counts_.resize(static_cast<std::size_t>(criterion_.width()) * last_left_.size());
        count_labels_left(node_, Criterion::labels(added_), criterion_.width(), last_left_.data(),
                          counts_.data());
    }
    bool add_counts(std::span<const ColumnThresholdSum> thresholds, const Sums& all) {
        if constexpr (has_labels) {
            if (!can_count()) return false;
            for (std::size_t i = 0; i < thresholds.size(); ++i) {
                left_.set_counts(counts_.data() + thresholds[i].column, std::ssize(last_left_));
                batch_.add(static_cast<index_t>(i), left_, all);
            }
            return true;
        }
        return false;
    }

    void sum_moments() {
        const auto stride = last_left_.size();
        moments_.resize(2 * stride);
        sum_moments_left(node_, Criterion::moments(added_), last_left_.data(), moments_.data(),
                         moments_.data() + stride);
    }
    bool add_moments(std::span<const ColumnThresholdSum> thresholds, const Sums& all) {
        if constexpr (has_moments)
            for (std::size_t i = 0; i < thresholds.size(); ++i) {
                const auto c = static_cast<std::size_t>(thresholds[i].column);
                left_.set_moments(moments_[c], moments_[last_left_.size() + c]);
                batch_.add(static_cast<index_t>(i), left_, all);
            }
        return has_moments;
    }

    void add_rows(std::span<const ColumnThresholdSum> thresholds, const Sums& all) {
        lefts_.resize(std::max(lefts_.size(), thresholds.size()), left_);
        for (std::size_t j = 0; j < thresholds.size(); ++j) lefts_[j].clear();
        for (index_t i = 0; i < node_.n_rows; ++i) {
            const std::uint8_t* bins = node_.of(i);
            const Row row = added_[i];
            for (std::size_t j = 0; j < thresholds.size(); ++j)
                lefts_[j].add_row_if(bins[thresholds[j].column] <= thresholds[j].last_left, row);
        }
        for (std::size_t j = 0; j < thresholds.size(); ++j)
            batch_.add(static_cast<index_t>(j), lefts_[j], all);
    }

    const Criterion& criterion_;
    Batch batch_;
    Sums left_;
    NodeBins node_{};
    const Row* added_ = nullptr;
    std::vector<std::uint8_t> last_left_;
    std::vector<std::uint8_t> n_left_;
    std::vector<std::uint16_t> squares_;  // of each column, then their products with the totals
    std::vector<std::uint16_t> totals_;
    std::vector<std::uint32_t> counts_;
    std::vector<std::int64_t> moments_;  // first words of each column, then second ones
    std::vector<Sums> lefts_;
};

}  // namespace nonet
