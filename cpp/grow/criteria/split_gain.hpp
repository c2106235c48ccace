// What a split gains, in a form that does not subtract large numbers.
#pragma once

namespace nonet {

// Two children have the sums G, H and the weights V, W: their means are G / V and H / W. With S the
// sum and U the weight of both,
//
//     G^2 / V + H^2 / W - S^2 / U = (G W - H V)^2 / (V W U).
//
// The left side loses the difference of the means where it is small against the means themselves,
// as where one target of a million is far from the others. The right side keeps it.
inline double difference_of_means(double left_sum, double left_weight, double right_sum,
                                  double right_weight) noexcept {
    const double difference = left_sum * right_weight - right_sum * left_weight;
    const double weights = left_weight * right_weight * (left_weight + right_weight);
    return weights > 0 ? difference * difference / weights : 0.0;
}

// With penalties the children weigh V + l2 + e and W + l2 + e, and their parent U + l2: in the
// difference of means the parent weighs U + 2 (l2 + e), and all splits of a node gain less by this.
inline double lost_to_l2(double sum, double weight, double l2, double extra) noexcept {
    const double surplus = l2 + 2 * extra;
    if (!(surplus > 0) || !(weight + l2 > 0)) return 0.0;
    return sum * sum * surplus / ((weight + l2) * (weight + l2 + surplus));
}

}  // namespace nonet
