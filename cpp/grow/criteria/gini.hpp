// The Gini impurity of classes: the probability that two rows drawn from a node differ in class.
#pragma once

namespace nonet {

struct Gini {
    static constexpr bool is_sum_of_squares = true;
    static constexpr double most = 1;  // impurity = most - score / weight

    // Sum of w_k^2 / w.
    template <typename Weights>
    static double score(const Weights& weights, double total) noexcept {
        double squares = 0;
        for (const double weight : weights) squares += weight * weight;
        return total > 0 ? squares / total : 0.0;
    }
};

}  // namespace nonet
