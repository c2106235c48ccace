// How the values of a column become small integers.
//
// Bin b holds the values in (edges[b - 1], edges[b]]; missing values have a bin of their own after
// the last. With no more distinct values than bins every value has its bin and the edges are
// midpoints, so that a tree on bins is CART's tree; otherwise the bins hold about equal weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/strided_matrix.hpp"

namespace nonet {

constexpr index_t max_n_bins = 65'535;  // plus the missing one: all that 16 bits can hold

struct BinParams {
    index_t max_bins = 255;            // of numbers; categories keep all their codes
    index_t n_sampled_rows = 200'000;  // more rows than these: quantiles of a sample
    std::uint64_t seed = 0;
};

struct ColumnBins {
    std::vector<double> edges;    // n_bins - 1; none for categories, whose bins are their codes
    std::vector<double> minimum;  // minimum and maximum value seen in each bin
    std::vector<double> maximum;
    bool is_category = false;
    bool has_missing = false;  // known once all rows are binned

    index_t n_bins() const noexcept { return std::ssize(minimum); }  // without the missing one
    index_t missing_bin() const noexcept { return n_bins(); }
};

// Midway between two values, but never the upper one: x <= midway(a, b) holds for a, not for b.
double midway(double lower, double upper) noexcept;

// Rows from which quantiles are taken, the same for all columns: rows of positive weight (no
// weights: all), at most as many as the parameters allow.
std::vector<index_t> rows_to_sample(index_t n_rows, std::span<const double> weights,
                                    const BinParams& params);

template <typename T>
ColumnBins find_bins(const StridedMatrix<T>& values, index_t column,
                     std::span<const double> weights, std::span<const index_t> sampled_rows,
                     const BinParams& params);

// The same for columns that lie side by side, whose values share lines of memory where a matrix is
// kept by rows. Columns of few values are not sorted.
template <typename T>
std::vector<ColumnBins> find_bins_side_by_side(const StridedMatrix<T>& values, index_t first_column,
                                               index_t n_columns, std::span<const double> weights,
                                               std::span<const index_t> sampled_rows,
                                               const BinParams& params);

// The same for a column of which only the entries are given; all other rows, n_zeros, hold 0. For
// rows without weights, and all of them.
template <typename T>
ColumnBins find_sparse_bins(std::span<const T> entries, index_t n_zeros, const BinParams& params);

// Codes are whole numbers from 0; a negative one or NaN is missing.
template <typename T>
ColumnBins category_bins(const StridedMatrix<T>& values, index_t column);

// A bin for each of some distinct values, in any order; a bin for each code 0, 1, ...
ColumnBins bins_of_each(std::vector<double> values);
ColumnBins bins_of_codes(index_t n_codes);

}  // namespace nonet
