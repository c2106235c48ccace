// Histograms of all columns of a node at once, from bins of 8 bits by rows.
//
// A node of many rows has its histogram counted or, if its sibling's is there, taken as the
// parent's less the sibling's. Cells are whole numbers: both ways give the same.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "data/binned_dataset.hpp"
#include "grow/histogram_pool.hpp"

namespace nonet {

template <typename Criterion>
class Histograms {
public:
    using Cell = typename Criterion::Cell;
    using Row = typename Criterion::Row;
    static constexpr std::int32_t none = HistogramPool<Cell>::none;
    static constexpr index_t bins_a_column = 256;  // all that 8 bits say: offsets need no table

    // Not for bins of 16 bits, nor where a node looks at few of the columns.
    Histograms(const BinnedDataset& dataset, const Criterion& criterion, bool takes_all_columns)
        : matrix_(dataset.matrix()),
          width_(criterion.width()),
          min_rows_(min_rows_a_width * width_),
          pool_(dataset.n_columns() * bins_a_column * width_),
          is_used_(matrix_.bytes_a_bin() == 1 && takes_all_columns) {}

    // Smaller nodes are cheaper to search column by column.
    bool is_worth(index_t n_rows) const noexcept { return is_used_ && n_rows >= min_rows_; }

    std::int32_t count(std::span<const std::uint32_t> rows, const Row* added, int n_threads) {
        const index_t n_parts = std::clamp<index_t>(std::ssize(rows) / rows_a_part, 1, n_threads);
        std::vector<std::int32_t> parts;
        for (index_t p = 0; p < n_parts; ++p)
            if (const std::int32_t part = pool_.take(); part != none) parts.push_back(part);
        if (parts.empty()) return none;
        const std::uint8_t* bins = matrix_.rows(n_threads);
        parallel_for(std::ssize(parts), n_threads, [&](index_t p) {
            const index_t begin = std::ssize(rows) * p / std::ssize(parts);
            const index_t end = std::ssize(rows) * (p + 1) / std::ssize(parts);
            const auto part_rows = rows.subspan(static_cast<std::size_t>(begin),
                                                static_cast<std::size_t>(end - begin));
            Cell* cells = pool_.cells(parts[static_cast<std::size_t>(p)]);
            std::fill_n(cells, pool_.n_cells(), Cell{});
            count_rows(bins, part_rows, added + begin, cells);
        });
        for (; parts.size() > 1; parts.pop_back()) {
            add(parts.front(), parts.back());
            pool_.give_back(parts.back());
        }
        return parts.front();
    }

    // The sibling's histogram, in the place of the parent's.
    void subtract(std::int32_t parent, std::int32_t child) {
        Cell* from = pool_.cells(parent);
        const Cell* cells = pool_.cells(child);
        for (index_t i = 0; i < pool_.n_cells(); ++i) from[i] -= cells[i];
    }

    const Cell* column(std::int32_t histogram, index_t column) {
        return pool_.cells(histogram) + column * bins_a_column * width_;
    }

    void add_up(std::int32_t histogram, typename Criterion::Sums& sums) {
        const Cell* cells = column(histogram, 0);
        for (index_t bin = 0; bin < bins_a_column; ++bin) sums.add(cells + bin * width_);
    }

    void give_back(std::int32_t& histogram) { pool_.give_back(histogram); }

private:
    static constexpr index_t min_rows_a_width = 128;
    static constexpr index_t rows_a_part = 1 << 14;
    static constexpr std::size_t rows_ahead = 32;  // far enough for memory to answer in time
    static_assert(std::endian::native == std::endian::little, "bins are read in words of eight");

    void add(std::int32_t histogram, std::int32_t other) {
        Cell* to = pool_.cells(histogram);
        const Cell* cells = pool_.cells(other);
        for (index_t i = 0; i < pool_.n_cells(); ++i) to[i] += cells[i];
    }

    void count_rows(const std::uint8_t* bins, std::span<const std::uint32_t> rows, const Row* added,
                    Cell* cells) const noexcept {
        const index_t stride = matrix_.row_stride();
        const index_t n_words = matrix_.n_columns() / 8;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i + rows_ahead < rows.size())
                __builtin_prefetch(bins + static_cast<index_t>(rows[i + rows_ahead]) * stride);
            const std::uint8_t* row_bins = bins + static_cast<index_t>(rows[i]) * stride;
            const Row row = added[i];
            Cell* column_cells = cells;
            for (index_t w = 0; w < n_words; ++w, row_bins += 8) {
                std::uint64_t word;
                std::memcpy(&word, row_bins, sizeof word);
                for (int j = 0; j < 8; ++j, word >>= 8, column_cells += cells_a_column())
                    Criterion::add_row(column_cells + cell_of(word & 255), row);
            }
            for (index_t j = 8 * n_words; j < matrix_.n_columns(); ++j, ++row_bins) {
                Criterion::add_row(column_cells + cell_of(*row_bins), row);
                column_cells += cells_a_column();
            }
        }
    }

    index_t width() const noexcept {
        return Criterion::fixed_width > 0 ? Criterion::fixed_width : width_;
    }
    index_t cells_a_column() const noexcept { return bins_a_column * width(); }
    index_t cell_of(std::uint64_t bin) const noexcept {
        return static_cast<index_t>(bin) * width();
    }

    const BinnedMatrix& matrix_;
    index_t width_;
    index_t min_rows_;
    HistogramPool<Cell> pool_;
    bool is_used_;
};

}  // namespace nonet
