// Bins by rows of the columns that the histograms of a tree count.
//
// A tree on some of the columns has them copied side by side: its histograms are then those of a
// narrower dataset, and the same loops count them. Bins of 8 bits only.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/buffer_pool.hpp"
#include "data/binned_matrix.hpp"

namespace nonet {

class CountedBins {
public:
    // No columns given: all of them.
    CountedBins(BufferPool& pool, const BinnedMatrix& matrix, std::span<const index_t> columns)
        : buffers_(pool), matrix_(matrix), n_columns_(matrix.n_columns()) {
        if (columns.empty() || std::ssize(columns) == n_columns_) return;
        columns_.assign(columns.begin(), columns.end());
        positions_.resize(static_cast<std::size_t>(n_columns_));
        n_columns_ = std::ssize(columns);
        for (index_t position = 0; position < n_columns_; ++position)
            positions_[static_cast<std::size_t>(columns[static_cast<std::size_t>(position)])] =
                position;
    }

    // Must come before the bins are read; all threads do it together.
    void prepare(int n_threads) {
        if (columns_.empty()) {
            bins_ = matrix_.rows(n_threads);
            return;
        }
        copy_.emplace(buffers_, matrix_.n_rows() * row_stride());
        bins_ = copy_->data();
        matrix_.copy_by_rows(columns_, n_threads, copy_->data());
    }

    index_t n_columns() const noexcept { return n_columns_; }
    index_t row_stride() const noexcept { return BinnedMatrix::stride_of(n_columns_); }
    const std::uint8_t* rows() const noexcept { return bins_; }
    // Where a column of the dataset lies, if the tree may use it.
    index_t position_of(index_t column) const noexcept {
        return positions_.empty() ? column : positions_[static_cast<std::size_t>(column)];
    }

private:
    BufferPool& buffers_;
    const BinnedMatrix& matrix_;
    index_t n_columns_;
    std::vector<index_t> columns_;  // none: all, where they are in the dataset
    std::vector<index_t> positions_;
    std::optional<PooledBuffer<std::uint8_t>> copy_;
    const std::uint8_t* bins_ = nullptr;
};

}  // namespace nonet
