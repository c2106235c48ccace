// The exact sum of doubles, rounded once at the end: the same for any order and any grouping.
//
// The sum is a long whole number, in chunks of 32 bits that overlap in words of 64: the range of
// all doubles takes 67 of them. See Neal, "Fast exact summation using small and large
// superaccumulators" (2015).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "base/types.hpp"

namespace nonet {

class ExactSum {
public:
    void add(double term) noexcept;
    void add(const ExactSum& other) noexcept;
    // The nearest double. NaN or an infinity, if such a term was added.
    double value() const noexcept;

    // All there is of a sum, for another process to add it up there.
    static constexpr std::size_t state_size = 68;
    using State = std::array<std::int64_t, state_size>;
    State state() const noexcept;
    static ExactSum of_state(std::span<const std::int64_t> state) noexcept;

private:
    static constexpr std::size_t n_chunks = state_size - 1;
    static constexpr int chunk_bits = 32;
    static constexpr int max_added = 1 << 10;  // before chunks might overflow

    void settle() noexcept;

    std::array<std::int64_t, n_chunks> chunks_{};
    int n_added_ = 0;
    double special_ = 0;  // the sum of what is not finite
};

// The exact sum of terms, or of their products with weights, each rounded; by all threads.
ExactSum exact_sum(std::span<const double> terms, std::span<const double> weights, int n_threads);

// What sum_of_block(first row, number of rows) returns for blocks of rows, added up; by all
// threads.
template <typename SumOfBlock>
ExactSum exact_sum_of_blocks(index_t n_rows, index_t block_rows, int n_threads,
                             const SumOfBlock& sum_of_block) {
    std::vector<ExactSum> sums(static_cast<std::size_t>(n_rows / block_rows + 1));
    parallel_blocks(n_rows, block_rows, n_threads, [&](index_t block, index_t begin, index_t end) {
        sums[static_cast<std::size_t>(block)] = sum_of_block(begin, end - begin);
    });
    for (std::size_t b = 1; b < sums.size(); ++b) sums.front().add(sums[b]);
    return sums.front();
}

}  // namespace nonet
