// The best split of a node on a column of categories: a set of them goes left.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "data/bin_edges.hpp"
#include "grow/criteria/criterion.hpp"
#include "grow/criteria/score_batch.hpp"
#include "grow/node/split.hpp"
#include "grow/search/category_order.hpp"

namespace nonet {

template <SplitCriterion Criterion>
class CategorySearch {
public:
    using Sums = typename Criterion::Sums;

    CategorySearch(const Criterion& criterion, const GrowParams& params)
        : criterion_(criterion),
          params_(params),
          order_of_means_(criterion, params),
          free_batch_(criterion, limits(params, 0)),
          penalised_batch_(criterion, limits(params, params.category_l2)),
          left_(criterion),
          right_(criterion) {}

    // As ColumnSearch::best.
    Split best(const ColumnBins& column_bins, index_t column, const PresentBins<Criterion>& present,
               const Sums& all, double parent_score, std::uint64_t node_key, double gain_to_reach) {
        column_bins_ = &column_bins;
        present_ = &present;
        all_ = &all;
        best_score_ = none;
        const bool has_missing = present.dataset_bin(present.n - 1) == column_bins.missing_bin();
        n_known_ = present.n - has_missing;
        if (!is_ordered())
            try_random_set(column, node_key);
        else if (splits_off_one())
            try_one_vs_rest();
        else
            try_orders(column);
        return finished(column, parent_score, gain_to_reach);
    }

private:
    using Batch = typename Criterion::Batch;
    static constexpr double none = -std::numeric_limits<double>::infinity();

    static ChildLimits limits(const GrowParams& params, double extra_l2) noexcept {
        return {static_cast<double>(params.min_rows_leaf), params.min_weight_leaf, extra_l2};
    }

    bool is_ordered() const noexcept { return params_.threshold_draw == ThresholdDraw::all; }
    bool splits_off_one() const noexcept {
        return column_bins_->n_bins() <= params_.max_one_vs_rest;
    }
    bool has_missing() const noexcept { return n_known_ < present_->n; }

    void try_orders(index_t column) {
        const bool tries_codes = std::ranges::binary_search(params_.code_order_columns, column);
        const double support =
            tries_codes ? params_.code_order_support.value_or(params_.min_category_support)
                        : params_.min_category_support;
        for (index_t key = 0; key < criterion_.n_category_orders(); ++key) {
            order_of_means_.sort(*present_, *all_, key, support, order_);
            try_both_ends();
        }
        if (tries_codes && order_of_means_.n_left_out() > 0) {
            order_.resize(static_cast<std::size_t>(present_->n));
            std::iota(order_.begin(), order_.end(), index_t{0});
            try_both_ends();
        }
    }

    // The left child takes categories from one end of the order, the right child all others: those
    // without support are with the larger number of categories.
    void try_both_ends() {
        if (std::ssize(order_) < 2) return;
        const index_t middle = (std::ssize(order_) + 1) / 2;
        try_from_front(middle);
        std::ranges::reverse(order_);
        try_from_front(middle - 1);
    }
    void try_from_front(index_t n_most) {
        const index_t n_rows = criterion_.n_rows(*all_);
        index_t n_rows_before = 0;  // on the left of the last candidate
        left_.clear();
        for (index_t n_left = 1; n_left <= std::min(n_most, params_.max_categories_left);
             ++n_left) {
            left_.add(present_->cell(order_[static_cast<std::size_t>(n_left - 1)]));
            const index_t n_rows_left = criterion_.n_rows(left_);
            if (n_rows - n_rows_left < params_.min_rows_group) break;
            if (n_rows_left < params_.min_rows_leaf ||
                n_rows_left - n_rows_before < params_.min_rows_group)
                continue;
            try_front(penalised_batch_, n_left);
            n_rows_before = n_rows_left;
        }
        compare_waiting(penalised_batch_);
    }

    void try_one_vs_rest() {
        for (index_t k = 0; k < present_->n; ++k) {
            order_.assign(1, k);
            try_whole_order();
        }
    }

    // A random order of the categories, split at a random position; missing rows go either way.
    // Where one category is known, it can only be told from missing.
    void try_random_set(index_t column, std::uint64_t node_key) {
        order_.resize(static_cast<std::size_t>(n_known_));
        std::iota(order_.begin(), order_.end(), index_t{0});
        if (n_known_ > 1) shorten_at_random(column, node_key);
        try_whole_order();
        if (!has_missing()) return;
        order_.push_back(n_known_);
        try_whole_order();
    }
    void shorten_at_random(index_t column, std::uint64_t node_key) {
        RandomStream random(params_.seed, StreamUse::node_category_sets,
                            {params_.tree, node_key, static_cast<std::uint64_t>(column)});
        for (std::size_t i = 0; i + 1 < order_.size(); ++i)
            std::swap(order_[i], order_[i + random.below(order_.size() - i)]);
        order_.resize(1 + random.below(order_.size() - 1));
    }

    void try_whole_order() {
        left_.clear();
        for (const index_t k : order_) left_.add(present_->cell(k));
        try_front(free_batch_, std::ssize(order_));
        compare_waiting(free_batch_);
    }

    // The first categories of the order are on the left.
    void try_front(Batch& batch, index_t n_left) {
        if (n_waiting_ == Batch::capacity) compare_waiting(batch);
        waiting_[static_cast<std::size_t>(n_waiting_)] = n_left;
        batch.add(n_waiting_++, left_, *all_);
    }

    // Of equal candidates the first wins.
    void compare_waiting(Batch& batch) {
        if (n_waiting_ == 0) return;
        const double* scores = batch.scores(n_waiting_, *all_);
        const index_t i = first_maximum(scores, n_waiting_);
        n_waiting_ = 0;
        if (!(scores[i] > best_score_)) return;
        best_score_ = scores[i];
        best_left_.assign(order_.begin(), order_.begin() + waiting_[static_cast<std::size_t>(i)]);
    }

    Split finished(index_t column, double parent_score, double gain_to_reach) {
        Split split;
        const double gain = best_score_ - score_of_node(parent_score);
        if (best_score_ == none || gain < gain_to_reach) return split;
        split.gain = gain;
        split.column = static_cast<std::uint32_t>(column);
        split.missing_bin = has_missing() ? present_->bin(n_known_) : Split::no_bin;
        split.saw_missing = has_missing();
        split.categories = parts_of_categories();
        split.missing_left = missing_goes_left();
        return split;
    }

    // Children with a penalty of their own are scored against another number.
    bool is_penalised() const noexcept { return is_ordered() && !splits_off_one(); }
    double score_of_node(double parent_score) const {
        if constexpr (HasExtraPenalty<Criterion>)
            return is_penalised() ? criterion_.score(*all_, params_.category_l2) : parent_score;
        else
            return parent_score;
    }

    // Where there were no missing rows, in the node of a random set or in the whole column, those
    // that come later follow the larger child.
    bool missing_goes_left() {
        if (!(is_ordered() ? column_bins_->has_missing : has_missing())) return left_is_larger();
        return std::ranges::find(best_left_, n_known_) != best_left_.end();
    }

    // Weights mean repetition, also here; but hessians are no numbers of rows.
    bool left_is_larger() {
        left_.clear();
        for (const index_t k : best_left_) left_.add(present_->cell(k));
        right_.set_difference(*all_, left_);
        if constexpr (Criterion::splits_need_gain)
            return criterion_.n_rows(left_) > criterion_.n_rows(right_);
        else
            return criterion_.weight(left_) > criterion_.weight(right_);
    }

    // A random set decides about the categories that are present, one of an order about all.
    std::shared_ptr<const CategoryParts> parts_of_categories() const {
        const auto n_words = static_cast<std::size_t>(column_bins_->n_bins() + 63) / 64;
        auto parts = std::make_shared<CategoryParts>();
        parts->left.resize(n_words);
        parts->decided.resize(n_words, is_ordered() ? ~std::uint64_t{0} : 0);
        if (is_penalised()) parts->extra_l2 = params_.category_l2;
        const auto set_bit = [this](CategoryBits& bits, index_t k) {
            const std::uint32_t bin = present_->dataset_bin(k);
            bits[bin / 64] |= std::uint64_t{1} << (bin % 64);
        };
        for (index_t k = 0; k < n_known_; ++k) set_bit(parts->decided, k);
        for (const index_t k : best_left_)
            if (k < n_known_) set_bit(parts->left, k);
        return parts;
    }

    const Criterion& criterion_;
    const GrowParams& params_;
    CategoryOrder<Criterion> order_of_means_;
    Batch free_batch_;
    Batch penalised_batch_;
    std::array<index_t, Batch::capacity> waiting_;
    index_t n_waiting_ = 0;
    const ColumnBins* column_bins_ = nullptr;
    const PresentBins<Criterion>* present_ = nullptr;
    const Sums* all_ = nullptr;
    Sums left_;
    Sums right_;
    double best_score_ = none;
    index_t n_known_ = 0;             // present categories; missing rows come after them
    std::vector<index_t> order_;      // of categories, as indices of present bins
    std::vector<index_t> best_left_;  // those of the best split
};

}  // namespace nonet
