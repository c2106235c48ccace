// Many trees on one binned dataset, each on a bag of its own.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "grow/grow_tree.hpp"
#include "grow/sampling/bags.hpp"

namespace nonet {

// The classes of one target: balanced bags give each class the same weight.
struct ClassCodes {
    std::span<const std::int32_t> codes;
    index_t n_classes;
};

// The trees that are grown so far; another thread may read it meanwhile.
struct TreeCounter {
    std::atomic<index_t> n_grown = 0;
};

struct ForestPlan {
    CriterionName criterion;
    Targets targets;  // without counts: the bags are those
    GrowParams params;
    BagPlan bags;
    std::vector<ClassCodes> balanced;  // targets whose classes are balanced within each bag
    index_t columns_per_tree = GrowParams::unlimited;  // drawn once for each tree
    double impurity_unit = 1;        // what the grower's impurity has to be multiplied by
    double pruning = 0;              // alpha of minimal cost-complexity pruning
    TreeCounter* counter = nullptr;  // for those who show progress
};

// The trees first, ..., first + n_trees - 1. Each is a function of the plan and its number alone.
// `seen`, unless empty, gets one bit a row and tree, as in SeenRows.
std::vector<Tree> grow_forest(const BinnedDataset& dataset, const ForestPlan& plan,
                              std::uint64_t first, index_t n_trees, int n_threads,
                              std::span<std::uint64_t> seen);

}  // namespace nonet
