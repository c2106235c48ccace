// Weighted sums of logarithms over members: the logarithmic pool and the product rule.
#pragma once

#include <span>

#include "vote/outputs.hpp"

namespace nonet {

// out[lane] = sum over members of weight * log(probability), in the order of members; log 0 is
// -infinity, and a member of weight 0 adds nothing whatever it predicts. Returns whether every
// result is a number: a negative probability gives none. T: float, double.
template <typename T>
bool weighted_log_sum(const Outputs<T>& probabilities, std::span<const double> weights,
                      int n_threads, double* out);

}  // namespace nonet
