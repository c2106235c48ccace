// Drawn thresholds on a grid.
//
// A drawn threshold may be anywhere between two values of its node, and no two of them would be
// equal. On a fine grid the trees of a forest have thresholds in common: a
// number has few ranks among them, which fit 16 bits where a forest predicts many rows.
#pragma once

#include <algorithm>
#include <cstddef>

#include "data/bin_edges.hpp"
#include "grow/node/split.hpp"

namespace nonet {

// Together, for 255 bins, less than 2**15.
constexpr double grid_cells_per_column = 1 << 13;
constexpr double grid_cells_per_bin = 1 << 6;

// Moves the threshold to the middle of its cell, where the cells part the way from begin to end.
// Returns whether it has moved: not if a value of the node is in the way.
inline bool move_to_cell(Split& split, const ColumnBins& bins, double begin, double end,
                         double n_cells) noexcept {
    const double position = (split.threshold - begin) / (end - begin) * n_cells;
    if (!(position >= 0 && position < n_cells)) return false;  // at an end, or beyond all numbers
    const double middle = static_cast<double>(static_cast<int>(position)) + 0.5;
    const double point = begin + middle / n_cells * (end - begin);
    if (point < bins.maximum[split.below] || point >= bins.minimum[split.above]) return false;
    split.threshold = point;
    return true;
}

// The cells are those of the column or, where its values are too close together for these, of a
// bin.
inline void move_to_grid(Split& split, const ColumnBins& bins) noexcept {
    if (move_to_cell(split, bins, bins.minimum.front(), bins.maximum.back(), grid_cells_per_column))
        return;
    const auto edges = bins.edges.begin();
    const auto end = std::lower_bound(edges + split.below, edges + split.above, split.threshold);
    move_to_cell(split, bins, end == edges ? bins.minimum.front() : *(end - 1),
                 end == bins.edges.end() ? bins.maximum.back() : *end, grid_cells_per_bin);
}

}  // namespace nonet
