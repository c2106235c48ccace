// Sums over rows that do not depend on the number of threads.
#pragma once

#include <vector>

#include "base/parallel.hpp"

namespace nonet {

// Calls sum_of_block(first row, number of rows) for blocks of rows, and adds what it returns in the
// order of the blocks, whatever the number of threads.
template <typename SumOfBlock>
double sum_blocks(index_t n_rows, index_t block_rows, int n_threads,
                  const SumOfBlock& sum_of_block) {
    std::vector<double> sums(static_cast<std::size_t>((n_rows + block_rows - 1) / block_rows));
    parallel_blocks(n_rows, block_rows, n_threads, [&](index_t block, index_t begin, index_t end) {
        sums[static_cast<std::size_t>(block)] = sum_of_block(begin, end - begin);
    });
    double total = 0;
    for (const double sum : sums) total += sum;
    return total;
}

}  // namespace nonet
