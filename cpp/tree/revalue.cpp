#include "tree/revalue.hpp"

#include <utility>

#include "base/check.hpp"

namespace nonet {

Tree with_values(const Tree& tree, std::span<const double> values) {
    check(tree.n_outputs() == 1 && std::ssize(values) == tree.n_nodes(),
          "New values need a tree of one output, and one value for each node.");
    TreeParts parts = tree.parts();
    const std::vector<std::int32_t> places = tree.preorder();
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double value = values[static_cast<std::size_t>(places[i])];
        if (parts.nodes[i].is_leaf()) parts.nodes[i].threshold = value;
        if (!parts.node_values.empty()) parts.node_values[i] = value;
    }
    return Tree(std::move(parts));
}

}  // namespace nonet
