// Numbers into bytes and back.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"

namespace nonet {

static_assert(std::endian::native == std::endian::little, "formats are little-endian");

class ByteWriter {
public:
    template <typename T>
    void write(const T* values, std::size_t n) {
        bytes_.append(reinterpret_cast<const char*>(values), n * sizeof(T));
    }
    template <typename T>
    void write(const T& value) {
        write(&value, 1);
    }
    // Seven bits a byte, the lowest first; the eighth is set if more follow.
    void write_count(std::uint64_t count) {
        for (; count >= 128; count >>= 7)
            bytes_.push_back(static_cast<char>(static_cast<unsigned char>(count | 128)));
        bytes_.push_back(static_cast<char>(count));
    }
    void write_bits(const std::vector<bool>& bits) {
        for (std::size_t first = 0; first < bits.size(); first += 8) {
            unsigned byte = 0;
            for (std::size_t i = first; i < std::min(first + 8, bits.size()); ++i)
                byte |= static_cast<unsigned>(bits[i]) << (i - first);
            bytes_.push_back(static_cast<char>(byte));
        }
    }
    std::string take() && { return std::move(bytes_); }
    std::span<const char> bytes() const noexcept { return bytes_; }

private:
    std::string bytes_;
};

class ByteReader {
public:
    explicit ByteReader(std::span<const char> bytes)
        : next_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    bool at_end() const noexcept { return next_ == end_; }

    // Every size that bytes name is compared with those at hand before memory is allocated.
    void check_holds(std::uint64_t n, std::uint64_t bytes_each) const {
        check(n <= n_left() / bytes_each, "The bytes of trees end too early.");
    }
    std::span<const char> take_bytes(std::uint64_t n) {
        check_holds(n, 1);
        const std::span taken(next_, static_cast<std::size_t>(n));
        next_ += taken.size();
        return taken;
    }
    template <typename T>
    std::vector<T> take(std::uint64_t n) {
        check_holds(n, sizeof(T));
        const auto taken = take_bytes(n * sizeof(T));
        std::vector<T> values(static_cast<std::size_t>(n));
        if (n > 0) std::memcpy(values.data(), taken.data(), taken.size());
        return values;
    }
    // Without a vector: trees are read number by number.
    template <typename T>
    T take() {
        T value;
        std::memcpy(&value, take_bytes(sizeof(T)).data(), sizeof(T));
        return value;
    }
    std::uint64_t take_count() {
        if (n_left() < 2) return take_long_count();
        // Most have one byte or two. Which of them, nobody can predict: no branch.
        const std::uint64_t first = static_cast<unsigned char>(next_[0]);
        const std::uint64_t second = static_cast<unsigned char>(next_[1]);
        const std::uint64_t goes_on = first >> 7U;
        if ((goes_on & second >> 7U) != 0) return take_long_count();
        next_ += 1 + goes_on;
        return (first & 127U) | (second << 7U & (0 - goes_on));
    }
    std::vector<bool> take_bits(std::uint64_t n) {
        check(n / 8 <= n_left(), "The bytes of trees end too early.");
        const auto taken = take_bytes((n + 7) / 8);
        std::vector<bool> bits(static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < bits.size(); ++i)
            bits[i] = (static_cast<unsigned char>(taken[i / 8]) >> (i % 8) & 1U) != 0;
        return bits;
    }

private:
    std::uint64_t n_left() const noexcept { return static_cast<std::uint64_t>(end_ - next_); }

    std::uint64_t take_long_count() {
        std::uint64_t count = 0;
        for (int shift = 0;; shift += 7) {
            const auto byte = take<unsigned char>();
            check(shift < 63, "The bytes of trees hold a number beyond all sizes.");
            count |= static_cast<std::uint64_t>(byte & 127) << shift;
            if (byte < 128) return count;
        }
    }

    const char* next_;
    const char* end_;
};

}  // namespace nonet
