#include "tree/revalue.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace nonet {

Tree with_values(const Tree& tree, std::span<const double> values) {
    const index_t width = tree.n_outputs();
    check(std::ssize(values) == tree.n_nodes() * width,
          "New values need one for each node and output.");
    TreeParts parts = tree.parts();
    const bool has_node_values = tree.has_node_values();
    parts.node_values = ValueTable(width);
    const std::vector<std::int32_t> positions = tree.preorder();
    for (index_t i = 0; i < tree.n_nodes(); ++i) {
        TreeNode& node = parts.nodes[static_cast<std::size_t>(i)];
        const double* value = values.data() + positions[static_cast<std::size_t>(i)] * width;
        if (node.is_leaf() && width == 1) node.threshold = *value;
        if (has_node_values)
            parts.node_values.add(value);
        else if (node.is_leaf() && width > 1)
            std::copy_n(value, width, parts.leaf_values.begin() + node.leaf() * width);
    }
    return Tree(std::move(parts));
}

}  // namespace nonet
