// The outputs of the members, in the form that all kernels of this folder read.
//
// Words: a *lane* is one (row, class) pair. All rules but the counts of votes and ranks work lane
// by lane, over the members of the lane; lane number = row * n_classes + class.
#pragma once

#include <algorithm>

#include "base/parallel.hpp"
#include "base/types.hpp"

namespace nonet {

enum class Layout { row_major, member_major };  // (row, member, class) or (member, row, class)

template <typename T>
struct Outputs {
    const T* data;
    index_t n_rows;
    index_t n_members;
    index_t n_classes;
    Layout layout;

    index_t n_lanes() const noexcept { return n_rows * n_classes; }
    index_t member_stride() const noexcept {
        return layout == Layout::member_major ? n_lanes() : n_classes;
    }
    index_t row_stride() const noexcept {
        return layout == Layout::member_major ? n_classes : n_members * n_classes;
    }
    const T* at(index_t row, index_t member) const noexcept {
        return data + row * row_stride() + member * member_stride();
    }
};

// Tasks hold about this many outputs: long enough to hide the cost of taking one, short enough to
// stay fair between threads and quick to interrupt.
constexpr index_t predictions_per_task = index_t{1} << 18;

// Calls work(first_row, last_row) for blocks of n_block_rows that cover all rows.
template <typename Work>
void for_blocks_of_rows(index_t n_rows, index_t n_block_rows, int n_threads, const Work& work) {
    const index_t n_blocks = (n_rows + n_block_rows - 1) / n_block_rows;
    parallel_for(n_blocks, n_threads, [&](index_t block) {
        const index_t first = block * n_block_rows;
        work(first, std::min(n_rows, first + n_block_rows));
    });
}

// Calls work(first_row, last_row) for blocks of about predictions_per_task outputs.
template <typename Work>
void for_row_blocks(index_t n_rows, index_t predictions_per_row, int n_threads, const Work& work) {
    const index_t n_block_rows = std::max<index_t>(1, predictions_per_task / predictions_per_row);
    for_blocks_of_rows(n_rows, n_block_rows, n_threads, work);
}

}  // namespace nonet
