#include "tree/explain/importance.hpp"

#include "base/check.hpp"

namespace nonet {
namespace {

template <typename Score>
void add_to_columns(const Tree& tree, std::span<double> out, const Score& score) {
    check(std::ssize(out) == tree.n_columns(), "Importances need one number per column.");
    for (index_t i = 0; i < tree.n_nodes(); ++i) {
        const TreeNode& node = tree.node(i);
        if (!node.is_leaf()) out[node.column_index()] += score(static_cast<std::size_t>(i), node);
    }
}

}  // namespace

void add_gain_importances(const Tree& tree, std::span<double> out) {
    check(tree.has_statistics(),
          "Importances by gain read statistics, which this tree was made without.");
    const auto statistics = tree.statistics();
    const auto cost = [&](std::size_t i) { return statistics[i].weight * statistics[i].impurity; };
    const double total = statistics[0].weight;
    add_to_columns(tree, out, [&](std::size_t i, const TreeNode& node) {
        const auto left = static_cast<std::size_t>(node.left);
        return (cost(i) - cost(left) - cost(left + 1)) / total;
    });
}

void add_split_counts(const Tree& tree, std::span<double> out) {
    add_to_columns(tree, out, [](std::size_t, const TreeNode&) { return 1.0; });
}

}  // namespace nonet
