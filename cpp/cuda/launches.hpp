// What the processor starts on a GPU: each call is a kernel, in the order of a stream.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "base/types.hpp"
#include "loss/gradients.hpp"

namespace nonet::cuda {

using Word = unsigned long long;

// Views of what lies on the GPU, one entry per row of the dataset.
struct RowNumbers {
    const double* gradients;
    const double* hessians;
    const double* weights;  // null: 1 each
};

// Rows of a node, by their numbers.
struct RowList {
    const std::uint32_t* rows;
    index_t n;
};

void fill_gradients(LossKind loss, const double* targets, const double* scores, index_t n,
                    double* gradients, double* hessians, cudaStream_t stream);
void fill_class_gradients(const std::int32_t* classes, const double* scores, index_t n,
                          int n_classes, double* gradients, double* hessians, cudaStream_t stream);

// Bits of doubles of at least 0 are in the order of these doubles.
struct SizeBits {
    Word max_gradient = 0;
    Word min_hessian = ~Word{0};
    Word max_hessian = 0;
    Word lightest = ~Word{0};
    Word heaviest = 0;
    Word n_times = 0;
};
void measure(const RowNumbers& numbers, RowList rows, SizeBits* sizes, cudaStream_t stream);

// Rounds off what a sum without rounding has no room for; see PartedTerms.
struct Rounder {
    double high;
    double low;
};
void add_totals(const RowNumbers& numbers, RowList rows, Rounder gradients, Rounder hessians,
                Rounder weights, double* totals, cudaStream_t stream);
void count_light_rows(const RowNumbers& numbers, RowList rows, double gradient_limit,
                      double hessian_limit, Word* light, cudaStream_t stream);

struct WideWord {
    long long gradient;
    long long hessian_and_rows;
};
void write_packed(const RowNumbers& numbers, RowList rows, double gradient_scale,
                  double hessian_scale, int gradient_shift, int hessian_shift, Word* words,
                  cudaStream_t stream);
void write_wide(const RowNumbers& numbers, RowList rows, double gradient_scale,
                double hessian_scale, int row_bits, WideWord* words, cudaStream_t stream);

void sum_leaf(const RowNumbers& numbers, RowList rows, Rounder gradients, Rounder hessians,
              double* sums, cudaStream_t stream);
void add_leaf_value(RowList rows, double value, double* scores, cudaStream_t stream);
void name_leaf(RowList rows, std::int32_t leaf, std::int32_t* leaves, cudaStream_t stream);

// ---- Histograms
// ----------------------------------------------------------------------------------

// A block has so much memory that it counts a group of columns with as many cells.
constexpr int threads_per_histogram = 1024;
constexpr int cells_per_thread = 8;
constexpr int max_packed_cells = threads_per_histogram * cells_per_thread;
constexpr int max_wide_cells = max_packed_cells / 2;
constexpr int columns_per_word = 8;

// Columns side by side, from a multiple of eight on.
struct ColumnGroup {
    int begin;
    int end;
    int first_cell;
    int n_cells;
};
struct ColumnGroups {
    const ColumnGroup* groups;
    int n;
    int most_cells;
};

// Where the fields of packed rows are; see PackedLayout.
struct PackedFields {
    int hessian_shift;
    Word hessian_mask;
    int gradient_shift;
    int row_bits;
};

// Bins of all columns of a row, and where each column's cells begin.
struct BinnedRows {
    const std::uint8_t* bins;
    index_t stride;
    const int* starts;
};
void count_packed(const BinnedRows& table, const ColumnGroups& groups, RowList rows,
                  const Word* words, const PackedFields& fields, Word* cells, cudaStream_t stream);
void count_wide(const BinnedRows& table, const ColumnGroups& groups, RowList rows,
                const WideWord* words, Word* cells, cudaStream_t stream);
// Columns one after another become rows of bins.
void gather_rows(const std::uint8_t* columns, index_t n_rows, int n_columns, index_t stride,
                 std::uint8_t* rows, cudaStream_t stream);

// ---- Partition
// -----------------------------------------------------------------------------------

// Whether bins go left, a bit for each.
struct LeftBins {
    Word bits[4];
};
// n_moved: how many rows went left, and right; 0 before.
void part_rows(const std::uint8_t* column, const LeftBins& left, RowList rows, const Word* words,
               Word* n_moved, std::uint32_t* rows_out, Word* words_out, cudaStream_t stream);
void part_rows(const std::uint8_t* column, const LeftBins& left, RowList rows,
               const WideWord* words, Word* n_moved, std::uint32_t* rows_out, WideWord* words_out,
               cudaStream_t stream);

}  // namespace nonet::cuda
