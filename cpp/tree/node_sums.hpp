// Statistics and values of all nodes of a tree, worked out from its leaves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "tree/node_kinds.hpp"
#include "tree/tree.hpp"

namespace nonet {

// Calls join(node, left child, right child) for all inner nodes, children before their parents.
template <typename Join>
void join_upwards(const TreeParts& parts, const NodeKinds& kinds, const Join& join) {
    const auto inner = kinds.inner();
    for (std::size_t k = inner.size(); k-- > 0;) {
        const auto i = static_cast<std::size_t>(inner[k]);
        const auto left = static_cast<std::size_t>(parts.nodes[i].left);
        join(i, left, left + 1);
    }
}

// Weights and numbers of rows, those of the leaves given.
inline void sum_statistics(TreeParts& parts, const NodeKinds& kinds) {
    join_upwards(parts, kinds, [&](std::size_t i, std::size_t left, std::size_t right) {
        NodeStatistics* nodes = parts.statistics.data();
        nodes[i].weight = nodes[left].weight + nodes[right].weight;
        nodes[i].n_rows = nodes[left].n_rows + nodes[right].n_rows;
    });
}

// Means of one output, and statistics of the leaves, given (Chan, Golub and LeVeque, 1979).
inline void join_means(TreeParts& parts, const NodeKinds& kinds) {
    join_upwards(parts, kinds, [&](std::size_t i, std::size_t left, std::size_t right) {
        const double distance = *parts.node_values[right] - *parts.node_values[left];
        const double fraction = parts.statistics[right].weight / parts.statistics[i].weight;
        parts.node_values.number(i) = *parts.node_values[left] + distance * fraction;
    });
}

// Variances of one output, those of the leaves and all means given.
inline void join_variances(TreeParts& parts, const NodeKinds& kinds) {
    std::vector<double> squares(parts.nodes.size());
    for (std::size_t i = 0; i < squares.size(); ++i)
        squares[i] = parts.statistics[i].impurity * parts.statistics[i].weight;
    join_upwards(parts, kinds, [&](std::size_t i, std::size_t left, std::size_t right) {
        const NodeStatistics* nodes = parts.statistics.data();
        const double distance = *parts.node_values[right] - *parts.node_values[left];
        const double between = nodes[left].weight * nodes[right].weight / nodes[i].weight;
        squares[i] = squares[left] + squares[right] + distance * distance * between;
        parts.statistics[i].impurity = squares[i] / nodes[i].weight;
    });
}

enum class ClassImpurity { gini, entropy };

constexpr double max_exact_square = 1U << 26U;  // the square of a count up to it has no rounding

inline double impurity_of(ClassImpurity kind, std::span<const double> counts, double total) {
    double sum = 0;
    if (kind == ClassImpurity::gini) {
        for (const double count : counts) sum += count * count;
        return std::max(1 - sum / total / total, 0.0);
    }
    const auto x_log_x = [](double x) { return x > 0 ? x * std::log2(x) : 0.0; };
    for (const double count : counts) sum += x_log_x(count);
    return std::max(0 - (sum - x_log_x(total)) / total, 0.0);
}

// Calls use(n), with a number that the compiler knows for two classes: loops over them vanish.
template <typename Use>
void with_number_of_classes(std::size_t n, const Use& use) {
    if (n == 2)
        use(std::integral_constant<std::size_t, 2>());
    else
        use(n);
}

// Weight, impurity and values of a node of some classes.
inline void set_classes(TreeParts& parts, std::size_t node, std::span<const double> counts,
                        ClassImpurity kind) {
    double total = 0;
    for (const double count : counts) total += count;
    // Without a branch: which class it is, nobody can predict.
    std::size_t label = 0, n_labels = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const bool is_all = counts[k] == total;
        label = is_all ? k : label;
        n_labels += is_all;
    }
    NodeStatistics& facts = parts.statistics[node];
    facts.weight = total;
    // Most leaves of full trees: what follows gives these numbers, too, but divides for them.
    if (counts.size() > 1 && n_labels == 1 && total <= max_exact_square) {
        facts.impurity = 0.0;
        parts.node_values.set_pure(node, label);
        return;
    }
    facts.impurity = impurity_of(kind, counts, total);
    parts.node_values.set(node, [&](std::size_t k) { return counts[k] / total; });
}

// Everything about classes, the numbers of rows and the counts of the leaves given: (n_nodes,
// n_outputs).
inline void sum_counts(TreeParts& parts, const NodeKinds& kinds, std::vector<double>& counts,
                       ClassImpurity kind) {
    parts.node_values = ValueTable(parts.n_outputs);
    parts.node_values.resize(std::ssize(parts.nodes));
    with_number_of_classes(static_cast<std::size_t>(parts.n_outputs), [&](const auto n) {
        double* all = counts.data();
        join_upwards(parts, kinds, [&](std::size_t i, std::size_t left, std::size_t right) {
            NodeStatistics* nodes = parts.statistics.data();
            nodes[i].n_rows = nodes[left].n_rows + nodes[right].n_rows;
            for (std::size_t k = 0; k < n; ++k)
                all[i * n + k] = all[left * n + k] + all[right * n + k];
        });
        for (const auto nodes : {kinds.inner(), kinds.leaves()})
            for (const std::int32_t node : nodes) {
                const auto i = static_cast<std::size_t>(node);
                set_classes(parts, i, {all + i * n, n}, kind);
            }
    });
}

}  // namespace nonet
