// Histograms of a node: blocks of rows are added up in the memory of a multiprocessor, with atomic
// additions of whole numbers, for a group of columns each.
#pragma once

#include <cstdint>

#include "cuda/row_kernels.cuh"

namespace nonet::cuda {

template <typename Add>
__device__ inline void each_bin(const BinnedRows& table, const ColumnGroup& group,
                                std::uint32_t row, const Add& add) {
    const auto* words = reinterpret_cast<const Word*>(table.bins + row * table.stride);
    for (int c = group.begin; c < group.end; c += columns_per_word) {
        Word bins = words[c / columns_per_word];
        const int n = group.end - c < columns_per_word ? group.end - c : columns_per_word;
        for (int j = 0; j < n; ++j, bins >>= 8)
            add(__ldg(table.starts + c + j) - group.first_cell + static_cast<int>(bins & 255));
    }
}

__global__ void __launch_bounds__(threads_per_histogram, 1)
    count_packed_kernel(BinnedRows table, const ColumnGroup* groups, const std::uint32_t* rows,
                        const Word* words, std::int64_t n, PackedFields fields, Word* cells) {
    constexpr std::int64_t rows_per_chunk =
        4095;  // words add up without a carry from field to field
    extern __shared__ Word sums[];
    const ColumnGroup group = groups[blockIdx.y];
    for (int i = threadIdx.x; i < group.n_cells; i += blockDim.x) sums[i] = 0;
    Word gradients[cells_per_thread] = {};
    Word hessians[cells_per_thread] = {};
    const Word sign = Word{1} << (63 - fields.gradient_shift);
    for (std::int64_t begin = blockIdx.x * rows_per_chunk; begin < n;
         begin += gridDim.x * rows_per_chunk) {
        __syncthreads();
        const std::int64_t end = begin + rows_per_chunk < n ? begin + rows_per_chunk : n;
        for (std::int64_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
            const Word word = words[i];
            each_bin(table, group, rows[i], [&](int cell) { atomicAdd(sums + cell, word); });
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < cells_per_thread; ++j) {
            const int i = threadIdx.x + j * threads_per_histogram;
            if (i >= group.n_cells) continue;
            const Word sum = sums[i];
            sums[i] = 0;
            gradients[j] += ((sum >> fields.gradient_shift) ^ sign) - sign;
            hessians[j] += (sum >> fields.hessian_shift & fields.hessian_mask) << fields.row_bits |
                           (sum & 4095);
        }
    }
#pragma unroll
    for (int j = 0; j < cells_per_thread; ++j) {
        const int i = threadIdx.x + j * threads_per_histogram;
        if (i >= group.n_cells || hessians[j] == 0) continue;
        Word* cell = cells + 2 * (group.first_cell + i);
        atomicAdd(cell, gradients[j]);
        atomicAdd(cell + 1, hessians[j]);
    }
}

__global__ void __launch_bounds__(threads_per_histogram, 1)
    count_wide_kernel(BinnedRows table, const ColumnGroup* groups, const std::uint32_t* rows,
                      const WideWord* words, std::int64_t n, Word* cells) {
    extern __shared__ Word sums[];
    const ColumnGroup group = groups[blockIdx.y];
    for (int i = threadIdx.x; i < 2 * group.n_cells; i += blockDim.x) sums[i] = 0;
    __syncthreads();
    for (std::int64_t i = first_row(); i < n; i += row_step()) {
        const WideWord word = words[i];
        each_bin(table, group, rows[i], [&](int cell) {
            atomicAdd(sums + cell, static_cast<Word>(word.gradient));
            atomicAdd(sums + group.n_cells + cell, static_cast<Word>(word.hessian_and_rows));
        });
    }
    __syncthreads();
    for (int i = threadIdx.x; i < group.n_cells; i += blockDim.x) {
        if (sums[group.n_cells + i] == 0) continue;
        Word* cell = cells + 2 * (group.first_cell + i);
        atomicAdd(cell, sums[i]);
        atomicAdd(cell + 1, sums[group.n_cells + i]);
    }
}

// Columns one after another become rows of bins, a thread for each row.
__global__ void gather_rows_kernel(const std::uint8_t* columns, std::int64_t n_rows, int n_columns,
                                   std::int64_t stride, std::uint8_t* rows) {
    for (std::int64_t i = first_row(); i < n_rows; i += row_step())
        for (int first = 0; first < n_columns; first += columns_per_word) {
            Word word = 0;
            for (int j = 0; j < columns_per_word && first + j < n_columns; ++j)
                word |= static_cast<Word>(columns[(first + j) * n_rows + i]) << (8 * j);
            reinterpret_cast<Word*>(rows + i * stride)[first / columns_per_word] = word;
        }
}

}  // namespace nonet::cuda
