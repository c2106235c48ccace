// Weighted sums and means over members.
#pragma once

#include <span>

#include "vote/outputs.hpp"

namespace nonet {

// out[lane] = (sum over members of weight * output) / divisor, added in double in the order of
// members, whatever the layout. Returns whether every result is a number. T: float, double.
template <typename T>
bool weighted_sum(const Outputs<T>& outputs, std::span<const double> weights, double divisor,
                  int n_threads, T* out);

}  // namespace nonet
