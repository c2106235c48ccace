// The bins of a branch's rows, row by row, which move with the rows when a node is split: all that
// a node looks at lies side by side, however deep it is.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/buffer_pool.hpp"
#include "grow/histogram/row_bins.hpp"
#include "grow/node/row_partition.hpp"
#include "grow/node/split.hpp"

namespace nonet {

class BranchBins {
public:
    // Copies the bins of the given rows, which are at `range`.
    BranchBins(BufferPool& pool, const RowBins& bins, RowRange range,
               std::span<const std::uint32_t> rows)
        : stride_(bins.stride),
          first_row_(range.begin),
          bins_(pool, range.size() * stride_),
          other_bins_(pool, range.size() * stride_),
          positions_(pool, range.size()),
          by_side_{range.side == 0 ? bins_.data() : other_bins_.data(),
                   range.side == 0 ? other_bins_.data() : bins_.data()} {
        copy_bins(bins, rows, bins_.data());
    }

    NodeBins of_node(RowRange rows) const noexcept {
        return {{first_of(rows), stride_}, rows.size(), nullptr};
    }

    // To the same positions of the other side, those of the left child first.
    void move(RowRange rows, const Split& split, index_t n_left) const noexcept {
        const RowRange there{rows.begin, rows.end, 1 - rows.side};
        split_bins({first_of(rows), stride_}, rows.size(), split.column, split.last_left_bin,
                   n_left, first_of(there), positions_.data());
    }
    // Only notes where two rows would go.
    void move_pair(bool is_swapped) const noexcept {
        positions_[0] = is_swapped;
        positions_[1] = 1 - is_swapped;
    }
    // Where the rows that were moved last are now, from the first row of their node on.
    const std::uint32_t* positions() const noexcept { return positions_.data(); }

private:
    std::uint8_t* first_of(RowRange rows) const noexcept {
        return by_side_[rows.side] + (rows.begin - first_row_) * stride_;
    }

    index_t stride_;
    index_t first_row_;  // of the branch in the partition
    PooledBuffer<std::uint8_t> bins_;
    PooledBuffer<std::uint8_t> other_bins_;
    PooledBuffer<std::uint32_t> positions_;
    std::array<std::uint8_t*, 2> by_side_;  // as the sides of the partition
};

}  // namespace nonet
