#include "data/binned_matrix.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/parallel.hpp"

namespace nonet {
namespace {

constexpr index_t rows_a_block = 1024;  // with a few dozen columns it stays in the second cache

}  // namespace

BinnedMatrix::BinnedMatrix(index_t n_rows, index_t n_columns, int bytes_a_bin)
    : n_rows_(n_rows),
      n_columns_(n_columns),
      bytes_a_bin_(bytes_a_bin),
      columns_(n_rows * n_columns * bytes_a_bin) {}

const std::uint8_t* BinnedMatrix::rows(int n_threads) const {
    check(bytes_a_bin_ == 1, "Only bins of 8 bits are kept by rows.");
    std::call_once(rows_made_, [&] { copy_by_rows(n_threads); });
    return rows_->data();
}

void BinnedMatrix::copy_by_rows(int n_threads) const {
    AlignedBuffer<std::uint8_t> rows(n_rows_ * row_stride());
    const index_t n_blocks = (n_rows_ + rows_a_block - 1) / rows_a_block;
    parallel_for(n_blocks, n_threads, [&](index_t block) {
        const index_t begin = block * rows_a_block;
        const index_t end = std::min(begin + rows_a_block, n_rows_);
        std::fill(rows.data() + begin * row_stride(), rows.data() + end * row_stride(), 0);
        for (index_t j = 0; j < n_columns_; ++j) {
            const std::uint8_t* bins = column<std::uint8_t>(j);
            for (index_t i = begin; i < end; ++i) rows.data()[i * row_stride() + j] = bins[i];
        }
    });
    rows_ = std::move(rows);
}

}  // namespace nonet
