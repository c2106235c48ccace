// Histograms of all columns of a tree at once, for one node, from bins of 8 bits by rows.
//
// A node of many rows has its histogram counted or, if its sibling's is there, taken as the
// parent's less the sibling's. Cells are whole numbers: both ways give the same.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "base/parallel.hpp"
#include "data/binned_dataset.hpp"
#include "grow/histogram/counted_bins.hpp"
#include "grow/histogram/histogram_pool.hpp"
#include "grow/histogram/moment_rows.hpp"

namespace nonet {

// Columns that lie side by side, by their indices among those of the tree.
struct ColumnRange {
    index_t begin;
    index_t end;

    index_t size() const noexcept { return end - begin; }
    bool contains(index_t position) const noexcept { return position >= begin && position < end; }
};

template <typename Criterion>
class Histograms {
public:
    using Cell = typename Criterion::Cell;
    using Row = typename Criterion::Row;
    static constexpr bool exist = true;
    static constexpr std::int32_t none = HistogramPool<Cell>::none;
    static constexpr index_t bins_per_column =
        256;  // all that 8 bits can hold: offsets need no table

    // Not for bins of 16 bits, nor where a node looks at few of the columns.
    Histograms(BufferPool& pool, const BinnedMatrix& matrix, std::span<const index_t> columns,
               const Criterion& criterion, bool takes_most_columns)
        : buffers_(pool),
          bins_(pool, matrix, columns),
          width_(criterion.width()),
          min_rows_(min_rows_per_width * width_),
          pool_(pool, bins_.n_columns() * cells_per_column()),
          is_used_(matrix.bytes_per_bin() == 1 && takes_most_columns) {}

    // Smaller nodes are cheaper to search column by column.
    bool is_worth(index_t n_rows) const noexcept { return is_used_ && n_rows >= min_rows_; }

    // Must come before the first count; all threads do it together.
    void prepare(int n_threads) { bins_.prepare(n_threads); }
    // One that is not counted yet; none: there is no memory for more.
    std::int32_t take() { return pool_.take(); }
    void give_back(std::int32_t& histogram) { pool_.give_back(histogram); }

    // Threads share many rows among them.
    bool is_shared_by_rows(index_t n_rows, int n_threads) const noexcept {
        return std::min<index_t>(n_rows / rows_per_part, n_threads) > 1;
    }
    void count_by_rows(std::int32_t histogram, std::span<const std::uint32_t> rows,
                       const Row* added, int n_threads) {
        const index_t n_parts = std::min<index_t>(std::ssize(rows) / rows_per_part, n_threads);
        std::vector<std::int32_t> parts = {histogram};
        for (index_t p = 1; p < n_parts; ++p)
            if (const std::int32_t part = pool_.take(); part != none) parts.push_back(part);
        parallel_for(std::ssize(parts), n_threads, [&](index_t p) {
            const index_t begin = std::ssize(rows) * p / std::ssize(parts);
            const index_t end = std::ssize(rows) * (p + 1) / std::ssize(parts);
            const auto split_rows = rows.subspan(static_cast<std::size_t>(begin),
                                                 static_cast<std::size_t>(end - begin));
            count(parts[static_cast<std::size_t>(p)], {0, bins_.n_columns()}, split_rows,
                  added + begin);
        });
        for (; parts.size() > 1; parts.pop_back()) {
            add(histogram, parts.back());
            pool_.give_back(parts.back());
        }
    }

    // Threads share the columns of fewer rows, which leaves nothing to add up.
    index_t n_column_parts(int n_threads) const noexcept {
        return std::clamp<index_t>(bins_.n_columns() / min_columns_per_part, 1, n_threads);
    }
    ColumnRange column_part(index_t part, index_t n_parts) const noexcept {
        return {bins_.n_columns() * part / n_parts, bins_.n_columns() * (part + 1) / n_parts};
    }
    // Rows that come as words are added up as words, a block of them at a time, which takes half of
    // the memory traffic; the sums of a block are then unpacked into cells.
    void count(std::int32_t histogram, ColumnRange columns, std::span<const std::uint32_t> rows,
               const Row* added) {
        const std::uint8_t* bins = bins_.rows() + columns.begin;
        const index_t n_cells = columns.size() * cells_per_column();
        Cell* cells = pool_.cells(histogram) + columns.begin * cells_per_column();
        std::fill_n(cells, n_cells, Cell{});
        if constexpr (has_words) {
            const PooledBuffer<Row> words(buffers_, n_cells);
            std::ranges::fill(words.all(), Row{});
            each_block(rows.size(), Criterion::Packing::rows_per_block,
                       [&](std::size_t begin, std::size_t end) {
                           add_rows(
                               bins, columns.size(), rows, added, begin, end, words.data(),
                               [](Row* column, std::uint64_t bin, Row row) { column[bin] += row; });
                           move_packed_sums(words.all(), Criterion::Packing::layout, cells);
                       });
        } else {
            each_block(rows.size(), 1 << 16, [&](std::size_t begin, std::size_t end) {
                add_rows(bins, columns.size(), rows, added, begin, end, cells,
                         [width = width()](Cell* column, std::uint64_t bin, const Row& row) {
                             Criterion::add_row(column + static_cast<index_t>(bin) * width, row);
                         });
            });
        }
    }

    // The sibling's histogram, in the memory of the parent's.
    void subtract(std::int32_t parent, std::int32_t child, ColumnRange columns) {
        Cell* from = pool_.cells(parent);
        const Cell* cells = pool_.cells(child);
        const index_t end = columns.end * cells_per_column();
        for (index_t i = columns.begin * cells_per_column(); i < end; ++i) from[i] -= cells[i];
    }

    // Of all columns, by their indices; none: there is no histogram.
    const Cell* cells(std::int32_t histogram) {
        return histogram == none ? nullptr : pool_.cells(histogram);
    }
    index_t position_of(index_t column) const noexcept { return bins_.position_of(column); }
    // Columns begin a few cells beyond a power of two: where many have few bins, their cells would
    // otherwise compete for a few sets of the small cache.
    index_t cells_per_column() const noexcept { return bins_per_column * width() + cells_between; }

    // All columns have the same sum.
    void add_up(const Cell* column, typename Criterion::Sums& sums) const {
        for (index_t bin = 0; bin < bins_per_column; ++bin) sums.add(column + bin * width_);
    }

private:
    static constexpr index_t min_rows_per_width = 128;
    static constexpr index_t cells_between = 4;
    static constexpr index_t rows_per_part = 1 << 14;
    static constexpr index_t min_columns_per_part = 4;
    static constexpr index_t columns_per_word = 8;
    // Rows are prefetched twice: early for the large cache, and again just before they are read,
    // because the small cache is full of sums and would not keep them for long.
    static constexpr std::size_t rows_far_ahead = 48;
    static constexpr std::size_t rows_ahead = 6;
    static constexpr bool has_words = requires { Criterion::Packing::rows_per_block; };
    static_assert(std::endian::native == std::endian::little, "bins are read in words of eight");

    void add(std::int32_t histogram, std::int32_t other) {
        Cell* to = pool_.cells(histogram);
        const Cell* cells = pool_.cells(other);
        for (index_t i = 0; i < pool_.n_cells(); ++i) to[i] += cells[i];
    }

    template <typename Count>
    static void each_block(std::size_t n_rows, std::size_t rows_per_block, const Count& count) {
        for (std::size_t begin = 0; begin < n_rows; begin += rows_per_block) {
            count(begin, std::min(begin + rows_per_block, n_rows));
            check_interrupt();
        }
    }

    // Calls add(sums of the column, bin, added[i]) for rows begin, ..., end - 1 and n_columns.
    // Rows of few words of bins have a loop each whose steps the compiler lays out one by one.
    template <typename Sum, typename Add>
    void add_rows(const std::uint8_t* bins, index_t n_columns, std::span<const std::uint32_t> rows,
                  const Row* added, std::size_t begin, std::size_t end, Sum* sums,
                  const Add& add) const noexcept {
        const index_t n_words = n_columns / columns_per_word;
        const index_t n_single = n_columns % columns_per_word;
        const auto add_as = [&](auto words) {
            add_rows_of(words, n_single, bins, rows.subspan(begin), end - begin, added + begin,
                        sums, add);
        };
        if constexpr (has_words) {
            switch (n_words) {
                case 1:
                    return add_as(std::integral_constant<index_t, 1>{});
                case 2:
                    return add_as(std::integral_constant<index_t, 2>{});
                case 3:
                    return add_as(std::integral_constant<index_t, 3>{});
                case 4:
                    return add_as(std::integral_constant<index_t, 4>{});
                case 5:
                    return add_as(std::integral_constant<index_t, 5>{});
                case 6:
                    return add_as(std::integral_constant<index_t, 6>{});
                default:
                    break;
            }
        }
        add_as(n_words);
    }

    // Of the first n_rows of the rows; the others are those that come next.
    template <typename NumberOfWords, typename Sum, typename Add>
    void add_rows_of(NumberOfWords n_words, index_t n_single, const std::uint8_t* bins,
                     std::span<const std::uint32_t> rows, std::size_t n_rows, const Row* added,
                     Sum* sums, const Add& add) const noexcept {
        const index_t stride = bins_.row_stride();
        const index_t step = cells_per_column();
        const std::uint32_t* numbers = rows.data();
        const auto add_row = [=](std::size_t i) {
            const std::uint8_t* row_bins = bins + static_cast<index_t>(numbers[i]) * stride;
            const Row row = added[i];  // in a register: sums may not be told apart from it
            Sum* column = sums;
            for (index_t w = 0; w < n_words; ++w, row_bins += 8, column += 8 * step) {
                std::uint64_t word;
                std::memcpy(&word, row_bins, sizeof word);
                for (index_t j = 0; j < 8; ++j, word >>= 8) add(column + j * step, word & 255, row);
            }
            for (index_t j = 0; j < n_single; ++j, column += step) add(column, row_bins[j], row);
        };
        const std::size_t n_followed = rows.size() - std::min(rows.size(), rows_far_ahead);
        std::size_t i = 0;
        for (; i < std::min(n_rows, n_followed); ++i) {
            request<2>(bins + static_cast<index_t>(numbers[i + rows_far_ahead]) * stride, n_words);
            request<3>(bins + static_cast<index_t>(numbers[i + rows_ahead]) * stride, n_words);
            add_row(i);
        }
        for (; i < n_rows; ++i) add_row(i);
    }

    // Into the nearest cache (3) or the one behind it (2).
    template <int cache, typename NumberOfWords>
    static void request(const std::uint8_t* row_bins, NumberOfWords n_words) noexcept {
        constexpr index_t words_per_line = 8;
        __builtin_prefetch(row_bins, 0, cache);
        for (index_t w = words_per_line; w < n_words; w += words_per_line)
            __builtin_prefetch(row_bins + 8 * w, 0, cache);
    }

    index_t width() const noexcept {
        return Criterion::fixed_width > 0 ? Criterion::fixed_width : width_;
    }

    BufferPool& buffers_;
    CountedBins bins_;
    index_t width_;
    index_t min_rows_;
    HistogramPool<Cell> pool_;
    bool is_used_;
};

}  // namespace nonet
