// Where the columns of a tree lie in its histograms, cell by cell.
//
// Columns whose bins are kept by rows come first, then blocks of listed columns, then the total of
// all rows.
#pragma once

#include <algorithm>
#include <vector>

#include "data/binned_dataset.hpp"
#include "grow/histogram/counted_bins.hpp"

namespace nonet {

// Columns that lie side by side, and blocks of them, by their positions in a histogram.
struct ColumnRange {
    index_t begin;
    index_t end;

    index_t size() const noexcept { return end - begin; }
    bool contains(index_t position) const noexcept { return position >= begin && position < end; }
};

// The sums of columns that all have as many cells, or of columns that each have their own. The
// width is a constant wherever it can be one: no register holds it, whoever inlines the loop.
template <typename Sum, index_t fixed_width>
struct EqualColumns {
    Sum* first;
    index_t cells_per_column;

    Sum* operator()(index_t word, index_t j) const noexcept;
};
template <typename Sum>
struct UnequalColumns {
    Sum* const* firsts;

    Sum* operator()(index_t word, index_t j) const noexcept;
};

class HistogramLayout {
public:
    // A row's bins are read in words of so many columns.
    static constexpr index_t columns_per_word = 8;

    // `width` cells per bin.
    HistogramLayout(const BinnedDataset& dataset, const CountedBins& bins, index_t width)
        : bins_(bins),
          width_(width),
          starts_(find_starts(dataset)),
          has_equal_steps_(starts_.back() == bins.n_by_row() * cells_per_column(width)) {}

    index_t width() const noexcept { return width_; }
    index_t n_by_row() const noexcept { return bins_.n_by_row(); }
    index_t n_positions() const noexcept { return bins_.n_positions(); }
    bool has_lists() const noexcept { return n_positions() > n_by_row(); }

    // Of a column, or the cell behind the last one's.
    index_t first_cell(index_t position) const noexcept {
        if (position <= n_by_row()) return starts_[static_cast<std::size_t>(position)];
        const auto& block =
            bins_.scattered()->blocks()[static_cast<std::size_t>(position - n_by_row() - 1)];
        return first_listed() + (block.first_cell + block.n_cells) * width_;
    }
    // Where the cells of columns by rows end, and those of lists begin.
    index_t first_listed() const noexcept { return starts_.back(); }
    // Of all columns; the total comes behind them.
    index_t n_cells() const noexcept { return first_cell(n_positions()); }
    // The last cell of a column by rows that a bin has, and one more.
    index_t end_of_bins(index_t position) const noexcept {
        return first_cell(position + 1) - cells_between;
    }

    // Calls use(where the sums of each of these columns begin), `sums` being those of the first.
    template <index_t fixed_width, typename Sum, typename Use>
    void with_columns(Sum* sums, ColumnRange columns, const Use& use) const {
        if (has_equal_steps_)
            return use(EqualColumns<Sum, fixed_width>{sums, cells_per_column(width_)});
        std::vector<Sum*> firsts;
        for (index_t p = columns.begin; p < columns.end; ++p)
            firsts.push_back(sums + first_cell(p) - first_cell(columns.begin));
        use(UnequalColumns<Sum>{firsts.data()});
    }

    static constexpr index_t cells_per_column(index_t width) noexcept {
        return bins_per_column * width + cells_between;
    }

private:
    // All that 8 bits can hold: offsets need no table.
    static constexpr index_t bins_per_column = 256;
    // Columns begin a few cells beyond a power of two: where many have few bins, their cells would
    // otherwise compete for a few sets of the small cache.
    static constexpr index_t cells_between = 4;

    // Where the cells of each column begin, and the last ones end. Columns of many bins have room
    // for all that 8 bits can hold, so that their offsets need no table; where most have few, each
    // has room for its own, because to clear, subtract and search empty cells takes longer than to
    // look up offsets.
    std::vector<index_t> find_starts(const BinnedDataset& dataset) const {
        const std::vector<index_t> columns = bins_.columns_by_row();
        std::vector<index_t> starts = {0};
        for (const index_t column : columns)
            starts.push_back(starts.back() + (dataset.bins(column).n_bins() + 1) * width_ +
                             cells_between);
        if (2 * starts.back() < n_by_row() * cells_per_column(width_)) return starts;
        for (index_t p = 0; p < std::ssize(starts); ++p)
            starts[static_cast<std::size_t>(p)] = p * cells_per_column(width_);
        return starts;
    }

    const CountedBins& bins_;
    index_t width_;
    std::vector<index_t> starts_;
    bool has_equal_steps_;
};

template <typename Sum, index_t fixed_width>
Sum* EqualColumns<Sum, fixed_width>::operator()(index_t word, index_t j) const noexcept {
    const index_t step =
        fixed_width > 0 ? HistogramLayout::cells_per_column(fixed_width) : cells_per_column;
    return first + word * HistogramLayout::columns_per_word * step + j * step;
}

template <typename Sum>
Sum* UnequalColumns<Sum>::operator()(index_t word, index_t j) const noexcept {
    return firsts[word * HistogramLayout::columns_per_word + j];
}

}  // namespace nonet
