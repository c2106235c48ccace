// Trees on a binned dataset.
#pragma once

#include <span>

#include "base/shelf.hpp"
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

// Grows trees on one dataset and keeps its memory from tree to tree: between 24 and 40 bytes a row
// and the histograms. Several threads may grow trees with one grower at once.
class TreeGrower {
public:
    // The dataset must outlive the grower.
    explicit TreeGrower(const BinnedDataset& dataset) : dataset_(dataset) {}

    // The same tree, bit for bit, on any number of threads. `leaves`, unless empty, has one place a
    // row of the dataset and gets its leaf, numbered in preorder; -1 for rows left out of the bag.
    Tree grow(CriterionName criterion, const Targets& targets, const GrowParams& params,
              int n_threads, std::span<std::int32_t> leaves = {});

private:
    const BinnedDataset& dataset_;
    Shelf shelf_;
};

// One tree alone.
inline Tree grow_tree(const BinnedDataset& dataset, CriterionName criterion, const Targets& targets,
                      const GrowParams& params, int n_threads,
                      std::span<std::int32_t> leaves = {}) {
    return TreeGrower(dataset).grow(criterion, targets, params, n_threads, leaves);
}

}  // namespace nonet
