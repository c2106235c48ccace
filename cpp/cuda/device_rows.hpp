// The rows of a boosting fit on a GPU: bins, gradients, the order of rows and scores live there.
//
// They do what a TreeOfPart does on the processor, step by step, and with the same numbers: sums
// are whole numbers, or doubles that add up without rounding, so that the order of additions does
// not matter. Histograms come back, and TreeFromSums searches them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/binned_dataset.hpp"
#include "grow/tree_of_part.hpp"
#include "loss/gradients.hpp"

namespace nonet::cuda {

// How many GPUs there are that can be used.
int n_devices() noexcept;

class DeviceRows {
public:
    // Targets or, for several classes, their codes. Weights: none, or one for each row.
    DeviceRows(const BinnedDataset& dataset, std::span<const double> targets,
               std::span<const std::int32_t> classes, std::span<const double> weights,
               std::span<const double> scores, index_t n_scores);
    ~DeviceRows();

    // Of all trees of a round, at the scores.
    void find_gradients(LossKind loss);
    MomentSizes sizes(index_t tree) const;
    MomentTotals totals(index_t tree, const MomentSizes& all) const;
    LightRows count_light(index_t tree, MomentKind kind, const MeasuredMoments& all) const;

    void start(index_t tree, MomentKind kind, const MeasuredMoments& all,
               std::span<std::int64_t> cells);
    void split(index_t tree, std::span<const SplitOrder> orders, std::span<std::int64_t> cells);
    void sum_leaves(index_t tree, std::span<const std::int32_t> leaf_of_node,
                    const MomentSizes& all, std::span<double> sums);
    // Adds values of leaves to the scores of the rows that fell into them.
    void add(index_t tree, std::span<const double> values);

    void copy_leaves(index_t tree, std::span<std::int32_t> leaves) const;
    void copy_scores(std::span<double> scores) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace nonet::cuda
