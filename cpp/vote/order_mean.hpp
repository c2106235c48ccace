// Means of order statistics over members: median, trimmed mean, minimum, maximum.
#pragma once

#include "vote/outputs.hpp"

namespace nonet {

// out[lane] = mean of the outputs at positions first, ..., last - 1 of the sorted members. Returns
// whether no output and no result is NaN. T: float, double.
template <typename T>
bool order_mean(const Outputs<T>& outputs, index_t first, index_t last, int n_threads, T* out);

}  // namespace nonet
