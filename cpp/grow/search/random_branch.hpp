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
#include "grow/search/branch_bins.hpp"
#include "grow/search/branch_draws.hpp"
#include "grow/search/random_thresholds.hpp"
#include "grow/search/threshold_scores.hpp"

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
        : params_(params),
          criterion_(criterion),
          partition_(partition),
          total_weight_(total_weight),
          bins_(pool, bins, rows, partition.rows(rows)),
          draws_(dataset, params, sampler),
          thresholds_(criterion, params, bins.stride),
          all_(criterion),
          parts_all_pairs_(parts_all_pairs<Criterion>(params)),
          nodes_(std::move(nodes)) {}

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
        draws_.draw({node.key, node.depth}, bins_.of_node(node.rows), thresholds_);
        if (!thresholds_.has_drawn()) return;
        Split split = thresholds_.best({added.data(), all_}, criterion_.score(all_), node.key);
        if (is_worth_it<Criterion>(split, params_, total_weight_)) part(node, split);
    }

    void part(const Waiting& node, Split& split) {
        const index_t n_left = draws_.finish(split, bins_.of_node(node.rows));
        bins_.move(node.rows, split, n_left);
        move_added(node.rows);
        add_children(node, split, n_left);
    }

    // The bins of the children, which are leaves, are not needed.
    void part_pair(const Waiting& node) {
        const NodeBins bins = bins_.of_node(node.rows);
        const Split split = draws_.part_pair({node.key, node.depth}, bins);
        if (split.below == Split::no_bin) return;
        bins_.move_pair(bins.of(0)[split.column] == split.above);
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

    // To the positions of their bins.
    void move_added(RowRange rows) noexcept {
        const RowRange there{rows.begin, rows.end, 1 - rows.side};
        const std::span<const Row> added = partition_.added(rows);
        const std::span<Row> moved = partition_.added(there);
        const std::uint32_t* positions = bins_.positions();
        for (std::size_t i = 0; i < added.size(); ++i) moved[positions[i]] = added[i];
        if constexpr (Nodes::needs_rows) {
            const std::span<const std::uint32_t> numbers = partition_.rows(rows);
            const std::span<std::uint32_t> moved_numbers = partition_.rows(there);
            for (std::size_t i = 0; i < numbers.size(); ++i)
                moved_numbers[positions[i]] = numbers[i];
        }
    }

    static constexpr bool has_labels = HasLabels<Criterion>;

    const GrowParams& params_;
    const Criterion& criterion_;
    RowPartition<Row>& partition_;
    double total_weight_;
    BranchBins bins_;
    BranchDraws draws_;
    RandomThresholds<ThresholdScores<Criterion>> thresholds_;
    typename Criterion::Sums all_;
    bool parts_all_pairs_;  // of rows that differ, whatever the gain
    Nodes nodes_;
    std::vector<Waiting> waiting_;
};

}  // namespace nonet
