// Predictions of finished trees: the sum of their values, the leaves rows fall into, and the
// nodes on the way there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/strided_matrix.hpp"
#include "tree/tree.hpp"

namespace nonet {

using TreeRefs = std::span<const Tree* const>;

// Adds the values of all trees to out, shape (n_rows, n_outputs). A row's terms are added in the
// order of trees, whatever the number of threads.
template <typename T>
void add_predictions(TreeRefs trees, const StridedMatrix<T>& table, int n_threads, double* out);

// Trees that predict a few rows at a time: they are checked once, and their nodes are at hand. For
// a single row this takes as long as a third of the walks.
class RowWalks {
public:
    explicit RowWalks(TreeRefs trees);

    index_t n_outputs() const noexcept { return trees_.empty() ? 0 : trees_[0]->n_outputs(); }

    // Adds the values of all trees to out, shape (n_rows, n_outputs), in the order of trees.
    template <typename T>
    void add_predictions(const StridedMatrix<T>& table, double* out) const;

private:
    // One row on its way down a tree.
    struct Descent {
        const TreeNode* nodes;
        std::int32_t at;
        std::uint32_t number;  // of the tree
    };

    template <bool has_categories, typename T>
    void find_leaves(const T* row, std::span<Descent> descents,
                     std::int32_t* leaves) const noexcept;
    void add_values(const std::int32_t* leaves, double* out) const noexcept;

    std::vector<const Tree*> trees_;
    std::vector<const TreeNode*> nodes_;
    bool has_categories_;
};

// Writes the node of the leaf that each row reaches in each tree, shape (n_rows, n_trees).
template <typename T>
void find_leaves(TreeRefs trees, const StridedMatrix<T>& table, int n_threads, std::int32_t* out);

// Path i is nodes[starts[i]], ..., nodes[starts[i + 1] - 1]: from the root to where it ends.
struct Paths {
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> nodes;
};

Paths paths_to(const Tree& tree, std::span<const std::int32_t> ends);

}  // namespace nonet
