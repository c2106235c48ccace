// Which node is split next.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "grow/node/growing_node.hpp"

namespace nonet {

// Depth first takes the newest node. Best first takes the maximum gain, and of equal gains the node
// that was opened first.
class Frontier {
public:
    explicit Frontier(bool best_first) : best_first_(best_first) {}

    bool empty() const noexcept { return nodes_.empty(); }

    void add(OpenNode&& node) {
        nodes_.push_back(std::move(node));
        if (best_first_) std::ranges::push_heap(nodes_, is_worse);
    }

    OpenNode take() {
        if (best_first_) std::ranges::pop_heap(nodes_, is_worse);
        OpenNode node = std::move(nodes_.back());
        nodes_.pop_back();
        return node;
    }

private:
    static bool is_worse(const OpenNode& node, const OpenNode& other) noexcept {
        return node.split.gain < other.split.gain ||
               (node.split.gain == other.split.gain && node.position > other.position);
    }

    bool best_first_;
    std::vector<OpenNode> nodes_;
};

}  // namespace nonet
