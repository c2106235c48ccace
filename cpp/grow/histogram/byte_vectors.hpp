// Vectors of bytes, for computations on many columns of bins at once.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/dispatch.hpp"
#include "base/types.hpp"

namespace nonet {

// So many columns of 8 bits at a time; what is left of a row comes in smaller pieces.
constexpr index_t wide = 32;
constexpr index_t half_wide = 16;
constexpr index_t narrow = 8;

template <index_t width>
struct Bytes {
    using Vector [[gnu::vector_size(width)]] = std::uint8_t;
    using Signed [[gnu::vector_size(width)]] = std::int8_t;  // true is -1, however wide it becomes
    using Words [[gnu::vector_size(2 * width)]] = std::uint16_t;
    using SignedWords [[gnu::vector_size(2 * width)]] = std::int16_t;

    // Vectors are handed over in memory: how a register is returned depends on the machine.
    NONET_INLINE static void load(const std::uint8_t* from, Vector& bytes) noexcept {
        std::memcpy(&bytes, from, sizeof bytes);
    }
    NONET_INLINE static void store(const Vector& bytes, std::uint8_t* to) noexcept {
        std::memcpy(to, &bytes, sizeof bytes);
    }
};

}  // namespace nonet
