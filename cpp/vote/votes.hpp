// Votes for classes: how much weight stands behind each label.
#pragma once

#include <span>

#include "base/views.hpp"
#include "vote/outputs.hpp"

namespace nonet {

// support(row, class) = sum of the weights of the members that name the class, in the order of
// members; no weights at all = one each. A negative code is a member that abstains. Returns false
// if some code is not below the number of classes. Code: int8, int16, int32, int64, uint8.
template <typename Code>
bool count_votes(const Outputs<Code>& codes, std::span<const double> weights, int n_threads,
                 MatrixView<double> support);

}  // namespace nonet
