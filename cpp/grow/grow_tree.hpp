// One tree on a binned dataset.
#pragma once

#include <span>

#include "data/binned_dataset.hpp"
#include "grow/grow_params.hpp"
#include "grow/targets.hpp"
#include "tree/tree.hpp"

namespace nonet {

enum class CriterionName {
    gini,
    entropy,
    squared_error,
    absolute_error,
    poisson,
    indicator_entropy,
    newton
};

// The same tree, bit for bit, on any number of threads. `leaves`, unless empty, has one place a row
// of the dataset and gets the node of the leaf of each row in the bag.
Tree grow_tree(const BinnedDataset& dataset, CriterionName criterion, const Targets& targets,
               const GrowParams& params, int n_threads, std::span<std::int32_t> leaves = {});

}  // namespace nonet
