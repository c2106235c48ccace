// Rows and bins of criteria that add up many whole numbers at once: one after another, in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace nonet {

// Number: a word of 64 bits, or of 128 where rows are many orders of magnitude apart.
template <typename Number>
struct WideRow {
    const Number* cells;
    std::size_t width;
};

template <typename Number>
class WideSums {
public:
    explicit WideSums(std::size_t width) : cells_(width) {}

    void clear() noexcept { std::ranges::fill(cells_, Number{0}); }
    void add(const Number* cells) noexcept {
        for (std::size_t k = 0; k < cells_.size(); ++k) cells_[k] += cells[k];
    }
    void add_rows(std::span<const WideRow<Number>> rows) noexcept {
        for (const WideRow<Number>& row : rows) add(row.cells);
    }
    void add_row_if(bool is_in, const WideRow<Number>& row) noexcept {
        if (is_in) add(row.cells);
    }
    void set_sum(const WideSums& one, const WideSums& other) noexcept {
        for (std::size_t k = 0; k < cells_.size(); ++k) cells_[k] = one.cells_[k] + other.cells_[k];
    }
    void set_difference(const WideSums& all, const WideSums& part) noexcept {
        for (std::size_t k = 0; k < cells_.size(); ++k) cells_[k] = all.cells_[k] - part.cells_[k];
    }
    const Number* cells() const noexcept { return cells_.data(); }
    Number last() const noexcept { return cells_.back(); }

private:
    std::vector<Number> cells_;
};

template <typename Number>
void add_wide_row(Number* cells, const WideRow<Number>& row) noexcept {
    for (std::size_t k = 0; k < row.width; ++k) cells[k] += row.cells[k];
}

}  // namespace nonet
