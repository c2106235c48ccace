// A matrix as NumPy hands it over: any memory order, any strides, never copied.
#pragma once

#include "base/types.hpp"

namespace nonet {

template <typename T>
struct StridedMatrix {
    using value_type = T;

    const T* data;
    index_t n_rows;
    index_t n_columns;
    index_t row_stride;  // in elements, as the next
    index_t column_stride;

    T operator()(index_t row, index_t column) const noexcept {
        return data[row * row_stride + column * column_stride];
    }
};

}  // namespace nonet
