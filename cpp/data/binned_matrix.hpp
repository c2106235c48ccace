// The bins of all rows and columns, by column and, on request, by row.
//
// Columns lie one after another: growing on few rows or few columns reads only what it needs. The
// copy by rows is made on first use and only exists for bins of 8 bits: a row's bins fill whole
// words, so that a histogram of all columns reads eight bins at once. Memory: n_rows * n_columns
// bins, and n_rows * row_stride bytes for the copy.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

#include "base/aligned.hpp"

namespace nonet {

class BinnedMatrix {
public:
    BinnedMatrix(index_t n_rows, index_t n_columns, int bytes_per_bin);

    index_t n_rows() const noexcept { return n_rows_; }
    index_t n_columns() const noexcept { return n_columns_; }
    int bytes_per_bin() const noexcept { return bytes_per_bin_; }

    // Bin is std::uint8_t or std::uint16_t, depending on bytes_per_bin.
    template <typename Bin>
    Bin* column(index_t j) noexcept {
        return reinterpret_cast<Bin*>(columns_.data()) + j * n_rows_;
    }
    template <typename Bin>
    const Bin* column(index_t j) const noexcept {
        return reinterpret_cast<const Bin*>(columns_.data()) + j * n_rows_;
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
    AlignedBuffer<std::uint8_t> columns_;
    mutable std::once_flag rows_made_;
    mutable std::optional<AlignedBuffer<std::uint8_t>> rows_;
};

}  // namespace nonet
