#include "resample/draws.hpp"

#include <array>
#include <type_traits>

#include "base/check.hpp"

namespace nonet {

__extension__ using uint128 = unsigned __int128;

namespace {

PhiloxBlock first_block(std::uint64_t seed, std::uint64_t resample, const Pool& pool) noexcept {
    PhiloxBlock block;
    RandomStream::write(seed, pool.use, {resample, pool.number, 0}, 0, block);
    return block;
}

}  // namespace

UnitDraws::UnitDraws(std::uint64_t seed, std::uint64_t resample, const Pool& pool)
    : words_(first_block(seed, resample, pool)),
      n_units_(static_cast<std::uint64_t>(pool.n_units)) {
    check(pool.n_units >= 1 && pool.n_units <= index_t{0xFFFFFFFF},
          "A pool must hold at least 1 and fewer than 2^32 units.");
    std::uint64_t n_sequences = n_units_;
    for (; draws_per_word_ < 16 && n_sequences <= (std::uint64_t{1} << 56) / n_units_;
         ++draws_per_word_)
        n_sequences *= n_units_;
    passed_over_below_ = (0 - n_sequences) % n_sequences;
}

namespace {

// Turns four words into 4 * k draws and returns how many of them stand; those of a word
// that is passed over are closed up. The words take turns, as each product waits for the last one
// of its word; k is known to the compiler where it is common.
template <typename Count>
NONET_INLINE index_t make_draws(std::array<std::uint64_t, 4> words, std::uint64_t n_units,
                                std::uint64_t passed_over_below, Count k, std::uint32_t* units) {
    for (index_t i = 0; i < k; ++i)
        for (std::size_t w = 0; w < words.size(); ++w) {
            const uint128 product = uint128{words[w]} * n_units;
            units[static_cast<index_t>(w) * k + i] = static_cast<std::uint32_t>(product >> 64);
            words[w] = static_cast<std::uint64_t>(product);
        }
    if (*std::min_element(words.begin(), words.end()) >= passed_over_below) [[likely]]
        return 4 * k;
    index_t kept = 0;
    for (std::size_t w = 0; w < words.size(); ++w) {
        if (words[w] < passed_over_below) continue;
        std::copy_n(units + static_cast<index_t>(w) * k, index_t{k}, units + kept);
        kept += k;
    }
    return kept;
}

}  // namespace

template <typename Count>
index_t UnitDraws::fill(index_t filled, index_t n_wanted, Count k) noexcept {
    const std::uint64_t n_units = n_units_, passed_over_below = passed_over_below_;
    Xoshiro256 words = words_;  // a copy that lives in registers
    while (filled < n_wanted) {
        const std::array four = {words.next(), words.next(), words.next(), words.next()};
        filled += make_draws(four, n_units, passed_over_below, k, units_ + filled);
    }
    words_ = words;
    return filled;
}

std::span<const std::uint32_t> UnitDraws::next(index_t n_wanted) noexcept {
    std::copy(units_ + first_, units_ + last_, units_);
    const index_t filled = last_ - first_;
    switch (draws_per_word_) {
        case 3:
            last_ = fill(filled, n_wanted, std::integral_constant<index_t, 3>{});
            break;
        case 4:
            last_ = fill(filled, n_wanted, std::integral_constant<index_t, 4>{});
            break;
        case 5:
            last_ = fill(filled, n_wanted, std::integral_constant<index_t, 5>{});
            break;
        case 6:
            last_ = fill(filled, n_wanted, std::integral_constant<index_t, 6>{});
            break;
        default:
            last_ = fill(filled, n_wanted, draws_per_word_);
    }
    first_ = n_wanted;
    return {units_, static_cast<std::size_t>(n_wanted)};
}

}  // namespace nonet
