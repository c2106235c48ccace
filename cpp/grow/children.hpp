// The children of a node that is split, whoever finds the split and wherever the rows are.
#pragma once

#include <utility>

#include "grow/node/growing_node.hpp"
#include "grow/sampling/column_sampler.hpp"

namespace nonet {

// Where no row of the node was missing, rows that come later follow the larger child.
inline void send_unseen_missing(Split& split, index_t n_left, index_t n_right) noexcept {
    if (!split.saw_missing && !split.categories) split.missing_left = n_left > n_right;
}

// The left and the right child, whose rows are given.
inline std::pair<OpenNode, OpenNode> children_of(const OpenNode& node,
                                                 const std::pair<RowRange, RowRange>& rows,
                                                 const Interactions& interactions) {
    const auto [left_bounds, right_bounds] = child_bounds(node.bounds, node.split);
    const OpenGroups groups = interactions.below(node.groups, node.split.column);
    return {{.rows = rows.first,
             .depth = node.depth + 1,
             .key = child_key(node.key, false),
             .bounds = left_bounds,
             .groups = groups},
            {.rows = rows.second,
             .depth = node.depth + 1,
             .key = child_key(node.key, true),
             .bounds = right_bounds,
             .groups = groups}};
}

// Appends the children to the grown nodes, and keeps of the split what the tree needs.
inline void add_children(GrownNodes& nodes, const OpenNode& node, OpenNode& left, OpenNode& right) {
    left.position = std::ssize(nodes);
    right.position = left.position + 1;
    GrownNode& grown = nodes[static_cast<std::size_t>(node.position)];
    const Split& split = node.split;
    grown.split = {split.threshold, split.categories, split.column, split.missing_left};
    grown.left = static_cast<std::int32_t>(left.position);
    nodes.push_back({left.rows, left.bounds});
    nodes.push_back({right.rows, right.bounds});
}

}  // namespace nonet
