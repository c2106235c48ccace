// What one thread has counted of a node's rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/buffer_pool.hpp"

namespace nonet {

// Threads take blocks of rows one after another, and each adds them to memory of its own: cells are
// whole numbers, so that it does not matter which thread has counted which rows. Packed rows are
// added up as words, which become cells when they are full; a part of few rows has no cells.
template <typename Cell, typename Row>
struct HistogramPart {
    HistogramPart(std::int32_t histogram_, Cell* cells_) noexcept
        : histogram(histogram_), cells(cells_) {}

    std::int32_t histogram;
    Cell* cells;
    bool has_cells = false;  // otherwise nobody has cleared them
    std::optional<PooledBuffer<Row>> words;
    std::size_t n_rows_in_words = 0;
    std::vector<Cell> total;  // of the rows of this part, where columns are listed
};

}  // namespace nonet
