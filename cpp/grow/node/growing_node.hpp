// Nodes of a tree that is still growing.
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "base/buffer_pool.hpp"
#include "grow/node/row_partition.hpp"
#include "grow/node/split.hpp"
#include "grow/task/grow_params.hpp"
#include "grow/task/interactions.hpp"

namespace nonet {

// What stays of the split of a node.
struct GrownSplit {
    double threshold = 0;
    std::shared_ptr<const CategoryParts> categories;  // none: a split of numbers
    std::uint32_t column = 0;
    bool missing_left = false;
};

// What is kept of a node once it is finished: a leaf has left < 0.
struct GrownNode {
    RowRange rows;
    PredictionBounds bounds{};
    GrownSplit split{};
    std::int32_t left = -1;

    bool is_leaf() const noexcept { return left < 0; }
};
using GrownNodes = std::vector<GrownNode, PoolAllocator<GrownNode>>;

// A node that may still be split.
struct OpenNode {
    index_t position = 0;  // among the grown nodes
    RowRange rows;
    index_t depth = 0;
    std::uint64_t key = 0;        // names its random draws
    std::int32_t histogram = -1;  // in the pool of the grower; negative: none
    PredictionBounds bounds{};
    OpenGroups groups{};
    Split split{};
    bool is_searched = false;  // the split is known, or that there is none
};

// Bounds of the two children of a split.
inline std::pair<PredictionBounds, PredictionBounds> child_bounds(const PredictionBounds& bounds,
                                                                  const Split& split) noexcept {
    const PredictionBounds below{bounds.lower, split.middle};
    const PredictionBounds above{split.middle, bounds.upper};
    if (split.monotone == 0) return {bounds, bounds};
    return split.monotone > 0 ? std::pair(below, above) : std::pair(above, below);
}

inline bool can_split(const GrowParams& params, index_t n_rows, index_t depth) noexcept {
    return depth < params.max_depth && n_rows >= params.min_rows_split &&
           n_rows >= 2 * params.min_rows_leaf;
}

// Whether a split that was found is made. One of an impure node may gain nothing and still open the
// way to one that does.
template <typename Criterion>
bool is_worth_it(Split& split, const GrowParams& params, double total_weight) noexcept {
    if (!split.found()) return false;
    if constexpr (Criterion::splits_need_gain) return split.gain > params.min_gain;
    split.gain = std::max(split.gain, 0.0);  // no less in theory; rounding may make it less
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    return split.gain / total_weight + epsilon >= params.min_impurity_decrease;
}

// Whether any two rows that differ are split, by any threshold, and the gain is not needed.
template <typename Criterion>
bool parts_all_pairs(const GrowParams& params) noexcept {
    if constexpr (requires { requires Criterion::parts_any_pair; })
        return params.min_impurity_decrease <= 0 && params.min_weight_leaf <= 0 &&
               params.max_leaf_nodes == GrowParams::unlimited;
    return false;
}

// Replaces a leaf by a tree that was grown separately.
inline void graft(GrownNodes& nodes, index_t position, GrownNodes branch) {
    const auto shift = static_cast<std::int32_t>(std::ssize(nodes) - 1);
    for (GrownNode& node : branch)
        if (!node.is_leaf()) node.left += shift;
    nodes[static_cast<std::size_t>(position)] = std::move(branch.front());
    nodes.insert(nodes.end(), std::move_iterator(branch.begin() + 1),
                 std::move_iterator(branch.end()));
}

}  // namespace nonet
