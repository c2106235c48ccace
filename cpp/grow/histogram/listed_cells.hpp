// The cells of listed columns in a histogram: rows name those that they add to.
//
// The common bin of a column has no cell: it has what the others leave of the node's total, see
// `complete`.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "data/scattered_columns.hpp"
#include "grow/histogram/added_rows.hpp"
#include "grow/histogram/counted_bins.hpp"
#include "grow/histogram/histogram_layout.hpp"

namespace nonet {

template <typename Criterion>
class ListedCells {
public:
    using Cell = typename Criterion::Cell;
    using Row = typename Criterion::Row;

    ListedCells(const CountedBins& bins, const HistogramLayout& layout)
        : bins_(bins),
          layout_(layout),
          are_plain_(bins.scattered() && bins.scattered()->are_all_plain()) {}

    // To the cells of a histogram.
    void add(Cell* histogram, ColumnRange columns, std::span<const std::uint32_t> rows,
             const Row* added) const {
        each_listed(columns, rows, added, histogram,
                    [](Cell& cell, const Cell& row) { cell += row; });
    }
    void take_away(Cell* histogram, ColumnRange columns, std::span<const std::uint32_t> rows,
                   const Row* added) const {
        each_listed(columns, rows, added, histogram,
                    [](Cell& cell, const Cell& row) { cell -= row; });
    }

    // Of one column, without that of the common bin.
    const Cell* of(const Cell* histogram, const ScatteredColumn& column) const noexcept {
        return histogram + layout_.first_listed() + column.first_cell * width();
    }
    // The cells of its bins and of an empty one, into `complete`; the common one is what the others
    // leave of `total`, and `others` is their sum.
    void complete(const Cell* histogram, const ScatteredColumn& column,
                  const std::vector<Cell>& total, std::vector<Cell>& others,
                  std::vector<Cell>& complete) const {
        const Cell* cells = of(histogram, column);
        const Cell* after_common = cells + column.common * width();
        const Cell* end = cells + column.n_cells() * width();
        complete.assign(cells, after_common);
        complete.insert(complete.end(), total.begin(), total.end());
        complete.insert(complete.end(), after_common, end);
        complete.insert(complete.end(), static_cast<std::size_t>(width()), Cell{});
        others.assign(static_cast<std::size_t>(width()), Cell{});
        while (cells != end)
            for (index_t w = 0; w < width(); ++w) others[static_cast<std::size_t>(w)] += *cells++;
        Cell* common = complete.data() + column.common * width();
        for (index_t w = 0; w < width(); ++w) common[w] -= others[static_cast<std::size_t>(w)];
    }

    // Whether all columns in this range are listed, and numbers of which none is missing.
    bool are_all_plain(ColumnRange columns) const noexcept {
        return columns.begin >= bins_.n_by_row() && are_plain_;
    }
    // Calls look_at(column, its cells without that of the common bin) for listed columns.
    template <typename LookAt>
    void each_column(const Cell* histogram, ColumnRange columns, const LookAt& look_at) const {
        for (index_t p = std::max(columns.begin, bins_.n_by_row()); p < columns.end; ++p)
            for (const ScatteredColumn& column :
                 bins_.scattered()->columns_of(p - bins_.n_by_row()))
                look_at(column, of(histogram, column));
    }
    // How many of the rows list a cell of each column, added to `n_listed`.
    void count_listed(std::span<const std::uint32_t> rows,
                      std::span<std::uint32_t> n_listed) const noexcept {
        const std::span<const std::uint32_t> columns = bins_.scattered()->columns_of_cells();
        for (index_t b = 0; b < std::ssize(bins_.scattered()->blocks()); ++b)
            for (const std::uint32_t row : rows)
                for (const std::uint32_t cell : bins_.scattered()->cells_of(b, row))
                    ++n_listed[columns[cell]];
    }

private:
    index_t width() const noexcept {
        return Criterion::fixed_width > 0 ? Criterion::fixed_width : layout_.width();
    }

    // Calls change(cell, what the row adds to it) for all cells that rows list in these columns.
    template <typename Change>
    void each_listed(ColumnRange columns, std::span<const std::uint32_t> rows, const Row* added,
                     Cell* cells, const Change& change) const {
        const index_t n_by_row = bins_.n_by_row();
        cells += layout_.first_listed();
        for (index_t p = std::max(columns.begin, n_by_row); p < columns.end; ++p) {
            const auto& block = bins_.scattered()->blocks()[static_cast<std::size_t>(p - n_by_row)];
            each_block(rows.size(), 1 << 16, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                    change_listed(block, rows[i], added[i], cells, change);
            });
        }
    }
    template <typename Change>
    void change_listed(const ScatteredColumns::Block& block, std::uint32_t row, const Row& added,
                       Cell* cells, const Change& change) const {
        const std::uint32_t* listed = block.cells.data();
        const std::uint32_t end = block.starts.data()[row + 1];
        if constexpr (Criterion::fixed_width == 1) {
            Cell one{};
            Criterion::add_row(&one, added);
            for (std::uint32_t k = block.starts.data()[row]; k < end; ++k)
                change(cells[listed[k]], one);
        } else {
            thread_local std::vector<Cell> all;
            all.assign(static_cast<std::size_t>(width()), Cell{});
            Criterion::add_row(all.data(), added);
            for (std::uint32_t k = block.starts.data()[row]; k < end; ++k)
                for (index_t w = 0; w < width(); ++w)
                    change(cells[static_cast<index_t>(listed[k]) * width() + w],
                           all[static_cast<std::size_t>(w)]);
        }
    }

    const CountedBins& bins_;
    const HistogramLayout& layout_;
    bool are_plain_;
};

}  // namespace nonet
