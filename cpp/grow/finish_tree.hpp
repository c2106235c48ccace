// From grown nodes to a finished tree.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "data/binned_dataset.hpp"
#include "grow/criteria/node_values.hpp"
#include "grow/node/growing_node.hpp"
#include "tree/tree.hpp"

namespace nonet {

// Runs of nodes whose leaves have enough rows together to be worth a thread.
class LeafRuns {
public:
    LeafRuns(const GrownNodes& nodes, int n_threads)
        : nodes_(nodes), n_threads_(n_threads), ends_{0} {
        index_t n_rows = 0;
        for (index_t i = 0; i < std::ssize(nodes); ++i) {
            const GrownNode& node = nodes[static_cast<std::size_t>(i)];
            n_rows += cost_of_a_node + (node.is_leaf() ? node.rows.size() : 0);
            if (n_rows < rows_per_run && i + 1 < std::ssize(nodes)) continue;
            ends_.push_back(i + 1);
            n_rows = 0;
        }
    }

    int n_threads() const noexcept { return n_threads_; }

    // Calls use(i) for every leaf i.
    template <typename Use>
    void each(const Use& use) const {
        parallel_for(std::ssize(ends_) - 1, n_threads_, [&](index_t run) {
            const auto r = static_cast<std::size_t>(run);
            for (index_t i = ends_[r]; i < ends_[r + 1]; ++i)
                if (nodes_[static_cast<std::size_t>(i)].is_leaf()) use(i);
        });
    }

private:
    static constexpr index_t rows_per_run = 1 << 14;
    static constexpr index_t cost_of_a_node = 16;  // in rows

    const GrownNodes& nodes_;
    int n_threads_;
    std::vector<index_t> ends_;
};

// Summaries of all nodes, one after another: leaves from their rows, inner nodes from their
// children, which come after them.
template <NodeValues Values, typename Row>
void summarise(const GrownNodes& nodes, const Values& values, const RowPartition<Row>& partition,
               const LeafRuns& leaf_runs, double* summaries) {
    const index_t size = values.summary_size();
    leaf_runs.each([&](index_t i) {
        const RowRange rows = nodes[static_cast<std::size_t>(i)].rows;
        std::fill_n(summaries + i * size, size, 0.0);
        values.sum_rows(partition.rows(rows), summaries + i * size);
    });
    for (index_t i = std::ssize(nodes) - 1; i >= 0; --i) {
        const GrownNode& node = nodes[static_cast<std::size_t>(i)];
        if (node.is_leaf()) continue;
        const double* left = summaries + node.left * size;
        values.join(left, left + size, summaries + i * size);
    }
}

// Where rows go. Categories whose side the split does not decide follow its missing rows.
inline TreeNode split_node(const GrownSplit& split, const BinnedDataset& dataset,
                           CategorySets& sets) {
    const std::uint32_t column =
        split.column | (split.missing_left ? TreeNode::missing_left_bit : 0);
    if (!split.categories) return {split.threshold, column, 0};
    CategoryBits left = split.categories->left;
    const auto n_categories = static_cast<std::uint32_t>(dataset.bins(split.column).n_bins());
    for (std::uint32_t b = 0; b < n_categories && split.missing_left; ++b)
        if (!has_bit(split.categories->decided, b)) left[b / 64] |= std::uint64_t{1} << (b % 64);
    const std::span words(left.data(), CategorySets::n_words(n_categories));
    return {static_cast<double>(sets.add(words, n_categories)), column | TreeNode::category_bit, 0};
}

// Writes the nodes of a tree where walks find them soonest: siblings, then the left branch, then
// the right one.
template <NodeValues Values>
class TreeWriter {
public:
    // `positions` gets the indices of the grown nodes in the tree.
    TreeWriter(const GrownNodes& nodes, const Values& values, const double* summaries,
               const BinnedDataset& dataset, std::span<index_t> positions)
        : nodes_(nodes),
          values_(values),
          summaries_(summaries),
          dataset_(dataset),
          positions_(positions) {
        parts_.n_columns = dataset.n_columns();
        parts_.n_outputs = values.n_outputs();
        parts_.node_values = ValueTable(values.n_outputs());
        parts_.nodes.reserve(nodes.size());
        parts_.statistics.reserve(nodes.size());
        parts_.node_values.reserve(std::ssize(nodes));
    }

    Tree write() && {
        append(0, 0, 0.0);
        wait(0, 0);
        while (!waiting_.empty()) {
            const auto [here, depth] = waiting_.back();
            waiting_.pop_back();
            const index_t left = nodes_[static_cast<std::size_t>(here)].left;
            const index_t there = positions_[static_cast<std::size_t>(here)];
            parts_.nodes[static_cast<std::size_t>(there)].left =
                static_cast<std::int32_t>(std::ssize(parts_.nodes));
            const CategoryParts* sets =
                nodes_[static_cast<std::size_t>(here)].split.categories.get();
            const double extra_l2 = sets == nullptr ? 0.0 : sets->extra_l2;
            append(left, depth + 1, extra_l2);
            append(left + 1, depth + 1, extra_l2);
            wait(left + 1, depth + 1);
            wait(left, depth + 1);
        }
        return Tree(std::move(parts_), max_depth_);
    }

private:
    struct Waiting {
        index_t here;
        index_t depth;
    };

    void wait(index_t here, index_t depth) {
        if (!nodes_[static_cast<std::size_t>(here)].is_leaf()) waiting_.push_back({here, depth});
    }
    void append(index_t here, index_t depth, double extra_l2) {
        const GrownNode& node = nodes_[static_cast<std::size_t>(here)];
        const double* summary = summaries_ + here * values_.summary_size();
        positions_[static_cast<std::size_t>(here)] = std::ssize(parts_.nodes);
        NodeMeasures measures{};
        double first = 0;
        parts_.node_values.add_written([&](double* out) {
            measures = describe(summary, extra_l2, out);
            values_.clip(node.bounds, out);
            first = *out;
        });
        parts_.statistics.push_back(
            {measures.impurity, measures.weight, static_cast<std::uint32_t>(node.rows.size())});
        parts_.nodes.push_back(node.is_leaf()
                                   ? TreeNode{parts_.n_outputs == 1 ? first : 0.0, 0, ~n_leaves_++}
                                   : split_node(node.split, dataset_, parts_.category_sets));
        max_depth_ = std::max(max_depth_, depth);
    }
    NodeMeasures describe(const double* summary, double extra_l2, double* out) const noexcept {
        if constexpr (requires { values_.describe(summary, out, extra_l2); })
            return values_.describe(summary, out, extra_l2);
        else
            return values_.describe(summary, out);
    }

    const GrownNodes& nodes_;
    const Values& values_;
    const double* summaries_;
    const BinnedDataset& dataset_;
    std::span<index_t> positions_;
    TreeParts parts_;
    std::vector<Waiting> waiting_;
    std::int32_t n_leaves_ = 0;
    index_t max_depth_ = 0;
};

// `leaves`, unless empty, gets the leaf of every row, numbered in preorder; -1: not in the bag.
template <NodeValues Values, typename Row>
Tree finish_tree(BufferPool& pool, const GrownNodes& nodes, const Values& values,
                 const RowPartition<Row>& partition, const BinnedDataset& dataset, int n_threads,
                 std::span<std::int32_t> leaves) {
    const LeafRuns leaf_runs(nodes, n_threads);
    const PooledBuffer<double> summaries(pool, std::ssize(nodes) * values.summary_size());
    summarise(nodes, values, partition, leaf_runs, summaries.data());
    const PooledBuffer<index_t> positions(pool, std::ssize(nodes));
    Tree tree = TreeWriter(nodes, values, summaries.data(), dataset, positions.all()).write();
    if (leaves.empty()) return tree;
    if (partition.n_rows() < std::ssize(leaves)) std::ranges::fill(leaves, -1);
    const std::vector<std::int32_t> numbers = tree.preorder();
    leaf_runs.each([&](index_t i) {
        const auto leaf = static_cast<std::size_t>(i);
        for (const std::uint32_t row : partition.rows(nodes[leaf].rows))
            leaves[row] = numbers[static_cast<std::size_t>(positions[i])];
    });
    return tree;
}

}  // namespace nonet
