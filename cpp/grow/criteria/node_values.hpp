// The values of the nodes of a grown tree, and their statistics, in double precision from the rows
// themselves: what fixed point rounds off decides about splits at most.
//
// Leaves are summed up from their rows, inner nodes from their children. A summary is a few
// doubles; `describe` writes the values and returns the rest.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include "base/types.hpp"
#include "grow/node/split.hpp"

namespace nonet {

struct NodeMeasures {
    double impurity;
    double weight;
};

// Whatever writes the values of nodes:
// - summary_size: doubles in a summary, which are 0 before sum_rows adds the rows of a leaf;
// - n_outputs: doubles in a value;
// - clip: moves a value into the bounds that monotone constraints set.
// Those whose inner nodes follow from their children join two summaries; see median_values.hpp for
// one that cannot. Newton's step has a third argument of `describe`, the penalty of the node.
template <typename Values>
concept NodeValues = requires(const Values& values, std::span<const std::uint32_t> rows,
                              double* summary, const PredictionBounds& bounds, double* out) {
    { values.n_outputs() } -> std::same_as<index_t>;
    { values.summary_size() } -> std::same_as<index_t>;
    values.sum_rows(rows, summary);
    values.clip(bounds, out);
    requires requires {
        { values.describe(summary, out) } -> std::same_as<NodeMeasures>;
    } || requires {
        { values.describe(summary, out, 0.0) } -> std::same_as<NodeMeasures>;
    };
};

// From a weight, and for each output a value and the weighted sum of distances from it: the values,
// and the mean over outputs of their mean distances.
inline NodeMeasures describe_middles(const double* summary, index_t n_outputs,
                                     double* out) noexcept {
    double sum = 0;
    for (index_t k = 0; k < n_outputs; ++k) {
        out[k] = summary[1 + 2 * k];
        sum += summary[2 + 2 * k];
    }
    return {sum / summary[0] / static_cast<double>(n_outputs), summary[0]};
}

}  // namespace nonet
