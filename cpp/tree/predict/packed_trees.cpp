#include "tree/predict/packed_trees.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "base/check.hpp"
#include "base/parallel.hpp"
#include "base/phases.hpp"
#include "base/sorted_values.hpp"
#include "tree/predict/agreement.hpp"

namespace nonet {
namespace {

constexpr index_t columns_per_tree = 4;  // with more columns a tree, ranks do not pay

// Of the number splits of a tree, by column, as bits that sort like the thresholds.
std::vector<std::vector<std::uint64_t>> thresholds_of(const Tree& tree) {
    std::vector<std::vector<std::uint64_t>> thresholds(static_cast<std::size_t>(tree.n_columns()));
    for (const TreeNode& node : tree.nodes())
        if (!node.is_leaf() && !node.is_category_split())
            thresholds[node.column_index()].push_back(ordered_bits(node.threshold));
    return thresholds;
}

// Numbers a tree's distinct values: those of pure leaves are few.
class DistinctValues {
public:
    DistinctValues(std::vector<double>& values, const Tree& tree)
        : values_(values),
          n_outputs_(static_cast<std::size_t>(tree.n_outputs())),
          slots_(std::bit_ceil(2 * static_cast<std::size_t>(tree.n_leaves())), free) {}

    std::uint64_t position(const double* row) {
        std::size_t slot = hash(row) & (slots_.size() - 1);
        for (; slots_[slot] != free; slot = (slot + 1) & (slots_.size() - 1))
            if (std::equal(row, row + n_outputs_, values_.data() + slots_[slot] * n_outputs_))
                return slots_[slot];
        slots_[slot] = static_cast<std::uint32_t>(values_.size() / n_outputs_);
        values_.insert(values_.end(), row, row + n_outputs_);
        return slots_[slot];
    }

private:
    static constexpr std::uint32_t free = std::numeric_limits<std::uint32_t>::max();

    std::uint64_t hash(const double* row) const noexcept {
        std::uint64_t mixed = 0;
        for (std::size_t k = 0; k < n_outputs_; ++k)
            mixed = (mixed ^ std::bit_cast<std::uint64_t>(row[k] + 0.0)) * 0x9E3779B97F4A7C15;
        return mixed ^ mixed >> 32;
    }

    std::vector<double>& values_;
    std::size_t n_outputs_;
    std::vector<std::uint32_t> slots_;  // where values with a hash are; more than half are free
};

}  // namespace

std::optional<PackedTrees> PackedTrees::pack(TreeRefs trees, int n_threads) {
    check(!trees.empty(), "There must be trees to be packed.");
    check_agreement(trees);
    const InPhase phase(Phase::prediction);
    PackedTrees packed;
    packed.n_columns_ = trees[0]->n_columns();
    packed.n_outputs_ = trees[0]->n_outputs();
    const bool fits = std::ranges::all_of(trees, [](const Tree* tree) {
        return tree->n_nodes() < static_cast<index_t>(mask(child_bits)) &&
               tree->n_leaves() < static_cast<index_t>(mask(rank_bits));
    });
    if (!fits || packed.n_columns_ > columns_per_tree * std::ssize(trees) ||
        packed.n_columns_ >= static_cast<index_t>(mask(column_bits)))
        return std::nullopt;
    if (!packed.collect_thresholds(trees, n_threads)) return std::nullopt;
    packed.trees_.resize(trees.size());
    parallel_for(std::ssize(trees), n_threads, [&](index_t t) {
        const auto i = static_cast<std::size_t>(t);
        packed.pack_tree(*trees[i], packed.trees_[i]);
    });
    return packed;
}

// Returns false if a column has too many.
bool PackedTrees::collect_thresholds(TreeRefs trees, int n_threads) {
    ranks_.resize(static_cast<std::size_t>(n_columns_));
    for (const Tree* tree : trees)
        if (tree->has_category_splits()) note_categories(*tree);
    std::vector<std::vector<std::vector<std::uint64_t>>> by_tree(trees.size());
    parallel_for(std::ssize(trees), n_threads, [&](index_t t) {
        const auto i = static_cast<std::size_t>(t);
        by_tree[i] = thresholds_of(*trees[i]);
    });
    parallel_for(n_columns_, n_threads, [&](index_t j) {
        const auto column = static_cast<std::size_t>(j);
        std::vector<std::uint64_t> all;
        for (auto& columns : by_tree)
            all.insert(all.end(), columns[column].begin(), columns[column].end());
        radix_sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
        std::vector<double> thresholds(all.size());
        std::ranges::transform(all, thresholds.begin(), value_of_bits<double>);
        ranks_[column].thresholds = ThresholdRanks(std::move(thresholds));
    });
    for (const Ranks& ranks : ranks_)
        max_ranks_ = std::max(max_ranks_, ranks.thresholds.size() + 2);
    return max_ranks_ <= mask(rank_bits) &&
           std::ranges::all_of(trees, [&](const Tree* tree) { return words_fit(*tree); });
}

std::size_t PackedTrees::words_per_set(const TreeNode& node) const noexcept {
    return ranks_[node.column_index()].n_categories / 64 + std::size_t{1};
}

// Whether the words of all category sets of a tree can be numbered.
bool PackedTrees::words_fit(const Tree& tree) const noexcept {
    std::size_t n_words = 1;
    if (tree.has_category_splits())
        for (const TreeNode& node : tree.nodes())
            if (!node.is_leaf() && node.is_category_split()) n_words += words_per_set(node);
    return n_words <= mask(rank_bits);
}

// Of each split of a tree by a threshold, its rank; by node. A column's thresholds are looked up
// together.
std::vector<std::uint32_t> PackedTrees::rank_splits(const Tree& tree) const {
    std::vector<std::uint32_t> ranks(tree.nodes().size());
    std::vector<std::vector<std::uint32_t>> splits(ranks_.size());
    for (std::uint32_t i = 0; i < ranks.size(); ++i) {
        const TreeNode& node = tree.nodes()[i];
        if (!node.is_leaf() && !node.is_category_split()) splits[node.column_index()].push_back(i);
    }
    double numbers[ranked_together] = {};
    std::uint32_t found[ranked_together];
    for (std::size_t j = 0; j < splits.size(); ++j)
        for (std::size_t first = 0; first < splits[j].size(); first += ranked_together) {
            const std::size_t n = std::min(ranked_together, splits[j].size() - first);
            for (std::size_t i = 0; i < n; ++i)
                numbers[i] = tree.nodes()[splits[j][first + i]].threshold;
            ranks_[j].thresholds.find(numbers, found);
            for (std::size_t i = 0; i < n; ++i) ranks[splits[j][first + i]] = found[i];
        }
    return ranks;
}

void PackedTrees::note_categories(const Tree& tree) {
    has_categories_ = true;
    for (const TreeNode& node : tree.nodes()) {
        if (node.is_leaf() || !node.is_category_split()) continue;
        Ranks& ranks = ranks_[node.column_index()];
        const CategorySet set = tree.category_sets()[node.category_set()];
        ranks.is_category = true;
        ranks.n_categories = std::max(ranks.n_categories, set.n_categories);
        max_ranks_ = std::max<std::size_t>(max_ranks_, set.n_categories + std::size_t{1});
    }
}

std::uint64_t PackedTrees::pack_node(const TreeNode& node, std::uint64_t rank) noexcept {
    return std::uint64_t{node.column_index()} |
           static_cast<std::uint64_t>(node.left) << column_bits |
           std::uint64_t{node.missing_left()} << missing_left_shift |
           std::uint64_t{node.is_category_split()} << category_shift | rank << rank_shift;
}

std::uint64_t PackedTrees::pack_leaf(index_t no_column, std::uint64_t here,
                                     std::uint64_t position) noexcept {
    return static_cast<std::uint64_t>(no_column) | here << column_bits | position << rank_shift;
}

// Codes behind those of a set are unknown to it, and go where missing rows go.
std::uint64_t PackedTrees::pack_set(const Tree& tree, const TreeNode& node,
                                    PackedTree& packed) const {
    const std::size_t first = packed.set_words.size();
    packed.set_words.resize(first + words_per_set(node));
    const std::uint32_t last = ranks_[node.column_index()].n_categories;
    for (std::uint32_t code = 0; code <= last; ++code)
        if (tree.goes_left(node, code))
            packed.set_words[first + code / 64] |= std::uint64_t{1} << code % 64;
    return first;
}

void PackedTrees::pack_tree(const Tree& tree, PackedTree& packed) const {
    DistinctValues distinct(packed.values, tree);
    const std::vector<std::uint32_t> ranks = rank_splits(tree);
    packed.set_words.assign(1, 0);
    packed.nodes.reserve(static_cast<std::size_t>(tree.n_nodes()));
    for (const TreeNode& node : tree.nodes()) {
        const std::size_t here = packed.nodes.size();
        packed.nodes.push_back(
            node.is_leaf() ? pack_leaf(n_columns_, here, distinct.position(tree.leaf_values(node)))
            : node.is_category_split() ? pack_node(node, pack_set(tree, node, packed))
                                       : pack_node(node, ranks[here]));
    }
}

}  // namespace nonet
