#include "tree/tree_builder.hpp"

#include <utility>

#include "base/check.hpp"

namespace nonet {

TreeBuilder::TreeBuilder(index_t n_columns, index_t n_outputs) {
    check(n_columns >= 1 && n_columns <= TreeNode::column_mask,
          "A tree needs at least 1 and at most 2**30 - 1 columns.");
    check(n_outputs >= 1, "A tree needs at least one output.");
    parts_.n_columns = n_columns;
    parts_.n_outputs = n_outputs;
    parts_.node_values = ValueTable(n_outputs);
    parts_.nodes.push_back({0.0, 0, -1});
    parts_.statistics.push_back({});
}

index_t TreeBuilder::split(index_t node, index_t column, double threshold, bool missing_left) {
    return open_children(node, column, threshold, missing_left ? TreeNode::missing_left_bit : 0);
}

index_t TreeBuilder::split_categories(index_t node, index_t column,
                                      std::span<const std::uint64_t> words,
                                      std::uint32_t n_categories, bool missing_left) {
    const auto set = static_cast<double>(parts_.category_sets.add(words, n_categories));
    const std::uint32_t side = missing_left ? TreeNode::missing_left_bit : 0;
    return open_children(node, column, set, side | TreeNode::category_bit);
}

index_t TreeBuilder::open_children(index_t node, index_t column, double threshold,
                                   std::uint32_t bits) {
    const index_t left = n_nodes();
    parts_.nodes[static_cast<std::size_t>(node)] = {
        threshold, static_cast<std::uint32_t>(column) | bits, static_cast<std::int32_t>(left)};
    parts_.nodes.insert(parts_.nodes.end(), 2, {0.0, 0, -1});
    parts_.statistics.resize(parts_.nodes.size());
    return left;
}

Tree TreeBuilder::finish(bool keep_details) && {
    check(parts_.node_values.n_nodes() == n_nodes(), "Every node of a tree needs values.");
    arrange(parts_);
    if (!keep_details) leave_out_details(parts_);
    return Tree(std::move(parts_));
}

}  // namespace nonet
