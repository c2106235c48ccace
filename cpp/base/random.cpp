#include "base/random.hpp"

#include <algorithm>

#include "base/dispatch.hpp"

namespace nonet {
namespace {

__extension__ using uint128 = unsigned __int128;

struct Product {
    std::uint64_t high;
    std::uint64_t low;
};

Product multiply(std::uint64_t a, std::uint64_t b) noexcept {
    const uint128 product = static_cast<uint128>(a) * b;
    return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

// Multipliers and Weyl constants as published; other values would be another generator.
constexpr PhiloxBlock one_round(const PhiloxBlock& counter, const PhiloxKey& key, Product even,
                                Product odd) noexcept {
    return {odd.high ^ counter[1] ^ key[0], odd.low, even.high ^ counter[3] ^ key[1], even.low};
}

constexpr std::uint64_t even_multiplier = 0xD2E7470EE14C6C93;
constexpr std::uint64_t odd_multiplier = 0xCA5A826395121157;
constexpr PhiloxKey weyl = {0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B};
constexpr int n_rounds = 10;

NONET_INLINE PhiloxBlock all_rounds(PhiloxBlock counter, PhiloxKey key) noexcept {
    for (int round = 0; round < n_rounds; ++round) {
        counter = one_round(counter, key, multiply(even_multiplier, counter[0]),
                            multiply(odd_multiplier, counter[2]));
        key = {key[0] + weyl[0], key[1] + weyl[1]};
    }
    return counter;
}

}  // namespace

PhiloxBlock philox4x64(PhiloxBlock counter, PhiloxKey key) noexcept {
    return all_rounds(counter, key);
}

void philox4x64(PhiloxBlock counter, PhiloxKey key, std::span<std::uint64_t> words) noexcept {
    for (std::size_t i = 0; i < words.size(); i += counter.size(), ++counter[0]) {
        const PhiloxBlock block = all_rounds(counter, key);
        std::copy_n(block.begin(), std::min(block.size(), words.size() - i), words.data() + i);
    }
}

std::uint64_t RandomStream::bits() noexcept {
    if (next_word_ == words_.size()) {
        words_ = philox4x64(counter_, key_);
        ++counter_[0];
        next_word_ = 0;
    }
    return words_[next_word_++];
}

double RandomStream::uniform() noexcept { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

// Lemire's method: the high half of a product is the draw; the few low halves that would make some
// draws likelier than others are drawn again.
std::uint64_t RandomStream::below(std::uint64_t bound) noexcept {
    Product product = multiply(bits(), bound);
    if (product.low < bound) {
        const std::uint64_t biased = (0 - bound) % bound;
        while (product.low < biased) product = multiply(bits(), bound);
    }
    return product.high;
}

}  // namespace nonet
