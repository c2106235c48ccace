// Borda counts: ranks instead of scores that cannot be compared between members.
#pragma once

#include <span>

#include "base/views.hpp"
#include "vote/outputs.hpp"

namespace nonet {

// support(row, class) = sum over members of weight * points, where a class has one point for each
// class the member scores below it and, if tie_points is 1/2, half a point for each equal one.
// Returns whether all scores are numbers. T: float, double.
template <typename T>
bool borda_counts(const Outputs<T>& scores, std::span<const double> weights, double tie_points,
                  int n_threads, MatrixView<double> support);

}  // namespace nonet
