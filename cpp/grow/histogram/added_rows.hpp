// The loops that add rows to the sums of columns whose bins are kept by rows.
//
// Fits spend most of their time here. Rows that come as words are added up as words, a block of
// them at a time, which takes half of the memory traffic; the sums of a block are then unpacked
// into cells.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <type_traits>

#include "base/parallel.hpp"
#include "grow/histogram/counted_bins.hpp"
#include "grow/histogram/histogram_layout.hpp"
#include "grow/histogram/moment_rows.hpp"

namespace nonet {

// Calls count(begin, end) for blocks of rows, and looks up between them.
template <typename Count>
void each_block(std::size_t n_rows, std::size_t rows_per_block, const Count& count) {
    for (std::size_t begin = 0; begin < n_rows; begin += rows_per_block) {
        count(begin, std::min(begin + rows_per_block, n_rows));
        check_interrupt();
    }
}

template <typename Criterion>
class AddedRows {
public:
    using Cell = typename Criterion::Cell;
    using Row = typename Criterion::Row;
    static constexpr bool has_words = requires { Criterion::Packing::rows_per_block; };

    AddedRows(BufferPool& pool, const CountedBins& bins, const HistogramLayout& layout)
        : buffers_(pool), bins_(bins), layout_(layout) {}

    // To cells that begin with those of the first column. Any number of rows.
    void add_to(Cell* cells, ColumnRange columns, std::span<const std::uint32_t> rows,
                const Row* added) const {
        if constexpr (has_words) {
            const index_t n_cells =
                layout_.first_cell(columns.end) - layout_.first_cell(columns.begin);
            const PooledBuffer<Row> words(buffers_, n_cells);
            std::ranges::fill(words.all(), Row{});
            layout_.with_columns<fixed_width>(words.data(), columns, [&](const auto& sums) {
                each_block(rows.size(), Criterion::Packing::rows_per_block,
                           [&](std::size_t begin, std::size_t end) {
                               add(sums, columns, rows, added, begin, end, AddWords{});
                               move_packed_sums(words.all(), Criterion::Packing::layout, cells);
                           });
            });
        } else {
            layout_.with_columns<fixed_width>(cells, columns, [&](const auto& sums) {
                each_block(rows.size(), 1 << 16, [&](std::size_t begin, std::size_t end) {
                    add(sums, columns, rows, added, begin, end, AddCells{layout_.width()});
                });
            });
        }
    }

    // Rows begin, ..., end - 1 to the words or cells of all columns; no more rows than words hold.
    void add_block(std::conditional_t<has_words, Row, Cell>* sums_of_all,
                   std::span<const std::uint32_t> rows, const Row* added, std::size_t begin,
                   std::size_t end) const {
        const ColumnRange columns = {0, bins_.n_by_row()};
        layout_.with_columns<fixed_width>(sums_of_all, columns, [&](const auto& sums) {
            if constexpr (has_words)
                add(sums, columns, rows, added, begin, end, AddWords{});
            else
                add(sums, columns, rows, added, begin, end, AddCells{layout_.width()});
        });
    }

private:
    static constexpr index_t fixed_width = Criterion::fixed_width;
    static constexpr index_t columns_per_word = HistogramLayout::columns_per_word;
    // Rows are prefetched twice: early for the large cache, and again just before they are read,
    // because the small cache is full of sums and would not keep them for long.
    static constexpr std::size_t rows_far_ahead = 48;
    static constexpr std::size_t rows_ahead = 6;
    static_assert(std::endian::native == std::endian::little, "bins are read in words of eight");

    struct AddWords {
        void operator()(Row* column, std::uint64_t bin, const Row& row) const noexcept {
            column[bin] += row;
        }
    };
    struct AddCells {
        index_t width;

        void operator()(Cell* column, std::uint64_t bin, const Row& row) const noexcept {
            const index_t cells_per_bin = fixed_width > 0 ? fixed_width : width;
            Criterion::add_row(column + static_cast<index_t>(bin) * cells_per_bin, row);
        }
    };

    // Calls add_one(sums of the column, bin, added[i]) for rows begin, ..., end - 1 and all
    // columns. Rows of few words of bins have a loop each whose steps the compiler lays out one by
    // one.
    template <typename Sums, typename AddOne>
    void add(const Sums& sums, ColumnRange columns, std::span<const std::uint32_t> rows,
             const Row* added, std::size_t begin, std::size_t end,
             const AddOne& add_one) const noexcept {
        const index_t n_words = columns.size() / columns_per_word;
        const index_t n_single = columns.size() % columns_per_word;
        const std::uint8_t* bins = bins_.rows() + columns.begin;
        const auto add_as = [&](auto words) {
            add_rows_of(words, n_single, bins, rows.subspan(begin), end - begin, added + begin,
                        sums, add_one);
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
    template <typename NumberOfWords, typename Sums, typename AddOne>
    void add_rows_of(NumberOfWords n_words, index_t n_single, const std::uint8_t* bins,
                     std::span<const std::uint32_t> rows, std::size_t n_rows, const Row* added,
                     const Sums sums, const AddOne& add_one) const noexcept {
        const index_t stride = bins_.row_stride();
        const std::uint32_t* numbers = rows.data();
        const auto add_row = [=](std::size_t i) {
            const std::uint8_t* row_bins = bins + static_cast<index_t>(numbers[i]) * stride;
            const Row row = added[i];  // in a register: sums may not be told apart from it
            for (index_t w = 0; w < n_words; ++w, row_bins += columns_per_word) {
                std::uint64_t word;
                std::memcpy(&word, row_bins, sizeof word);
                for (index_t j = 0; j < columns_per_word; ++j, word >>= 8)
                    add_one(sums(w, j), word & 255, row);
            }
            for (index_t j = 0; j < n_single; ++j) add_one(sums(n_words, j), row_bins[j], row);
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

    BufferPool& buffers_;
    const CountedBins& bins_;
    const HistogramLayout& layout_;
};

}  // namespace nonet
