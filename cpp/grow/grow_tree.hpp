// Trees on a binned dataset.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer_pool.hpp"
#include "base/parallel.hpp"
#include "data/binned_dataset.hpp"
#include "grow/task/grow_params.hpp"
#include "grow/task/targets.hpp"
#include "tree/tree.hpp"

namespace nonet {

// An impurity of criteria/impurities.hpp, or one of "absolute_error", "indicator_entropy" and
// "newton".
using CriterionName = std::string_view;

// Those that are about classes; others are about numbers.
std::vector<CriterionName> class_criteria();

// Grows trees on one dataset and keeps its memory from tree to tree: between 24 and 40 bytes per
// row and the histograms. Several threads may grow trees with one grower at once.
class TreeGrower {
public:
    // The dataset must outlive the grower.
    explicit TreeGrower(const BinnedDataset& dataset) : dataset_(dataset) {}

    // The same tree, bit for bit, on any number of threads. `leaves`, unless empty, has one entry
    // per row of the dataset and gets its leaf, numbered in preorder; -1 for rows left out of the
    // bag.
    Tree grow(CriterionName criterion, const Targets& targets, const GrowParams& params,
              int n_threads, std::span<std::int32_t> leaves = {});

private:
    const BinnedDataset& dataset_;
    BufferPool buffers_;
};

// One tree alone.
inline Tree grow_tree(const BinnedDataset& dataset, CriterionName criterion, const Targets& targets,
                      const GrowParams& params, int n_threads,
                      std::span<std::int32_t> leaves = {}) {
    return TreeGrower(dataset).grow(criterion, targets, params, n_threads, leaves);
}

// Trees 0, ..., n_trees - 1, each by grow(number, threads): over threads, and those of the last
// round, if they leave threads idle, one by one by all.
template <typename Grow>
std::vector<Tree> grow_side_by_side(index_t n_trees, int n_threads, const Grow& grow) {
    std::vector<std::optional<Tree>> grown(static_cast<std::size_t>(n_trees));
    const auto grow_by = [&](index_t t, int tree_threads) {
        grown[static_cast<std::size_t>(t)].emplace(grow(t, tree_threads));
    };
    const index_t n_together = n_trees - n_trees % n_threads;
    parallel_for(n_together, n_threads, [&](index_t t) { grow_by(t, 1); });
    for (index_t t = n_together; t < n_trees; ++t) grow_by(t, n_threads);
    std::vector<Tree> trees;
    trees.reserve(grown.size());
    for (std::optional<Tree>& tree : grown) trees.push_back(std::move(*tree));
    return trees;
}

}  // namespace nonet
