// The rows of a tree, partitioned as its nodes are split.
//
// A node's rows lie side by side and keep their order, together with what they add to histograms.
// There are two sides: the rows of a node that is split move from one side to the same positions of
// the other, which leaves nothing to copy back.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/buffer_pool.hpp"
#include "base/parallel.hpp"
#include "grow/node/split.hpp"

namespace nonet {

struct RowRange {
    index_t begin = 0;
    index_t end = 0;
    std::uint32_t side = 0;

    index_t size() const noexcept { return end - begin; }
};

template <typename Row>
class RowPartition {
public:
    // The caller's rows are side 0. What they add is not known yet: the caller fills it in.
    RowPartition(BufferPool& pool, std::span<std::uint32_t> rows)
        : n_rows_(std::ssize(rows)),
          other_rows_(pool, n_rows_),
          added_(pool, n_rows_),
          other_added_(pool, n_rows_),
          rows_by_side_{rows.data(), other_rows_.data()},
          added_by_side_{added_.data(), other_added_.data()} {}

    index_t n_rows() const noexcept { return n_rows_; }
    RowRange all() const noexcept { return {0, n_rows_, 0}; }
    std::span<std::uint32_t> rows(RowRange range) const noexcept {
        return part_of(rows_by_side_, range);
    }
    std::span<Row> added(RowRange range) const noexcept { return part_of(added_by_side_, range); }

    // Left and right child.
    template <typename Bins>
    std::pair<RowRange, RowRange> part(RowRange range, const Bins& bins, const Split& split,
                                       int n_threads) {
        if (split.categories || split.missing_bin != Split::no_bin)
            return part_if(range, n_threads,
                           [&](std::uint32_t row) { return split.goes_left(bins[row]); });
        return part_if(range, n_threads, [bins, last = split.last_left_bin](std::uint32_t row) {
            return bins[row] <= last;
        });
    }

private:
    static constexpr index_t rows_per_word = 64;
    static constexpr index_t rows_per_thread = 1 << 13;  // fewer are not worth waking it
    static constexpr index_t max_rows_alone = 2 * rows_per_thread;
    static constexpr index_t rows_per_block = 1 << 12;

    template <typename T>
    static std::span<T> part_of(const std::array<T*, 2>& sides, RowRange range) noexcept {
        return {sides[range.side] + range.begin, static_cast<std::size_t>(range.size())};
    }

    // Each block marks in bits which rows go left; then all positions are known and the rows move.
    template <typename GoesLeft>
    std::pair<RowRange, RowRange> part_if(RowRange range, int n_threads,
                                          const GoesLeft& goes_left) {
        if (range.size() < max_rows_alone) return split_block(range, goes_left);
        n_threads = threads_for(range.size(), rows_per_thread, n_threads);
        const index_t n_blocks = (range.size() + rows_per_block - 1) / rows_per_block;
        std::vector<std::uint64_t> bits(static_cast<std::size_t>(range.size() / rows_per_word + 1));
        std::vector<index_t> n_left(static_cast<std::size_t>(n_blocks));
        const auto block = [&](index_t b) {
            const index_t begin = range.begin + b * rows_per_block;
            return RowRange{begin, std::min(begin + rows_per_block, range.end), range.side};
        };
        const auto bits_of = [&](index_t b) {
            return bits.data() + b * rows_per_block / rows_per_word;
        };
        parallel_for(n_blocks, n_threads, [&](index_t b) {
            n_left[static_cast<std::size_t>(b)] = note(block(b), goes_left, bits_of(b));
        });
        index_t middle = range.begin;
        for (index_t& n : n_left) middle += std::exchange(n, middle);  // now where it begins
        parallel_for(n_blocks, n_threads, [&](index_t b) {
            const index_t left = n_left[static_cast<std::size_t>(b)];
            move(block(b), bits_of(b), left, middle + block(b).begin - left);
        });
        return children(range, middle);
    }

    template <typename GoesLeft>
    std::pair<RowRange, RowRange> split_block(RowRange range, const GoesLeft& goes_left) {
        std::uint64_t bits[max_rows_alone / rows_per_word];
        const index_t middle = range.begin + note(range, goes_left, bits);
        move(range, bits, range.begin, middle);
        return children(range, middle);
    }

    static std::pair<RowRange, RowRange> children(RowRange range, index_t middle) noexcept {
        const std::uint32_t side = 1 - range.side;
        return {{range.begin, middle, side}, {middle, range.end, side}};
    }

    // Returns how many go left.
    template <typename GoesLeft>
    index_t note(RowRange range, const GoesLeft& goes_left, std::uint64_t* bits) const noexcept {
        const std::uint32_t* rows = rows_by_side_[range.side] + range.begin;
        index_t n_left = 0;
        for (index_t first = 0; first < range.size(); first += rows_per_word, ++bits) {
            const index_t n = std::min(rows_per_word, range.size() - first);
            std::uint64_t word = 0;
            for (index_t i = 0; i < n; ++i)
                word |= static_cast<std::uint64_t>(goes_left(rows[first + i])) << i;
            *bits = word;
            n_left += std::popcount(word);
        }
        return n_left;
    }

    void move(RowRange range, const std::uint64_t* bits, index_t left, index_t right) noexcept {
        for (index_t first = range.begin; first < range.end; first += rows_per_word, ++bits) {
            const index_t n = std::min(rows_per_word, range.end - first);
            const std::uint64_t all = ~std::uint64_t{0} >> (rows_per_word - n);
            left = move_word(range.side, first, *bits, left);
            right = move_word(range.side, first, ~*bits & all, right);
        }
    }

    // Rows first + b for each bit b go to the other side, from position `to` on.
    index_t move_word(std::uint32_t side, index_t first, std::uint64_t word, index_t to) noexcept {
        const std::uint32_t* rows = rows_by_side_[side];
        const Row* added = added_by_side_[side];
        std::uint32_t* moved_rows = rows_by_side_[1 - side];
        Row* moved_added = added_by_side_[1 - side];
        for (; word != 0; word &= word - 1, ++to) {
            const index_t from = first + std::countr_zero(word);
            moved_rows[to] = rows[from];
            moved_added[to] = added[from];
        }
        return to;
    }

    index_t n_rows_;
    PooledBuffer<std::uint32_t> other_rows_;
    PooledBuffer<Row> added_;
    PooledBuffer<Row> other_added_;
    std::array<std::uint32_t*, 2> rows_by_side_;
    std::array<Row*, 2> added_by_side_;
};

}  // namespace nonet
