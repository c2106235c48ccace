// Growing a tree by one criterion: what grow_tree.cpp hands on to the file of each kind of targets.
#pragma once

#include <cstdint>
#include <span>

#include "grow/grow_tree.hpp"

namespace nonet {

class NewtonValues;

struct GrowTask {
    const BinnedDataset& dataset;
    const Targets& targets;
    const GrowParams& params;
    BufferPool& pool;
    std::span<std::uint32_t> rows;  // in the bag; growing puts them into another order
    int n_threads;
    std::span<std::int32_t> leaves;

    GrowTask with(const Targets& others) const {
        return {dataset, others, params, pool, rows, n_threads, leaves};
    }
};

// Trees of classes and of numbers, by the impurities of criteria/impurities.hpp.
template <typename Impurity>
Tree grow_classes(const GrowTask& task);
template <typename Impurity>
Tree grow_numbers(const GrowTask& task);

// Other trees: of medians, of the indicators of several targets, and of boosting.
Tree grow_medians(const GrowTask& task);
Tree grow_indicators(const GrowTask& task);
Tree grow_newton(const GrowTask& task);

// Trees of several outputs.
template <typename Impurity>
Tree grow_several_numbers(const GrowTask& task);
Tree grow_several_newton(const GrowTask& task);

// Trees of one output in sums of 128 bits, for rows that are too many orders of magnitude apart for
// any others.
template <typename Impurity>
Tree grow_long_numbers(const GrowTask& task);
Tree grow_long_newton(const GrowTask& task, const NewtonValues& values);

}  // namespace nonet
