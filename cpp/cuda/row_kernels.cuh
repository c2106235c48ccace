// Rows one by one: gradients, their sizes, and what they add to histograms and leaves.
#pragma once

#include <cstdint>

#include "cuda/launches.hpp"
#include "loss/losses.hpp"

namespace nonet::cuda {

constexpr int threads_per_block = 256;

struct Moment {
    double gradient;
    double hessian;
    double weight;
    long long count;
};
// As Targets::times: a whole weight is a number of rows.
__device__ inline Moment moment_of(const RowNumbers& numbers, std::uint32_t row) {
    const double gradient = numbers.gradients[row];
    const double hessian = numbers.hessians[row];
    if (numbers.weights == nullptr) return {gradient, hessian, 1.0, 1};
    const double weight = numbers.weights[row];
    constexpr double most = 1 << 30;
    if (weight <= most) {
        const auto whole = static_cast<long long>(weight);
        if (static_cast<double>(whole) == weight) return {gradient, hessian, 1.0, whole};
    }
    return {weight * gradient, weight * hessian, weight, 1};
}

__device__ inline std::int64_t first_row() {
    return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t row_step() {
    return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

// ---- Gradients
// -----------------------------------------------------------------------------------

template <typename Loss>
__global__ void fill_gradients_kernel(Loss loss, const double* targets, const double* scores,
                                      std::int64_t n, double* gradients, double* hessians) {
    for (std::int64_t i = first_row(); i < n; i += row_step()) {
        const Derivatives found = loss.derivatives(targets[i], scores[i]);
        gradients[i] = found.gradient;
        hessians[i] = found.hessian;
    }
}

// Scores, gradients and hessians lie class by class; see fill_class_tile.
__global__ void fill_class_gradients_kernel(const std::int32_t* classes, const double* scores,
                                            std::int64_t n, int n_classes, double* gradients,
                                            double* hessians) {
    for (std::int64_t i = first_row(); i < n; i += row_step()) {
        double maximum = scores[i];
        for (int k = 1; k < n_classes; ++k) {
            const double score = scores[k * n + i];
            maximum = maximum < score ? score : maximum;
        }
        double sum = 0;
        for (int k = 0; k < n_classes; ++k) {
            const double fraction = exp_of(scores[k * n + i] - maximum);
            gradients[k * n + i] = fraction;
            sum += fraction;
        }
        for (int k = 0; k < n_classes; ++k) {
            const double p = gradients[k * n + i] / sum;
            gradients[k * n + i] = classes[i] == k ? p - 1.0 : p;
            hessians[k * n + i] = p * (1.0 - p);
        }
    }
}

// ---- Sizes
// ---------------------------------------------------------------------------------------

__device__ inline Word bits_of(double size) {
    return static_cast<Word>(__double_as_longlong(size));
}
__device__ inline void keep_largest(Word* kept, Word found) {
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        const Word other = __shfl_down_sync(~0U, found, lanes);
        found = other > found ? other : found;
    }
    if (threadIdx.x % 32 == 0) atomicMax(kept, found);
}
__device__ inline void keep_least(Word* kept, Word found) {
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        const Word other = __shfl_down_sync(~0U, found, lanes);
        found = other < found ? other : found;
    }
    if (threadIdx.x % 32 == 0) atomicMin(kept, found);
}
template <typename Number>
__device__ inline void add_over_warp(Number* sum, Number part) {
    for (int lanes = 16; lanes > 0; lanes /= 2) part += __shfl_down_sync(~0U, part, lanes);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, part);
}

__global__ void measure_kernel(RowNumbers numbers, const std::uint32_t* rows, std::int64_t n,
                               SizeBits* sizes) {
    Word max_gradient = 0, min_hessian = ~Word{0}, max_hessian = 0, lightest = ~Word{0},
         heaviest = 0, n_times = 0;
    for (std::int64_t i = first_row(); i < n; i += row_step()) {
        const auto row = moment_of(numbers, rows[i]);
        const Word gradient = bits_of(fabs(row.gradient));
        const Word hessian = bits_of(row.hessian);
        const Word weight = bits_of(row.weight);
        max_gradient = gradient > max_gradient ? gradient : max_gradient;
        min_hessian = hessian < min_hessian ? hessian : min_hessian;
        max_hessian = hessian > max_hessian ? hessian : max_hessian;
        lightest = weight < lightest ? weight : lightest;
        heaviest = weight > heaviest ? weight : heaviest;
        n_times += static_cast<Word>(row.count);
    }
    keep_largest(&sizes->max_gradient, max_gradient);
    keep_least(&sizes->min_hessian, min_hessian);
    keep_largest(&sizes->max_hessian, max_hessian);
    keep_least(&sizes->lightest, lightest);
    keep_largest(&sizes->heaviest, heaviest);
    add_over_warp(&sizes->n_times, n_times);
}

__device__ inline double high_part(const Rounder& rounder, double term) {
    return (term + rounder.high) - rounder.high;
}
__device__ inline double low_part(const Rounder& rounder, double rest) {
    return (rest + rounder.low) - rounder.low;
}

__global__ void add_totals_kernel(RowNumbers numbers, const std::uint32_t* rows, std::int64_t n,
                                  Rounder gradients, Rounder hessians, Rounder weights,
                                  double* totals) {
    double gradient = 0, hessian = 0, weight = 0;
    for (std::int64_t i = first_row(); i < n; i += row_step()) {
        const auto row = moment_of(numbers, rows[i]);
        const auto count = static_cast<double>(row.count);
        gradient += count * high_part(gradients, fabs(row.gradient));
        hessian += count * high_part(hessians, row.hessian);
        weight += count * high_part(weights, row.weight);
    }
    add_over_warp(totals, gradient);
    add_over_warp(totals + 1, hessian);
    add_over_warp(totals + 2, weight);
}

__global__ void count_light_rows_kernel(RowNumbers numbers, const std::uint32_t* rows,
                                        std::int64_t n, double gradient_limit, double hessian_limit,
                                        Word* light) {
    Word n_gradients = 0, n_hessians = 0;
    for (std::int64_t i = first_row(); i < n; i += row_step()) {
        const auto row = moment_of(numbers, rows[i]);
        const double size = fabs(row.gradient);
        n_gradients += size != 0 && size < gradient_limit;
        n_hessians += row.hessian != 0 && row.hessian < hessian_limit;
    }
    add_over_warp(light, n_gradients);
    add_over_warp(light + 1, n_hessians);
}

// ---- Rows in fixed point
// -------------------------------------------------------------------------

// To the nearest, ties to even; see FixedPoint.
__device__ inline long long whole(double value, double scale) {
    constexpr double bias = 0x1.8p52;
    return __double_as_longlong(value * scale + bias) - __double_as_longlong(bias);
}

__global__ void write_packed_kernel(RowNumbers numbers, const std::uint32_t* rows, std::int64_t n,
                                    double gradient_scale, double hessian_scale, int gradient_shift,
                                    int hessian_shift, Word* words) {
    for (std::int64_t i = first_row(); i < n; i += row_step()) {
        const auto row = moment_of(numbers, rows[i]);
        Word word = static_cast<Word>(whole(row.gradient, gradient_scale)) << gradient_shift | 1;
        if (hessian_shift > 0)
            word |= static_cast<Word>(whole(row.hessian, hessian_scale)) << hessian_shift;
        words[i] = word;
    }
}

__global__ void write_wide_kernel(RowNumbers numbers, const std::uint32_t* rows, std::int64_t n,
                                  double gradient_scale, double hessian_scale, int row_bits,
                                  WideWord* words) {
    for (std::int64_t i = first_row(); i < n; i += row_step()) {
        const auto row = moment_of(numbers, rows[i]);
        const long long hessian = whole(row.hessian, hessian_scale) * row.count;
        words[i] = {whole(row.gradient, gradient_scale) * row.count, hessian << row_bits | 1};
    }
}

// ---- Leaves
// --------------------------------------------------------------------------------------

__global__ void sum_leaf_kernel(RowNumbers numbers, const std::uint32_t* rows, std::int64_t n,
                                Rounder gradients, Rounder hessians, double* sums) {
    double high_gradient = 0, high_hessian = 0, low_gradient = 0, low_hessian = 0;
    for (std::int64_t i = first_row(); i < n; i += row_step()) {
        const auto row = moment_of(numbers, rows[i]);
        const auto count = static_cast<double>(row.count);
        const double gradient = high_part(gradients, row.gradient);
        const double hessian = high_part(hessians, row.hessian);
        high_gradient += count * gradient;
        high_hessian += count * hessian;
        low_gradient += count * low_part(gradients, row.gradient - gradient);
        low_hessian += count * low_part(hessians, row.hessian - hessian);
    }
    add_over_warp(sums, high_gradient);
    add_over_warp(sums + 1, high_hessian);
    add_over_warp(sums + 2, low_gradient);
    add_over_warp(sums + 3, low_hessian);
}

__global__ void add_leaf_value_kernel(const std::uint32_t* rows, std::int64_t n, double value,
                                      double* scores) {
    for (std::int64_t i = first_row(); i < n; i += row_step()) scores[rows[i]] += value;
}
__global__ void name_leaf_kernel(const std::uint32_t* rows, std::int64_t n, std::int32_t leaf,
                                 std::int32_t* leaves) {
    for (std::int64_t i = first_row(); i < n; i += row_step()) leaves[rows[i]] = leaf;
}

}  // namespace nonet::cuda
