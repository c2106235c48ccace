#include "tree/bytes/tree_arrays.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "tree/tree_builder.hpp"

namespace nonet {
namespace {

constexpr std::int32_t no_child = -1;
constexpr std::int32_t no_column = -2;

void resize(TreeArrays& arrays, const Tree& tree) {
    const std::size_t n = tree.nodes().size();
    arrays.left.resize(n, no_child);
    arrays.right.resize(n, no_child);
    arrays.column.resize(n, no_column);
    arrays.threshold.resize(n, no_column);
    arrays.missing_left.resize(n);
    arrays.category_set.resize(n, -1);
    arrays.values.resize(n * static_cast<std::size_t>(tree.n_outputs()));
    if (!tree.has_statistics()) return;
    arrays.impurity.resize(n);
    arrays.weight.resize(n);
    arrays.n_rows.resize(n);
}

void write_split(const TreeNode& node, const std::vector<std::int32_t>& positions, std::size_t to,
                 TreeArrays& arrays) {
    arrays.left[to] = positions[static_cast<std::size_t>(node.left)];
    arrays.right[to] = positions[static_cast<std::size_t>(node.left) + 1];
    arrays.column[to] = static_cast<std::int32_t>(node.column_index());
    arrays.threshold[to] = node.threshold;
    arrays.missing_left[to] = node.missing_left();
    if (node.is_category_split())
        arrays.category_set[to] = static_cast<std::int32_t>(node.threshold);
}

void write_details(const Tree& tree, std::size_t from, std::size_t to, TreeArrays& arrays) {
    const index_t n_outputs = tree.n_outputs();
    const auto out = arrays.values.begin() + static_cast<index_t>(to) * n_outputs;
    const TreeNode& node = tree.nodes()[from];
    if (tree.has_node_values())
        std::copy_n(tree.node_values(static_cast<index_t>(from)), n_outputs, out);
    else if (node.is_leaf())
        std::copy_n(tree.leaf_values(node), n_outputs, out);
    if (!tree.has_statistics()) return;
    const NodeStatistics& statistics = tree.statistics()[from];
    arrays.impurity[to] = statistics.impurity;
    arrays.weight[to] = statistics.weight;
    arrays.n_rows[to] = statistics.n_rows;
}

void check_sizes(const TreeArrays& arrays, index_t n_outputs) {
    const std::size_t n = arrays.left.size();
    check(n >= 1, "A tree needs at least one node.");
    check(arrays.right.size() == n && arrays.column.size() == n && arrays.threshold.size() == n &&
              arrays.missing_left.size() == n && arrays.category_set.size() == n &&
              arrays.values.size() == n * static_cast<std::size_t>(n_outputs),
          "The arrays of a tree must hold one entry per node.");
    check(arrays.impurity.size() == arrays.weight.size() &&
              arrays.weight.size() == arrays.n_rows.size() &&
              (arrays.weight.empty() || arrays.weight.size() == n),
          "Statistics must be given for all nodes or for none.");
}

std::vector<std::uint64_t> words_of(const std::vector<bool>& goes_left) {
    std::vector<std::uint64_t> words((goes_left.size() + 63) / 64);
    for (std::size_t code = 0; code < goes_left.size(); ++code)
        if (goes_left[code]) words[code / 64] |= std::uint64_t{1} << (code % 64);
    return words;
}

class ArraysReader {
public:
    ArraysReader(index_t n_columns, index_t n_outputs, const TreeArrays& arrays,
                 const std::vector<std::vector<bool>>& category_sets)
        : arrays_(arrays),
          sets_(category_sets),
          n_outputs_(n_outputs),
          builder_(n_columns, n_outputs) {
        check_sizes(arrays, n_outputs);
    }

    Tree read() && {
        for (std::size_t to = 0; to < sources_.size(); ++to) {
            copy_details(sources_[to], static_cast<index_t>(to));
            if (at(arrays_.left, sources_[to]) != no_child) split(sources_[to], to);
        }
        check(sources_.size() == arrays_.left.size(), "Some nodes of the tree have no parent.");
        return std::move(builder_).finish(!arrays_.weight.empty());
    }

private:
    template <typename T>
    T at(const std::vector<T>& facts, std::int32_t node) const {
        return facts[static_cast<std::size_t>(node)];
    }

    void copy_details(std::int32_t from, index_t to) {
        const double* values = arrays_.values.data() + from * n_outputs_;
        builder_.add_values([&](double* out) { std::copy_n(values, n_outputs_, out); });
        if (!arrays_.weight.empty())
            builder_.set_statistics(to, {at(arrays_.impurity, from), at(arrays_.weight, from),
                                         at(arrays_.n_rows, from)});
    }

    void split(std::int32_t from, std::size_t to) {
        const auto n_nodes = std::ssize(arrays_.left);
        for (const std::int32_t child : {at(arrays_.left, from), at(arrays_.right, from)}) {
            check(child > 0 && child < n_nodes && std::ssize(sources_) < n_nodes,
                  "Children of a tree's nodes must be nodes of their own, and not the root.");
            sources_.push_back(child);
        }
        const auto node = static_cast<index_t>(to);
        const index_t column = at(arrays_.column, from);
        check(column >= 0, "Inner nodes of a tree must split a column.");
        const bool missing_left = at(arrays_.missing_left, from) != 0;
        const std::int32_t set = at(arrays_.category_set, from);
        if (set < 0) {
            builder_.split(node, column, at(arrays_.threshold, from), missing_left);
            return;
        }
        check(set < std::ssize(sets_),
              "A node of the tree names a category set that is not given.");
        const std::vector<bool>& goes_left = sets_[static_cast<std::size_t>(set)];
        builder_.split_categories(node, column, words_of(goes_left),
                                  static_cast<std::uint32_t>(goes_left.size()), missing_left);
    }

    const TreeArrays& arrays_;
    const std::vector<std::vector<bool>>& sets_;
    index_t n_outputs_;
    TreeBuilder builder_;
    std::vector<std::int32_t> sources_{0};  // node of the arrays for each node of the builder
};

}  // namespace

TreeArrays to_arrays(const Tree& tree) {
    TreeArrays arrays;
    resize(arrays, tree);
    const std::vector<std::int32_t> positions = tree.preorder();
    for (std::size_t from = 0; from < positions.size(); ++from) {
        const TreeNode& node = tree.nodes()[from];
        const auto to = static_cast<std::size_t>(positions[from]);
        if (!node.is_leaf()) write_split(node, positions, to, arrays);
        write_details(tree, from, to, arrays);
    }
    return arrays;
}

Tree from_arrays(index_t n_columns, index_t n_outputs, const TreeArrays& arrays,
                 const std::vector<std::vector<bool>>& category_sets) {
    return ArraysReader(n_columns, n_outputs, arrays, category_sets).read();
}

}  // namespace nonet
