// How much work the histograms of a node are, and how threads divide it.
//
// A unit is about one addition. Nothing here depends on targets: trees are the same, whoever does
// what.
#pragma once

#include <algorithm>

#include "base/types.hpp"
#include "grow/histogram/counted_bins.hpp"
#include "grow/histogram/histogram_layout.hpp"

namespace nonet {

class HistogramWork {
public:
    HistogramWork(const CountedBins& bins, const HistogramLayout& layout)
        : bins_(bins),
          layout_(layout),
          min_rows_(bins.n_by_row() > 0 ? min_rows_per_width * layout.width() : min_rows_listed()),
          rows_per_part_(find_rows_per_part()) {}

    // Nodes of fewer rows are cheaper to search column by column.
    index_t min_rows() const noexcept { return min_rows_; }

    // Whether threads share the rows of a node, each with a histogram of its own, which are added
    // up in the end. Where fewer rows have columns enough for all threads, these share the columns.
    bool is_shared_by_rows(index_t n_rows, int n_threads) const noexcept {
        const bool are_many = n_rows >= rows_shared_always;
        const bool have_columns = n_shared() >= good_columns_per_part * n_threads;
        return (are_many || !have_columns) && n_row_parts(n_rows, n_threads) > 1;
    }
    index_t n_row_parts(index_t n_rows, int n_threads) const noexcept {
        return std::min<index_t>(n_rows / rows_per_part_, n_threads);
    }

    // Roughly how many additions a tree makes that splits so many nodes: its rows are partitioned,
    // and on average counted twice; nodes of few rows have no histogram.
    index_t of_tree(index_t n_rows, index_t n_splits) const noexcept {
        constexpr index_t work_per_row = 64;
        const index_t n_nodes = std::min(n_splits, n_rows / std::max<index_t>(min_rows_, 1) + 1);
        return n_rows * work_per_row + 2 * before(layout_.n_positions(), n_rows) +
               (n_nodes - 2) * before(layout_.n_positions(), 0);
    }

    // Into how many parts the columns of a node are divided: those that are counted so many rows
    // each, or added up from parts, and searched. A part is worth waking a thread; to count few
    // columns takes as long as to count some more. A block of columns is as good as several.
    index_t n_column_parts(index_t n_rows, std::size_t n_row_parts, index_t most) const noexcept {
        const index_t columns = n_row_parts > 0 ? 1 : min_columns_per_part;
        const index_t n_counted = n_row_parts > 0 ? 0 : n_rows;
        const index_t work = before(layout_.n_positions(), n_counted) +
                             work_per_added_cell * static_cast<index_t>(n_row_parts) *
                                 layout_.n_cells() / layout_.width();
        return std::clamp<index_t>(std::min(n_shared() / columns, work / min_work_per_part), 1,
                                   most);
    }
    // Parts that take about as long for a node whose smaller child has so many rows.
    ColumnRange column_part(index_t part, index_t n_parts, index_t n_rows) const noexcept {
        return {position_after(part, n_parts, n_rows), position_after(part + 1, n_parts, n_rows)};
    }

private:
    static constexpr index_t min_rows_per_width = 128;
    static constexpr index_t rows_shared_always = 1 << 15;
    static constexpr index_t min_columns_per_part = 4;
    static constexpr index_t good_columns_per_part = 8;
    static constexpr index_t min_work_per_part = 1 << 14;
    static constexpr index_t work_per_added_cell = 2;
    static constexpr index_t columns_per_block = 8;  // that a block is as good as
    static constexpr index_t work_per_listed = 4;

    // To gather a column takes the time of some dozens of rows, beside its own.
    index_t min_rows_listed() const noexcept {
        constexpr index_t rows_per_gathered = 50;
        const auto n_columns =
            static_cast<index_t>(bins_.scattered() ? std::ssize(bins_.scattered()->columns()) : 0);
        if (n_columns == 0) return 0;
        const index_t cells_of_a_column = bins_.scattered()->n_cells() / n_columns + 1;
        return std::max<index_t>(2 * cells_of_a_column - rows_per_gathered, 1);
    }
    // So many that to clear a histogram and to add it to another takes a third of the time of
    // counting them.
    index_t find_rows_per_part() const {
        constexpr index_t min_rows = 1024;
        constexpr index_t work_per_cell = 12;
        const index_t n_listed = layout_.has_lists() ? bins_.scattered()->n_listed_per_row() : 0;
        const index_t work_per_row = bins_.n_by_row() + work_per_listed * n_listed + 1;
        return std::max(min_rows,
                        work_per_cell * layout_.n_cells() / layout_.width() / work_per_row);
    }

    // What threads share: columns, with several for each block.
    index_t n_shared() const noexcept { return n_columns_before(layout_.n_positions()); }
    index_t n_columns_before(index_t position) const noexcept {
        const index_t n_by_row = std::min(position, bins_.n_by_row());
        return n_by_row + (position - n_by_row) * columns_per_block;
    }
    // The first position whose columns before it take this fraction of the time of all.
    index_t position_after(index_t part, index_t n_parts, index_t n_rows) const noexcept {
        const index_t wanted = before(layout_.n_positions(), n_rows) * part / n_parts;
        index_t low = 0, high = layout_.n_positions();
        while (low < high) {
            const index_t middle = (low + high) / 2;
            if (before(middle, n_rows) < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
    // The work of the columns before a position. Rows are counted; cells are cleared, subtracted
    // and searched in two children, which takes some eight times as long for each.
    index_t before(index_t position, index_t n_rows) const noexcept {
        constexpr index_t work_per_cell = 8;
        return n_columns_before(position) * n_rows +
               work_per_cell * layout_.first_cell(position) / layout_.width();
    }

    const CountedBins& bins_;
    const HistogramLayout& layout_;
    index_t min_rows_;
    index_t rows_per_part_;
};

}  // namespace nonet
