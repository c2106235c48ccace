// Scores of many candidate splits at once, in vector registers.
#pragma once

#include <cstdint>
#include <limits>

#include "base/types.hpp"

namespace nonet {

// What every child must have.
struct ChildLimits {
    double min_rows;
    double min_weight;
    double extra_l2 = 0;  // Newton only: the penalty of a child beyond that of all nodes
};

// Sums of one child as the cells of its criterion, and how these become numbers.
struct MomentScale {
    int row_bits;  // of the second cell are the number of rows, the others the hessian
    double gradient_unit;
    double hessian_unit;
    double l1;
    double l2;
    double max_step;  // infinity: steps are as long as they are
    double factor;

    bool has_free_steps() const noexcept {
        return !(l1 > 0) && max_step == std::numeric_limits<double>::infinity();
    }
};

// For n left children of the same parent, factor times
// - the difference of means (split_gain.hpp) with weights H + l2, if steps are free; otherwise
// - T(G)^2 / (H + l2) of the left child plus that of the right one, where T moves G towards 0 by
// l1,
//   and where T(G) / (H + l2) is longer than the longest step s, s (2 T(G) - s (H + l2)).
// What a limit forbids gets minus infinity.
void score_moments(const std::int64_t* gradients, const std::int64_t* hessians_and_rows,
                   std::int64_t all_gradients, std::int64_t all_hessians_and_rows,
                   const MomentScale& scale, const ChildLimits& limits, index_t n, double* scores);

// The maximum of n scores, n >= 1, and the index of the first; scores are no NaN.
double maximum(const double* scores, index_t n);
index_t first_maximum(const double* scores, index_t n);

struct ClassScale {
    int row_bits;  // of a cell are the number of rows, the others the weight; 0: both are the same
    double unit;
};

// (w_0^2 + w_1^2) / (w_0 + w_1) of the left child plus that of the right one.
void score_two_classes(const std::int64_t* first, const std::int64_t* second,
                       std::int64_t all_first, std::int64_t all_second, const ClassScale& scale,
                       const ChildLimits& limits, index_t n, double* scores);

// Of a left child, by class: rows; their squares; their products with those of the parent.
struct ClassSums {
    std::uint64_t weight;
    std::uint64_t squares;
    std::uint64_t products;
};

// The sum of w_k^2 / w of the left child plus that of the right one, where rows weigh whole
// numbers.
void score_many_classes(const ClassSums* lefts, const ClassSums& all, const ChildLimits& limits,
                        index_t n, double* scores);

}  // namespace nonet
