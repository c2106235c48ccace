// Which units a resample draws: a pure function of (seed, resample, pool), so that any thread, and
// any batch, makes the same resample.
//
// Block 0 of the counter-based stream named (resample, pool) is the state that xoshiro256++ begins
// with; this gives 64-bit words, and a word w gives k draws: the unit
// (w * n) >> 64, then the same with the lower 64 bits of that product in place of w, and so on.
// A word whose last product has lower bits under 2^64 mod n^k is passed over, which makes all
// sequences of k units equally likely. k is the maximum number, up to 16, with n^k <= 2^56: of
// 256 words not more than one is passed over (Brackett-Rozinsky and Lemire, "Batched ranged random
// integer generation", 2024).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/types.hpp"
#include "resample/xoshiro.hpp"

namespace nonet {

struct Pool {
    index_t n_units;  // units to draw from, below 2^32
    index_t n_draws;  // units in a resample
    std::uint64_t number;
    StreamUse use = StreamUse::resampled_units;
};

class UnitDraws {
public:
    static constexpr index_t max_chunk = 1024;  // stays in the first-level cache

    UnitDraws(std::uint64_t seed, std::uint64_t resample, const Pool& pool);

    // The next n_wanted draws, at most max_chunk; they last until the next call.
    std::span<const std::uint32_t> next(index_t n_wanted) noexcept;

private:
    static constexpr index_t max_draws_per_block = 4 * 16;

    template <typename Count>
    index_t fill(index_t filled, index_t n_wanted, Count k) noexcept;

    Xoshiro256 words_;
    std::uint64_t n_units_;
    index_t draws_per_word_ = 1;
    std::uint64_t passed_over_below_;
    index_t first_ = 0;  // the draws first_, ..., last_ - 1 are made and not yet given away
    index_t last_ = 0;
    std::uint32_t units_[max_chunk + max_draws_per_block];
};

// Calls use(units) with the draws of one resample, a chunk at a time: memory does not grow with the
// resample.
template <typename Use>
void for_each_chunk(std::uint64_t seed, std::uint64_t resample, const Pool& pool, const Use& use) {
    UnitDraws draws(seed, resample, pool);
    for (index_t done = 0; done < pool.n_draws; done += UnitDraws::max_chunk)
        use(draws.next(std::min(pool.n_draws - done, UnitDraws::max_chunk)));
}

}  // namespace nonet
