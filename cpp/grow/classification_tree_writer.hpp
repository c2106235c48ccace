// Writes a classification tree while it grows.
//
// Where weights are integers, the sums of the split search also give the value of the node, so that
// rows and nodes are not visited again when the tree is grown. Nodes come in the order of a
// finished tree: siblings, then the left branch, then the right one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/buffer_pool.hpp"
#include "grow/criteria/criterion.hpp"
#include "grow/histogram/class_runs.hpp"
#include "grow/node/row_partition.hpp"
#include "grow/node/split.hpp"
#include "tree/tree.hpp"

namespace nonet {

template <SplitCriterion Criterion, typename Values>
class CountedTree {
public:
    using Row = typename Criterion::Row;
    using Sums = typename Criterion::Sums;
    static constexpr bool needs_rows = false;  // but only what they add

    CountedTree(BufferPool& pool, const Values& values, index_t n_columns, index_t n_rows)
        : values_(values),
          n_columns_(n_columns),
          n_classes_(static_cast<std::size_t>(values.n_outputs())),
          nodes_(PoolAllocator<TreeNode>(pool)),
          statistics_(PoolAllocator<NodeStatistics>(pool)),
          positions_(PoolAllocator<std::uint32_t>(pool)),
          fractions_(PoolAllocator<double>(pool)),
          pure_(n_classes_, none),
          weights_(n_classes_) {
        const auto n_nodes = static_cast<std::size_t>(2 * n_rows);
        nodes_.reserve(n_nodes);
        statistics_.reserve(n_nodes);
        positions_.reserve(n_nodes);
    }

    std::int32_t size() const noexcept { return static_cast<std::int32_t>(std::ssize(nodes_)); }

    // The next node: a leaf, until it is split. Its value is set later.
    void add(RowRange rows, index_t depth) {
        nodes_.push_back({0.0, 0, leaf});
        statistics_.push_back({0, 0, static_cast<std::uint32_t>(rows.size())});
        positions_.push_back(none);
        max_depth_ = std::max(max_depth_, depth);
    }
    // Its children come next.
    void split(std::int32_t position, const Split& split, bool missing_left) {
        const std::uint32_t bit = missing_left ? TreeNode::missing_left_bit : 0;
        nodes_[static_cast<std::size_t>(position)] = {split.threshold, split.column | bit, size()};
    }

    // The value of a node whose rows add up to `all`.
    void prediction(std::int32_t position, const Sums& all) {
        std::ranges::transform(all.cells(), weights_.begin(),
                               [](std::uint64_t cell) { return static_cast<double>(cell); });
        write(static_cast<std::size_t>(position));
    }
    // The value of a leaf, from what its rows add.
    void prediction(std::int32_t position, std::span<const Row> rows) {
        const auto i = static_cast<std::size_t>(position);
        std::uint64_t weight = 0;
        for (const Row& row : rows) weight += row.weight;
        if (weight < squares_are_exact && Criterion::are_alike(rows)) {
            statistics_[i].weight = static_cast<double>(weight);
            positions_[i] = position_of_pure(rows.front().label);
            return;
        }
        std::ranges::fill(weights_, 0.0);
        for (const Row& row : rows) weights_[row.label] += row.weight;
        write(i);
    }
    // The same, from the classes of rows of weight 1.
    void prediction(std::int32_t position, std::span<const ClassRun> runs) {
        const auto i = static_cast<std::size_t>(position);
        if (runs.size() == 1) {
            statistics_[i].weight = static_cast<double>(runs.front().n_rows);
            positions_[i] = position_of_pure(runs.front().label);
            return;
        }
        positions_[i] = next_position();
        fractions_.resize(fractions_.size() + n_classes_);
        const auto [impurity, weight] =
            values_.describe(runs, fractions_.data() + fractions_.size() - n_classes_);
        statistics_[i].impurity = impurity;
        statistics_[i].weight = weight;
    }

    Tree finish() && {
        TreeParts parts;
        parts.n_columns = n_columns_;
        parts.n_outputs = values_.n_outputs();
        std::int32_t n_leaves = 0;
        for (TreeNode& node : nodes_)
            if (node.is_leaf()) node.left = ~n_leaves++;
        parts.nodes.assign(nodes_.begin(), nodes_.end());
        parts.statistics.assign(statistics_.begin(), statistics_.end());
        parts.node_values = ValueTable(parts.n_outputs, fractions_, positions_);
        return Tree(std::move(parts), max_depth_);
    }

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::int32_t leaf = -1;
    // Up to here rounding leaves the impurity of one class at 0.
    static constexpr std::uint64_t squares_are_exact = 1 << 26;

    void write(std::size_t i) {
        positions_[i] = next_position();
        fractions_.resize(fractions_.size() + n_classes_);
        const auto [impurity, weight] =
            values_.describe(weights_.data(), fractions_.data() + fractions_.size() - n_classes_);
        statistics_[i].impurity = impurity;
        statistics_[i].weight = weight;
    }

    // All pure nodes of a class have the same value.
    std::uint32_t position_of_pure(std::uint32_t label) {
        std::uint32_t& position = pure_[label];
        if (position != none) return position;
        position = next_position();
        fractions_.resize(fractions_.size() + n_classes_);
        fractions_[position * n_classes_ + label] = 1;
        return position;
    }

    std::uint32_t next_position() const noexcept {
        return static_cast<std::uint32_t>(fractions_.size() / n_classes_);
    }

    template <typename T>
    using PooledVector = std::vector<T, PoolAllocator<T>>;

    const Values& values_;
    index_t n_columns_;
    std::size_t n_classes_;
    PooledVector<TreeNode> nodes_;
    PooledVector<NodeStatistics> statistics_;
    PooledVector<std::uint32_t> positions_;  // of the nodes' values among the fractions
    PooledVector<double> fractions_;         // of the classes, one value after another
    std::vector<std::uint32_t> pure_;        // the index of the value of each class
    std::vector<double> weights_;            // of a node's classes
    index_t max_depth_ = 0;
};

}  // namespace nonet
