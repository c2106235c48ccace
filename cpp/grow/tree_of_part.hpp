// The nodes of a tree in one partition of its rows; the other rows, and the search, are elsewhere.
//
// The steps are those of a Grower, apart: rows are measured; written in fixed point, whose units
// come from the sizes of all partitions; counted into histograms, which are whole numbers and add
// up to those of all rows; and moved by splits that somebody else found (tree_from_sums.hpp). In
// the end the leaves are summed up.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/buffer_pool.hpp"
#include "data/binned_dataset.hpp"
#include "grow/histogram/plain_moments.hpp"
#include "grow/moment_kinds.hpp"
#include "grow/node/split.hpp"
#include "grow/task/grow_params.hpp"
#include "grow/task/targets.hpp"

namespace nonet {

// A split of a node whose rows are in many partitions. Nodes have numbers; the root's is 0.
struct SplitOrder {
    enum class Counted : std::uint8_t { none, left, right };

    index_t node = 0;
    index_t left = 0;                 // the number of the left child; the right one's is one more
    Counted counted = Counted::none;  // whose histogram is wanted
    Split split;                      // where rows go, by the bins of the dataset

    index_t counted_node() const noexcept { return left + (counted == Counted::right); }
};

// Cells of the histogram of a node, as they travel: the tree's columns one after another, each with
// all its bins and that of missing values.
index_t count_cells(const BinnedDataset& dataset, const GrowParams& params);

class TreeOfPart {
public:
    // Targets and dataset outlive it. Bins of 8 bits, Newton's step, one output.
    TreeOfPart(BufferPool& pool, const BinnedDataset& dataset, const Targets& targets,
               const GrowParams& params, int n_threads);
    ~TreeOfPart();

    // Of the rows of this part alone.
    const MomentSizes& sizes() const noexcept;
    // What these rows add to the totals of all, once the sizes of all are known.
    MomentTotals totals(const MomentSizes& all) const;
    LightRows count_light(MomentKind kind, const MeasuredMoments& all) const;

    // Writes the rows, in units that the sizes of all parts determine.
    void start(MomentKind kind, const MeasuredMoments& all);
    void count_root(std::span<MomentCell> cells);
    // Moves the rows of the nodes that are split, and counts a child of each where it is wanted.
    void split(std::span<const SplitOrder> orders, std::span<MomentCell> cells);

    // `leaf_of_node` names the leaf of every node that was not split, by its number. The sums of
    // leaves, `leaf_sums` numbers each, add up to those of all parts without rounding.
    static constexpr index_t leaf_sums = 4;
    void sum_leaves(std::span<const std::int32_t> leaf_of_node, std::span<double> sums) const;
    void find_leaves(std::span<const std::int32_t> leaf_of_node,
                     std::span<std::int32_t> leaves) const;

    class Rows;  // in the form that was chosen

private:
    struct Measured;

    BufferPool& pool_;
    const BinnedDataset& dataset_;
    GrowParams params_;
    int n_threads_;
    std::unique_ptr<Measured> measured_;
    std::unique_ptr<Rows> rows_;
};

}  // namespace nonet
