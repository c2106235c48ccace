// The leaves of a tree from left to right.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/tree.hpp"

namespace nonet {

struct LeafOrder {
    explicit LeafOrder(const Tree& tree)
        : n_below(tree.nodes().size(), 1),
          first(tree.nodes().size(), 0),
          nodes(static_cast<std::size_t>(tree.n_leaves())) {
        const auto position = [](index_t i) { return static_cast<std::size_t>(i); };
        for (index_t i = tree.n_nodes() - 1; i >= 0; --i)  // children come after their parents
            if (const TreeNode& node = tree.node(i); !node.is_leaf())
                n_below[position(i)] =
                    n_below[position(node.left)] + n_below[position(node.left) + 1];
        for (index_t i = 0; i < tree.n_nodes(); ++i) {
            const TreeNode& node = tree.node(i);
            if (node.is_leaf()) {
                nodes[position(first[position(i)])] = static_cast<std::int32_t>(i);
                continue;
            }
            first[position(node.left)] = first[position(i)];
            first[position(node.left) + 1] = first[position(i)] + n_below[position(node.left)];
        }
    }

    std::vector<std::int32_t> n_below;  // leaves below each node; 1 for a leaf
    std::vector<std::int32_t> first;    // and the first of them
    std::vector<std::int32_t> nodes;    // the node of each leaf
};

}  // namespace nonet
