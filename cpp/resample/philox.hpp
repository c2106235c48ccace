// Philox4x64-10 as in base/random.hpp, whole in a header: drawing units is so short a task that the
// call of a function, and its words passing through memory, would double its time.
#pragma once

#include <cstdint>

#include "base/dispatch.hpp"
#include "base/random.hpp"

namespace nonet {

NONET_INLINE PhiloxBlock inline_philox4x64(PhiloxBlock counter, PhiloxKey key) noexcept {
    __extension__ using uint128 = unsigned __int128;
    for (int round = 0; round < 10; ++round) {
        const uint128 even = uint128{0xD2E7470EE14C6C93} * counter[0];
        const uint128 odd = uint128{0xCA5A826395121157} * counter[2];
        counter = {static_cast<std::uint64_t>(odd >> 64) ^ counter[1] ^ key[0],
                   static_cast<std::uint64_t>(odd),
                   static_cast<std::uint64_t>(even >> 64) ^ counter[3] ^ key[1],
                   static_cast<std::uint64_t>(even)};
        key = {key[0] + 0x9E3779B97F4A7C15, key[1] + 0xBB67AE8584CAA73B};
    }
    return counter;
}

}  // namespace nonet
