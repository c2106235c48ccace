#include "data/distinct_strings.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/check.hpp"

namespace nonet {
namespace {

constexpr std::size_t max_short = 12;

// A string of up to 12 bytes is its key; of a longer one the key has a hash, and bytes are
// compared.
struct Key {
    std::uint64_t low;   // 8 bytes, or the hash
    std::uint64_t high;  // 4 bytes and, above them, the length
    const char* bytes;   // of a longer string

    std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(high >> 32U); }
    std::string text() const {
        if (size() > max_short) return {bytes, size()};
        char both[2 * sizeof low];
        std::memcpy(both, &low, sizeof low);
        std::memcpy(both + sizeof low, &high, sizeof high);
        return {both, size()};
    }
};

// Every bit of x moves the highest bits of the product, and a few of the lowest.
std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 32U) * 0x9E3779B97F4A7C15U;
    return x ^ x >> 32U;
}

bool same(const Key& one, const Key& other) {
    return one.low == other.low && one.high == other.high &&
           (one.size() <= max_short || std::memcmp(one.bytes, other.bytes, one.size()) == 0);
}

std::uint64_t hash_bytes(const char* bytes, std::size_t n) {
    std::uint64_t hash = n;
    std::uint64_t word = 0;
    for (; n >= sizeof word; n -= sizeof word, bytes += sizeof word) {
        std::memcpy(&word, bytes, sizeof word);
        hash = mix(hash ^ word);
    }
    word = 0;
    std::memcpy(&word, bytes, n);
    return mix(hash ^ word);
}

Key long_key(const char* bytes, std::uint64_t n) {
    check(n <= std::numeric_limits<std::uint32_t>::max(), "A string has more than 2**32 bytes.");
    return {hash_bytes(bytes, n), n << 32U, bytes};
}

// ---- Where strings are -------------------------------------------------------------------------

template <typename Offset>
class OffsetStrings {
public:
    explicit OffsetStrings(const ArrowArray& chunk)
        : offsets_(static_cast<const Offset*>(chunk.buffers[1]) + chunk.offset),
          bytes_(static_cast<const char*>(chunk.buffers[2])),
          end_(chunk.length > 0 ? offsets_[chunk.length] : 0) {}

    Key operator[](std::int64_t i) const {
        const Offset start = offsets_[i];
        const auto n = static_cast<std::uint64_t>(offsets_[i + 1] - start);
        const char* bytes = bytes_ + start;
        if (n > max_short) return long_key(bytes, n);
        std::uint64_t words[2] = {0, 0};
        // All that there is at once, and others cleared: a copy of n bytes would take longer.
        if (end_ - start >= static_cast<Offset>(sizeof words)) {
            std::memcpy(words, bytes, sizeof words);
            words[0] &= first_bytes(std::min<std::uint64_t>(n, 8));
            words[1] &= first_bytes(n > 8 ? n - 8 : 0);
        } else if (n > 0) {
            std::memcpy(words, bytes, n);
        }
        return {words[0], words[1] | n << 32U, nullptr};
    }

private:
    static std::uint64_t first_bytes(std::uint64_t n) noexcept {
        return n == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * n);
    }

    const Offset* offsets_;
    const char* bytes_;
    Offset end_;
};

class ViewStrings {
public:
    explicit ViewStrings(const ArrowArray& chunk)
        : views_(static_cast<const char*>(chunk.buffers[1]) + 16 * chunk.offset),
          buffers_(chunk.buffers + 2) {}

    // A view: its length (4 bytes), then up to 12 bytes with zeros behind them; or the first 4
    // bytes, the buffer and where in it the string begins.
    Key operator[](std::int64_t i) const {
        const char* view = views_ + 16 * i;
        std::uint32_t n = 0;
        std::memcpy(&n, view, sizeof n);
        if (n > max_short) {
            std::int32_t buffer_and_start[2];
            std::memcpy(buffer_and_start, view + 8, sizeof buffer_and_start);
            return long_key(
                static_cast<const char*>(buffers_[buffer_and_start[0]]) + buffer_and_start[1], n);
        }
        std::uint64_t low = 0;
        std::uint32_t high = 0;
        std::memcpy(&low, view + 4, sizeof low);
        std::memcpy(&high, view + 12, sizeof high);
        return {low, high | std::uint64_t{n} << 32U, nullptr};
    }

private:
    const char* views_;
    const void** buffers_;
};

// ---- Which are distinct ------------------------------------------------------------------------

class DistinctStrings {
public:
    // Returns the position of a string, after adding it if it is new.
    std::int32_t position(const Key& key) {
        for (std::size_t slot = slot_of(key);; slot = next(slot)) {
            const std::int32_t found = slots_[slot];
            if (found < 0) return add(key, slot);
            if (same(keys_[static_cast<std::size_t>(found)], key)) return found;
        }
    }
    std::vector<std::string> texts() const {
        std::vector<std::string> texts;
        texts.reserve(keys_.size());
        for (const Key& key : keys_) texts.push_back(key.text());
        return texts;
    }

private:
    std::size_t slot_of(const Key& key) const noexcept {
        return static_cast<std::size_t>(mix(key.low ^ mix(key.high)) & (slots_.size() - 1));
    }
    std::size_t next(std::size_t slot) const noexcept { return (slot + 1) & (slots_.size() - 1); }
    std::int32_t add(const Key& key, std::size_t slot) {
        check(keys_.size() < std::numeric_limits<std::int32_t>::max(),
              "A column has more than 2**31 - 1 distinct strings.");
        const auto position = static_cast<std::int32_t>(keys_.size());
        slots_[slot] = position;
        keys_.push_back(key);
        if (2 * keys_.size() > slots_.size()) grow();
        return position;
    }
    void grow() {
        slots_.assign(2 * slots_.size(), -1);
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            std::size_t slot = slot_of(keys_[i]);
            while (slots_[slot] >= 0) slot = next(slot);
            slots_[slot] = static_cast<std::int32_t>(i);
        }
    }

    std::vector<std::int32_t> slots_ = std::vector<std::int32_t>(256, -1);  // a power of two
    std::vector<Key> keys_;
};

template <typename Strings>
void add_chunk(DistinctStrings& distinct, const ArrowArray& chunk,
               std::span<std::int32_t> positions) {
    const Strings strings(chunk);
    // Bit i is set if row i has a string; no bits if all have one.
    const auto* present = static_cast<const unsigned char*>(chunk.buffers[0]);
    for (std::int64_t i = 0; i < chunk.length; ++i) {
        const std::int64_t bit = i + chunk.offset;
        const bool has_string = present == nullptr || (present[bit / 8] >> (bit % 8) & 1U) != 0;
        positions[static_cast<std::size_t>(i)] = has_string ? distinct.position(strings[i]) : -1;
    }
}

}  // namespace

std::vector<std::string> find_distinct(const ArrowStrings& strings,
                                       std::span<std::int32_t> positions) {
    check(static_cast<index_t>(positions.size()) == strings.n_rows(),
          "The positions of strings need one entry per row.");
    DistinctStrings distinct;
    std::size_t row = 0;
    for (const ArrowArray& chunk : strings.chunks()) {
        const auto out = positions.subspan(row, static_cast<std::size_t>(chunk.length));
        if (strings.layout() == StringLayout::views)
            add_chunk<ViewStrings>(distinct, chunk, out);
        else if (strings.layout() == StringLayout::large_offsets)
            add_chunk<OffsetStrings<std::int64_t>>(distinct, chunk, out);
        else
            add_chunk<OffsetStrings<std::int32_t>>(distinct, chunk, out);
        row += out.size();
    }
    return distinct.texts();
}

}  // namespace nonet
