// The entropy of classes, in bits.
#pragma once

#include <cmath>

namespace nonet {

struct Entropy {
    static constexpr bool is_sum_of_squares = false;
    static constexpr double most = 0;

    static double x_log_x(double x) noexcept { return x > 0 ? x * std::log2(x) : 0.0; }

    template <typename Weights>
    static double score(const Weights& weights, double total) noexcept {
        double sum = 0;
        for (const double weight : weights) sum += x_log_x(weight);
        return sum - x_log_x(total);
    }
};

}  // namespace nonet
