// Columns in which most rows share one bin, as lists of the rows' other bins.
//
// A histogram of such a column needs only the rows outside the common bin: that bin has what is
// left of the node's total. Every other bin has a cell of its own, numbered through all columns,
// and a row lists its cells: an indicator is one cell, and the indicators of one category are one
// cell per row, however many columns they fill. Columns come in blocks with lists of their own,
// which threads may share. Memory: four bytes for each bin listed, for each cell, and for each row
// and block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "data/bin_edges.hpp"

namespace nonet {

class BinnedMatrix;

struct ScatteredColumn {
    index_t column = 0;    // of the dataset
    index_t n_bins = 0;    // the missing one included, if rows are in it
    index_t n_listed = 0;  // rows outside the common bin
    bool is_plain = true;  // numbers, and none of them is missing
    std::uint32_t common = 0;
    std::uint32_t first_cell = 0;
    index_t block = 0;

    index_t n_cells() const noexcept { return n_bins - 1; }
    // Of any bin but the common one.
    std::uint32_t cell(std::uint32_t bin) const noexcept {
        return first_cell + bin - (bin > common ? 1U : 0U);
    }
    std::uint32_t bin(std::uint32_t cell) const noexcept {
        const std::uint32_t position = cell - first_cell;
        return position + (position >= common ? 1U : 0U);
    }
};

class ScatteredColumns {
public:
    // The cells of row i are cells[starts[i]], ..., cells[starts[i + 1] - 1].
    struct Block {
        index_t first_cell = 0;
        index_t n_cells = 0;
        AlignedBuffer<std::uint32_t> starts{0};
        AlignedBuffer<std::uint32_t> cells{0};
    };

    ScatteredColumns() = default;  // none
    // All columns of a sparse matrix; of any other, those that are worth it. Bins of 8 bits.
    ScatteredColumns(const BinnedMatrix& matrix, std::span<const ColumnBins> bins);
    // Some of the columns of another, in order, for a tree that may use no others.
    ScatteredColumns(const ScatteredColumns& other, std::span<const index_t> columns);

    bool empty() const noexcept { return columns_.empty(); }
    std::span<const ScatteredColumn> columns() const noexcept { return columns_; }
    std::span<const ScatteredColumn> columns_of(index_t block) const noexcept;
    bool are_all_plain() const noexcept {
        return std::ranges::all_of(columns_, &ScatteredColumn::is_plain);
    }
    std::span<const Block> blocks() const noexcept { return blocks_; }
    std::span<const std::uint32_t> cells_of(index_t block, index_t row) const noexcept {
        const Block& all = blocks_[static_cast<std::size_t>(block)];
        const std::uint32_t* starts = all.starts.data() + row;
        return {all.cells.data() + starts[0], starts[1] - starts[0]};
    }
    index_t n_listed() const noexcept { return n_listed_; }  // cells, by all rows
    index_t n_listed_per_row() const noexcept { return n_listed_ / std::max<index_t>(n_rows_, 1); }
    index_t n_cells() const noexcept {
        return empty() ? 0 : blocks_.back().first_cell + blocks_.back().n_cells;
    }

    std::span<const std::uint32_t> columns_of_cells() const noexcept { return columns_of_cells_; }

private:
    void number_cells();
    // `each(block, list)` calls list(row, cell) for all cells of a block, twice in the same order.
    template <typename Each>
    void list_rows(const Each& each);

    index_t n_rows_ = 0;
    index_t n_listed_ = 0;
    std::vector<ScatteredColumn> columns_;
    std::vector<Block> blocks_;
    std::vector<std::uint32_t> columns_of_cells_;  // of the dataset
};

}  // namespace nonet
