// The best split of a node on one column.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "base/random.hpp"
#include "data/bin_edges.hpp"
#include "grow/criteria/criterion.hpp"
#include "grow/criteria/gini_scores.hpp"
#include "grow/criteria/score_batch.hpp"
#include "grow/node/split.hpp"
#include "grow/search/category_search.hpp"
#include "grow/search/present_bins.hpp"
#include "grow/search/threshold_grid.hpp"
#include "grow/task/grow_params.hpp"

namespace nonet {

// The edge of a bin next to a random threshold, where nodes share their edges: bins then
// determine the leaves of all rows, whether a tree was grown on them or not.
inline double edge_near(const Split& split, const ColumnBins& bins) noexcept {
    if (split.above == Split::no_bin)
        return split.below < bins.edges.size() ? bins.edges[split.below]
                                               : std::numeric_limits<double>::infinity();
    const auto first = bins.edges.begin() + split.below;
    const auto last = bins.edges.begin() + split.above - 1;
    return *std::lower_bound(first, last, split.threshold);
}

// A random threshold keeps its value unless that lies inside a bin. Where a split separates only
// the missing rows, a searched threshold is infinite; a random one stays inside the range that it
// was sampled from.
inline void set_threshold(Split& split, const ColumnBins& bins, const GrowParams& params) {
    const double low = bins.maximum[split.below];
    const bool is_drawn = params.threshold_draw == ThresholdDraw::uniform;
    const bool on_edge = params.threshold_policy == ThresholdPolicy::edge;
    if (is_drawn && on_edge) {
        split.threshold = edge_near(split, bins);
        return;
    }
    if (split.above == Split::no_bin) {
        split.threshold = is_drawn ? low : std::numeric_limits<double>::infinity();
        return;
    }
    const double high = bins.minimum[split.above];
    if (!is_drawn || split.threshold < low || split.threshold >= high)
        split.threshold = on_edge ? bins.edges[split.below] : midway(low, high);
    if (is_drawn) move_to_grid(split, bins);
}

template <SplitCriterion Criterion>
class ColumnSearch {
public:
    using Sums = typename Criterion::Sums;

    ColumnSearch(const Criterion& criterion, const GrowParams& params)
        : criterion_(criterion),
          params_(params),
          batch_(criterion, {static_cast<double>(params.min_rows_leaf), params.min_weight_leaf}),
          left_(criterion),
          right_(criterion),
          missing_(criterion),
          left_with_missing_(criterion),
          categories_(criterion, params) {}

    // The threshold is where it was drawn, if it was: set_threshold puts that of the best column
    // in place. `all` are the sums of the node and `parent_score` is their score; `node_key` names
    // the random draws of the node. Splits that gain less than another column's are not found.
    Split best(const ColumnBins& column_bins, index_t column, const PresentBins<Criterion>& present,
               const Sums& all, double parent_score, std::uint64_t node_key,
               const PredictionBounds& bounds, double gain_to_reach) {
        if (column_bins.is_category)
            return categories_.best(column_bins, column, present, all, parent_score, node_key,
                                    gain_to_reach);
        column_bins_ = &column_bins;
        bounds_ = &bounds;
        parent_score_ = parent_score;
        gain_to_reach_ = gain_to_reach;
        monotone_ =
            params_.monotone.empty() ? 0 : params_.monotone[static_cast<std::size_t>(column)];
        present_ = &present;
        all_ = &all;
        best_score_ = none;
        set_missing_apart();
        if (params_.threshold_draw == ThresholdDraw::all)
            try_all();
        else
            try_one(column, node_key);
        return finished(column);
    }

    // The score of a split whose left side is known.
    double score_of(Sums& left, const Sums& all) {
        batch_.add(0, left, all);
        return batch_.scores(1, all)[0];
    }

private:
    using Batch = typename Criterion::Batch;
    // Small sums run in registers, others where they are.
    using Running = std::conditional_t<std::is_trivially_copyable_v<Sums>, Sums, Sums&>;
    static constexpr bool has_squares = std::is_same_v<Batch, ClassSquares>;
    static constexpr double none = -std::numeric_limits<double>::infinity();
    struct Candidate {
        index_t last_left = 0;  // position among the present bins
        bool missing_left = false;
    };

    void set_missing_apart() {
        n_ordered_ = present_->n;
        has_missing_ = false;
        if (present_->dataset_bin(n_ordered_ - 1) != column_bins_->missing_bin()) return;
        has_missing_ = !present_->is_empty(--n_ordered_);
        missing_.clear();
        missing_.add(present_->cell(n_ordered_));
    }

    // Bins may be empty: their split is that of the bin before, which comes first.
    void try_all() {
        if (monotone_ != 0) return try_all_in_order();
        has_missing_ ? try_all_with_missing() : try_all_known();
    }

    // Of a column with a constraint.
    void try_all_in_order() {
        left_.clear();
        for (index_t k = n_leading_empty(); k + 1 < n_ordered_; ++k) {
            left_.add(present_->cell(k));
            try_both_sides(k);
        }
        if (has_missing_ && n_ordered_ > 0) {
            left_.add(present_->cell(n_ordered_ - 1));
            try_split(left_, n_ordered_ - 1, false);
        }
        compare_waiting();
    }

    // All thresholds with the missing rows on the right, then all with them on the left: sums run
    // on without a branch, and are scored many at a time.
    [[gnu::noinline]] void try_all_with_missing() {
        const index_t first = n_leading_empty();
        left_.clear();
        Running left = left_;
        try_range(left, first, n_ordered_, false);
        left_with_missing_.clear();
        Running with_missing = left_with_missing_;
        with_missing.set_sum(missing_, with_missing);
        try_range(with_missing, first, n_ordered_ - 1, true);
    }

    // Missing rows alone on the left of known ones would be the mirror of a split that is tried
    // anyway, and only where bins were not looked through before.
    index_t n_leading_empty() const noexcept {
        index_t n = 0;
        while (n + 1 < n_ordered_ && present_->is_empty(n)) ++n;
        return n;
    }

    // Without missing rows and constraints, which is what most columns are like.
    void try_all_known() {
        if constexpr (has_squares) {
            squares_.start(*all_);
            try_range(squares_, 0, n_ordered_ - 1, false);
        } else {
            left_.clear();
            Running left = left_;
            try_range(left, 0, n_ordered_ - 1, false);
        }
    }
    // The thresholds behind bins begin, ..., end - 1; `left` holds what is left of all of them. It
    // stays in registers only where this is inlined.
    template <typename Left>
    [[gnu::always_inline]] inline void try_range(Left& left, index_t begin, index_t end,
                                                 bool missing_left) {
        for (index_t first = begin; first < end; first += Batch::capacity) {
            const index_t n = std::min(Batch::capacity, end - first);
            const auto add = [&](index_t i, const typename Criterion::Cell* cell) {
                left.add(cell);
                batch_.add(i, left, *all_);
            };
            if (present_->rows != nullptr) {
                if constexpr (std::is_same_v<Left, RunningSquares>) add_rows(left, first, n);
            } else if (present_->bins == nullptr) {
                const typename Criterion::Cell* cell = present_->cell(first);
                for (index_t i = 0; i < n; ++i, cell += present_->width) add(i, cell);
            } else {
                for (index_t i = 0; i < n; ++i) add(i, present_->cell(first + i));
            }
            keep_if_better(n, [=](index_t i) { return Candidate{first + i, missing_left}; });
        }
    }
    void add_rows(RunningSquares& left, index_t first, index_t n) {
        std::uint32_t row = first == 0 ? 0 : present_->ends[first - 1];
        for (index_t i = 0; i < n; ++i) {
            for (; row < present_->ends[first + i]; ++row) left.add_row(present_->rows[row]);
            batch_.add(i, left, *all_);
        }
    }

    // Of equal candidates the first wins: the lowest threshold, and missing rows on the right.
    template <typename CandidateOf>
    void keep_if_better(index_t n, const CandidateOf& candidate) {
        const double* scores = batch_.scores(n, *all_);
        const double most = maximum(scores, n);
        if (most < best_score_ || most == none || most - parent_score_ < gain_to_reach_) return;
        const index_t i = first_maximum(scores, n);
        const Candidate found = candidate(i);
        if (scores[i] == best_score_ && found.last_left >= best_.last_left) return;
        best_score_ = scores[i];
        best_ = found;
    }

    void try_both_sides(index_t k) {
        try_split(left_, k, false);
        if (!has_missing_) return;
        left_with_missing_.set_sum(left_, missing_);
        try_split(left_with_missing_, k, true);
    }

    void try_split(Sums& left, index_t k, bool missing_left) {
        if (monotone_ != 0 && !keeps_order(left)) return;
        if (n_waiting_ == Batch::capacity) compare_waiting();
        waiting_[static_cast<std::size_t>(n_waiting_)] = {k, missing_left};
        batch_.add(n_waiting_++, left, *all_);
    }

    // Both values within the bounds of the node, and in the order that the column demands. Splits
    // of free columns need no check: their values are clipped to the bounds in the end.
    bool keeps_order(const Sums& left) {
        right_.set_difference(*all_, left);
        const double left_prediction = criterion_.prediction(left);
        const double right_prediction = criterion_.prediction(right_);
        return bounds_->contains(left_prediction) && bounds_->contains(right_prediction) &&
               monotone_ * (right_prediction - left_prediction) >= 0;
    }

    void compare_waiting() {
        if (n_waiting_ == 0) return;
        keep_if_better(n_waiting_,
                       [this](index_t i) { return waiting_[static_cast<std::size_t>(i)]; });
        n_waiting_ = 0;
    }

    index_t draw_position(RandomStream& random) const noexcept {
        return static_cast<index_t>(random.below(static_cast<std::uint64_t>(n_ordered_ - 1)));
    }

    // One threshold; a column whose only split parts missing from known has that one.
    void try_one(index_t column, std::uint64_t node_key) {
        if (n_ordered_ < 2) return try_all();
        RandomStream random(params_.seed, StreamUse::node_thresholds,
                            {params_.tree, node_key, static_cast<std::uint64_t>(column)});
        try_first(params_.threshold_draw == ThresholdDraw::uniform
                      ? last_below(draw_threshold(random))
                      : draw_position(random));
    }

    void try_first(index_t last_left) {
        left_.clear();
        for (index_t k = 0; k <= last_left; ++k) left_.add(present_->cell(k));
        try_both_sides(last_left);
        compare_waiting();
    }

    double draw_threshold(RandomStream& random) noexcept {
        const double low = minimum_of_bin(0);
        drawn_ = low + random.uniform() * (maximum_of_bin(n_ordered_ - 1) - low);
        return drawn_;
    }

    // The last present bin whose values are all below the threshold, but never the last of all.
    index_t last_below(double threshold) const noexcept {
        index_t k = 0;
        while (k + 2 < n_ordered_ && maximum_of_bin(k + 1) <= threshold) ++k;
        return k;
    }

    double middle_of_best() {
        left_.clear();
        for (index_t k = 0; k <= best_.last_left; ++k) left_.add(present_->cell(k));
        if (best_.missing_left) left_.set_sum(left_, missing_);
        right_.set_difference(*all_, left_);
        return criterion_.prediction(left_) / 2 + criterion_.prediction(right_) / 2;
    }

    Split finished(index_t column) {
        Split split;
        if (best_score_ == none) return split;
        split.gain = best_score_ - parent_score_;
        split.column = static_cast<std::uint32_t>(column);
        split.missing_bin = has_missing_ ? present_->bin(n_ordered_) : Split::no_bin;
        split.missing_left = best_.missing_left;
        split.saw_missing = has_missing_;
        split.monotone = monotone_;
        if (monotone_ != 0) split.middle = middle_of_best();
        split.last_left_bin = present_->bin(best_.last_left);
        index_t next = best_.last_left + 1;
        while (next < n_ordered_ && present_->is_empty(next)) ++next;
        split.below = present_->dataset_bin(best_.last_left);
        if (next < n_ordered_) split.above = present_->dataset_bin(next);
        split.threshold = drawn_;
        return split;
    }

    double minimum_of_bin(index_t k) const noexcept {
        return column_bins_->minimum[present_->dataset_bin(k)];
    }
    double maximum_of_bin(index_t k) const noexcept {
        return column_bins_->maximum[present_->dataset_bin(k)];
    }

    const Criterion& criterion_;
    const GrowParams& params_;
    Batch batch_;
    RunningSquares squares_;
    std::array<Candidate, Batch::capacity> waiting_;
    index_t n_waiting_ = 0;
    const ColumnBins* column_bins_ = nullptr;
    const PresentBins<Criterion>* present_ = nullptr;
    const Sums* all_ = nullptr;
    const PredictionBounds* bounds_ = nullptr;
    int monotone_ = 0;
    Sums left_;
    Sums right_;
    Sums missing_;
    Sums left_with_missing_;
    Candidate best_;
    double best_score_ = none;
    double parent_score_ = 0;
    double gain_to_reach_ = none;
    index_t n_ordered_ = 0;
    bool has_missing_ = false;
    double drawn_ = 0;
    CategorySearch<Criterion> categories_;
};

}  // namespace nonet
