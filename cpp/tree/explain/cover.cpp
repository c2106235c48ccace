#include "tree/explain/cover.hpp"

#include "base/check.hpp"

namespace nonet {

std::vector<double> cover_fractions(const Tree& tree, Cover cover) {
    check(tree.has_statistics(),
          "Explanations read the weights of nodes, which this tree was made without.");
    const auto cover_of = [&](index_t i) {
        const NodeStatistics& facts = tree.statistics()[static_cast<std::size_t>(i)];
        return cover == Cover::weight ? facts.weight : static_cast<double>(facts.n_rows);
    };
    std::vector<double> fractions(static_cast<std::size_t>(tree.n_nodes()), 1.0);
    for (index_t i = 0; i < tree.n_nodes(); ++i) {
        const TreeNode& node = tree.node(i);
        if (node.is_leaf()) continue;
        const double whole = cover_of(i);
        for (const index_t child : {index_t{node.left}, node.left + index_t{1}})
            fractions[static_cast<std::size_t>(child)] = whole > 0 ? cover_of(child) / whole : 0.5;
    }
    return fractions;
}

std::vector<double> mean_leaf_values(const Tree& tree, Cover cover) {
    std::vector<double> reach = cover_fractions(tree, cover);
    std::vector<double> mean(static_cast<std::size_t>(tree.n_outputs()));
    for (index_t i = 0; i < tree.n_nodes(); ++i) {
        const TreeNode& node = tree.node(i);
        const double here = reach[static_cast<std::size_t>(i)];
        if (node.is_leaf()) {
            const double* values = tree.leaf_values(node);
            for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += here * values[k];
            continue;
        }
        for (const index_t child : {index_t{node.left}, node.left + index_t{1}})
            reach[static_cast<std::size_t>(child)] *= here;
    }
    return mean;
}

}  // namespace nonet
