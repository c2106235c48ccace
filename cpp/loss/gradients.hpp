// Gradients, hessians and sums of the built-in losses over all rows.
#pragma once

#include <span>
#include <string_view>

#include "base/exact_sum.hpp"
#include "base/types.hpp"

namespace nonet {

// `name` is one of the table in losses.hpp; `shape` is the number of a loss that has one: the width
// of Huber's, the level of the quantile, the power of Tweedie's.
struct LossKind {
    std::string_view name;
    double shape = 0;
};

// Targets and scores, one per row.
struct Scored {
    std::span<const double> targets;
    std::span<const double> scores;
};

// `hessians` may be empty for losses whose hessian is 1 everywhere.
void fill_gradients(LossKind loss, const Scored& rows, int n_threads, std::span<double> gradients,
                    std::span<double> hessians);

// Sum over rows of weight times loss; no weights mean 1 each. The same for any order of the rows.
ExactSum sum_losses(LossKind loss, const Scored& rows, std::span<const double> weights,
                    int n_threads);

// Scores, gradients and hessians lie class by class: (n_classes, n_rows).
struct ScoredClasses {
    std::span<const std::int32_t> classes;
    std::span<const double> scores;
    index_t n_classes;
};
void fill_class_gradients(const ScoredClasses& rows, int n_threads, std::span<double> gradients,
                          std::span<double> hessians);
ExactSum sum_class_losses(const ScoredClasses& rows, std::span<const double> weights,
                          int n_threads);

// scores[row] += values[leaves[row]]; rows with a negative leaf are left as they are.
void add_leaf_values(std::span<const std::int32_t> leaves, std::span<const double> values,
                     int n_threads, std::span<double> scores);

}  // namespace nonet
