// Which rows the trees of a round of boosting see, and how much each of them counts.
//
// A row that was drawn with a probability p below its fellows' counts 1 / p times, so that sums of
// gradients are unbiased. Whether a row is drawn depends on (seed, round, row) and on the
// sizes of the gradients alone: draws are the same on any number of threads.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.hpp"

namespace nonet {

struct RowDraw {
    std::uint64_t seed;
    std::uint64_t round;
    int n_threads;
};

// Each row with the same probability; those drawn count once.
void draw_uniform(const RowDraw& draw, double fraction, std::span<double> factors);

// weight * sqrt(sum over scores of g^2 + lambda h^2) of each row: its importance. Gradients
// lie score by score, (n_scores, n_rows); no weights mean 1 each.
void measure_derivatives(std::span<const double> gradients, std::span<const double> hessians,
                         std::span<const double> weights, double lambda, int n_threads,
                         std::span<double> sizes);

// Gradient-based one-side sampling (Ke et al., 2017): all of the rows of the greatest gradients, a
// share `top` of all, and as many of the others as make a share `other` of all.
void draw_one_side(const RowDraw& draw, std::span<const double> sizes, double top, double other,
                   std::span<double> factors);

// Minimal variance sampling (Ibragimov and Gusev, 2019): probabilities min(1, size / mu), where mu
// makes the expected number of rows a fraction of all.
void draw_min_variance(const RowDraw& draw, std::span<const double> sizes, double fraction,
                       std::span<double> factors);

}  // namespace nonet
