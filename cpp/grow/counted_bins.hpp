// Bins by rows of the columns that the histograms of a tree count.
//
// A tree on some of the columns has them copied side by side, for its rows alone: its histograms
// are then those of a narrower dataset, and the same loops count them. Bins of 8 bits only.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "base/shelf.hpp"
#include "data/binned_matrix.hpp"

namespace nonet {

class CountedBins {
public:
    // No columns given: all of them.
    CountedBins(Shelf& shelf, const BinnedMatrix& matrix, std::span<const index_t> columns)
        : shelf_(shelf), matrix_(matrix), n_columns_(matrix.n_columns()) {
        if (columns.empty() || std::ssize(columns) == n_columns_) return;
        columns_.assign(columns.begin(), columns.end());
        places_.resize(static_cast<std::size_t>(n_columns_));
        n_columns_ = std::ssize(columns);
        for (index_t place = 0; place < n_columns_; ++place)
            places_[static_cast<std::size_t>(columns[static_cast<std::size_t>(place)])] = place;
    }

    // Must come before the bins are read, for all rows that will be.
    void prepare(std::span<const std::uint32_t> rows, int n_threads) {
        if (columns_.empty()) {
            bins_ = matrix_.rows(n_threads);
            return;
        }
        copy_.emplace(shelf_, matrix_.n_rows() * row_stride());
        bins_ = copy_->data();
        parallel_blocks(std::ssize(rows), rows_a_block, n_threads,
                        [&](index_t, index_t begin, index_t end) {
                            copy(rows.subspan(static_cast<std::size_t>(begin),
                                              static_cast<std::size_t>(end - begin)));
                        });
    }

    index_t n_columns() const noexcept { return n_columns_; }
    index_t row_stride() const noexcept { return (n_columns_ + 7) / 8 * 8; }  // whole words
    const std::uint8_t* rows() const noexcept { return bins_; }
    // Where a column of the dataset lies, if the tree may use it.
    index_t place_of(index_t column) const noexcept {
        return places_.empty() ? column : places_[static_cast<std::size_t>(column)];
    }

private:
    static constexpr index_t rows_a_block = 1024;  // as many as BinnedMatrix copies at once

    void copy(std::span<const std::uint32_t> rows) const {
        std::uint8_t* to = copy_->data();
        const index_t stride = row_stride();
        for (const index_t column : columns_) {
            const std::uint8_t* bins = matrix_.column<std::uint8_t>(column);
            for (const std::uint32_t row : rows) to[static_cast<index_t>(row) * stride] = bins[row];
            ++to;
        }
    }

    Shelf& shelf_;
    const BinnedMatrix& matrix_;
    index_t n_columns_;
    std::vector<index_t> columns_;  // none: all, where they are in the dataset
    std::vector<index_t> places_;
    std::optional<ShelfBuffer<std::uint8_t>> copy_;
    const std::uint8_t* bins_ = nullptr;
};

}  // namespace nonet
