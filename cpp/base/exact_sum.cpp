#include "base/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace nonet {
namespace {

constexpr std::uint64_t mantissa_mask = (std::uint64_t{1} << 52) - 1;
constexpr int all_exponent_bits = 0x7ff;
// A chunk's unit is 2**(32 number - exponent_offset): the last bit of the smallest doubles has the
// biased exponent 1.
constexpr int exponent_offset = 1075;

}  // namespace

void ExactSum::add(double term) noexcept {
    const auto bits = std::bit_cast<std::uint64_t>(term);
    int exponent = static_cast<int>(bits >> 52) & all_exponent_bits;
    std::uint64_t mantissa = bits & mantissa_mask;
    if (exponent == all_exponent_bits) {
        special_ += term;
        return;
    }
    if (exponent == 0)
        exponent = 1;
    else
        mantissa |= mantissa_mask + 1;
    if (n_added_ == max_added) settle();
    ++n_added_;
    constexpr std::uint64_t chunk_mask = (std::uint64_t{1} << chunk_bits) - 1;
    const int shift = exponent % chunk_bits;
    const auto low = static_cast<std::int64_t>((mantissa << shift) & chunk_mask);
    const auto high = static_cast<std::int64_t>(mantissa >> (chunk_bits - shift));
    const auto first = static_cast<std::size_t>(exponent / chunk_bits);
    const std::int64_t sign = (bits >> 63) != 0 ? -1 : 1;
    chunks_[first] += sign * low;
    chunks_[first + 1] += sign * high;
}

void ExactSum::add(const ExactSum& other) noexcept {
    ExactSum settled = other;
    settled.settle();
    settle();
    for (std::size_t i = 0; i < n_chunks; ++i) chunks_[i] += settled.chunks_[i];
    settle();
    special_ += other.special_;
}

// All chunks but the last become numbers from 0 to 2**32 - 1; that one has the sign.
void ExactSum::settle() noexcept {
    std::int64_t carry = 0;
    for (std::size_t i = 0; i + 1 < n_chunks; ++i) {
        const std::int64_t sum = chunks_[i] + carry;
        carry = sum >> chunk_bits;
        chunks_[i] = sum - carry * (std::int64_t{1} << chunk_bits);
    }
    chunks_.back() += carry;
    n_added_ = 0;
}

ExactSum::State ExactSum::state() const noexcept {
    ExactSum settled = *this;
    settled.settle();
    State state;
    std::ranges::copy(settled.chunks_, state.begin());
    state.back() = std::bit_cast<std::int64_t>(special_);
    return state;
}

ExactSum ExactSum::of_state(std::span<const std::int64_t> state) noexcept {
    ExactSum sum;
    std::copy_n(state.begin(), n_chunks, sum.chunks_.begin());
    sum.special_ = std::bit_cast<double>(state.back());
    return sum;
}

double ExactSum::value() const noexcept {
    if (special_ != 0) return special_;  // NaN differs from 0, too
    ExactSum size = *this;
    size.settle();
    const bool is_negative = size.chunks_.back() < 0;
    if (is_negative) {
        for (std::int64_t& chunk : size.chunks_) chunk = -chunk;
        size.settle();
    }
    auto top = static_cast<std::ptrdiff_t>(n_chunks) - 1;
    while (top > 0 && size.chunks_[static_cast<std::size_t>(top)] == 0) --top;
    const auto chunk = [&](std::ptrdiff_t i) {
        return i < 0 ? std::uint64_t{0}
                     : static_cast<std::uint64_t>(size.chunks_[static_cast<std::size_t>(i)]);
    };
    // The highest 64 bits; whether anything lies below them decides ties.
    std::uint64_t leading = chunk(top) << chunk_bits | chunk(top - 1);
    if (leading == 0) return 0.0;
    const int n_zeros = std::countl_zero(leading);
    const std::uint64_t next = chunk(top - 2) << chunk_bits;
    leading <<= n_zeros;
    if (n_zeros > 0) leading |= next >> (64 - n_zeros);
    bool has_more = (next << n_zeros) != 0;
    for (std::ptrdiff_t i = 0; i < top - 2; ++i) has_more |= chunk(i) != 0;
    const int exponent = chunk_bits * (static_cast<int>(top) - 1) - exponent_offset - n_zeros;
    const double rounded =
        std::ldexp(static_cast<double>(leading | static_cast<std::uint64_t>(has_more)), exponent);
    return is_negative ? -rounded : rounded;
}

ExactSum exact_sum(std::span<const double> terms, std::span<const double> weights, int n_threads) {
    constexpr index_t rows_per_block = 1 << 15;
    return exact_sum_of_blocks(
        std::ssize(terms), rows_per_block, n_threads, [&](index_t first, index_t n) {
            ExactSum sum;
            for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(first + n);
                 ++i) {
                if (weights.empty()) {
                    sum.add(terms[i]);
                    continue;
                }
                // A whole weight adds exactly what so many terms add.
                const double product = weights[i] * terms[i];
                sum.add(product);
                const double rounded_off = std::fma(weights[i], terms[i], -product);
                if (std::isfinite(rounded_off)) sum.add(rounded_off);
            }
            return sum;
        });
}

}  // namespace nonet
