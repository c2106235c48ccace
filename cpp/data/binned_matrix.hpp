// The bins of all rows and columns, by column and, on request, by row.
//
// Columns lie one after another: growing on few rows or few columns reads only what it needs. The
// copy by rows is made on first use and only exists for bins of 8 bits: a row's bins fill whole
// words, so that a histogram of all columns reads eight bins at once. Memory: n_rows * n_columns
// bins, and n_rows * row_stride bytes for the copy.
//
// Both may lie in memory of others, such as a file that is mapped, and are then never copied.
//
// Of a sparse matrix only the bins of its entries are kept, by column: five bytes for each where
// bins have 8 bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "data/sparse_bins.hpp"

namespace nonet {

class BinnedMatrix {
public:
    BinnedMatrix(index_t n_rows, index_t n_columns, int bytes_per_bin);
    // Bins that others own and keep: columns one after another and, of 8 bits, rows as below.
    BinnedMatrix(index_t n_rows, index_t n_columns, int bytes_per_bin, const std::uint8_t* columns,
                 const std::uint8_t* rows);
    // Sparse: where the entries of the columns begin, their end, and their rows.
    BinnedMatrix(index_t n_rows, std::span<const std::int64_t> starts,
                 std::span<const std::int32_t> rows, int bytes_per_bin);

    bool is_lent() const noexcept { return !own_columns_; }
    bool is_sparse() const noexcept { return !starts_.empty(); }
    index_t n_rows() const noexcept { return n_rows_; }
    index_t n_columns() const noexcept { return n_columns_; }
    int bytes_per_bin() const noexcept { return bytes_per_bin_; }

    // Bin is std::uint8_t or std::uint16_t, depending on bytes_per_bin.
    template <typename Bin>
    Bin* column(index_t j) noexcept {
        return reinterpret_cast<Bin*>(own_columns_->data()) + j * n_rows_;
    }
    template <typename Bin>
    const Bin* column(index_t j) const noexcept {
        return reinterpret_cast<const Bin*>(columns_) + j * n_rows_;
    }

    // Of a sparse matrix, in place of `column`.
    template <typename Bin>
    SparseBins<Bin> sparse_column(index_t j) const noexcept {
        const auto begin = static_cast<std::size_t>(starts_[static_cast<std::size_t>(j)]);
        const auto end = static_cast<std::size_t>(starts_[static_cast<std::size_t>(j) + 1]);
        return {std::span(entry_rows_).subspan(begin, end - begin), column<Bin>(0) + begin,
                static_cast<Bin>(zero_bins_[static_cast<std::size_t>(j)])};
    }
    template <typename Bin>
    void set_entries(index_t j, std::uint16_t of_zero, std::span<const std::uint16_t> bins) {
        zero_bins_[static_cast<std::size_t>(j)] = of_zero;
        std::ranges::transform(bins, column<Bin>(0) + starts_[static_cast<std::size_t>(j)],
                               [](std::uint16_t bin) { return static_cast<Bin>(bin); });
    }

    // The bins of all rows in a column, of a sparse matrix or not.
    template <typename Bin>
    void copy_column(index_t j, Bin* out) const {
        if (is_sparse())
            sparse_column<Bin>(j).copy(n_rows_, out);
        else
            std::copy_n(column<Bin>(j), n_rows_, out);
    }

    index_t row_stride() const noexcept { return stride_of(n_columns_); }
    const std::uint8_t* rows(int n_threads) const;

    // Some of the columns by rows, in the order given, into n_rows * stride_of(n_columns) bytes.
    void copy_by_rows(std::span<const index_t> columns, int n_threads, std::uint8_t* rows) const;
    static index_t stride_of(index_t n_columns) noexcept { return (n_columns + 7) / 8 * 8; }

private:
    index_t n_rows_;
    index_t n_columns_;
    int bytes_per_bin_;
    std::optional<AlignedBuffer<std::uint8_t>> own_columns_;  // or the bins of the entries
    const std::uint8_t* columns_;
    const std::uint8_t* lent_rows_ = nullptr;
    std::vector<std::int64_t> starts_;  // of the columns' entries; none: not sparse
    std::vector<std::int32_t> entry_rows_;
    std::vector<std::uint16_t> zero_bins_;
    mutable std::once_flag rows_made_;
    mutable std::optional<AlignedBuffer<std::uint8_t>> rows_;
};

}  // namespace nonet
