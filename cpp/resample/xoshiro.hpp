// Words of one long stream: xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number
// generators", 2021).
//
// A resample takes hundreds of words one after another and never needs to begin in their middle, so
// the counter-based generator of base/random.hpp only names the stream: one of its blocks is the
// state to begin with. A word costs a fifth of a counter-based one.
#pragma once

#include <bit>
#include <cstdint>

#include "base/dispatch.hpp"
#include "base/random.hpp"

namespace nonet {

class Xoshiro256 {
public:
    explicit Xoshiro256(const PhiloxBlock& state) noexcept : state_(state) {}

    NONET_INLINE std::uint64_t next() noexcept {
        const std::uint64_t word = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return word;
    }

private:
    PhiloxBlock state_;
};

}  // namespace nonet
