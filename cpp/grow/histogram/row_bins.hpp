// Computations on all columns of some rows at once, from bins stored row by row.
//
// The bins of a row share a cache line or two, and a vector register compares dozens of them in one
// instruction: a look at all columns of a row costs hardly more than a look at one.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.hpp"
#include "grow/histogram/moment_rows.hpp"

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

// One column of row bins.
struct RowBinsColumn {
    const std::uint8_t* first;
    index_t stride;

    std::uint8_t operator[](std::uint32_t row) const noexcept {
        return first[static_cast<index_t>(row) * stride];
    }
};

// Those of the rows of a node, at least one.
struct NodeBins {
    RowBins bins;
    index_t n_rows;
    const std::uint32_t* rows;  // their numbers; none: 0, 1, ..., which spares their reading

    const std::uint8_t* of(index_t i) const noexcept {
        return bins.of_row(rows == nullptr ? static_cast<std::uint32_t>(i) : rows[i]);
    }
};

// The minimum and the maximum bin of the rows in each column.
void find_bin_ranges(const NodeBins& node, std::uint8_t* minimum, std::uint8_t* maximum);

// Sorts few rows of a node by their bins, in all columns at once: sorted[i * stride + c] is the
// i-th smallest bin of column c, with the position of its row among those of the node in the lowest
// bits. Rows of equal bins keep their order.
constexpr index_t max_rows_sorted = 24;
constexpr int sorted_position_bits = 5;
void sort_bins(const NodeBins& node, std::uint16_t* sorted);

// The bins of a column next to a threshold that rows are in: the maximum up to last_left and the
// minimum above it; and how many rows are left of it. Rows must be on both sides.
struct ThresholdNeighbours {
    std::uint32_t below;
    std::uint32_t above;
    index_t n_left;
};
ThresholdNeighbours find_threshold_neighbours(const NodeBins& node, index_t column,
                                              std::uint32_t last_left);

// Copies the bins of the given rows, one row after another.
void copy_bins(const RowBins& bins, std::span<const std::uint32_t> rows, std::uint8_t* to);

// Copies the bins of the first n_rows rows: those with a bin of the column up to last_left from
// position 0 on and the others from n_left on. positions[i] is the new position of row i.
void split_bins(const RowBins& bins, index_t n_rows, index_t column, std::uint32_t last_left,
                index_t n_left, std::uint8_t* to, std::uint32_t* positions);

// The label of the i-th row is first[i * step].
struct Labels {
    const std::uint32_t* first;
    index_t step;

    std::uint32_t operator[](index_t i) const noexcept { return first[i * step]; }
};

constexpr index_t max_labels_counted = 64;

// counts[k * stride + c]: the rows of label k, of n_labels, whose bin of column c is at most
// last_left[c].
void count_labels_left(const NodeBins& node, const Labels& labels, index_t n_labels,
                       const std::uint8_t* last_left, std::uint32_t* counts);

// Counts of 8 bits, and sums of their squares of 16, are good for so many rows.
constexpr index_t max_rows_squared = 255;

// For each column, with l_k rows of label k whose bin is at most last_left[c]: their number, the
// sum of l_k^2 and that of l_k * totals[k]. No more rows than max_rows_squared.
struct SquaresLeft {
    std::uint8_t* n_rows;
    std::uint16_t* squares;
    std::uint16_t* products;
};
void sum_squares_left(const NodeBins& node, const Labels& labels,
                      std::span<const std::uint16_t> totals, const std::uint8_t* last_left,
                      const SquaresLeft& sums);

// For each column, the sum of both words of the rows whose bin is at most last_left[c].
void sum_moments_left(const NodeBins& node, const MomentCell* added, const std::uint8_t* last_left,
                      std::int64_t* first, std::int64_t* second);

}  // namespace nonet
