// Counter-based random numbers: Philox4x64-10 (Salmon, Moraes, Dror and Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", 2011).
//
// A draw is a pure function of (seed, stream, position). A stream is named by what it is used for
// and by up to three integers, such as (tree, node): the draws can be made from the name alone, in
// any order, on any thread, and two streams never share a block of words.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace nonet {

using PhiloxBlock = std::array<std::uint64_t, 4>;
using PhiloxKey = std::array<std::uint64_t, 2>;

PhiloxBlock philox4x64(PhiloxBlock counter, PhiloxKey key) noexcept;

// The words of the block at the counter and of those after it, as many as fit. Several times faster
// than block by block: the processor works on the next ones before a block is done.
void philox4x64(PhiloxBlock counter, PhiloxKey key, std::span<std::uint64_t> words) noexcept;

// Every use of random words in the core, with the integers that name its streams. The values are
// the last word of the counter, so that no two uses can share a block under one seed.
enum class StreamUse : std::uint64_t {
    resampled_units,         // resample, pool, and 1 where uniform numbers replace units
    binned_rows,             // none: the sample of rows that bin edges are found from
    bag_rows,                // tree
    tree_columns,            // tree
    level_columns,           // tree, depth
    node_columns,            // tree, node
    drawn_node_columns,      // tree: the word that those of its nodes are made of (NodeWords)
    random_node_thresholds,  // tree: the same
    node_thresholds,         // tree, node, column
    node_category_sets,      // tree, node, column
    column_ties,             // tree
    round_rows,              // round of boosting
    n_uses                   // how many there are
};

class RandomStream {
public:
    using Names = std::array<std::uint64_t, 3>;

    RandomStream(std::uint64_t seed, StreamUse use, const Names& names) noexcept
        : RandomStream(seed, all_names(use, names), 0) {}

    // By four plain integers, for those who compare the words with another generator's.
    RandomStream(std::uint64_t seed, const std::array<std::uint64_t, 4>& names,
                 std::uint64_t first_block = 0) noexcept
        : key_{seed, names[0]}, counter_{first_block, names[1], names[2], names[3]} {}

    // The words of a stream from a block on, as many as fit.
    static void write(std::uint64_t seed, StreamUse use, const Names& names,
                      std::uint64_t first_block, std::span<std::uint64_t> words) noexcept {
        const RandomStream stream(seed, all_names(use, names), first_block);
        philox4x64(stream.counter_, stream.key_, words);
    }

    std::uint64_t bits() noexcept;
    double uniform() noexcept;                          // in [0, 1), 53 random bits
    std::uint64_t below(std::uint64_t bound) noexcept;  // in {0, ..., bound - 1}, without bias

private:
    // The first name goes into the key, the others into the upper words of the counter, whose
    // lowest word counts blocks.
    static constexpr std::array<std::uint64_t, 4> all_names(StreamUse use,
                                                            const Names& names) noexcept {
        return {names[0], names[1], names[2], static_cast<std::uint64_t>(use)};
    }

    PhiloxKey key_;
    PhiloxBlock counter_;
    PhiloxBlock words_{};
    std::size_t next_word_ = 4;  // 4 = the block is used up
};

}  // namespace nonet
