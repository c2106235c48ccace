// What the histograms of a tree count, and where its columns lie in them.
//
// First come the columns whose bins are kept by rows, side by side; then blocks of columns in which
// most rows share a bin (scattered_columns.hpp). A tree on some of the columns has these copied:
// its histograms are then those of a narrower dataset, and the same loops count them. Bins of 8
// bits only.
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "base/buffer_pool.hpp"
#include "data/binned_dataset.hpp"

namespace nonet {

class CountedBins {
public:
    // No columns given: all of them.
    CountedBins(BufferPool& pool, const BinnedDataset& dataset, std::span<const index_t> columns,
                bool is_used)
        : buffers_(pool), dataset_(dataset), n_by_row_(dataset.n_columns()) {
        if (!is_used) return;
        scattered_ = &dataset.scattered();
        // A copy of some columns would be memory that lent bins are there to spare.
        takes_all_ = columns.empty() || std::ssize(columns) == dataset.n_columns() ||
                     dataset.matrix().is_lent();
        if (takes_all_ && scattered_->empty()) return;
        if (!takes_all_ && !scattered_->empty())
            scattered_ = &own_scattered_.emplace(*scattered_, columns);
        scattered_by_column_.resize(static_cast<std::size_t>(dataset.n_columns()));
        for (const ScatteredColumn& column : scattered_->columns())
            scattered_by_column_[static_cast<std::size_t>(column.column)] = &column;
        find_positions(columns);
    }

    // Must come before the bins are read; all threads do it together.
    void prepare(int n_threads) {
        if (n_by_row_ == 0) return;
        if (takes_all_) {
            bins_ = dataset_.rows_beside_scattered(by_row_, n_threads);
            return;
        }
        copy_.emplace(buffers_, dataset_.n_rows() * row_stride());
        bins_ = copy_->data();
        dataset_.matrix().copy_by_rows(by_row_, n_threads, copy_->data());
    }

    index_t n_by_row() const noexcept { return n_by_row_; }
    // The columns of the dataset that are kept by rows, in the order of their positions.
    std::vector<index_t> columns_by_row() const {
        if (!by_row_.empty() || n_by_row_ == 0) return by_row_;
        std::vector<index_t> all(static_cast<std::size_t>(n_by_row_));
        std::iota(all.begin(), all.end(), index_t{0});
        return all;
    }
    index_t n_positions() const noexcept {
        return n_by_row_ + (scattered_ ? std::ssize(scattered_->blocks()) : 0);
    }
    index_t row_stride() const noexcept { return BinnedMatrix::stride_of(n_by_row_); }
    const std::uint8_t* rows() const noexcept { return bins_; }
    const ScatteredColumns* scattered() const noexcept { return scattered_; }
    // None: the column is kept by rows.
    const ScatteredColumn* scattered_column(index_t column) const noexcept {
        return scattered_by_column_.empty()
                   ? nullptr
                   : scattered_by_column_[static_cast<std::size_t>(column)];
    }
    // Where a column of the dataset lies, or its block, if the tree may use it.
    index_t position_of(index_t column) const noexcept {
        return positions_.empty() ? column : positions_[static_cast<std::size_t>(column)];
    }

private:
    void find_positions(std::span<const index_t> columns) {
        positions_.resize(static_cast<std::size_t>(dataset_.n_columns()));
        for (index_t j = 0; j < dataset_.n_columns(); ++j)
            if (!scattered_column(j) && (takes_all_ || std::ranges::binary_search(columns, j))) {
                positions_[static_cast<std::size_t>(j)] = std::ssize(by_row_);
                by_row_.push_back(j);
            }
        n_by_row_ = std::ssize(by_row_);
        for (const ScatteredColumn& column : scattered_->columns())
            positions_[static_cast<std::size_t>(column.column)] = n_by_row_ + column.block;
    }

    BufferPool& buffers_;
    const BinnedDataset& dataset_;
    index_t n_by_row_;
    bool takes_all_ = true;
    const ScatteredColumns* scattered_ = nullptr;
    std::optional<ScatteredColumns> own_scattered_;
    std::vector<const ScatteredColumn*> scattered_by_column_;  // none: no column is
    std::vector<index_t> by_row_;                              // none: all, where they are
    std::vector<index_t> positions_;
    std::optional<PooledBuffer<std::uint8_t>> copy_;
    const std::uint8_t* bins_ = nullptr;
};

}  // namespace nonet
