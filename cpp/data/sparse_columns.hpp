// A matrix of mostly zeros as SciPy hands it over: compressed columns, never copied.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/check.hpp"
#include "base/types.hpp"

namespace nonet {

template <typename T>
struct SparseColumns {
    using value_type = T;

    std::span<const std::int64_t> starts;  // of the columns among the entries, and their end
    std::span<const std::int32_t> rows;    // of the entries
    std::span<const T> values;
    index_t n_rows;

    index_t n_columns() const noexcept { return std::ssize(starts) - 1; }
    std::span<const std::int32_t> rows_of(index_t column) const noexcept {
        return part_of(rows, column);
    }
    std::span<const T> values_of(index_t column) const noexcept { return part_of(values, column); }

    void copy_column(index_t column, std::span<T> dense) const noexcept {
        std::ranges::fill(dense, T{0});
        const std::span<const std::int32_t> positions = rows_of(column);
        for (std::size_t i = 0; i < positions.size(); ++i)
            dense[static_cast<std::size_t>(positions[i])] = values_of(column)[i];
    }

    // Throws unless every entry lies inside the matrix, and those of a column come in order.
    void check_entries() const {
        check(n_columns() >= 0 && rows.size() == values.size() && starts.front() == 0 &&
                  starts.back() == std::ssize(rows) && std::ranges::is_sorted(starts),
              "Columns of a sparse matrix must lie one after another among its entries.");
        check(std::ranges::all_of(rows, [this](index_t row) { return row >= 0 && row < n_rows; }),
              "Entries of a sparse matrix must lie in its rows.");
        for (index_t j = 0; j < n_columns(); ++j)
            check(std::ranges::is_sorted(rows_of(j), std::ranges::less_equal{}),
                  "Entries of a sparse column must come in the order of rows, each row once.");
    }

private:
    template <typename U>
    std::span<const U> part_of(std::span<const U> entries, index_t column) const noexcept {
        const auto begin = static_cast<std::size_t>(starts[static_cast<std::size_t>(column)]);
        const auto end = static_cast<std::size_t>(starts[static_cast<std::size_t>(column) + 1]);
        return entries.subspan(begin, end - begin);
    }
};

}  // namespace nonet
