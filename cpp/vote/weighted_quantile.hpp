// Weighted quantiles over members.
#pragma once

#include <span>

#include "vote/outputs.hpp"

namespace nonet {

struct Quantile {
    double q;       // fraction of the total weight, in [0, 1]
    bool midpoint;  // where a value reaches q exactly: its mean with the next, or itself
};

// out[lane] = the minimum output at which the weights of the outputs up to it reach q of their
// total. Sums of weights count as equal within their rounding error, so that ten weights of 0.1
// behave as ten equal ones. Members of weight 0 are not looked at. Returns whether all outputs
// looked at, and all results, are numbers. T: float, double.
template <typename T>
bool weighted_quantile(const Outputs<T>& outputs, std::span<const double> weights,
                       Quantile quantile, int n_threads, T* out);

}  // namespace nonet
