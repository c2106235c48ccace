// From grown nodes to a finished tree.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/phases.hpp"
#include "data/binned_dataset.hpp"
#include "grow/criteria/node_values.hpp"
#include "grow/node/growing_node.hpp"
#include "tree/tree.hpp"

namespace nonet {

// Leaves, cut into pieces of rows, in runs of enough rows together to be worth a thread. A piece
// has the same rows on any number of threads.
class LeafRuns {
public:
    // A piece of a leaf; `is_first` if no piece of the leaf comes before it.
    struct Piece {
        index_t node;
        RowRange rows;
        bool is_first;
    };

    LeafRuns(const GrownNodes& nodes, int n_threads) : n_threads_(n_threads), ends_{0} {
        index_t cost = 0;
        for (index_t i = 0; i < std::ssize(nodes); ++i) {
            const GrownNode& node = nodes[static_cast<std::size_t>(i)];
            if (!node.is_leaf()) continue;
            for (index_t begin = node.rows.begin; begin < node.rows.end; begin += rows_per_piece) {
                const index_t end = std::min(begin + rows_per_piece, node.rows.end);
                pieces_.push_back({i, {begin, end, node.rows.side}, begin == node.rows.begin});
                cost += cost_of_a_piece + end - begin;
                if (cost >= rows_per_run) end_run(cost);
            }
        }
        if (cost > 0) end_run(cost);
    }

    int n_threads() const noexcept { return n_threads_; }
    const std::vector<Piece>& pieces() const noexcept { return pieces_; }

    // Calls use(p) for the number of every piece.
    template <typename Use>
    void each(const Use& use) const {
        parallel_for(std::ssize(ends_) - 1, n_threads_, [&](index_t run) {
            const auto r = static_cast<std::size_t>(run);
            for (index_t p = ends_[r]; p < ends_[r + 1]; ++p) use(p);
        });
    }

private:
    static constexpr index_t rows_per_piece = 1 << 14;
    static constexpr index_t rows_per_run = 1 << 13;
    static constexpr index_t cost_of_a_piece = 16;  // in rows

    void end_run(index_t& cost) {
        ends_.push_back(std::ssize(pieces_));
        cost = 0;
    }

    int n_threads_;
    std::vector<Piece> pieces_;
    std::vector<index_t> ends_;
};

// Summaries of inner nodes, one after another, from those of their children, which come later.
template <NodeValues Values>
void join_children(const GrownNodes& nodes, const Values& values, double* summaries) {
    const index_t size = values.summary_size();
    for (index_t i = std::ssize(nodes) - 1; i >= 0; --i) {
        const GrownNode& node = nodes[static_cast<std::size_t>(i)];
        if (node.is_leaf()) continue;
        const double* left = summaries + node.left * size;
        values.join(left, left + size, summaries + i * size);
    }
}

// Summaries of all nodes, one after another: leaves from their rows, inner nodes from their
// children, which come after them. Pieces of a leaf are summed apart and joined in their order.
template <NodeValues Values, typename Row>
void summarise(const GrownNodes& nodes, const Values& values, const RowPartition<Row>& partition,
               const LeafRuns& leaf_runs, double* summaries) {
    const index_t size = values.summary_size();
    const std::vector<LeafRuns::Piece>& pieces = leaf_runs.pieces();
    const bool are_whole = std::ranges::all_of(pieces, &LeafRuns::Piece::is_first);
    std::vector<double> others(are_whole ? 0 : pieces.size() * static_cast<std::size_t>(size));
    const auto summary_of = [&](index_t p) {
        const LeafRuns::Piece& piece = pieces[static_cast<std::size_t>(p)];
        return piece.is_first ? summaries + piece.node * size : others.data() + p * size;
    };
    leaf_runs.each([&](index_t p) {
        std::fill_n(summary_of(p), size, 0.0);
        values.sum_rows(partition.rows(pieces[static_cast<std::size_t>(p)].rows), summary_of(p));
    });
    std::vector<double> joined(static_cast<std::size_t>(size));
    for (index_t p = 0; p < std::ssize(pieces) && !are_whole; ++p) {
        if (pieces[static_cast<std::size_t>(p)].is_first) continue;
        double* whole = summaries + pieces[static_cast<std::size_t>(p)].node * size;
        values.join(whole, summary_of(p), joined.data());
        std::ranges::copy(joined, whole);
    }
    join_children(nodes, values, summaries);
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
    const InPhase phase(Phase::leaves);
    const LeafRuns leaf_runs(nodes, n_threads);
    const PooledBuffer<double> summaries(pool, std::ssize(nodes) * values.summary_size());
    summarise(nodes, values, partition, leaf_runs, summaries.data());
    const PooledBuffer<index_t> positions(pool, std::ssize(nodes));
    Tree tree = TreeWriter(nodes, values, summaries.data(), dataset, positions.all()).write();
    if (leaves.empty()) return tree;
    if (partition.n_rows() < std::ssize(leaves)) std::ranges::fill(leaves, -1);
    const std::vector<std::int32_t> numbers = tree.preorder();
    leaf_runs.each([&](index_t p) {
        const LeafRuns::Piece& piece = leaf_runs.pieces()[static_cast<std::size_t>(p)];
        const std::int32_t leaf = numbers[static_cast<std::size_t>(positions[piece.node])];
        for (const std::uint32_t row : partition.rows(piece.rows)) leaves[row] = leaf;
    });
    return tree;
}

}  // namespace nonet
