#include "tree/explain/dependence.hpp"

#include <vector>

#include "base/check.hpp"
#include "base/parallel.hpp"

namespace nonet {
namespace {

// A tree, the fractions of its nodes, and for each column its index in the points; -1 if not given.
struct CoveredTree {
    const Tree& tree;
    std::vector<double> fractions;
    std::vector<std::int32_t> positions;
};

std::vector<std::int32_t> positions_of(std::span<const std::int32_t> columns, index_t n_columns) {
    std::vector<std::int32_t> positions(static_cast<std::size_t>(n_columns), -1);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        check(columns[i] >= 0 && columns[i] < n_columns, "There is no such column in the trees.");
        positions[static_cast<std::size_t>(columns[i])] = static_cast<std::int32_t>(i);
    }
    return positions;
}

// `reach` is scratch: the part of the rows that comes to each node.
template <typename T>
void predict_point(const CoveredTree& covered, const StridedMatrix<T>& points, index_t point,
                   std::vector<double>& reach, double* out) {
    const Tree& tree = covered.tree;
    reach[0] = 1.0;
    for (index_t i = 0; i < tree.n_nodes(); ++i) {
        const TreeNode& node = tree.node(i);
        const double here = reach[static_cast<std::size_t>(i)];
        if (node.is_leaf()) {
            const double* values = tree.leaf_values(node);
            for (index_t k = 0; here > 0 && k < tree.n_outputs(); ++k) out[k] += here * values[k];
            continue;
        }
        const auto left = static_cast<std::size_t>(node.left);
        const std::int32_t position = covered.positions[node.column_index()];
        if (position < 0) {
            reach[left] = here * covered.fractions[left];
            reach[left + 1] = here * covered.fractions[left + 1];
        } else {
            const bool goes_left = tree.goes_left(node, points(point, position));
            reach[left] = goes_left ? here : 0.0;
            reach[left + 1] = goes_left ? 0.0 : here;
        }
    }
}

}  // namespace

template <typename T>
void add_dependence(std::span<const Tree* const> trees, const StridedMatrix<T>& points,
                    std::span<const std::int32_t> columns, Cover cover, int n_threads,
                    double* out) {
    check(points.n_columns == std::ssize(columns), "A point needs one number for each column.");
    constexpr index_t points_per_task = 8;
    for (const Tree* tree : trees) {
        const CoveredTree covered{*tree, cover_fractions(*tree, cover),
                                  positions_of(columns, tree->n_columns())};
        parallel_blocks(
            points.n_rows, points_per_task, n_threads, [&](index_t, index_t begin, index_t end) {
                std::vector<double> reach(covered.fractions.size());
                for (index_t point = begin; point < end; ++point)
                    predict_point(covered, points, point, reach, out + point * tree->n_outputs());
            });
    }
}

template void add_dependence(std::span<const Tree* const>, const StridedMatrix<float>&,
                             std::span<const std::int32_t>, Cover, int, double*);
template void add_dependence(std::span<const Tree* const>, const StridedMatrix<double>&,
                             std::span<const std::int32_t>, Cover, int, double*);

}  // namespace nonet
