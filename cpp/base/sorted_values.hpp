// Sorting of plain numbers by their bits.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace nonet {

// The bits of a number as an unsigned integer of the same order: negative numbers turn over, the
// others move above them.
template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <typename T>
BitsOf<T> ordered_bits(T value) noexcept {
    using Bits = BitsOf<T>;
    constexpr Bits sign = Bits{1} << (8 * sizeof(T) - 1);
    const auto bits = std::bit_cast<Bits>(value + T{0});  // -0 becomes 0
    return bits & sign ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | sign);
}

template <typename T>
T value_of_bits(BitsOf<T> bits) noexcept {
    using Bits = BitsOf<T>;
    constexpr Bits sign = Bits{1} << (8 * sizeof(T) - 1);
    return std::bit_cast<T>(bits & sign ? static_cast<Bits>(bits ^ sign)
                                        : static_cast<Bits>(~bits));
}

// Least significant digit first; a digit that all keys share costs no pass.
template <typename Key>
void radix_sort(std::vector<Key>& keys) {
    constexpr unsigned digit_bits = 11;
    constexpr Key mask = (Key{1} << digit_bits) - 1;
    std::vector<Key> other(keys.size());
    for (unsigned shift = 0; shift < 8 * sizeof(Key); shift += digit_bits) {
        std::array<index_t, (1 << digit_bits)> begin{};
        for (const Key key : keys) ++begin[(key >> shift) & mask];
        if (!keys.empty() && begin[(keys.front() >> shift) & mask] == std::ssize(keys)) continue;
        index_t sum = 0;
        for (index_t& entry : begin) sum += std::exchange(entry, sum);
        for (const Key key : keys)
            other[static_cast<std::size_t>(begin[(key >> shift) & mask]++)] = key;
        keys.swap(other);
    }
}

}  // namespace nonet
