// Small trees without walking: all splits of a tree are evaluated for many rows at once.
//
// The leaves are bits of a word, from left to right. A row that goes right at a node loses the
// leaves of the node's left branch; after all nodes, its leaf is the lowest bit that is left
// (Lucchese, Nardini, Orlando, Perego, Tonellotto and Venturini, "QuickScorer", 2015). A split
// is one comparison for a whole vector of rows, with no branch and no hop through memory, which is
// several times faster than a walk as long as the leaves fit a word.
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

// The columns that some trees split on, in the order of their first use.
class UsedColumns {
public:
    explicit UsedColumns(index_t n_columns) : slots_(static_cast<std::size_t>(n_columns), -1) {}

    std::int32_t slot_of(std::uint32_t column) {
        if (slots_[column] < 0) {
            slots_[column] = static_cast<std::int32_t>(columns_.size());
            columns_.push_back(column);
        }
        return slots_[column];
    }
    const std::vector<std::uint32_t>& columns() const noexcept { return columns_; }

private:
    std::vector<std::int32_t> slots_;
    std::vector<std::uint32_t> columns_;
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

    static bool fit(const Tree& tree) noexcept {
        return tree.n_leaves() <= index_t{8 * sizeof(Mask)} && !tree.has_category_splits();
    }

    LeafMasks(const Tree& tree, UsedColumns& used);

    // Writes the leaf node of each row, for up to ColumnBlock<T>::capacity rows.
    void find_leaves(const ColumnBlock<T>& block, std::int32_t* leaves) const;

private:
    std::vector<MaskedSplit> missing_right_;
    std::vector<MaskedSplit> missing_left_;
    std::vector<std::int32_t> leaf_nodes_;  // from left to right
};

}  // namespace nonet
