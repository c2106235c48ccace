#include "data/binned_matrix.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/parallel.hpp"

namespace nonet {
namespace {

constexpr index_t rows_per_block = 1024;  // with a few dozen columns it stays in the second cache
constexpr index_t word_bins = 8;
static_assert(std::endian::native == std::endian::little, "the first bin is the lowest byte");

using Words = std::array<std::uint64_t, word_bins>;

// Byte i of word j and byte j of word i are exchanged: halves of words first in pairs of bytes,
// then of twos, then of fours.
void transpose(Words& words) noexcept {
    constexpr std::uint64_t masks[] = {0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
    for (std::size_t step = 1, level = 0; step < words.size(); step *= 2, ++level)
        for (std::size_t i = 0; i < words.size(); ++i) {
            if ((i & step) != 0) continue;
            const std::uint64_t moved = (words[i] >> (8 * step) ^ words[i + step]) & masks[level];
            words[i + step] ^= moved;
            words[i] ^= moved << (8 * step);
        }
}

// So many bins, at most a word of them.
std::uint64_t load(const std::uint8_t* bins, std::size_t n) noexcept {
    std::uint64_t word = 0;
    if (n == sizeof word)
        std::memcpy(&word, bins, sizeof word);  // of known size: no call
    else
        std::memcpy(&word, bins, n);
    return word;
}

// Rows begin, ..., end - 1 of up to eight columns; absent columns get zeros.
void copy_eight(std::span<const std::uint8_t* const> columns, index_t begin, index_t end,
                index_t stride, std::uint8_t* to) noexcept {
    for (index_t row = begin; row < end; row += word_bins) {
        const auto n = static_cast<std::size_t>(std::min(word_bins, end - row));
        Words words{};
        for (std::size_t c = 0; c < columns.size(); ++c) words[c] = load(columns[c] + row, n);
        transpose(words);
        for (std::size_t i = 0; i < n; ++i)
            std::memcpy(to + (row + static_cast<index_t>(i)) * stride, &words[i], sizeof words[i]);
    }
}

}  // namespace

BinnedMatrix::BinnedMatrix(index_t n_rows, index_t n_columns, int bytes_per_bin)
    : n_rows_(n_rows),
      n_columns_(n_columns),
      bytes_per_bin_(bytes_per_bin),
      own_columns_(n_rows * n_columns * bytes_per_bin),
      columns_(own_columns_->data()) {}

BinnedMatrix::BinnedMatrix(index_t n_rows, index_t n_columns, int bytes_per_bin,
                           const std::uint8_t* columns, const std::uint8_t* rows)
    : n_rows_(n_rows),
      n_columns_(n_columns),
      bytes_per_bin_(bytes_per_bin),
      columns_(columns),
      lent_rows_(rows) {}

BinnedMatrix::BinnedMatrix(index_t n_rows, std::span<const std::int64_t> starts,
                           std::span<const std::int32_t> rows, int bytes_per_bin)
    : n_rows_(n_rows),
      n_columns_(std::ssize(starts) - 1),
      bytes_per_bin_(bytes_per_bin),
      own_columns_(std::ssize(rows) * bytes_per_bin),
      columns_(own_columns_->data()),
      starts_(starts.begin(), starts.end()),
      entry_rows_(rows.begin(), rows.end()),
      zero_bins_(static_cast<std::size_t>(n_columns_)) {}

const std::uint8_t* BinnedMatrix::rows(int n_threads) const {
    check(bytes_per_bin_ == 1 && !is_sparse(),
          "Only bins of 8 bits, not sparse, are kept by rows.");
    if (lent_rows_ != nullptr) return lent_rows_;
    std::call_once(rows_made_, [&] {
        std::vector<index_t> all(static_cast<std::size_t>(n_columns_));
        std::iota(all.begin(), all.end(), index_t{0});
        AlignedBuffer<std::uint8_t> rows(n_rows_ * row_stride());
        copy_by_rows(all, n_threads, rows.data());
        rows_ = std::move(rows);
    });
    return rows_->data();
}

void BinnedMatrix::copy_by_rows(std::span<const index_t> columns, int n_threads,
                                std::uint8_t* rows) const {
    std::vector<const std::uint8_t*> starts;
    for (const index_t j : columns) starts.push_back(column<std::uint8_t>(j));
    const std::span<const std::uint8_t* const> all = starts;
    parallel_blocks(n_rows_, rows_per_block, n_threads, [&](index_t, index_t begin, index_t end) {
        for (std::size_t first = 0; first < all.size(); first += word_bins)
            copy_eight(all.subspan(first, std::min<std::size_t>(word_bins, all.size() - first)),
                       begin, end, stride_of(std::ssize(columns)), rows + first);
    });
}

}  // namespace nonet
