#include "cuda/launches.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "cuda/histogram_kernels.cuh"
#include "cuda/partition_kernels.cuh"
#include "cuda/row_kernels.cuh"

namespace nonet::cuda {
namespace {

// Enough blocks for all multiprocessors, each of which takes several rows per thread.
constexpr index_t max_blocks = 132 * 16;

unsigned blocks_for(index_t n, index_t per_block = threads_per_block) {
    return static_cast<unsigned>(
        std::clamp<index_t>((n + per_block - 1) / per_block, 1, max_blocks));
}

template <typename Loss>
Loss loss_of(double shape) {
    if constexpr (std::is_empty_v<Loss>)
        return Loss{};
    else
        return Loss{shape};
}

template <typename RowWord>
void start_part(const std::uint8_t* column, const LeftBins& left, RowList rows,
                const RowWord* words, Word* n_moved, std::uint32_t* rows_out, RowWord* words_out,
                cudaStream_t stream) {
    constexpr index_t per_block = threads_per_block * rows_per_thread;
    const auto n_blocks = static_cast<unsigned>((rows.n + per_block - 1) / per_block);
    part_rows_kernel<<<n_blocks, threads_per_block, 0, stream>>>(
        column, left, rows.rows, words, rows.n, n_moved, rows_out, words_out);
}

template <typename Kernel>
void allow_memory(Kernel kernel, int n_bytes) {
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, n_bytes);
}

// A block counts so many rows at least, or clearing its cells would take longer.
constexpr index_t min_rows_per_block = 2048;
constexpr index_t max_histogram_blocks = 132 * 2;

dim3 histogram_grid(index_t n, int n_groups) {
    const index_t n_blocks = (n + min_rows_per_block - 1) / min_rows_per_block;
    return {static_cast<unsigned>(std::clamp<index_t>(n_blocks, 1, max_histogram_blocks)),
            static_cast<unsigned>(n_groups), 1};
}

}  // namespace

void fill_gradients(LossKind kind, const double* targets, const double* scores, index_t n,
                    double* gradients, double* hessians, cudaStream_t stream) {
#define NONET_START(known, Loss)                                                       \
    if (kind.name == #known)                                                           \
        return fill_gradients_kernel<<<blocks_for(n), threads_per_block, 0, stream>>>( \
            loss_of<Loss>(kind.shape), targets, scores, n, gradients, hessians);
    NONET_LOSSES(NONET_START)
#undef NONET_START
    throw std::invalid_argument("There is no loss named '" + std::string(kind.name) + "'.");
}

void fill_class_gradients(const std::int32_t* classes, const double* scores, index_t n,
                          int n_classes, double* gradients, double* hessians, cudaStream_t stream) {
    fill_class_gradients_kernel<<<blocks_for(n), threads_per_block, 0, stream>>>(
        classes, scores, n, n_classes, gradients, hessians);
}

void measure(const RowNumbers& numbers, RowList rows, SizeBits* sizes, cudaStream_t stream) {
    measure_kernel<<<blocks_for(rows.n), threads_per_block, 0, stream>>>(numbers, rows.rows, rows.n,
                                                                         sizes);
}
void add_totals(const RowNumbers& numbers, RowList rows, Rounder gradients, Rounder hessians,
                Rounder weights, double* totals, cudaStream_t stream) {
    add_totals_kernel<<<blocks_for(rows.n), threads_per_block, 0, stream>>>(
        numbers, rows.rows, rows.n, gradients, hessians, weights, totals);
}
void count_light_rows(const RowNumbers& numbers, RowList rows, double gradient_limit,
                      double hessian_limit, Word* light, cudaStream_t stream) {
    count_light_rows_kernel<<<blocks_for(rows.n), threads_per_block, 0, stream>>>(
        numbers, rows.rows, rows.n, gradient_limit, hessian_limit, light);
}

void write_packed(const RowNumbers& numbers, RowList rows, double gradient_scale,
                  double hessian_scale, int gradient_shift, int hessian_shift, Word* words,
                  cudaStream_t stream) {
    write_packed_kernel<<<blocks_for(rows.n), threads_per_block, 0, stream>>>(
        numbers, rows.rows, rows.n, gradient_scale, hessian_scale, gradient_shift, hessian_shift,
        words);
}
void write_wide(const RowNumbers& numbers, RowList rows, double gradient_scale,
                double hessian_scale, int row_bits, WideWord* words, cudaStream_t stream) {
    write_wide_kernel<<<blocks_for(rows.n), threads_per_block, 0, stream>>>(
        numbers, rows.rows, rows.n, gradient_scale, hessian_scale, row_bits, words);
}

void sum_leaf(const RowNumbers& numbers, RowList rows, Rounder gradients, Rounder hessians,
              double* sums, cudaStream_t stream) {
    if (rows.n == 0) return;
    sum_leaf_kernel<<<blocks_for(rows.n), threads_per_block, 0, stream>>>(
        numbers, rows.rows, rows.n, gradients, hessians, sums);
}
void add_leaf_value(RowList rows, double value, double* scores, cudaStream_t stream) {
    if (rows.n == 0) return;
    add_leaf_value_kernel<<<blocks_for(rows.n), threads_per_block, 0, stream>>>(rows.rows, rows.n,
                                                                                value, scores);
}
void name_leaf(RowList rows, std::int32_t leaf, std::int32_t* leaves, cudaStream_t stream) {
    if (rows.n == 0) return;
    name_leaf_kernel<<<blocks_for(rows.n), threads_per_block, 0, stream>>>(rows.rows, rows.n, leaf,
                                                                           leaves);
}

void count_packed(const BinnedRows& table, const ColumnGroups& groups, RowList rows,
                  const Word* words, const PackedFields& fields, Word* cells, cudaStream_t stream) {
    const int n_bytes = groups.most_cells * static_cast<int>(sizeof(Word));
    allow_memory(count_packed_kernel, n_bytes);
    count_packed_kernel<<<histogram_grid(rows.n, groups.n), threads_per_histogram,
                          static_cast<std::size_t>(n_bytes), stream>>>(
        table, groups.groups, rows.rows, words, rows.n, fields, cells);
}
void count_wide(const BinnedRows& table, const ColumnGroups& groups, RowList rows,
                const WideWord* words, Word* cells, cudaStream_t stream) {
    const int n_bytes = 2 * groups.most_cells * static_cast<int>(sizeof(Word));
    allow_memory(count_wide_kernel, n_bytes);
    count_wide_kernel<<<histogram_grid(rows.n, groups.n), threads_per_histogram,
                        static_cast<std::size_t>(n_bytes), stream>>>(
        table, groups.groups, rows.rows, words, rows.n, cells);
}
void gather_rows(const std::uint8_t* columns, index_t n_rows, int n_columns, index_t stride,
                 std::uint8_t* rows, cudaStream_t stream) {
    gather_rows_kernel<<<blocks_for(n_rows), threads_per_block, 0, stream>>>(
        columns, n_rows, n_columns, stride, rows);
}

void part_rows(const std::uint8_t* column, const LeftBins& left, RowList rows, const Word* words,
               Word* n_moved, std::uint32_t* rows_out, Word* words_out, cudaStream_t stream) {
    start_part(column, left, rows, words, n_moved, rows_out, words_out, stream);
}
void part_rows(const std::uint8_t* column, const LeftBins& left, RowList rows,
               const WideWord* words, Word* n_moved, std::uint32_t* rows_out, WideWord* words_out,
               cudaStream_t stream) {
    start_part(column, left, rows, words, n_moved, rows_out, words_out, stream);
}

}  // namespace nonet::cuda
