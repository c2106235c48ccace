// Which of many listed columns has the best split, for a node that has its histogram.
//
// Indicators and other columns of few bins have one threshold or a few each: what a column costs
// besides would be most of the time. The thresholds of all columns wait in one batch, and only for
// the best column the split is worked out, by the caller. Columns have to be numbers, none of
// them missing, and free of constraints.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "data/scattered_columns.hpp"
#include "grow/criteria/criterion.hpp"
#include "grow/criteria/score_batch.hpp"
#include "grow/sampling/column_sampler.hpp"
#include "grow/task/grow_params.hpp"

namespace nonet {

template <SplitCriterion Criterion>
class ListedColumnsSearch {
public:
    using Sums = typename Criterion::Sums;
    using Cell = typename Criterion::Cell;
    static constexpr index_t no_column = -1;
    // Sums of several cells are too large to be made anew for every threshold.
    static constexpr bool can_search = [] {
        if constexpr (AddsRows<Criterion>)
            return Criterion::fixed_width == 1 && std::is_trivially_copyable_v<Sums>;
        return false;
    }();

    ListedColumnsSearch(const Criterion& criterion, const GrowParams& params)
        : criterion_(criterion),
          params_(params),
          batch_(criterion, {static_cast<double>(params.min_rows_leaf), params.min_weight_leaf}) {}

    // `all` is the sum of the node's rows and `parent_score` its score.
    void start(const Sums& all, double parent_score, std::uint64_t node_key) noexcept {
        all_ = &all;
        parent_score_ = parent_score;
        node_key_ = node_key;
        n_waiting_ = 0;
        best_column_ = no_column;
        best_gain_ = none;
    }

    // The cells are those of the column, without that of the common bin.
    void add(const ScatteredColumn& column, const Cell* cells) {
        if (n_waiting_ + column.n_cells() > Batch::capacity) compare();
        if (column.n_cells() == 1)
            add_indicator(column, cells);
        else
            add_several(column, cells);
    }

    // Of all columns added; no_column: none of them has a split.
    index_t best_column() {
        if (n_waiting_ > 0) compare();
        return best_column_;
    }

private:
    using Batch = typename Criterion::Batch;
    static constexpr double none = -std::numeric_limits<double>::infinity();

    // Without a branch, as it would be taken at random. The batch refuses what the common bin does
    // not leave enough rows for.
    void add_indicator(const ScatteredColumn& column, const Cell* cell) noexcept {
        Sums other(criterion_);
        other.add(cell);
        Sums common(criterion_);
        common.set_difference(*all_, other);
        batch_.add(n_waiting_, column.common == 0 ? common : other, *all_);
        columns_[static_cast<std::size_t>(n_waiting_)] = column.column;
        n_waiting_ += criterion_.n_rows(other) >= params_.min_rows_leaf ? 1 : 0;
    }

    void add_several(const ScatteredColumn& column, const Cell* cells) noexcept {
        Sums others(criterion_);
        for (index_t k = 0; k < column.n_cells(); ++k) others.add(cells + k);
        if (criterion_.n_rows(others) < params_.min_rows_leaf) return;
        Sums common(criterion_);
        common.set_difference(*all_, others);
        Sums left(criterion_);
        index_t n = n_waiting_;  // in a register, which what the batch stores cannot overlap
        const auto n_below = static_cast<index_t>(column.common);
        for (index_t k = 0; k < n_below; ++k) {
            left.add(cells + k);
            batch_.add(n++, left, *all_);
        }
        left.set_sum(left, common);
        if (n_below < column.n_cells()) batch_.add(n++, left, *all_);
        for (index_t k = n_below; k + 1 < column.n_cells(); ++k) {
            left.add(cells + k);
            batch_.add(n++, left, *all_);
        }
        std::fill(columns_.begin() + n_waiting_, columns_.begin() + n, column.column);
        n_waiting_ = n;
    }

    // The largest score gains most, though others may gain the same; among equal gains that column
    // wins whose rank is lowest.
    void compare() {
        const index_t n = std::exchange(n_waiting_, 0);
        if (n == 0) return;
        const double* scores = batch_.scores(n, *all_);
        const double gain = maximum(scores, n) - parent_score_;
        if (gain < best_gain_ || gain == none) return;
        for (index_t i = 0; i < n; ++i) {
            if (scores[i] - parent_score_ != gain) continue;
            const index_t column = columns_[static_cast<std::size_t>(i)];
            const std::uint64_t rank = tie_rank(params_, node_key_, column);
            if (gain == best_gain_ && rank >= best_rank_) continue;
            best_gain_ = gain;
            best_rank_ = rank;
            best_column_ = column;
        }
    }

    const Criterion& criterion_;
    const GrowParams& params_;
    Batch batch_;
    std::array<index_t, static_cast<std::size_t>(Batch::capacity)> columns_;
    index_t n_waiting_ = 0;
    const Sums* all_ = nullptr;
    double parent_score_ = 0;
    std::uint64_t node_key_ = 0;
    index_t best_column_ = no_column;
    double best_gain_ = none;
    std::uint64_t best_rank_ = 0;
};

}  // namespace nonet
