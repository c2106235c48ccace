// The rows of a node that is split move to the other buffer: those that go left from its begin
// upwards, the others from its end downwards. Blocks of rows come in any order: no sum depends on
// it.
#pragma once

#include <cstdint>

#include "cuda/row_kernels.cuh"

namespace nonet::cuda {

constexpr int rows_per_thread = 4;
constexpr int warps_per_block = threads_per_block / 32;

__device__ inline bool goes_left(const LeftBins& left, std::uint8_t bin) {
    return (left.bits[bin / 64] >> (bin % 64) & 1) != 0;
}

template <typename RowWord>
__global__ void __launch_bounds__(threads_per_block)
    part_rows_kernel(const std::uint8_t* column, LeftBins left, const std::uint32_t* rows,
                     const RowWord* words, std::int64_t n, Word* n_moved, std::uint32_t* rows_out,
                     RowWord* words_out) {
    __shared__ int n_left_of_warp[warps_per_block];
    __shared__ std::int64_t left_of_block, right_of_block;
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const std::int64_t begin =
        static_cast<std::int64_t>(blockIdx.x) * threads_per_block * rows_per_thread;
    unsigned left_lanes[rows_per_thread];
    int n_left = 0;
#pragma unroll
    for (int j = 0; j < rows_per_thread; ++j) {
        const std::int64_t i = begin + j * threads_per_block + threadIdx.x;
        left_lanes[j] = __ballot_sync(~0U, i < n && goes_left(left, column[rows[i]]));
        n_left += __popc(left_lanes[j]);
    }
    if (lane == 0) n_left_of_warp[warp] = n_left;
    __syncthreads();
    if (threadIdx.x == 0) {
        const std::int64_t n_here = n - begin < threads_per_block * rows_per_thread
                                        ? n - begin
                                        : threads_per_block * rows_per_thread;
        int before = 0;
        for (int w = 0; w < warps_per_block; ++w) {
            const int n_of_warp = n_left_of_warp[w];
            n_left_of_warp[w] = before;
            before += n_of_warp;
        }
        const auto n_right = static_cast<Word>(n_here - before);
        left_of_block = static_cast<std::int64_t>(atomicAdd(n_moved, static_cast<Word>(before)));
        right_of_block = n - static_cast<std::int64_t>(atomicAdd(n_moved + 1, n_right) + n_right);
    }
    __syncthreads();
    std::int64_t to_left = left_of_block + n_left_of_warp[warp];
    // Rows of this warp that go right come after those of the warps before it, warp by warp.
    std::int64_t n_before = 0;
    for (int w = 0; w < warp; ++w)
#pragma unroll
        for (int j = 0; j < rows_per_thread; ++j) {
            const std::int64_t first = begin + j * threads_per_block + w * 32;
            n_before += first >= n ? 0 : (n - first < 32 ? n - first : 32);
        }
    std::int64_t to_right = right_of_block + n_before - n_left_of_warp[warp];
    const unsigned below = (1U << lane) - 1;
#pragma unroll
    for (int j = 0; j < rows_per_thread; ++j) {
        const std::int64_t first = begin + j * threads_per_block + warp * 32;
        const std::int64_t i = first + lane;
        const unsigned there = first >= n ? 0 : (n - first >= 32 ? ~0U : (1U << (n - first)) - 1);
        const unsigned goes_right = there & ~left_lanes[j];
        if (i < n) {
            const bool is_left = (left_lanes[j] >> lane & 1) != 0;
            const std::int64_t to = is_left ? to_left + __popc(left_lanes[j] & below)
                                            : to_right + __popc(goes_right & below);
            rows_out[to] = rows[i];
            words_out[to] = words[i];
        }
        to_left += __popc(left_lanes[j]);
        to_right += __popc(goes_right);
    }
}

}  // namespace nonet::cuda
