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

// With a penalty l2 the children weigh V + l2 and W + l2, and their parent U + l2: the difference
// of means counts l2 twice, and all splits of a node lose by that as much as this.
inline double lost_to_l2(double sum, double weight, double l2) noexcept {
    return l2 > 0 ? sum * sum * l2 / ((weight + l2) * (weight + 2 * l2)) : 0.0;
}

}  // namespace nonet
