// A tree that is grown from histograms alone: its rows are in partitions elsewhere.
//
// The search is that of a Grower, on histograms that partitions have counted and somebody has added
// up. Every histogram that comes from elsewhere takes time, so that several nodes are split at
// once: those that are certain to be split, and those that most likely are. A tree that is grown
// best first then takes of these only what it would have split one by one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/binned_dataset.hpp"
#include "grow/moment_kinds.hpp"
#include "grow/task/grow_params.hpp"
#include "grow/tree_of_part.hpp"
#include "tree/tree.hpp"

namespace nonet {

// Ways to write rows of these sizes that are worth a try, the best one first; see grow_moments.cpp.
std::vector<MomentKind> moment_kinds(const MomentSizes& all, const BinnedDataset& dataset,
                                     const GrowParams& params);
bool needs_totals(MomentKind kind);
// Whether rows can be written so, and nearly all of them keep enough units.
bool fits(MomentKind kind, const MeasuredMoments& all, const LightRows& light);

class TreeFromSums {
public:
    // The dataset has the bins of the columns; its rows are not looked at.
    TreeFromSums(const BinnedDataset& dataset, const GrowParams& params, MomentKind kind,
                 const MeasuredMoments& all, int n_threads);
    ~TreeFromSums();

    void take_root(std::span<const MomentCell> cells);
    // Which nodes to split now; none if the tree is complete. Nodes that may not be needed are
    // among them as long as no more than `max_rows` rows are counted for them.
    std::vector<SplitOrder> next(index_t max_rows);
    // The histograms of the children that were to be counted, in the order of the splits.
    void take(std::span<const MomentCell> cells);

    // Once there is nothing to split: splits whose children need no histogram, the leaf of every
    // node that the partitions have not split, and the number of leaves.
    std::vector<SplitOrder> last() const;
    std::vector<std::int32_t> leaf_of_node() const;
    index_t n_leaves() const;
    // `sums` are those of the leaves; `preorder` gets the index of each of them in the tree.
    Tree finish(std::span<const double> sums, std::span<std::int32_t> preorder) const;

    class Growth;  // with rows of the kind

private:
    std::unique_ptr<Growth> growth_;
};

}  // namespace nonet
