// The rows of AdaBoost in a round: how heavy they are, and what the votes have added up to.
//
// Each function is one pass. Sums are taken over blocks of fixed size, and the blocks added in
// their order: any number of threads gives equal bits.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.hpp"

namespace nonet {

using Weights = std::span<const double>;
using Marks = std::span<const std::uint8_t>;  // 1 or 0

// The weight of the marked rows.
double sum_marked(Weights weights, Marks marks, int n_threads);

// Writes the weights times `factor`, those of marked rows as they are.
void scale_unmarked(Weights weights, Marks marks, double factor, int n_threads, double* out);

// Makes the sum 1, with no row below the minimum weight.
void normalise(std::span<double> weights, double minimum, int n_threads);

// Adds the weights to sums, and returns the sum of their squares.
double add_weights(Weights weights, int n_threads, double* sums);

struct VoteSums {
    double min_score;
    double wrong_weight;
};

// Adds alpha to the score of every row, or takes it away where the vote is wrong; then finds the
// minimum score, and the weight of rows below 0. A row of score 0 counts as one of the first class.
VoteSums add_votes(Marks wrong, double alpha, Weights weights, Marks is_second, int n_threads,
                   double* scores);

}  // namespace nonet
