// Counter-based random numbers: Philox4x64-10 (Salmon, Moraes, Dror and Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", 2011).
//
// A draw is a pure function of (seed, stream, position). Streams are named by up to four integers,
// such as (tree, node): whoever knows the name can make the draws, in any order, on any thread, and
// two streams never share a block of words.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace nonet {

using PhiloxBlock = std::array<std::uint64_t, 4>;
using PhiloxKey = std::array<std::uint64_t, 2>;

PhiloxBlock philox4x64(PhiloxBlock counter, PhiloxKey key) noexcept;

// The words of the block at the counter and of those after it, as many as fit. Several times faster
// than block by block: the processor works on the next ones before a block is done.
void philox4x64(PhiloxBlock counter, PhiloxKey key, std::span<std::uint64_t> words) noexcept;

class RandomStream {
public:
    static constexpr std::size_t max_names = 4;

    RandomStream(std::uint64_t seed, std::initializer_list<std::uint64_t> names,
                 std::uint64_t first_block = 0);
    RandomStream(std::uint64_t seed, const std::uint64_t* names, std::size_t n_names,
                 std::uint64_t first_block = 0);

    std::uint64_t bits() noexcept;
    double uniform() noexcept;                          // in [0, 1), 53 random bits
    std::uint64_t below(std::uint64_t bound) noexcept;  // in {0, ..., bound - 1}, without bias

private:
    PhiloxKey key_;
    PhiloxBlock counter_;
    PhiloxBlock words_{};
    std::size_t next_word_ = 4;  // 4 = the block is used up
};

}  // namespace nonet
