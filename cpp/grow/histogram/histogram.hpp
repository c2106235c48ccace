// Histograms of all columns of a tree at once, for one node, from bins of 8 bits by rows.
//
// A node of many rows has its histogram counted or, if its sibling's is there, taken as the
// parent's less the sibling's. Cells are whole numbers: both ways give the same. Of columns in
// which most rows share a bin, that bin is not counted: `complete` gives it what the others leave
// of the node's total.
#pragma once

#include <algorithm>
#include <deque>
#include <span>
#include <vector>

#include "data/binned_dataset.hpp"
#include "grow/histogram/added_rows.hpp"
#include "grow/histogram/counted_bins.hpp"
#include "grow/histogram/histogram_layout.hpp"
#include "grow/histogram/histogram_part.hpp"
#include "grow/histogram/histogram_pool.hpp"
#include "grow/histogram/histogram_work.hpp"
#include "grow/histogram/listed_cells.hpp"

namespace nonet {

template <typename Criterion>
class Histograms {
public:
    using Cell = typename Criterion::Cell;
    using Row = typename Criterion::Row;
    using Part = HistogramPart<Cell, Row>;
    static constexpr bool exist = true;
    static constexpr std::int32_t none = HistogramPool<Cell>::none;

    // Not for bins of 16 bits, nor where a node looks at few of the columns.
    Histograms(BufferPool& pool, const BinnedDataset& dataset, std::span<const index_t> columns,
               const Criterion& criterion, bool takes_most_columns)
        : is_used_(dataset.matrix().bytes_per_bin() == 1 && takes_most_columns),
          bins_(pool, dataset, columns, is_used_),
          layout_(dataset, bins_, criterion.width()),
          work_(bins_, layout_),
          by_row_(pool, bins_, layout_),
          listed_(bins_, layout_),
          parts_(pool, layout_, by_row_, listed_),
          pool_(pool, layout_.n_cells() + layout_.width()) {}
    Histograms(const Histograms&) = delete;
    Histograms& operator=(const Histograms&) = delete;

    // Smaller nodes are cheaper to search column by column.
    bool is_worth(index_t n_rows) const noexcept { return is_used_ && n_rows >= work_.min_rows(); }
    // Whether a parent's histogram becomes that of one child without the other's being counted:
    // few rows touch few cells where all cells are listed, and a child that is not split needs
    // none.
    bool can_take_away(index_t n_rows, bool can_split) const noexcept {
        return are_all_listed() && !(can_split && is_worth(n_rows));
    }
    // Whether there is nothing but lists.
    bool are_all_listed() const noexcept { return is_used_ && bins_.n_by_row() == 0; }
    const HistogramWork& work() const noexcept { return work_; }
    // How many threads are worth their time: a block of lists is one thread's, and takes so little
    // of it that each needs two.
    int n_threads_for(index_t n_rows, int n_threads) const noexcept {
        if (!are_all_listed() || work_.is_shared_by_rows(n_rows, n_threads)) return n_threads;
        return static_cast<int>(std::clamp<index_t>(layout_.n_positions() / 2, 1, n_threads));
    }

    // Must come before the first count; all threads do it together.
    void prepare(int n_threads) { bins_.prepare(n_threads); }
    // One that is not counted yet; none: there is no memory for more.
    std::int32_t take() { return pool_.take(); }
    void give_back(std::int32_t& histogram) { pool_.give_back(histogram); }

    // ---- Counting ------------------------------------------------------------------------------

    // Rows in parts, the first of which is the histogram itself; `join` adds them up.
    std::deque<Part> count_by_rows(std::int32_t histogram, std::span<const std::uint32_t> rows,
                                   const Row* added, int n_threads) {
        return parts_.count(histogram, pool_, rows, added,
                            work_.n_row_parts(std::ssize(rows), n_threads));
    }
    void join(std::deque<Part>& parts, ColumnRange columns) const { parts_.join(parts, columns); }
    void give_back(std::deque<Part>& parts) {
        for (std::size_t p = 1; p < parts.size(); ++p) pool_.give_back(parts[p].histogram);
    }

    void count(std::int32_t histogram, ColumnRange columns, std::span<const std::uint32_t> rows,
               const Row* added) {
        Cell* cells = pool_.cells(histogram);
        std::fill(cells + layout_.first_cell(columns.begin),
                  cells + layout_.first_cell(columns.end), Cell{});
        const ColumnRange by_row = {std::min(columns.begin, bins_.n_by_row()),
                                    std::min(columns.end, bins_.n_by_row())};
        if (by_row.size() > 0)
            by_row_.add_to(cells + layout_.first_cell(by_row.begin), by_row, rows, added);
        listed_.add(cells, columns, rows, added);
    }
    // The histogram without the given rows; see can_take_away.
    void take_away(std::int32_t histogram, ColumnRange columns, std::span<const std::uint32_t> rows,
                   const Row* added) {
        listed_.take_away(pool_.cells(histogram), columns, rows, added);
    }
    // The sibling's histogram, in the memory of the parent's.
    void subtract(std::int32_t parent, std::int32_t child, ColumnRange columns) {
        Cell* from = pool_.cells(parent);
        const Cell* cells = pool_.cells(child);
        const index_t end = layout_.first_cell(columns.end);
        for (index_t i = layout_.first_cell(columns.begin); i < end; ++i) from[i] -= cells[i];
    }

    // ---- The total of all rows, which listed columns need ---------------------------------------

    // Of rows that are counted column by column.
    void set_total(std::int32_t histogram, std::span<const Row> added) {
        if (!layout_.has_lists()) return;
        Cell* total = this->total(histogram);
        std::fill_n(total, width(), Cell{});
        for (const Row& row : added) Criterion::add_row(total, row);
    }
    void take_away_total(std::int32_t histogram, std::span<const Row> added) {
        std::vector<Cell> taken(static_cast<std::size_t>(width()), Cell{});
        for (const Row& row : added) Criterion::add_row(taken.data(), row);
        Cell* total = this->total(histogram);
        for (const Cell& cell : taken) *total++ -= cell;
    }
    // That of the sibling; cells are subtracted column by column.
    void subtract_total(std::int32_t parent, std::int32_t child) {
        if (!layout_.has_lists()) return;
        Cell* from = total(parent);
        const Cell* taken = total(child);
        for (index_t w = 0; w < width(); ++w) from[w] -= taken[w];
    }

    // ---- Reading -------------------------------------------------------------------------------

    index_t n_positions() const noexcept { return layout_.n_positions(); }
    index_t position_of(index_t column) const noexcept { return bins_.position_of(column); }
    // Of all columns, by their indices; none: there is no histogram.
    Cell* cells(std::int32_t histogram) {
        return histogram == none ? nullptr : pool_.cells(histogram);
    }
    // Of a column that is kept by rows.
    const Cell* cells_of(const Cell* histogram, index_t column) const noexcept {
        return histogram + layout_.first_cell(position_of(column));
    }
    // None: the column is kept by rows.
    const ScatteredColumn* scattered_column(index_t column) const noexcept {
        return bins_.scattered_column(column);
    }
    const ListedCells<Criterion>& listed() const noexcept { return listed_; }
    // The sum of all rows of a node, into `width` cells: that of any column kept by rows.
    void add_up(const Cell* histogram, ColumnRange columns, std::vector<Cell>& total) const {
        total.assign(static_cast<std::size_t>(width()), Cell{});
        if (columns.begin >= bins_.n_by_row()) {
            std::copy_n(histogram + layout_.n_cells(), width(), total.begin());
            return;
        }
        const Cell* cell = histogram + layout_.first_cell(columns.begin);
        const Cell* end = histogram + layout_.end_of_bins(columns.begin);
        if constexpr (Criterion::fixed_width == 1) {
            Cell sum{};  // in a register: two additions would otherwise wait for each other's store
            for (; cell < end; ++cell) sum += *cell;
            total.front() = sum;
        } else {
            while (cell < end)
                for (Cell& sum : total) sum += *cell++;
        }
    }

private:
    Cell* total(std::int32_t histogram) { return pool_.cells(histogram) + layout_.n_cells(); }
    index_t width() const noexcept {
        return Criterion::fixed_width > 0 ? Criterion::fixed_width : layout_.width();
    }

    bool is_used_;
    CountedBins bins_;
    HistogramLayout layout_;
    HistogramWork work_;
    AddedRows<Criterion> by_row_;
    ListedCells<Criterion> listed_;
    HistogramParts<Criterion> parts_;
    HistogramPool<Cell> pool_;
};

}  // namespace nonet
