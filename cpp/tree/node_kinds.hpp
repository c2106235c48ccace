// The inner nodes and the leaves of a tree as two lists.
//
// Whether the next node is a leaf is a coin toss that no processor predicts; loops over one kind
// take no such branch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree/tree.hpp"

namespace nonet {

class NodeKinds {
public:
    // Lists nodes 0, ..., n_nodes - 1; those with `is_leaf(i)`, (n_nodes + 1) / 2, are leaves.
    template <typename IsLeaf>
    void list(std::size_t n_nodes, const IsLeaf& is_leaf) {
        inner_.resize(n_nodes / 2 + 1);  // one more than needed: every node is written to both
        leaves_.resize(n_nodes / 2 + 2);
        std::size_t n_inner = 0;
        std::size_t n_leaves = 0;
        for (std::size_t i = 0; i < n_nodes; ++i) {
            const bool leaf = is_leaf(i);
            inner_[n_inner] = leaves_[n_leaves] = static_cast<std::int32_t>(i);
            n_inner += !leaf;
            n_leaves += leaf;
        }
    }

    std::span<const std::int32_t> inner() const noexcept {
        return std::span(inner_).first(inner_.size() - 1);
    }
    std::span<const std::int32_t> leaves() const noexcept {
        return std::span(leaves_).first(leaves_.size() - 1);
    }

private:
    std::vector<std::int32_t> inner_;
    std::vector<std::int32_t> leaves_;
};

inline NodeKinds kinds_of(std::span<const TreeNode> nodes) {
    NodeKinds kinds;
    kinds.list(nodes.size(), [&](std::size_t i) { return nodes[i].is_leaf(); });
    return kinds;
}

}  // namespace nonet
