// Views of memory that someone else owns.
#pragma once

#include <span>

#include "base/types.hpp"

namespace nonet {

// Rows one after another, without gaps.
template <typename T>
struct MatrixView {
    T* data;
    index_t n_rows;
    index_t n_columns;

    T* row(index_t i) const noexcept { return data + i * n_columns; }
};

// A block of equal rows whose columns lie side by side; rows may be far apart.
template <typename T>
struct StridedRows {
    T* data;
    index_t stride;

    T* row(index_t i) const noexcept { return data + i * stride; }
};

}  // namespace nonet
