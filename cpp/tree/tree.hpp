// A finished tree: flat arrays that nothing changes any more.
//
// Words: the root is node 0; parents come before their children; siblings lie side by side; leaves
// are numbered by ordinals 0, 1, ... in the order of nodes. What only pruning, importances and
// explanations read (statistics, values of inner nodes) lies apart from the nodes; a tree that is
// only to predict may leave it out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "base/views.hpp"
#include "tree/value_table.hpp"

namespace nonet {

// Four nodes fill a cache line.
struct TreeNode {
    static constexpr std::uint32_t missing_left_bit = 1U << 31;
    static constexpr std::uint32_t category_bit = 1U << 30;
    static constexpr std::uint32_t column_mask = category_bit - 1;

    double threshold;      // inner: x <= threshold goes left, or the index of a category set;
                           // leaf: the value, if the tree has one output
    std::uint32_t column;  // the column, and the two bits above; a leaf: 0
    std::int32_t left;     // left child, right child = left + 1; a leaf: ~ordinal

    bool is_leaf() const noexcept { return left < 0; }
    std::int32_t leaf() const noexcept { return ~left; }
    std::uint32_t column_index() const noexcept { return column & column_mask; }
    bool is_category_split() const noexcept { return (column & category_bit) != 0; }
    bool missing_left() const noexcept { return (column & missing_left_bit) != 0; }
    std::size_t category_set() const noexcept { return static_cast<std::size_t>(threshold); }
};
static_assert(sizeof(TreeNode) == 16);

// The gain of a split is weight * impurity of the node less that of its two children. Criteria that
// know no impurity (Newton) store minus their score per weight, which gives the gain as well.
struct NodeStatistics {
    double impurity;
    double weight;         // sum of the weights of the node's rows
    std::uint32_t n_rows;  // rows, each counted once whatever its weight
};

// The category codes that go left. Codes from n_categories on, like missing ones, follow the
// missing side of the node.
struct CategorySet {
    const std::uint64_t* words;
    std::uint32_t n_categories;

    bool knows(double code) const noexcept { return code >= 0 && code < n_categories; }
    bool contains(double code) const noexcept {
        const auto bit = static_cast<std::uint32_t>(code);
        return (words[bit / 64] >> (bit % 64) & 1U) != 0;
    }
};

class CategorySets {
public:
    // Bit c % 64 of word c / 64 is set if code c goes left; returns the index of the set.
    std::size_t add(std::span<const std::uint64_t> words, std::uint32_t n_categories);

    std::size_t size() const noexcept { return n_categories_.size(); }
    CategorySet operator[](std::size_t set) const noexcept {
        return {words_.data() + starts_[set], n_categories_[set]};
    }
    static std::size_t n_words(std::uint32_t n_categories) noexcept {
        return (static_cast<std::size_t>(n_categories) + 63) / 64;
    }

private:
    std::vector<std::uint64_t> words_;
    std::vector<std::size_t> starts_;
    std::vector<std::uint32_t> n_categories_;
};

// Everything a tree is made of, as plain data on its way into one.
struct TreeParts {
    index_t n_columns = 0;
    index_t n_outputs = 1;
    std::vector<TreeNode> nodes;
    std::vector<double> leaf_values;  // (n_leaves, n_outputs); empty if nodes hold it: those of one
                                      // output, and those with values
    CategorySets category_sets;
    std::vector<NodeStatistics> statistics;  // one per node, or empty
    ValueTable node_values;                  // of all nodes, or empty
};

// Puts nodes, which have values, in the order in which walks find them soonest (siblings, then the
// left branch, then the right one), and numbers the leaves.
void arrange(TreeParts& parts);

// Keeps of the nodes' values those of leaves, and no statistics.
void leave_out_details(TreeParts& parts);

// Whether nodes lie in that order.
bool is_arranged(std::span<const TreeNode> nodes);

// Throws std::invalid_argument unless these inner nodes split columns that exist, by a threshold
// that is a number or by a category set that exists.
void check_splits(const TreeParts& parts, std::span<const std::int32_t> inner);

class Tree {
public:
    // Throws std::invalid_argument unless the parts make a tree, so that no later walk can leave
    // it.
    explicit Tree(TreeParts parts);
    // Believes that the parts make a tree of this depth, whose splits are right.
    Tree(TreeParts parts, index_t max_depth);

    index_t n_columns() const noexcept { return parts_.n_columns; }
    index_t n_outputs() const noexcept { return parts_.n_outputs; }
    index_t n_nodes() const noexcept { return std::ssize(parts_.nodes); }
    index_t n_leaves() const noexcept { return (n_nodes() + 1) / 2; }
    index_t max_depth() const noexcept { return max_depth_; }
    bool has_category_splits() const noexcept { return parts_.category_sets.size() > 0; }
    bool has_statistics() const noexcept { return !parts_.statistics.empty(); }
    bool has_node_values() const noexcept { return !parts_.node_values.empty(); }

    std::span<const TreeNode> nodes() const noexcept { return parts_.nodes; }
    std::span<const NodeStatistics> statistics() const noexcept { return parts_.statistics; }
    const CategorySets& category_sets() const noexcept { return parts_.category_sets; }
    const TreeParts& parts() const noexcept { return parts_; }

    const TreeNode& node(index_t i) const noexcept {
        return parts_.nodes[static_cast<std::size_t>(i)];
    }
    // Values of a leaf of this tree, n_outputs of them.
    const double* leaf_values(const TreeNode& leaf) const noexcept {
        if (n_outputs() == 1) return &leaf.threshold;
        return has_node_values() ? node_values(&leaf - parts_.nodes.data())
                                 : parts_.leaf_values.data() + leaf.leaf() * n_outputs();
    }
    const double* node_values(index_t i) const noexcept {
        return parts_.node_values[static_cast<std::size_t>(i)];
    }

    // Where a row goes at an inner node, given its number in the node's column.
    bool goes_left(const TreeNode& node, double x) const noexcept {
        if (node.is_category_split()) {
            const CategorySet set = parts_.category_sets[node.category_set()];
            return set.knows(x) ? set.contains(x) : node.missing_left();
        }
        return x <= node.threshold || (x != x && node.missing_left());
    }

    std::vector<std::int32_t> depths() const;
    std::vector<std::int32_t> parents() const;  // -1 for the root
    // Indices of the nodes when a node is followed by its left branch, then by its right one.
    std::vector<std::int32_t> preorder() const;

private:
    TreeParts parts_;
    index_t max_depth_ = 0;
};

}  // namespace nonet
