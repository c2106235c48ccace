// Statistics and values of all nodes of a tree, worked out from its leaves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "tree/tree.hpp"

namespace nonet {

// Calls join(node, left child, right child) for all inner nodes, children before their parents.
template <typename Join>
void join_upwards(const TreeParts& parts, const Join& join) {
    for (std::size_t i = parts.nodes.size(); i-- > 0;)
        if (!parts.nodes[i].is_leaf()) {
            const auto left = static_cast<std::size_t>(parts.nodes[i].left);
            join(i, left, left + 1);
        }
}

// Weights and numbers of rows, those of the leaves given.
inline void sum_statistics(TreeParts& parts) {
    join_upwards(parts, [&](std::size_t i, std::size_t left, std::size_t right) {
        NodeStatistics* nodes = parts.statistics.data();
        nodes[i].weight = nodes[left].weight + nodes[right].weight;
        nodes[i].n_rows = nodes[left].n_rows + nodes[right].n_rows;
    });
}

// Means of one output, and statistics of the leaves, given (Chan, Golub and LeVeque, 1979).
inline void join_means(TreeParts& parts) {
    join_upwards(parts, [&](std::size_t i, std::size_t left, std::size_t right) {
        const double distance = *parts.node_values[right] - *parts.node_values[left];
        const double fraction = parts.statistics[right].weight / parts.statistics[i].weight;
        parts.node_values.number(i) = *parts.node_values[left] + distance * fraction;
    });
}

// Variances of one output, those of the leaves and all means given.
inline void join_variances(TreeParts& parts) {
    std::vector<double> squares(parts.nodes.size());
    for (std::size_t i = 0; i < squares.size(); ++i)
        squares[i] = parts.statistics[i].impurity * parts.statistics[i].weight;
    join_upwards(parts, [&](std::size_t i, std::size_t left, std::size_t right) {
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

// Everything about classes, the counts of the leaves given: (n_nodes, n_outputs).
inline void sum_counts(TreeParts& parts, std::vector<double>& counts, ClassImpurity kind) {
    const auto n = static_cast<std::size_t>(parts.n_outputs);
    join_upwards(parts, [&](std::size_t i, std::size_t left, std::size_t right) {
        for (std::size_t k = 0; k < n; ++k)
            counts[i * n + k] = counts[left * n + k] + counts[right * n + k];
    });
    parts.node_values = ValueTable(parts.n_outputs);
    parts.node_values.reserve(std::ssize(parts.nodes));
    for (std::size_t i = 0; i < parts.nodes.size(); ++i) {
        const std::span<const double> of_node(counts.data() + i * n, n);
        const double total = std::accumulate(of_node.begin(), of_node.end(), 0.0);
        parts.statistics[i].weight = total;
        // Most leaves of full trees: what follows gives these numbers, too, but divides for them.
        const auto label =
            static_cast<std::size_t>(std::ranges::find(of_node, total) - of_node.begin());
        if (n > 1 && label < n && total > 0 && total <= max_exact_square) {
            parts.statistics[i].impurity = 0.0;
            parts.node_values.add_pure(label);
            continue;
        }
        parts.statistics[i].impurity = impurity_of(kind, of_node, total);
        parts.node_values.add_written([&](double* out) {
            for (std::size_t k = 0; k < n; ++k) out[k] = of_node[k] / total;
        });
    }
}

}  // namespace nonet
