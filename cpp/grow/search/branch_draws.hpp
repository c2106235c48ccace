// The draws of the nodes of a branch with random thresholds.
#pragma once

#include <algorithm>
#include <cstdint>

#include "data/binned_dataset.hpp"
#include "grow/histogram/row_bins.hpp"
#include "grow/node/split.hpp"
#include "grow/sampling/column_sampler.hpp"
#include "grow/search/column_search.hpp"
#include "grow/search/column_threshold.hpp"
#include "grow/task/grow_params.hpp"

namespace nonet {

class BranchDraws {
public:
    struct Node {
        std::uint64_t key;
        index_t depth;
    };

    BranchDraws(const BinnedDataset& dataset, const GrowParams& params,
                const ColumnSampler& sampler)
        : dataset_(dataset),
          params_(params),
          sampler_(sampler),
          tree_key_(NodeWords::tree_key(params, StreamUse::random_node_thresholds)) {}

    // Thresholds of as many columns as are wanted, and then of one after another until one is not
    // constant.
    template <typename Thresholds>
    void draw(const Node& node, const NodeBins& bins, Thresholds& thresholds) {
        sampler_.draw(node.key, node.depth, {}, order_);
        thresholds.read(bins);
        const NodeWords words(tree_key_, node.key);
        for (index_t i = 0; i < order_.n_wanted() || (i < order_.size() && !thresholds.has_drawn());
             ++i) {
            const index_t column = order_[i];
            if (!thresholds.is_constant(column))
                thresholds.draw(column, dataset_.bins(column), words.uniform(i));
        }
    }

    // Puts the threshold of a split between the values of the rows. Returns how many go left.
    index_t finish(Split& split, const NodeBins& bins) const {
        const auto [below, above, n_left] =
            find_threshold_neighbours(bins, split.column, split.last_left_bin);
        split.below = below;
        split.above = above;
        set_threshold(split, dataset_.bins(split.column), params_);
        return n_left;
    }

    // Every threshold splits two rows, with the same gain: that of the lowest rank is taken. Rows
    // that are alike leave the bins beside the threshold unset.
    Split part_pair(const Node& node, const NodeBins& pair) {
        const std::uint8_t* one = pair.of(0);
        const std::uint8_t* other = pair.of(1);
        sampler_.draw(node.key, node.depth, {}, order_);
        Split split;
        const index_t chosen = find_parting_column(one, other, order_, params_, node.key);
        if (chosen < 0) return split;
        split.column = static_cast<std::uint32_t>(order_[chosen]);
        const ColumnBins& bins = dataset_.bins(order_[chosen]);
        split.below = std::min(one[split.column], other[split.column]);
        split.above = std::max(one[split.column], other[split.column]);
        split.threshold = drawn_threshold(bins, split.below, split.above,
                                          NodeWords(tree_key_, node.key).uniform(chosen));
        set_threshold(split, bins, params_);
        return split;
    }

private:
    const BinnedDataset& dataset_;
    const GrowParams& params_;
    const ColumnSampler& sampler_;
    std::uint64_t tree_key_;
    ColumnSampler::Order order_;
};

}  // namespace nonet
