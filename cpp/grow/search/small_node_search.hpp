// The best split of few rows, over many columns at once.
//
// Most nodes of a fully grown tree have so few rows that what a column costs besides them would be
// most of the time. The rows are sorted in all columns together, the splits of all columns wait in
// one batch, and only for the best of them more is worked out than a score. Columns have to be
// numbers, none of them missing, and free of constraints.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "grow/criteria/criterion.hpp"
#include "grow/criteria/gini_scores.hpp"
#include "grow/criteria/score_batch.hpp"
#include "grow/histogram/row_bins.hpp"
#include "grow/node/growing_node.hpp"
#include "grow/node/split.hpp"
#include "grow/sampling/column_sampler.hpp"
#include "grow/task/grow_params.hpp"

namespace nonet {

template <SplitCriterion Criterion>
class FewRows {
public:
    using Row = typename Criterion::Row;
    using Sums = typename Criterion::Sums;
    // Other sums are too large to be made anew for every column.
    static constexpr bool can_search = std::is_trivially_copyable_v<Sums> ||
                                       std::is_same_v<typename Criterion::Batch, ClassSquares>;

    FewRows(const Criterion& criterion, const GrowParams& params, index_t stride)
        : criterion_(criterion),
          params_(params),
          stride_(stride),
          parts_all_pairs_(parts_all_pairs<Criterion>(params)),
          batch_(criterion, {static_cast<double>(params.min_rows_leaf), params.min_weight_leaf}),
          sorted_(static_cast<std::size_t>(can_search ? max_rows_sorted * stride : 0)) {}

    // Looks at the columns that are wanted (two rows that none of these splits may be split
    // by one more). `added` and `all` are what the rows add and their sum,
    // whose score is `parent_score`. Returns whether a column is not constant.
    bool find_best(const NodeBins& node, ColumnSampler::Order& order, const Row* added,
                   const Sums& all, double parent_score, std::uint64_t node_key, Split& best) {
        if (node.n_rows == 2 && parts_all_pairs_) return part_pair(node, order, node_key, best);
        sort_bins(node, sorted_.data());
        all_ = &all;
        parent_score_ = parent_score;
        node_key_ = node_key;
        n_candidates_ = 0;
        n_columns_ = 0;
        bool is_constant = true;
        for (index_t i = 0; i < order.n_wanted(); ++i) {
            if (n_candidates_ + node.n_rows > Batch::capacity) keep_best(best);
            is_constant &= !add_candidates(order[i], node.n_rows, added);
        }
        keep_best(best);
        return !is_constant;
    }

private:
    using Batch = typename Criterion::Batch;
    struct Candidates {
        index_t column;
        index_t end;  // in the batch, where those of the next column begin
    };

    // Every threshold splits two rows with the same gain, which is not needed.
    bool part_pair(const NodeBins& node, ColumnSampler::Order& order, std::uint64_t node_key,
                   Split& best) const {
        const std::uint8_t* one = node.of(0);
        const std::uint8_t* other = node.of(1);
        const index_t position = find_parting_column(one, other, order, params_, node_key);
        if (position < 0) return false;
        const index_t column = order[position];
        best.gain = 0;
        set_split(best, column, tie_rank(params_, node_key, column),
                  std::min(one[column], other[column]), std::max(one[column], other[column]));
        return true;
    }

    // One between any two rows that are next to each other in the column and differ.
    bool add_candidates(index_t column, index_t n_rows, const Row* added) {
        constexpr std::uint32_t position_mask = (1U << sorted_position_bits) - 1;
        const std::uint16_t* key = sorted_.data() + column;
        const index_t first = n_candidates_;
        index_t next = first;
        auto&& left = nothing_yet();
        std::uint32_t before = *key;
        for (index_t i = 1; i < n_rows; ++i) {
            add_row(left, added[before & position_mask]);
            key += stride_;
            batch_.add(next, left, *all_);
            n_left_[static_cast<std::size_t>(next)] = static_cast<std::uint8_t>(i);
            next += (before ^ *key) >> sorted_position_bits != 0;
            before = *key;
        }
        if (next == first) return false;
        columns_[static_cast<std::size_t>(n_columns_++)] = {column, next};
        n_candidates_ = next;
        return true;
    }

    // What runs from row to row.
    decltype(auto) nothing_yet() {
        if constexpr (std::is_same_v<Batch, ClassSquares>) {
            squares_.start(*all_);
            return (squares_);
        } else {
            return Sums(criterion_);
        }
    }
    static void add_row(RunningSquares& left, const Row& row) noexcept { left.add_row(row); }
    static void add_row(Sums& left, const Row& row) noexcept { left.add_row_if(true, row); }

    // Within a column the lowest threshold wins of equal scores, and among columns the lowest rank
    // of equal gains.
    void keep_best(Split& best) {
        const double* scores = batch_.scores(n_candidates_, *all_);
        index_t begin = 0;
        for (index_t c = 0; c < n_columns_; ++c) {
            const auto [column, end] = columns_[static_cast<std::size_t>(c)];
            index_t maximum = begin;
            for (index_t i = begin + 1; i < end; ++i)
                maximum = scores[i] > scores[maximum] ? i : maximum;
            begin = end;
            const double gain = scores[maximum] - parent_score_;
            if (gain < best.gain || !(scores[maximum] > none)) continue;
            const std::uint64_t rank = tie_rank(params_, node_key_, column);
            if (gain == best.gain && rank > best.tie_rank) continue;
            best.gain = gain;
            const index_t n_left = n_left_[static_cast<std::size_t>(maximum)];
            set_split(best, column, rank, bin(column, n_left - 1), bin(column, n_left));
        }
        n_candidates_ = 0;
        n_columns_ = 0;
    }

    static void set_split(Split& split, index_t column, std::uint64_t rank, std::uint32_t below,
                          std::uint32_t above) noexcept {
        split.tie_rank = rank;
        split.column = static_cast<std::uint32_t>(column);
        split.last_left_bin = below;
        split.below = below;
        split.above = above;
    }

    std::uint32_t bin(index_t column, index_t position) const noexcept {
        return sorted_[static_cast<std::size_t>(position * stride_ + column)] >>
               static_cast<std::uint32_t>(sorted_position_bits);
    }

    static constexpr double none = -std::numeric_limits<double>::infinity();

    const Criterion& criterion_;
    const GrowParams& params_;
    index_t stride_;
    bool parts_all_pairs_;
    Batch batch_;
    RunningSquares squares_;
    std::vector<std::uint16_t> sorted_;
    const Sums* all_ = nullptr;
    double parent_score_ = 0;
    std::uint64_t node_key_ = 0;
    index_t n_candidates_ = 0;
    index_t n_columns_ = 0;
    std::array<Candidates, static_cast<std::size_t>(Batch::capacity)> columns_;
    std::array<std::uint8_t, static_cast<std::size_t>(Batch::capacity)> n_left_;
};

}  // namespace nonet
