// From grown nodes to a finished tree.
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "data/binned_dataset.hpp"
#include "grow/growing_node.hpp"
#include "tree/tree_builder.hpp"

namespace nonet {

// Summaries of all nodes, one after another: leaves from their rows, inner nodes from their
// children, which come after them.
template <typename Values>
std::vector<double> summarise(const std::vector<GrownNode>& nodes, const Values& values,
                              std::span<const std::uint32_t> rows, int n_threads) {
    constexpr index_t nodes_a_task = 256;
    const index_t n_nodes = std::ssize(nodes);
    const index_t size = values.summary_size();
    std::vector<double> summaries(static_cast<std::size_t>(n_nodes * size));
    parallel_for((n_nodes + nodes_a_task - 1) / nodes_a_task, n_threads, [&](index_t task) {
        const index_t end = std::min(n_nodes, (task + 1) * nodes_a_task);
        for (index_t i = task * nodes_a_task; i < end; ++i) {
            const GrownNode& node = nodes[static_cast<std::size_t>(i)];
            if (!node.is_leaf()) continue;
            const auto begin = static_cast<std::size_t>(node.rows.begin);
            values.sum_rows(rows.subspan(begin, static_cast<std::size_t>(node.rows.size())),
                            summaries.data() + i * size);
        }
    });
    for (index_t i = n_nodes - 1; i >= 0; --i) {
        const GrownNode& node = nodes[static_cast<std::size_t>(i)];
        if (node.is_leaf()) continue;
        const double* left = summaries.data() + node.left * size;
        values.join(left, left + size, summaries.data() + i * size);
    }
    return summaries;
}

// Returns the left child. Categories that the node did not see follow its missing rows.
inline index_t add_split(TreeBuilder& builder, index_t place, const Split& split,
                         const BinnedDataset& dataset) {
    if (!split.categories)
        return builder.split(place, split.column, split.threshold, split.missing_left);
    CategoryBits left = split.categories->left;
    const auto n_categories = static_cast<std::uint32_t>(dataset.bins(split.column).n_bins());
    for (std::uint32_t b = 0; b < n_categories && split.missing_left; ++b)
        if (!has_bit(split.categories->present, b)) left[b / 64] |= std::uint64_t{1} << (b % 64);
    return builder.split_categories(place, split.column, left, n_categories, split.missing_left);
}

// Writes the node of the leaf of each row in the bag; `places` are those of the grown nodes in the
// tree.
inline void write_leaves(const std::vector<GrownNode>& nodes, const std::vector<index_t>& places,
                         std::span<const std::uint32_t> rows, std::span<std::int32_t> leaves) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!nodes[i].is_leaf()) continue;
        const RowRange range = nodes[i].rows;
        for (index_t k = range.begin; k < range.end; ++k)
            leaves[rows[static_cast<std::size_t>(k)]] = static_cast<std::int32_t>(places[i]);
    }
}

// `leaves` may be empty: then nobody wants to know.
template <typename Values>
Tree finish_tree(const std::vector<GrownNode>& nodes, const Values& values,
                 std::span<const std::uint32_t> rows, const BinnedDataset& dataset, int n_threads,
                 std::span<std::int32_t> leaves) {
    const std::vector<double> summaries = summarise(nodes, values, rows, n_threads);
    TreeBuilder builder(dataset.n_columns(), values.n_outputs());
    std::vector<double> value(static_cast<std::size_t>(values.n_outputs()));
    std::vector<index_t> places(nodes.size());  // in the tree
    std::vector<index_t> waiting = {0};
    while (!waiting.empty()) {
        const index_t here = waiting.back();
        waiting.pop_back();
        const index_t there = places[static_cast<std::size_t>(here)];
        const GrownNode& node = nodes[static_cast<std::size_t>(here)];
        const double* summary = summaries.data() + here * values.summary_size();
        values.value(summary, value.data());
        values.clip(node.bounds, value.data());
        builder.set_value(there, value);
        builder.set_statistics(there, {values.impurity(summary), values.weight(summary),
                                       static_cast<std::uint32_t>(node.rows.size())});
        if (node.is_leaf()) continue;
        const index_t left = add_split(builder, there, node.split, dataset);
        places[static_cast<std::size_t>(node.left)] = left;
        places[static_cast<std::size_t>(node.left) + 1] = left + 1;
        waiting.insert(waiting.end(), {node.left + 1, node.left});
    }
    if (!leaves.empty()) write_leaves(nodes, places, rows, leaves);
    return std::move(builder).finish();
}

}  // namespace nonet
