// Small trees without walking: all splits of a tree are evaluated for many rows at once.
//
// The leaves are bits of a word, from left to right. A row that goes right at a node loses the
// leaves of the node's left branch; after all nodes, its leaf is the lowest bit that is left
// (Lucchese, Nardini, Orlando, Perego, Tonellotto and Venturini, "QuickScorer", 2015). A split
// is one comparison for a whole vector of rows, with no branch and no hop through memory, which is
// several times faster than a walk as long as the leaves fit a word. A split of categories looks up
// the bit of a row's code; sets of one word are shifted for a whole vector of rows as well.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "tree/tree.hpp"

namespace nonet {

// Rows of one block, column after column: column c of row r is at columns[c * capacity + r].
// Entries behind the last row hold anything.
template <typename T>
struct ColumnBlock {
    static constexpr index_t capacity = 256;

    const T* columns;
    index_t n_rows;
};

// A column that some trees split on: by thresholds, or by sets of categories if it has any.
struct UsedColumn {
    std::uint32_t column;
    bool is_category;
    std::uint32_t n_categories;  // the maximum over the sets

    // A row's code; one behind the last where it is missing or unknown.
    std::uint32_t code_of(double x) const noexcept {
        return x >= 0 && x < n_categories ? static_cast<std::uint32_t>(x) : n_categories;
    }
};

// The columns that some trees split on, in the order of their first use.
class UsedColumns {
public:
    explicit UsedColumns(index_t n_columns) : slots_(2 * static_cast<std::size_t>(n_columns), -1) {}

    // Has to be called for all trees before the first of them is turned into masks.
    void note(const Tree& tree);

    std::int32_t slot_of(const TreeNode& node) const noexcept { return slots_[key_of(node)]; }
    const std::vector<UsedColumn>& columns() const noexcept { return columns_; }

private:
    static std::size_t key_of(const TreeNode& node) noexcept {
        return 2 * std::size_t{node.column_index()} + (node.is_category_split() ? 1 : 0);
    }

    std::vector<std::int32_t> slots_;  // by column and kind of split
    std::vector<UsedColumn> columns_;
};

template <typename T>
class LeafMasks {
public:
    // As wide as the numbers, so that a comparison of numbers is a mask of leaves.
    using Mask = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

    struct MaskedSplit {
        T threshold;
        std::int32_t slot;
        Mask leaves_if_right;  // all but those of the left branch
    };

    // Codes are bits of words, and stand as such in the columns of a block.
    struct MaskedSet {
        std::size_t first_word;
        std::int32_t slot;
        Mask leaves_if_right;
    };

    static bool fit(const Tree& tree) noexcept;

    LeafMasks(const Tree& tree, const UsedColumns& used);

    // Writes the leaf node of each row, for up to ColumnBlock<T>::capacity rows.
    void find_leaves(const ColumnBlock<T>& block, std::int32_t* leaves) const;

private:
    static constexpr std::uint32_t word_bits = 8 * sizeof(Mask);

    void add_set(const Tree& tree, const TreeNode& node, const UsedColumns& used,
                 Mask leaves_if_right);

    std::vector<MaskedSplit> missing_right_;
    std::vector<MaskedSplit> missing_left_;
    std::vector<MaskedSet> short_sets_;  // of one word
    std::vector<MaskedSet> long_sets_;
    std::vector<Mask> words_;
    std::vector<std::int32_t> leaf_nodes_;  // from left to right
};

}  // namespace nonet
