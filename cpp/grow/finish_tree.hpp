// From grown nodes to a finished tree.
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "data/binned_dataset.hpp"
#include "grow/growing_node.hpp"
#include "tree/tree_builder.hpp"

namespace nonet {

// Runs of nodes whose leaves have enough rows together to be worth a thread.
class LeafRuns {
public:
    explicit LeafRuns(const std::vector<GrownNode>& nodes) : nodes_(nodes), ends_{0} {
        index_t n_rows = 0;
        for (index_t i = 0; i < std::ssize(nodes); ++i) {
            const GrownNode& node = nodes[static_cast<std::size_t>(i)];
            n_rows += cost_of_a_node + (node.is_leaf() ? node.rows.size() : 0);
            if (n_rows < rows_a_run && i + 1 < std::ssize(nodes)) continue;
            ends_.push_back(i + 1);
            n_rows = 0;
        }
    }

    // Calls use(i) for every leaf i.
    template <typename Use>
    void each(int n_threads, const Use& use) const {
        parallel_for(std::ssize(ends_) - 1, n_threads, [&](index_t run) {
            const auto r = static_cast<std::size_t>(run);
            for (index_t i = ends_[r]; i < ends_[r + 1]; ++i)
                if (nodes_[static_cast<std::size_t>(i)].is_leaf()) use(i);
        });
    }

private:
    static constexpr index_t rows_a_run = 1 << 14;
    static constexpr index_t cost_of_a_node = 16;  // in rows

    const std::vector<GrownNode>& nodes_;
    std::vector<index_t> ends_;
};

// Summaries of all nodes, one after another: leaves from their rows, inner nodes from their
// children, which come after them.
template <typename Values, typename Row>
void summarise(const std::vector<GrownNode>& nodes, const Values& values,
               const RowPartition<Row>& partition, const LeafRuns& leaf_runs, int n_threads,
               double* summaries) {
    const index_t size = values.summary_size();
    leaf_runs.each(n_threads, [&](index_t i) {
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

// Returns the left child. Categories that the node did not see follow its missing rows.
inline index_t add_split(TreeBuilder& builder, index_t place, const GrownSplit& split,
                         const BinnedDataset& dataset) {
    if (!split.categories)
        return builder.split(place, split.column, split.threshold, split.missing_left);
    CategoryBits left = split.categories->left;
    const auto n_categories = static_cast<std::uint32_t>(dataset.bins(split.column).n_bins());
    for (std::uint32_t b = 0; b < n_categories && split.missing_left; ++b)
        if (!has_bit(split.categories->present, b)) left[b / 64] |= std::uint64_t{1} << (b % 64);
    return builder.split_categories(place, split.column, left, n_categories, split.missing_left);
}

// The tree itself; `places` gets the places of the grown nodes in it.
template <typename Values>
Tree build_tree(const std::vector<GrownNode>& nodes, const Values& values, const double* summaries,
                const BinnedDataset& dataset, std::span<index_t> places) {
    TreeBuilder builder(dataset.n_columns(), values.n_outputs(), std::ssize(nodes));
    std::vector<double> value(static_cast<std::size_t>(values.n_outputs()));
    const auto describe = [&](index_t here, index_t there) {
        const GrownNode& node = nodes[static_cast<std::size_t>(here)];
        const double* summary = summaries + here * values.summary_size();
        places[static_cast<std::size_t>(here)] = there;
        builder.set_statistics(there, {values.impurity(summary), values.weight(summary),
                                       static_cast<std::uint32_t>(node.rows.size())});
        values.value(summary, value.data());
        values.clip(node.bounds, value.data());
        builder.set_value(there, value);
    };
    describe(0, 0);
    std::vector<index_t> waiting = {0};
    while (!waiting.empty()) {
        const index_t here = waiting.back();
        waiting.pop_back();
        const GrownNode& node = nodes[static_cast<std::size_t>(here)];
        if (node.is_leaf()) continue;
        const index_t there = places[static_cast<std::size_t>(here)];
        const index_t left = add_split(builder, there, node.split, dataset);
        describe(node.left, left);
        describe(node.left + 1, left + 1);
        waiting.insert(waiting.end(), {node.left + 1, node.left});
    }
    return std::move(builder).finish();
}

// `leaves`, unless empty, gets the leaf of every row, numbered in preorder; -1: not in the bag.
template <typename Values, typename Row>
Tree finish_tree(Shelf& shelf, const std::vector<GrownNode>& nodes, const Values& values,
                 const RowPartition<Row>& partition, const BinnedDataset& dataset, int n_threads,
                 std::span<std::int32_t> leaves) {
    const LeafRuns leaf_runs(nodes);
    const ShelfBuffer<double> summaries(shelf, std::ssize(nodes) * values.summary_size());
    summarise(nodes, values, partition, leaf_runs, n_threads, summaries.data());
    const ShelfBuffer<index_t> places(shelf, std::ssize(nodes));
    Tree tree = build_tree(nodes, values, summaries.data(), dataset, places.all());
    if (leaves.empty()) return tree;
    if (partition.n_rows() < std::ssize(leaves)) std::ranges::fill(leaves, -1);
    const std::vector<std::int32_t> numbers = tree.preorder();
    leaf_runs.each(n_threads, [&](index_t i) {
        const auto leaf = static_cast<std::size_t>(i);
        for (const std::uint32_t row : partition.rows(nodes[leaf].rows))
            leaves[row] = numbers[static_cast<std::size_t>(places[i])];
    });
    return tree;
}

}  // namespace nonet
