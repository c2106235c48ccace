// Ranks of numbers among sorted thresholds, many at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nonet {

constexpr std::size_t ranked_together = 16;

// How many of the thresholds are below each of the numbers. All take the same steps side by side: a
// single search waits for memory at every step.
template <std::size_t n>
void find_ranks(const double (&numbers)[n], const std::vector<double>& thresholds,
                std::uint32_t (&ranks)[n]) noexcept {
    const double* threshold = thresholds.data();
    std::fill_n(ranks, n, 0U);
    for (auto half = static_cast<std::uint32_t>(thresholds.size() + 1) / 2; half >= 1; half /= 2)
        for (std::size_t i = 0; i < n; ++i)
            ranks[i] += half & (0U - (threshold[ranks[i] + half - 1] < numbers[i]));
}

}  // namespace nonet
