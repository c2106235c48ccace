#include "data/scattered_columns.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "base/check.hpp"
#include "data/binned_matrix.hpp"

namespace nonet {
namespace {

constexpr index_t rows_looked_at = 4096;
constexpr index_t min_rows = 1024;       // fewer are counted before lists are made
constexpr index_t rows_per_listed = 4;   // a column lists one row in so many, at most
constexpr index_t min_saved = 4;         // additions per row that lists have to save
constexpr index_t listed_per_block = 8;  // cells of a row: fewer are not worth another block
constexpr index_t max_blocks = 8;

std::uint32_t most_common_bin(const std::uint8_t* bins, index_t n_rows) {
    std::array<index_t, 256> counts{};
    const index_t step = std::max<index_t>(n_rows / rows_looked_at, 1);
    for (index_t row = 0; row < n_rows; row += step) ++counts[bins[row]];
    return static_cast<std::uint32_t>(std::ranges::max_element(counts) - counts.begin());
}

ScatteredColumn dense_column(const BinnedMatrix& matrix, index_t j) {
    const auto* bins = matrix.column<std::uint8_t>(j);
    const std::uint32_t common = most_common_bin(bins, matrix.n_rows());
    const auto n_common =
        std::count(bins, bins + matrix.n_rows(), static_cast<std::uint8_t>(common));
    return {.column = j, .n_listed = matrix.n_rows() - n_common, .common = common};
}

ScatteredColumn sparse_column(const BinnedMatrix& matrix, index_t j) {
    const SparseBins<std::uint8_t> entries = matrix.sparse_column<std::uint8_t>(j);
    const auto n_entries = std::ssize(entries.rows);
    const auto n_common = std::count(entries.bins, entries.bins + n_entries, entries.of_zero);
    return {.column = j, .n_listed = n_entries - n_common, .common = entries.of_zero};
}

// A cell that is listed takes some four times as long as a bin that is read with seven others: how
// many a row lists is hard to predict.
void keep_if_worth_it(std::vector<ScatteredColumn>& columns, index_t n_rows) {
    std::erase_if(columns, [&](const ScatteredColumn& column) {
        return n_rows < min_rows || rows_per_listed * column.n_listed > n_rows;
    });
    index_t n_saved = 0;
    for (const ScatteredColumn& column : columns)
        n_saved += n_rows - rows_per_listed * column.n_listed;
    if (n_saved < min_saved * n_rows) columns.clear();
}

// Calls list(row, cell) for the rows outside the common bin.
template <typename List>
void each_listed(const BinnedMatrix& matrix, const ScatteredColumn& column, const List& list) {
    const auto look_at = [&](index_t row, std::uint8_t bin) {
        if (bin != column.common) list(row, column.cell(bin));
    };
    if (matrix.is_sparse()) {
        const SparseBins<std::uint8_t> entries = matrix.sparse_column<std::uint8_t>(column.column);
        for (std::size_t i = 0; i < entries.rows.size(); ++i)
            look_at(entries.rows[i], entries.bins[i]);
    } else {
        const auto* bins = matrix.column<std::uint8_t>(column.column);
        for (index_t row = 0; row < matrix.n_rows(); ++row) look_at(row, bins[row]);
    }
}

}  // namespace

ScatteredColumns::ScatteredColumns(const BinnedMatrix& matrix, std::span<const ColumnBins> bins)
    : n_rows_(matrix.n_rows()) {
    for (index_t j = 0; j < std::ssize(bins); ++j) {
        ScatteredColumn& column = columns_.emplace_back(
            matrix.is_sparse() ? sparse_column(matrix, j) : dense_column(matrix, j));
        const ColumnBins& its_bins = bins[static_cast<std::size_t>(j)];
        column.n_bins = its_bins.n_bins() + (its_bins.has_missing ? 1 : 0);
        column.is_plain = !its_bins.is_category && !its_bins.has_missing;
    }
    if (!matrix.is_sparse()) keep_if_worth_it(columns_, n_rows_);
    number_cells();
    list_rows([&](index_t block, const auto& list) {
        for (const ScatteredColumn& column : columns_of(block)) each_listed(matrix, column, list);
    });
}

ScatteredColumns::ScatteredColumns(const ScatteredColumns& other, std::span<const index_t> columns)
    : n_rows_(other.n_rows_) {
    for (const ScatteredColumn& column : other.columns_)
        if (std::ranges::binary_search(columns, column.column)) columns_.push_back(column);
    const std::vector<ScatteredColumn> there = columns_;
    number_cells();
    std::vector<std::pair<std::uint32_t, index_t>> here(  // a cell, and its block: none
        static_cast<std::size_t>(other.n_cells()), {0, -1});
    for (std::size_t c = 0; c < columns_.size(); ++c)
        for (index_t i = 0; i < columns_[c].n_cells(); ++i)
            here[static_cast<std::size_t>(there[c].first_cell + i)] = {
                columns_[c].first_cell + static_cast<std::uint32_t>(i), columns_[c].block};
    list_rows([&](index_t block, const auto& list) {
        const auto first = static_cast<std::size_t>(columns_of(block).data() - columns_.data());
        const auto last = first + columns_of(block).size() - 1;
        for (index_t b = there[first].block; b <= there[last].block; ++b)
            for (index_t row = 0; row < n_rows_; ++row)
                for (const std::uint32_t from : other.cells_of(b, row))
                    if (const auto [cell, its_block] = here[from]; its_block == block)
                        list(row, cell);
    });
}

// Blocks list about the same number of cells each.
void ScatteredColumns::number_cells() {
    for (const ScatteredColumn& column : columns_) n_listed_ += column.n_listed;
    const index_t n_blocks =
        std::clamp<index_t>(n_listed_ / (listed_per_block * n_rows_), 1, max_blocks);
    index_t n_before = 0;
    index_t cell = 0;
    for (ScatteredColumn& column : columns_) {
        column.block =
            std::min(n_before * n_blocks / std::max<index_t>(n_listed_, 1), n_blocks - 1);
        column.first_cell = static_cast<std::uint32_t>(cell);
        if (column.block >= std::ssize(blocks_)) {
            column.block = std::ssize(blocks_);
            blocks_.emplace_back().first_cell = cell;
        }
        blocks_.back().n_cells += column.n_cells();
        columns_of_cells_.insert(columns_of_cells_.end(),
                                 static_cast<std::size_t>(column.n_cells()),
                                 static_cast<std::uint32_t>(column.column));
        n_before += column.n_listed;
        cell += column.n_cells();
    }
    check(n_listed_ <= std::numeric_limits<std::uint32_t>::max() &&
              cell <= std::numeric_limits<std::uint32_t>::max(),
          "A sparse dataset has at most 2**32 - 1 entries.");
}

std::span<const ScatteredColumn> ScatteredColumns::columns_of(index_t block) const noexcept {
    const auto found = std::ranges::equal_range(columns_, block, {}, &ScatteredColumn::block);
    return {found.begin(), found.end()};
}

template <typename Each>
void ScatteredColumns::list_rows(const Each& each) {
    for (index_t b = 0; b < std::ssize(blocks_); ++b) {
        Block& block = blocks_[static_cast<std::size_t>(b)];
        block.starts = AlignedBuffer<std::uint32_t>(n_rows_ + 1);
        std::uint32_t* next = block.starts.data();
        std::fill_n(next, n_rows_ + 1, 0U);
        each(b, [&](index_t row, std::uint32_t) { ++next[row + 1]; });
        std::inclusive_scan(next, next + n_rows_ + 1, next);
        block.cells = AlignedBuffer<std::uint32_t>(next[n_rows_]);
        each(b, [&](index_t row, std::uint32_t cell) { block.cells.data()[next[row]++] = cell; });
        std::copy_backward(next, next + n_rows_, next + n_rows_ + 1);  // ends become starts
        next[0] = 0;
    }
}

}  // namespace nonet
