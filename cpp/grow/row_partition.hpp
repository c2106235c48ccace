// The rows of a tree, parted in place as its nodes are split.
//
// A node's rows lie side by side and keep their order, together with what they add to histograms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "base/parallel.hpp"
#include "grow/split.hpp"

namespace nonet {

struct RowRange {
    index_t begin = 0;
    index_t end = 0;

    index_t size() const noexcept { return end - begin; }
};

template <typename Row>
class RowPartition {
public:
    RowPartition(std::vector<std::uint32_t> rows, std::vector<Row> added)
        : rows_(std::move(rows)),
          added_(std::move(added)),
          right_rows_(std::ssize(rows_)),
          right_added_(std::ssize(added_)) {}

    index_t n_rows() const noexcept { return std::ssize(rows_); }
    std::span<const std::uint32_t> rows(RowRange range) const noexcept {
        return {rows_.data() + range.begin, static_cast<std::size_t>(range.size())};
    }
    std::span<const Row> added(RowRange range) const noexcept {
        return {added_.data() + range.begin, static_cast<std::size_t>(range.size())};
    }

    // Row i of the range becomes the order[i]-th of it. What rows add stays: nobody asks again.
    void reorder(RowRange range, std::span<const std::uint32_t> order) noexcept {
        for (std::size_t i = 0; i < order.size(); ++i)
            right_rows_.data()[static_cast<std::size_t>(range.begin) + i] =
                rows_[static_cast<std::size_t>(range.begin) + order[i]];
        std::copy_n(right_rows_.data() + range.begin, range.size(), rows_.begin() + range.begin);
    }

    // Returns where the right child begins.
    template <typename Bin>
    index_t part(RowRange range, const Bin* bins, const Split& split, int n_threads) {
        const index_t n_blocks = (range.size() + rows_a_block - 1) / rows_a_block;
        if (n_blocks == 1 || n_threads == 1) {
            const index_t middle = part_block(range, bins, split);
            move_back(range.begin, range.end - middle, middle);
            return middle;
        }
        return part_blocks(range, bins, split, n_blocks, n_threads);
    }

private:
    static constexpr index_t rows_a_block = 1 << 15;

    // Left rows move to the front of the range, right ones to the front of the other buffer. Both
    // are written for every row, which is cheaper than a branch that cannot be foretold.
    template <typename Bin>
    index_t part_block(RowRange range, const Bin* bins, const Split& split) noexcept {
        index_t left = range.begin;
        index_t right = range.begin;
        for (index_t i = range.begin; i < range.end; ++i) {
            const std::uint32_t row = rows_[static_cast<std::size_t>(i)];
            const Row added = added_[static_cast<std::size_t>(i)];
            const bool goes_left = split.goes_left(bins[row]);
            rows_[static_cast<std::size_t>(left)] = row;
            added_[static_cast<std::size_t>(left)] = added;
            right_rows_.data()[right] = row;
            right_added_.data()[right] = added;
            left += goes_left;
            right += !goes_left;
        }
        return left;
    }

    void move_back(index_t from, index_t n, index_t to) noexcept {
        std::copy_n(right_rows_.data() + from, n, rows_.begin() + to);
        std::copy_n(right_added_.data() + from, n, added_.begin() + to);
    }

    // Blocks are parted each in itself, then their left parts close up and their right parts
    // follow.
    template <typename Bin>
    index_t part_blocks(RowRange range, const Bin* bins, const Split& split, index_t n_blocks,
                        int n_threads) {
        std::vector<RowRange> left_parts(static_cast<std::size_t>(n_blocks));
        const auto block_range = [&](index_t block) {
            const index_t begin = range.begin + block * rows_a_block;
            return RowRange{begin, std::min(begin + rows_a_block, range.end)};
        };
        parallel_for(n_blocks, n_threads, [&](index_t block) {
            const RowRange part = block_range(block);
            left_parts[static_cast<std::size_t>(block)] = {part.begin,
                                                           part_block(part, bins, split)};
        });
        index_t middle = range.begin;
        for (const RowRange& part : left_parts) {
            std::copy_n(rows_.begin() + part.begin, part.size(), rows_.begin() + middle);
            std::copy_n(added_.begin() + part.begin, part.size(), added_.begin() + middle);
            middle += part.size();
        }
        index_t to = middle;
        std::vector<index_t> right_places(static_cast<std::size_t>(n_blocks));
        for (index_t block = 0; block < n_blocks; ++block) {
            right_places[static_cast<std::size_t>(block)] = to;
            to += block_range(block).size() - left_parts[static_cast<std::size_t>(block)].size();
        }
        parallel_for(n_blocks, n_threads, [&](index_t block) {
            const auto b = static_cast<std::size_t>(block);
            move_back(block_range(block).begin, block_range(block).size() - left_parts[b].size(),
                      right_places[b]);
        });
        return middle;
    }

    std::vector<std::uint32_t> rows_;
    std::vector<Row> added_;
    AlignedBuffer<std::uint32_t> right_rows_;  // right rows on their way
    AlignedBuffer<Row> right_added_;
};

}  // namespace nonet
