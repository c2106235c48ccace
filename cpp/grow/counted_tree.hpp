// A tree of classes that is written while it grows.
//
// Where weights are whole numbers, what a node is worked out from to be split is all that its
// answer takes: nobody has to go through rows and nodes again when the tree is grown. Nodes come in
// the order of a finished tree: siblings, then the left branch, then the right one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/shelf.hpp"
#include "grow/criteria/criterion.hpp"
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

    CountedTree(Shelf& shelf, const Values& values, index_t n_columns, index_t n_rows)
        : values_(values),
          n_columns_(n_columns),
          n_classes_(static_cast<std::size_t>(values.n_outputs())),
          nodes_(ShelfAllocator<TreeNode>(shelf)),
          statistics_(ShelfAllocator<NodeStatistics>(shelf)),
          places_(ShelfAllocator<std::uint32_t>(shelf)),
          shares_(ShelfAllocator<double>(shelf)),
          pure_(n_classes_, none),
          weights_(n_classes_) {
        const auto n_nodes = static_cast<std::size_t>(2 * n_rows);
        nodes_.reserve(n_nodes);
        statistics_.reserve(n_nodes);
        places_.reserve(n_nodes);
    }

    std::int32_t size() const noexcept { return static_cast<std::int32_t>(std::ssize(nodes_)); }

    // The next node: a leaf, until it is split. Its answer is still to be told.
    void add(RowRange rows, index_t depth) {
        nodes_.push_back({0.0, 0, leaf});
        statistics_.push_back({0, 0, static_cast<std::uint32_t>(rows.size())});
        places_.push_back(none);
        max_depth_ = std::max(max_depth_, depth);
    }
    // Its children come next.
    void split(std::int32_t place, const Split& split, bool missing_left) {
        const std::uint32_t bit = missing_left ? TreeNode::missing_left_bit : 0;
        nodes_[static_cast<std::size_t>(place)] = {split.threshold, split.column | bit, size()};
    }

    // The answer of a node whose rows add up to `all`.
    void answer(std::int32_t place, const Sums& all) {
        std::ranges::transform(all.cells(), weights_.begin(),
                               [](std::uint64_t cell) { return static_cast<double>(cell); });
        write(static_cast<std::size_t>(place));
    }
    // The answer of a leaf, from what its rows add.
    void answer(std::int32_t place, std::span<const Row> rows) {
        const auto i = static_cast<std::size_t>(place);
        std::uint64_t weight = 0;
        for (const Row& row : rows) weight += row.weight;
        if (weight < squares_are_exact && Criterion::are_alike(rows)) {
            statistics_[i].weight = static_cast<double>(weight);
            places_[i] = place_of_pure(rows.front().label);
            return;
        }
        std::ranges::fill(weights_, 0.0);
        for (const Row& row : rows) weights_[row.label] += row.weight;
        write(i);
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
        parts.node_values = ValueTable(parts.n_outputs, shares_, places_);
        return Tree(std::move(parts), max_depth_);
    }

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::int32_t leaf = -1;
    // Up to here rounding leaves the impurity of one class at 0.
    static constexpr std::uint64_t squares_are_exact = 1 << 26;

    void write(std::size_t i) {
        places_[i] = next_place();
        shares_.resize(shares_.size() + n_classes_);
        const auto [impurity, weight] =
            values_.describe(weights_.data(), shares_.data() + shares_.size() - n_classes_);
        statistics_[i].impurity = impurity;
        statistics_[i].weight = weight;
    }

    // All pure nodes of a class answer the same.
    std::uint32_t place_of_pure(std::uint32_t label) {
        std::uint32_t& place = pure_[label];
        if (place != none) return place;
        place = next_place();
        shares_.resize(shares_.size() + n_classes_);
        shares_[place * n_classes_ + label] = 1;
        return place;
    }

    std::uint32_t next_place() const noexcept {
        return static_cast<std::uint32_t>(shares_.size() / n_classes_);
    }

    template <typename T>
    using ShelfVector = std::vector<T, ShelfAllocator<T>>;

    const Values& values_;
    index_t n_columns_;
    std::size_t n_classes_;
    ShelfVector<TreeNode> nodes_;
    ShelfVector<NodeStatistics> statistics_;
    ShelfVector<std::uint32_t> places_;  // of the nodes' answers among the shares
    ShelfVector<double> shares_;         // of the classes, one answer after another
    std::vector<std::uint32_t> pure_;    // the place of the answer of each class
    std::vector<double> weights_;        // of a node's classes
    index_t max_depth_ = 0;
};

}  // namespace nonet
