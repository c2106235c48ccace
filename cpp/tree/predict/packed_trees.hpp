// Many trees prepared to predict many rows.
//
// The thresholds of a column are sorted once for all trees, and a number of a row becomes its rank
// among them: x <= threshold exactly if rank(x) <= rank(threshold). Ranks are small, so that a node
// is one word of 64 bits and a row a few dozen bytes: a large tree and a block of rows stay in the
// second-level cache together, which is where the time of a deep walk goes.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "tree/predict/predict.hpp"
#include "tree/predict/threshold_ranks.hpp"

namespace nonet {

// Which rows each tree has seen: bit r % 64 of word r / 64 of a tree's words is for row r.
struct SeenRows {
    const std::uint64_t* words;
    index_t n_rows;

    static index_t words_per_tree(index_t n_rows) noexcept { return (n_rows + 63) / 64; }
    const std::uint64_t* of_tree(index_t tree) const noexcept {
        return words + tree * words_per_tree(n_rows);
    }
};

class PackedTrees {
public:
    // None if a tree, or the number of thresholds, is too large for the words, or if rows have so
    // many columns that ranking them costs more than it saves. Throws unless the trees agree.
    static std::optional<PackedTrees> pack(TreeRefs trees, int n_threads);

    index_t n_columns() const noexcept { return n_columns_; }
    index_t n_outputs() const noexcept { return n_outputs_; }
    index_t n_trees() const noexcept { return std::ssize(trees_); }

    // As the function of this name for plain trees: the same sums, bit for bit.
    template <typename T>
    void add_predictions(const StridedMatrix<T>& table, int n_threads, double* out) const;

    // The rows of a table as ranks, kept: for predictions by some trees after others.
    class RankedRows;
    template <typename T>
    RankedRows rank(const StridedMatrix<T>& table, int n_threads) const;

    // Adds to each row the values of those of the trees first, ..., last - 1 that have not seen it,
    // in their order, and their number to coverage. `seen` begins with the first of these trees.
    void add_unseen(const RankedRows& rows, const SeenRows& seen, index_t first, index_t last,
                    int n_threads, double* out, std::int32_t* coverage) const;

private:
    // A word of a node, from the lowest bit: the column, the left child (in a leaf: itself),
    // whether missing rows go left, whether it splits categories, and the rank of the threshold (of
    // a set: the index of its first word; in a leaf: the index of its values). A leaf reads a
    // column behind the last, where every row has rank 0: it stays where it is.
    static constexpr int column_bits = 15;
    static constexpr int child_bits = 24;
    static constexpr int rank_bits = 64 - column_bits - child_bits - 2;
    static constexpr int missing_left_shift = column_bits + child_bits;
    static constexpr int category_shift = missing_left_shift + 1;
    static constexpr int rank_shift = category_shift + 1;
    static constexpr std::uint64_t mask(int bits) noexcept {
        return (std::uint64_t{1} << bits) - 1;
    }

    // The thresholds of a column, or the number of its categories; the rank of a row in a column of
    // categories is its code, and the number of categories if it is missing or unknown.
    struct Ranks {
        ThresholdRanks thresholds;
        bool is_category = false;
        std::uint32_t n_categories = 0;
    };
    struct PackedTree {
        std::vector<std::uint64_t> nodes;
        std::vector<double> values;  // distinct rows of n_outputs
        // Bit c % 64 of word c / 64 of a set: whether code c goes left. There is always a word, as
        // nodes with thresholds read one too, which is faster than a branch.
        std::vector<std::uint64_t> set_words;
    };

    bool collect_thresholds(TreeRefs trees, int n_threads);
    void note_categories(const Tree& tree);
    std::vector<std::uint32_t> rank_splits(const Tree& tree) const;
    bool words_fit(const Tree& tree) const noexcept;
    std::size_t words_per_set(const TreeNode& node) const noexcept;
    static std::uint64_t pack_node(const TreeNode& node, std::uint64_t rank) noexcept;
    static std::uint64_t pack_leaf(index_t no_column, std::uint64_t here,
                                   std::uint64_t position) noexcept;
    void pack_tree(const Tree& tree, PackedTree& packed) const;
    std::uint64_t pack_set(const Tree& tree, const TreeNode& node, PackedTree& packed) const;

    template <typename Code>
    class Block;
    template <typename T>
    void check_table(const StridedMatrix<T>& table) const;
    index_t rows_per_block(index_t n_rows, int n_threads) const noexcept;
    template <typename Code, typename T>
    void add_in_blocks(const StridedMatrix<T>& table, int n_threads, double* out) const;
    template <typename Code, typename T>
    void rank_blocks(const StridedMatrix<T>& table, int n_threads,
                     std::vector<std::optional<Block<Code>>>& blocks) const;
    bool needs_wide_codes() const noexcept {
        return max_ranks_ > std::numeric_limits<std::uint16_t>::max();
    }
    template <typename Code>
    void add_unseen_to_block(const Block<Code>& block, const SeenRows& seen, index_t first,
                             index_t last, double* out, std::int32_t* coverage) const;

    index_t n_columns_ = 0;
    index_t n_outputs_ = 0;
    std::size_t max_ranks_ = 0;  // ranks of a column, the one of missing included
    bool has_categories_ = false;
    std::vector<Ranks> ranks_;
    std::vector<PackedTree> trees_;
};

// Belongs to the trees that made it, which must outlive it and stay where they are.
class PackedTrees::RankedRows {
public:
    RankedRows();
    ~RankedRows();
    RankedRows(RankedRows&&) noexcept;
    RankedRows& operator=(RankedRows&&) noexcept;

    index_t n_rows() const noexcept { return n_rows_; }

private:
    friend PackedTrees;
    index_t n_rows_ = 0;
    std::vector<std::optional<Block<std::uint16_t>>> narrow_;  // one of the two is empty
    std::vector<std::optional<Block<std::uint32_t>>> wide_;
};

}  // namespace nonet
