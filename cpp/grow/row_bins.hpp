// Questions about all columns of some rows at once, answered from bins that lie row by row.
//
// The bins of a row share a cache line or two, and a vector register compares dozens of them in one
// instruction: a look at all columns of a row costs hardly more than a look at one.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.hpp"

namespace nonet {

// Bins of 8 bits; a row has `stride` of them, a multiple of 8, of which those behind the last
// column are never missing in memory but mean nothing.
struct RowBins {
    const std::uint8_t* bins;
    index_t stride;

    const std::uint8_t* of_row(std::uint32_t row) const noexcept {
        return bins + static_cast<index_t>(row) * stride;
    }
};

// One column of them.
struct RowBinsColumn {
    const std::uint8_t* first;
    index_t stride;

    std::uint8_t operator[](std::uint32_t row) const noexcept {
        return first[static_cast<index_t>(row) * stride];
    }
};

// The least and the largest bin of the rows in each column; there is at least one row.
void find_bin_ranges(const RowBins& bins, std::span<const std::uint32_t> rows, std::uint8_t* least,
                     std::uint8_t* largest);

// The bins of a column next to a cut that rows are in: the largest up to last_left and the least
// above it. Rows must be on both sides.
struct CutNeighbours {
    std::uint32_t below;
    std::uint32_t above;
};
CutNeighbours find_cut_neighbours(const RowBins& bins, std::span<const std::uint32_t> rows,
                                  index_t column, std::uint32_t last_left);

// The label of the i-th row is first[i * step].
struct Labels {
    const std::uint32_t* first;
    index_t step;

    std::uint32_t operator[](std::size_t i) const noexcept {
        return first[static_cast<index_t>(i) * step];
    }
};

constexpr index_t most_labels_counted = 64;

// counts[k * stride + c]: the rows of label k, of n_labels, whose bin of column c is at most
// last_left[c].
void count_labels_left(const RowBins& bins, std::span<const std::uint32_t> rows,
                       const Labels& labels, index_t n_labels, const std::uint8_t* last_left,
                       std::uint32_t* counts);

}  // namespace nonet
