// The bins of a column that are present in a node, in order, and what their rows add up to.
//
// Three ways, by the number of rows: very few are sorted; some are counted into a table of all bins
// while bits note which bins were touched; many are counted without notes and the table is looked
// through. The first two cost what the rows cost, however many bins the column has.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/types.hpp"
#include "grow/criteria/criterion.hpp"
#include "grow/histogram/row_bins.hpp"
#include "grow/search/node_entries.hpp"

namespace nonet {

template <SplitCriterion Criterion>
struct PresentBins {
    using Cell = typename Criterion::Cell;

    const std::uint32_t* bins;  // none: all bins, of which some may be empty
    index_t n;
    const Cell* cells;
    index_t width;
    bool by_position;  // cells of the k-th present bin are the k-th, not the bins[k]-th
    const std::uint32_t* of_dataset = nullptr;  // bins of the dataset by those here; none: the same
    const typename Criterion::Row* rows = nullptr;  // in the order of their bins, instead of cells:
    const std::uint32_t* ends = nullptr;            // those of the k-th present bin end at ends[k]

    std::uint32_t bin(index_t k) const noexcept {
        return bins == nullptr ? static_cast<std::uint32_t>(k) : bins[k];
    }
    std::uint32_t dataset_bin(index_t k) const noexcept {
        return of_dataset == nullptr ? bin(k) : of_dataset[bin(k)];
    }
    const Cell* cell(index_t k) const noexcept {
        return cells + (by_position ? k : static_cast<index_t>(bin(k))) * width;
    }
    bool is_empty(index_t k) const noexcept {
        if (rows != nullptr) return false;
        bool empty = true;
        for (index_t i = 0; i < width; ++i) empty &= Criterion::is_empty(cell(k)[i]);
        return empty;
    }
};

template <SplitCriterion Criterion>
class BinCounter {
public:
    using Cell = typename Criterion::Cell;
    using Row = typename Criterion::Row;

    // n_bins counts the missing bin as well.
    BinCounter(const Criterion& criterion, index_t n_bins)
        : width_(criterion.width()),
          cells_(static_cast<std::size_t>(n_bins * width_)),
          touched_(static_cast<std::size_t>(n_bins / 64 + 1)),
          touched_words_(touched_.size() / 64 + 1),
          bins_(static_cast<std::size_t>(n_bins + 1)),
          ends_(static_cast<std::size_t>(n_bins + 1)) {}

    // The result is valid until the next call.
    template <typename Bin>
    PresentBins<Criterion> count(const Bin* bins, index_t n_bins,
                                 std::span<const std::uint32_t> rows, const Row* added) {
        forget();
        const index_t n = std::ssize(rows);
        by_position_ = n <= max_sorted_rows;
        if (by_position_)
            sort(bins, rows, added);
        else if (2 * n < n_bins)
            count_and_touch(bins, rows, added);
        else
            count_all(bins, n_bins, rows, added);
        return {bins_.data(), n_present_, cells_.data(), width_, by_position_};
    }

    // The same from few rows that are sorted already; see sort_bins.
    PresentBins<Criterion> take_sorted(const std::uint16_t* sorted, index_t stride, index_t n_rows,
                                       const Row* added) {
        forget();
        by_position_ = true;
        for (index_t i = 0; i < n_rows; ++i) {
            const std::uint32_t key = sorted[i * stride];
            add_sorted(key >> sorted_position_bits, added[key & position_mask]);
        }
        return {bins_.data(), n_present_, cells_.data(), width_, by_position_};
    }

    // The same from the entries of a sparse column: its bin of zero, which they are not in, has
    // what they leave of the node's total.
    PresentBins<Criterion> count_entries(std::span<const NodeEntry> entries, std::uint32_t of_zero,
                                         std::span<const Cell> total, index_t n_rows,
                                         const Row* added) {
        forget();
        by_position_ = false;
        for (const auto [position, bin] : entries) {
            Criterion::add_row(cells_.data() + static_cast<index_t>(bin) * width_, added[position]);
            touch(bin);
        }
        const bool has_zeros = std::ssize(entries) < n_rows;
        if (has_zeros) touch(of_zero);
        each_touched([this](std::size_t bin) {
            bins_[static_cast<std::size_t>(n_present_++)] = static_cast<std::uint32_t>(bin);
        });
        if (has_zeros) set_rest(cells_.data() + static_cast<index_t>(of_zero) * width_, total);
        return {bins_.data(), n_present_, cells_.data(), width_, by_position_};
    }

    // Where classes are many, cells of few rows are mostly empty: it is quicker to go from row to
    // row.
    bool is_worth_ordering(index_t n_rows, index_t n_bins) const noexcept {
        return 4 * n_rows <= width_ * std::min(n_rows, n_bins);
    }
    template <typename Bin>
    PresentBins<Criterion> order(const Bin* bins, std::span<const std::uint32_t> rows,
                                 const Row* added) {
        forget();
        row_bins_.resize(rows.size());
        ordered_.resize(rows.size());
        starts_.resize(bins_.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            row_bins_[i] = bins[rows[i]];
            ++starts_[row_bins_[i]];
            touch(row_bins_[i]);
        }
        std::uint32_t end = 0;
        index_t n_present = 0;
        each_touched([&](std::size_t bin) {
            const auto k = static_cast<std::size_t>(n_present++);
            bins_[k] = static_cast<std::uint32_t>(bin);
            end += std::exchange(starts_[bin], end);
            ends_[k] = end;
        });
        for (std::size_t i = 0; i < rows.size(); ++i) ordered_[starts_[row_bins_[i]]++] = added[i];
        for (index_t k = 0; k < n_present; ++k) starts_[bins_[static_cast<std::size_t>(k)]] = 0;
        return {.bins = bins_.data(),
                .n = n_present,
                .cells = nullptr,
                .width = width_,
                .by_position = false,
                .rows = ordered_.data(),
                .ends = ends_.data()};
    }

    // The same from a histogram of the column.
    PresentBins<Criterion> look_through(const Cell* cells, index_t n_bins) {
        forget();
        index_t n_present = 0;
        for (index_t bin = 0; bin < n_bins; ++bin) {
            bins_[static_cast<std::size_t>(n_present)] = static_cast<std::uint32_t>(bin);
            n_present += !is_empty(cells + bin * width_);
        }
        return {bins_.data(), n_present, cells, width_, false};
    }

private:
    static constexpr index_t max_sorted_rows = max_rows_sorted;
    static constexpr std::uint32_t position_mask = (1U << sorted_position_bits) - 1;

    void forget() noexcept {
        for (index_t k = 0; k < n_present_; ++k) {
            const index_t position =
                by_position_ ? k : static_cast<index_t>(bins_[static_cast<std::size_t>(k)]);
            std::fill_n(cells_.data() + position * width_, width_, Cell{});
        }
        n_present_ = 0;
    }

    template <typename Bin>
    void sort(const Bin* bins, std::span<const std::uint32_t> rows, const Row* added) noexcept {
        std::uint32_t order[max_sorted_rows];  // as in sort_bins
        const auto n = static_cast<std::uint32_t>(rows.size());
        for (std::uint32_t i = 0; i < n; ++i) {
            const std::uint32_t key =
                static_cast<std::uint32_t>(bins[rows[i]]) << sorted_position_bits | i;
            std::uint32_t j = i;
            for (; j > 0 && order[j - 1] > key; --j) order[j] = order[j - 1];
            order[j] = key;
        }
        for (std::uint32_t i = 0; i < n; ++i)
            add_sorted(order[i] >> sorted_position_bits, added[order[i] & position_mask]);
    }
    void add_sorted(std::uint32_t bin, const Row& row) noexcept {
        if (n_present_ == 0 || bins_[static_cast<std::size_t>(n_present_ - 1)] != bin)
            bins_[static_cast<std::size_t>(n_present_++)] = bin;
        Criterion::add_row(cells_.data() + (n_present_ - 1) * width_, row);
    }

    template <typename Bin>
    void count_and_touch(const Bin* bins, std::span<const std::uint32_t> rows,
                         const Row* added) noexcept {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const index_t bin = bins[rows[i]];
            Criterion::add_row(cells_.data() + bin * width_, added[i]);
            touch(static_cast<std::size_t>(bin));
        }
        each_touched([this](std::size_t bin) {
            bins_[static_cast<std::size_t>(n_present_++)] = static_cast<std::uint32_t>(bin);
        });
    }

    // `cell` is one of the present ones, and has no rows yet.
    void set_rest(Cell* cell, std::span<const Cell> total) noexcept {
        for (index_t w = 0; w < width_; ++w) {
            Cell rest = total[static_cast<std::size_t>(w)];
            for (index_t k = 0; k < n_present_; ++k) rest -= cells_of(k)[w];
            cell[w] = rest;
        }
    }
    const Cell* cells_of(index_t k) const noexcept {
        return cells_.data() + static_cast<index_t>(bins_[static_cast<std::size_t>(k)]) * width_;
    }

    void touch(std::size_t bin) noexcept {
        touched_[bin >> 6] |= std::uint64_t{1} << (bin & 63);
        touched_words_[bin >> 12] |= std::uint64_t{1} << (bin >> 6 & 63);
    }
    // From the minimum bin on; then none is touched any more.
    template <typename Found>
    void each_touched(const Found& found) noexcept {
        for (std::size_t i = 0; i < touched_words_.size(); ++i)
            each_bit(touched_words_[i], 64 * i,
                     [&](std::size_t word) { each_bit(touched_[word], 64 * word, found); });
    }

    // Calls found(first + position) for each bit, from the lowest on, and clears the word.
    template <typename Found>
    static void each_bit(std::uint64_t& word, std::size_t first, Found&& found) noexcept {
        for (; word != 0; word &= word - 1)
            found(first + static_cast<std::size_t>(std::countr_zero(word)));
    }

    template <typename Bin>
    void count_all(const Bin* bins, index_t n_bins, std::span<const std::uint32_t> rows,
                   const Row* added) noexcept {
        for (std::size_t i = 0; i < rows.size(); ++i)
            Criterion::add_row(cells_.data() + static_cast<index_t>(bins[rows[i]]) * width_,
                               added[i]);
        for (index_t bin = 0; bin < n_bins; ++bin) {
            bins_[static_cast<std::size_t>(n_present_)] = static_cast<std::uint32_t>(bin);
            n_present_ += !is_empty(cells_.data() + bin * width_);
        }
    }

    bool is_empty(const Cell* cells) const noexcept {
        bool empty = true;
        for (index_t k = 0; k < width_; ++k) empty &= Criterion::is_empty(cells[k]);
        return empty;
    }

    index_t width_;
    std::vector<Cell> cells_;
    std::vector<std::uint64_t> touched_;        // one bit a bin
    std::vector<std::uint64_t> touched_words_;  // one bit a word of the bits above
    std::vector<std::uint32_t> bins_;
    std::vector<std::uint32_t> ends_;
    std::vector<std::uint32_t> starts_;  // by bin, 0 between two calls
    std::vector<std::uint32_t> row_bins_;
    std::vector<Row> ordered_;
    index_t n_present_ = 0;
    bool by_position_ = false;
};

}  // namespace nonet
