// Grows a branch of a tree of random thresholds from its own copy of the bins.
//
// The bins of the branch's rows lie row by row and move with the rows when a node is split: all
// that a node looks at lies side by side, however deep it is. Nodes of fully grown trees are many
// and small, so that their own records are small too. The tree is the one that Grower grows node by
// node, to the bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/buffer_pool.hpp"
#include "base/parallel.hpp"
#include "grow/criteria/criterion.hpp"
#include "grow/node/growing_node.hpp"
#include "grow/sampling/column_sampler.hpp"
#include "grow/search/branch_columns.hpp"
#include "grow/search/column_search.hpp"
#include "grow/search/column_threshold.hpp"
#include "grow/search/random_thresholds.hpp"

namespace nonet {

// The nodes of a branch as they are kept until the tree is finished.
template <SplitCriterion Criterion>
class BranchNodes {
public:
    static constexpr bool needs_rows = true;

    BranchNodes(BufferPool& pool, const PredictionBounds& bounds, index_t n_rows)
        : bounds_(bounds), nodes_(PoolAllocator<GrownNode>(pool)) {
        nodes_.reserve(static_cast<std::size_t>(2 * n_rows));
    }

    void add(RowRange rows, index_t) { nodes_.push_back({rows, bounds_}); }
    void split(std::int32_t position, const Split& split, bool missing_left) {
        GrownNode& node = nodes_[static_cast<std::size_t>(position)];
        node.split = {split.threshold, nullptr, split.column, missing_left};
        node.left = static_cast<std::int32_t>(std::ssize(nodes_));
    }
    // Values are computed later.
    void prediction(std::int32_t, const typename Criterion::Sums&) noexcept {}
    void prediction(std::int32_t, std::span<const typename Criterion::Row>) noexcept {}

    std::int32_t size() const noexcept { return static_cast<std::int32_t>(std::ssize(nodes_)); }
    GrownNodes finish() && { return std::move(nodes_); }

private:
    PredictionBounds bounds_;
    GrownNodes nodes_;
};

// Whether trees of these parameters can be grown so, where bins lie row by row.
inline bool can_draw_branches(const BinnedDataset& dataset, const GrowParams& params) {
    return dataset.has_plain_numbers() && params.interactions.empty();
}

// `Nodes` keeps what has been grown: BranchNodes, or a CountedTree.
template <SplitCriterion Criterion, typename Nodes>
class DrawnBranch {
public:
    using Row = typename Criterion::Row;

    DrawnBranch(BufferPool& pool, const BinnedDataset& dataset, const GrowParams& params,
                const Criterion& criterion, const ColumnSampler& sampler,
                RowPartition<Row>& partition, double total_weight, const RowBins& bins,
                RowRange rows, Nodes nodes)
        : dataset_(dataset),
          params_(params),
          criterion_(criterion),
          sampler_(sampler),
          partition_(partition),
          total_weight_(total_weight),
          stride_(bins.stride),
          first_row_(rows.begin),
          bins_(pool, rows.size() * stride_),
          other_bins_(pool, rows.size() * stride_),
          positions_(pool, rows.size()),
          bins_by_side_{rows.side == 0 ? bins_.data() : other_bins_.data(),
                        rows.side == 0 ? other_bins_.data() : bins_.data()},
          tree_key_(NodeWords::tree_key(params, StreamUse::random_node_thresholds)),
          thresholds_(criterion, params, stride_),
          all_(criterion),
          parts_all_pairs_(parts_all_pairs<Criterion>(params)),
          nodes_(std::move(nodes)) {
        copy_bins(bins, partition.rows(rows), bins_.data());
    }

    auto grow(const OpenNode& branch) {
        nodes_.add(branch.rows, branch.depth);
        open({0, branch.rows, branch.depth, branch.key});
        index_t n_seen = 0;
        while (!waiting_.empty()) {
            const Waiting node = waiting_.back();
            waiting_.pop_back();
            if ((n_seen += node.rows.size()) >= rows_per_check) {
                check_interrupt();
                n_seen = 0;
            }
            grow_node(node);
        }
        return std::move(nodes_).finish();
    }

private:
    static constexpr index_t rows_per_check = 1 << 16;  // some milliseconds

    struct Waiting {
        std::int32_t position;
        RowRange rows;
        index_t depth;
        std::uint64_t key;
    };

    void open(const Waiting& node) {
        if (can_split(params_, node.rows.size(), node.depth))
            waiting_.push_back(node);
        else
            nodes_.prediction(node.position, partition_.added(node.rows));
    }

    void grow_node(const Waiting& node) {
        const std::span<const Row> added = partition_.added(node.rows);
        if constexpr (has_labels)
            if (Criterion::are_alike(added)) return nodes_.prediction(node.position, added);
        all_.clear();
        all_.add_rows(added);
        nodes_.prediction(node.position, all_);
        if (!has_labels && criterion_.is_pure(all_, added)) return;
        if (added.size() == 2 && parts_all_pairs_) return part_pair(node);
        draw_thresholds(node);
        if (!thresholds_.has_drawn()) return;
        Split split = thresholds_.best(added.data(), all_, criterion_.score(all_), node.key);
        if (is_worth_it<Criterion>(split, params_, total_weight_)) part(node, split);
    }

    std::uint8_t* bins_of(RowRange rows) const noexcept {
        return bins_by_side_[rows.side] + (rows.begin - first_row_) * stride_;
    }

    NodeBins node_bins(RowRange rows) const noexcept {
        return {{bins_of(rows), stride_}, rows.size(), nullptr};
    }

    // As many columns as are wanted, and then one by one until one is not constant.
    void draw_thresholds(const Waiting& node) {
        sampler_.draw(node.key, node.depth, {}, order_);
        thresholds_.read(node_bins(node.rows));
        const NodeWords draws(tree_key_, node.key);
        for (index_t i = 0;
             i < order_.n_wanted() || (i < order_.size() && !thresholds_.has_drawn()); ++i) {
            const index_t column = order_[i];
            if (!thresholds_.is_constant(column))
                thresholds_.draw(column, dataset_.bins(column), draws.uniform(i));
        }
    }

    void part(const Waiting& node, Split& split) {
        const auto [below, above, n_left] =
            find_threshold_neighbours(node_bins(node.rows), split.column, split.last_left_bin);
        split.below = below;
        split.above = above;
        set_threshold(split, dataset_.bins(split.column), params_);
        move_rows(node.rows, split, n_left);
        add_children(node, split, n_left);
    }

    // Every threshold splits two rows, with the same gain: that of the lowest rank is taken.
    // The bins of their children, which are leaves, are not needed.
    void part_pair(const Waiting& node) {
        const std::uint8_t* one = bins_of(node.rows);
        const std::uint8_t* other = one + stride_;
        sampler_.draw(node.key, node.depth, {}, order_);
        const index_t chosen = find_parting_column(one, other, order_, params_, node.key);
        if (chosen < 0) return;
        Split split;
        split.column = static_cast<std::uint32_t>(order_[chosen]);
        const ColumnBins& bins = dataset_.bins(order_[chosen]);
        split.below = std::min(one[split.column], other[split.column]);
        split.above = std::max(one[split.column], other[split.column]);
        split.threshold = drawn_threshold(bins, split.below, split.above,
                                          NodeWords(tree_key_, node.key).uniform(chosen));
        set_threshold(split, bins, params_);
        const std::uint32_t swapped = one[split.column] > other[split.column];
        positions_[0] = swapped;
        positions_[1] = 1 - swapped;
        move_added(node.rows);
        add_children(node, split, 1);
    }

    void add_children(const Waiting& node, const Split& split, index_t n_left) {
        const index_t middle = node.rows.begin + n_left;
        const std::uint32_t side = 1 - node.rows.side;
        const RowRange left{node.rows.begin, middle, side};
        const RowRange right{middle, node.rows.end, side};
        const std::int32_t position = nodes_.size();
        nodes_.split(node.position, split, left.size() > right.size());
        nodes_.add(left, node.depth + 1);
        nodes_.add(right, node.depth + 1);
        open({position + 1, right, node.depth + 1, child_key(node.key, true)});
        open({position, left, node.depth + 1, child_key(node.key, false)});
    }

    // To the same positions of the other side.
    void move_rows(RowRange rows, const Split& split, index_t n_left) noexcept {
        const RowRange there{rows.begin, rows.end, 1 - rows.side};
        split_bins({bins_of(rows), stride_}, rows.size(), split.column, split.last_left_bin, n_left,
                   bins_of(there), positions_.data());
        move_added(rows);
    }

    // To the given positions.
    void move_added(RowRange rows) noexcept {
        const RowRange there{rows.begin, rows.end, 1 - rows.side};
        const std::span<const Row> added = partition_.added(rows);
        const std::span<Row> moved = partition_.added(there);
        for (std::size_t i = 0; i < added.size(); ++i) moved[positions_.data()[i]] = added[i];
        if constexpr (Nodes::needs_rows) {
            const std::span<const std::uint32_t> numbers = partition_.rows(rows);
            const std::span<std::uint32_t> moved_numbers = partition_.rows(there);
            for (std::size_t i = 0; i < numbers.size(); ++i)
                moved_numbers[positions_.data()[i]] = numbers[i];
        }
    }

    static constexpr bool has_labels = HasLabels<Criterion>;

    const BinnedDataset& dataset_;
    const GrowParams& params_;
    const Criterion& criterion_;
    const ColumnSampler& sampler_;
    RowPartition<Row>& partition_;
    double total_weight_;
    index_t stride_;
    index_t first_row_;  // of the branch in the partition
    PooledBuffer<std::uint8_t> bins_;
    PooledBuffer<std::uint8_t> other_bins_;
    PooledBuffer<std::uint32_t> positions_;      // where rows of a node go
    std::array<std::uint8_t*, 2> bins_by_side_;  // as the sides of the partition
    std::uint64_t tree_key_;
    RandomThresholds<Criterion> thresholds_;
    typename Criterion::Sums all_;
    bool parts_all_pairs_;  // of rows that differ, whatever the gain
    ColumnSampler::Order order_;
    Nodes nodes_;
    std::vector<Waiting> waiting_;
};

}  // namespace nonet
