#include "tree/predict/predict.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "base/aligned.hpp"
#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "base/parallel.hpp"
#include "base/phases.hpp"
#include "tree/predict/leaf_masks.hpp"

namespace nonet {
namespace {

// Rows that walk down a tree side by side: a single walk waits for memory at every step, and more
// than these do not fit the registers.
constexpr index_t group_rows = 8;
// A task takes this many rows through all trees, so that a large tree is loaded once for many rows.
constexpr index_t walking_rows = 4096;
// Fewer rows are not worth the making of masks.
constexpr index_t min_masked_rows = 64;

// Rows with their columns side by side, read in place where they lie so already.
template <typename T>
class RowBlock {
public:
    RowBlock(const StridedMatrix<T>& table, index_t first, index_t n_rows) : n_rows_(n_rows) {
        if (table.column_stride == 1 || table.n_columns == 1) {
            data_ = table.data + first * table.row_stride;
            stride_ = table.row_stride;
            return;
        }
        copy_.resize(static_cast<std::size_t>(n_rows * table.n_columns));
        for (index_t c = 0; c < table.n_columns; ++c)
            for (index_t r = 0; r < n_rows; ++r)
                copy_[static_cast<std::size_t>(r * table.n_columns + c)] = table(first + r, c);
        data_ = copy_.data();
        stride_ = table.n_columns;
    }

    index_t n_rows() const noexcept { return n_rows_; }
    const T* row(index_t i) const noexcept { return data_ + i * stride_; }

private:
    index_t n_rows_;
    const T* data_ = nullptr;
    index_t stride_ = 0;
    std::vector<T> copy_;
};

// Where the next step leads, without a branch; a row in a leaf stays there.
template <typename T>
NONET_INLINE std::int32_t step(const TreeNode* nodes, std::int32_t at, const T* row) noexcept {
    const TreeNode node = nodes[at];
    const double x = row[node.column_index()];
    const bool right = (x > node.threshold) | ((x != x) & !node.missing_left());
    const std::int32_t next = node.left + static_cast<std::int32_t>(right);
    return node.is_leaf() ? at : next;
}

template <typename T>
void walk(const Tree& tree, const RowBlock<T>& block, std::int32_t* leaves) noexcept {
    const TreeNode* nodes = tree.nodes().data();
    index_t first = 0;
    for (; first + group_rows <= block.n_rows(); first += group_rows) {
        std::int32_t at[group_rows] = {};
        for (bool moving = true; moving;) {
            std::int32_t inner = 0;
            for (index_t i = 0; i < group_rows; ++i) {
                inner |= ~nodes[at[i]].left;  // the sign bit is set if the node is no leaf
                at[i] = step(nodes, at[i], block.row(first + i));
            }
            moving = inner < 0;
        }
        std::copy_n(at, group_rows, leaves + first);
    }
    for (; first < block.n_rows(); ++first) {
        std::int32_t at = 0;
        while (!nodes[at].is_leaf()) at = step(nodes, at, block.row(first));
        leaves[first] = at;
    }
}

// The same for a tree with categories.
template <typename T>
std::int32_t next_node(const Tree& tree, std::int32_t at, const T* row) noexcept {
    const TreeNode& node = tree.node(at);
    if (node.is_leaf()) return at;
    return node.left + (tree.goes_left(node, row[node.column_index()]) ? 0 : 1);
}

template <typename T>
std::int32_t find_leaf(const Tree& tree, const T* row) noexcept {
    std::int32_t at = 0;
    while (!tree.node(at).is_leaf()) at = next_node(tree, at, row);
    return at;
}

// Trees prepared to predict many rows: small ones as masks of leaves.
template <typename T>
class ReadyTrees {
public:
    ReadyTrees(TreeRefs trees, const StridedMatrix<T>& table)
        : trees_(trees), table_(table), used_(table.n_columns), masks_(trees.size()) {
        std::vector<std::size_t> masked;
        if (table.n_rows >= min_masked_rows)
            for (std::size_t t = 0; t < trees.size(); ++t)
                if (LeafMasks<T>::fit(*trees[t])) masked.push_back(t);
        for (const std::size_t t : masked) used_.note(*trees[t]);
        for (const std::size_t t : masked) masks_[t].emplace(*trees[t], used_);
        some_walk_ = !std::all_of(masks_.begin(), masks_.end(),
                                  [](const auto& masks) { return masks.has_value(); });
    }

    // Masked rows are read column by column and have to stay in the first-level cache.
    index_t rows_per_task() const noexcept { return some_walk_ ? walking_rows : masked_rows; }

    // Calls visit(tree number, leaf nodes of all rows) for one tree after another.
    template <typename Visit>
    void for_trees(index_t first_row, index_t n_rows, const Visit& visit) const {
        const RowBlock<T> rows(table_, first_row, some_walk_ ? n_rows : 0);
        const AlignedBuffer<T> columns = columns_of(first_row, n_rows);
        std::vector<std::int32_t> leaves(static_cast<std::size_t>(n_rows));
        for (std::size_t t = 0; t < trees_.size(); ++t) {
            if (masks_[t])
                find_masked(*masks_[t], columns.data(), n_rows, leaves.data());
            else if (trees_[t]->has_category_splits())
                for (index_t r = 0; r < n_rows; ++r)
                    leaves[static_cast<std::size_t>(r)] = find_leaf(*trees_[t], rows.row(r));
            else
                walk(*trees_[t], rows, leaves.data());
            visit(static_cast<index_t>(t), leaves.data());
        }
    }

private:
    static constexpr index_t masked_rows = ColumnBlock<T>::capacity;

    index_t block_size() const noexcept { return masked_rows * std::ssize(used_.columns()); }

    // The columns in use, in blocks of rows, and column after column in each.
    AlignedBuffer<T> columns_of(index_t first_row, index_t n_rows) const {
        const index_t n_blocks = (n_rows + masked_rows - 1) / masked_rows;
        AlignedBuffer<T> copy(n_blocks * block_size());
        std::fill_n(copy.data(), n_blocks * block_size(), T{});
        for (index_t r = 0; r < n_rows; ++r) {
            T* out = copy.data() + r / masked_rows * block_size() + r % masked_rows;
            for (const UsedColumn& used : used_.columns()) {
                const T x = table_(first_row + r, used.column);
                *out = used.is_category ? code_bits(used.code_of(x)) : x;
                out += masked_rows;
            }
        }
        return copy;
    }

    static T code_bits(std::uint32_t code) noexcept {
        return std::bit_cast<T>(static_cast<typename LeafMasks<T>::Mask>(code));
    }

    void find_masked(const LeafMasks<T>& masks, const T* columns, index_t n_rows,
                     std::int32_t* leaves) const {
        for (index_t row = 0; row < n_rows; row += masked_rows) {
            const index_t n_block_rows = std::min(masked_rows, n_rows - row);
            masks.find_leaves({columns, n_block_rows}, leaves + row);
            columns += block_size();
        }
    }

    TreeRefs trees_;
    StridedMatrix<T> table_;
    UsedColumns used_;
    std::vector<std::optional<LeafMasks<T>>> masks_;
    bool some_walk_;
};

void add_values(const Tree& tree, const std::int32_t* leaves, index_t n_rows, double* out) {
    const TreeNode* nodes = tree.nodes().data();
    if (tree.n_outputs() == 1) {
        for (index_t row = 0; row < n_rows; ++row) out[row] += nodes[leaves[row]].threshold;
        return;
    }
    const index_t n_outputs = tree.n_outputs();
    for (index_t row = 0; row < n_rows; ++row) {
        const double* values = tree.leaf_values(nodes[leaves[row]]);
        for (index_t k = 0; k < n_outputs; ++k) out[row * n_outputs + k] += values[k];
    }
}

void check_columns(const Tree& tree, index_t n_columns) {
    check(tree.n_columns() == n_columns, [&] {
        return "A tree of " + std::to_string(tree.n_columns()) + " columns cannot read rows of " +
               std::to_string(n_columns) + ".";
    });
}

void check_trees(TreeRefs trees, index_t n_columns) {
    for (const Tree* tree : trees) {
        check_columns(*tree, n_columns);
        check(tree->n_outputs() == trees[0]->n_outputs(),
              "Trees must have equal numbers of outputs to be added up.");
    }
}

// Calls work(first_row, n_rows); small tables are cut finer, so that every thread gets a share.
template <typename Work>
void for_blocks(index_t n_rows, index_t max_rows, int n_threads, const Work& work) {
    const index_t fraction = (n_rows + n_threads - 1) / std::max(n_threads, 1);
    const index_t n_block_rows = std::clamp(fraction, group_rows, max_rows);
    parallel_for((n_rows + n_block_rows - 1) / n_block_rows, n_threads, [&](index_t block) {
        const index_t first = block * n_block_rows;
        work(first, std::min(n_block_rows, n_rows - first));
    });
}

}  // namespace

RowWalks::RowWalks(TreeRefs trees)
    : trees_(trees.begin(), trees.end()),
      has_categories_(std::ranges::any_of(
          trees, [](const Tree* tree) { return tree->has_category_splits(); })) {
    if (!trees_.empty()) check_trees(trees_, trees_[0]->n_columns());
    nodes_.reserve(trees_.size());
    for (const Tree* tree : trees_) nodes_.push_back(tree->nodes().data());
}

// A row walks down all trees side by side, a level at a time, and leaves out those where it has
// come to a leaf: while the memory of one node is waited for, those of all other trees are fetched.
template <bool has_categories, typename T>
void RowWalks::find_leaves(const T* row, std::span<Descent> descents,
                           std::int32_t* leaves) const noexcept {
    for (std::uint32_t t = 0; t < nodes_.size(); ++t) descents[t] = {nodes_[t], 0, t};
    for (std::size_t n = nodes_.size(), n_kept = 0; n > 0; n = std::exchange(n_kept, 0))
        for (std::size_t i = 0; i < n; ++i) {
            const auto [nodes, at, number] = descents[i];
            const std::int32_t next =
                has_categories ? next_node(*trees_[number], at, row) : step(nodes, at, row);
            leaves[number] = at;
            descents[n_kept] = {nodes, next, number};
            n_kept += next != at;
            __builtin_prefetch(nodes + next);
        }
}

void RowWalks::add_values(const std::int32_t* leaves, double* out) const noexcept {
    if (n_outputs() == 1) {
        for (std::size_t t = 0; t < nodes_.size(); ++t) *out += nodes_[t][leaves[t]].threshold;
        return;
    }
    for (std::size_t t = 0; t < nodes_.size(); ++t)
        nonet::add_values(*trees_[t], &leaves[t], 1, out);
}

template <typename T>
void RowWalks::add_predictions(const StridedMatrix<T>& table, double* out) const {
    if (trees_.empty()) return;
    check_columns(*trees_[0], table.n_columns);
    const RowBlock<T> rows(table, 0, table.n_rows);
    std::vector<Descent> descents(trees_.size());
    std::vector<std::int32_t> leaves(trees_.size());
    for (index_t r = 0; r < table.n_rows; ++r) {
        if (has_categories_)
            find_leaves<true>(rows.row(r), descents, leaves.data());
        else
            find_leaves<false>(rows.row(r), descents, leaves.data());
        add_values(leaves.data(), out + r * n_outputs());
    }
}

template <typename T>
void add_predictions(TreeRefs trees, const StridedMatrix<T>& table, int n_threads, double* out) {
    const InPhase phase(Phase::prediction);
    check_trees(trees, table.n_columns);
    if (table.n_rows < group_rows) return RowWalks(trees).add_predictions(table, out);
    const ReadyTrees<T> ready(trees, table);
    for_blocks(table.n_rows, ready.rows_per_task(), n_threads, [&](index_t first, index_t n_rows) {
        ready.for_trees(first, n_rows, [&](index_t t, const std::int32_t* leaves) {
            const Tree& tree = *trees[static_cast<std::size_t>(t)];
            add_values(tree, leaves, n_rows, out + first * tree.n_outputs());
        });
    });
}

template <typename T>
void find_leaves(TreeRefs trees, const StridedMatrix<T>& table, int n_threads, std::int32_t* out) {
    check_trees(trees, table.n_columns);
    const ReadyTrees<T> ready(trees, table);
    const index_t n_trees = std::ssize(trees);
    for_blocks(table.n_rows, ready.rows_per_task(), n_threads, [&](index_t first, index_t n_rows) {
        ready.for_trees(first, n_rows, [&](index_t t, const std::int32_t* leaves) {
            for (index_t i = 0; i < n_rows; ++i) out[(first + i) * n_trees + t] = leaves[i];
        });
    });
}

Paths paths_to(const Tree& tree, std::span<const std::int32_t> ends) {
    const std::vector<std::int32_t> depths = tree.depths();
    const std::vector<std::int32_t> parents = tree.parents();
    Paths paths{{0}, {}};
    paths.starts.reserve(ends.size() + 1);
    for (const std::int32_t end : ends) {
        check(end >= 0 && end < tree.n_nodes(), "A path must end in a node of the tree.");
        paths.starts.push_back(paths.starts.back() + depths[static_cast<std::size_t>(end)] + 1);
    }
    paths.nodes.resize(static_cast<std::size_t>(paths.starts.back()));
    for (std::size_t i = 0; i < ends.size(); ++i) {
        auto position = paths.nodes.begin() + paths.starts[i + 1];
        for (std::int32_t node = ends[i]; node >= 0; node = parents[static_cast<std::size_t>(node)])
            *--position = node;
    }
    return paths;
}

template void RowWalks::add_predictions(const StridedMatrix<float>&, double*) const;
template void RowWalks::add_predictions(const StridedMatrix<double>&, double*) const;
template void add_predictions(TreeRefs, const StridedMatrix<float>&, int, double*);
template void add_predictions(TreeRefs, const StridedMatrix<double>&, int, double*);
template void find_leaves(TreeRefs, const StridedMatrix<float>&, int, std::int32_t*);
template void find_leaves(TreeRefs, const StridedMatrix<double>&, int, std::int32_t*);

}  // namespace nonet
