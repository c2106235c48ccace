// The class with the maximum support.
#pragma once

#include "base/views.hpp"

namespace nonet {

// winners[row] = the first of the columns with the maximum support. Returns whether all supports
// are numbers. T: float, double.
template <typename T>
bool argmax_rows(MatrixView<const T> support, int n_threads, std::int64_t* winners);

}  // namespace nonet
