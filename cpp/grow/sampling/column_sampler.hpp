// Which columns a node may split on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "grow/task/grow_params.hpp"
#include "grow/task/interactions.hpp"

namespace nonet {

inline std::uint64_t mixed(std::uint64_t key) noexcept {  // as splitmix64 does
    key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9;
    key = (key ^ (key >> 27)) * 0x94D049BB133111EB;
    return key ^ (key >> 31);
}

// The draws of a node are named by its key, which encodes the path from the root to it: they are
// the same on any thread and in any order.
inline std::uint64_t child_key(std::uint64_t parent_key, bool is_right) noexcept {
    return mixed(2 * parent_key + is_right + 0x9E3779B97F4A7C15);
}

// Which of two columns that gain the same is taken: the one of the lower rank. A tree of a forest
// draws an order of its own for every node. A single tree takes the lower column at the root, as
// CART does; below it every node has an order of its own, as trees that always prefer the first
// columns generalise worse. Boosting on shared edges takes the lower column everywhere, as its
// peers do.
inline std::uint64_t tie_rank(const GrowParams& params, std::uint64_t node_key,
                              index_t column) noexcept {
    const auto number = static_cast<std::uint64_t>(column);
    if (params.tie_word) return mixed((*params.tie_word ^ node_key) + number);
    const bool takes_lower = node_key == 0 || params.threshold_policy == ThresholdPolicy::edge;
    return takes_lower ? number : mixed(node_key + number);
}

// Random words of a node, by index: the same on every call. A tree has a word of its own random
// stream; from there SplitMix64 makes those of its nodes, for trees of random thresholds, whose
// nodes cost so little that blocks of Philox would be felt.
class NodeWords {
public:
    static std::uint64_t tree_key(const GrowParams& params, StreamUse use) {
        return RandomStream(params.seed, use, {params.tree}).bits();
    }

    NodeWords(std::uint64_t tree_key, std::uint64_t node_key) noexcept
        : first_(mixed(tree_key ^ node_key)) {}

    double uniform(index_t position) const noexcept {
        return static_cast<double>(word(position) >> 11) * 0x1.0p-53;
    }
    // From 0, ..., bound - 1: the upper half of a product, as in RandomStream. Bounds are so far
    // from 2^64 that the bias of the draws is negligible.
    std::uint64_t below(index_t position, std::uint64_t bound) const noexcept {
        __extension__ using Product = unsigned __int128;
        return static_cast<std::uint64_t>(static_cast<Product>(word(position)) * bound >> 64);
    }

private:
    std::uint64_t word(index_t position) const noexcept {
        return mixed(first_ + static_cast<std::uint64_t>(position) * 0x9E3779B97F4A7C15);
    }

    std::uint64_t first_;
};

class ColumnSampler {
public:
    ColumnSampler(const GrowParams& params, index_t n_columns)
        : columns_(params.columns),
          params_(params),
          tree_key_(NodeWords::tree_key(params, StreamUse::drawn_node_columns)),
          interactions_(params.interactions, n_columns) {
        if (!columns_.empty()) return;
        columns_.resize(static_cast<std::size_t>(n_columns));
        std::iota(columns_.begin(), columns_.end(), index_t{0});
    }

    const Interactions& interactions() const noexcept { return interactions_; }
    // Whether nodes look at so many of the tree's columns that it pays to count all of these at
    // once. Boosting takes histograms from a third on; forests, whose nodes are small, only for all
    // columns.
    bool takes_most() const noexcept {
        const index_t taken = std::min({params_.columns_per_level, params_.columns_per_split,
                                        static_cast<index_t>(std::ssize(columns_))});
        const index_t fraction = params_.threshold_policy == ThresholdPolicy::edge ? 3 : 1;
        return taken * fraction >= std::ssize(columns_);
    }

    // All columns that the node may use, in the order in which it looks at them: so many as are
    // wanted, and then one by one as long as all seen are constant in the node. Positions are drawn
    // when they are needed, as few nodes look at all columns.
    class Order {
    public:
        index_t n_wanted() const noexcept { return n_wanted_; }
        index_t size() const noexcept { return std::ssize(columns_); }
        // Whether all columns of the tree are wanted.
        bool is_whole() const noexcept { return is_whole_; }
        index_t operator[](index_t position) noexcept {
            for (; is_drawn() && n_drawn_ <= position; ++n_drawn_) {
                const auto left = static_cast<std::uint64_t>(size() - n_drawn_);
                const auto drawn =
                    n_drawn_ + static_cast<index_t>(words_ ? words_->below(n_drawn_, left)
                                                           : random_->below(left));
                std::swap(columns_[static_cast<std::size_t>(n_drawn_)],
                          columns_[static_cast<std::size_t>(drawn)]);
            }
            return columns_[static_cast<std::size_t>(position)];
        }

    private:
        friend ColumnSampler;
        std::vector<index_t> columns_;
        index_t n_wanted_ = 0;
        bool is_whole_ = false;
        index_t n_drawn_ = 0;
        bool is_drawn() const noexcept { return words_ || random_; }
        std::optional<RandomStream> random_;  // none of the two: the order of columns is theirs
        std::optional<NodeWords> words_;
    };
    // Writes to an order whose memory may be used again.
    void draw(std::uint64_t node_key, index_t depth, const OpenGroups& groups, Order& order) const {
        order.columns_ = columns_;
        if (params_.columns_per_level < order.size()) keep_those_of_level(order.columns_, depth);
        if (groups)
            std::erase_if(order.columns_,
                          [&](index_t column) { return !interactions_.allows(groups, column); });
        order.n_wanted_ = std::min(params_.columns_per_split, order.size());
        order.is_whole_ = order.n_wanted_ == std::ssize(columns_);
        order.n_drawn_ = 0;
        order.random_.reset();
        order.words_.reset();
        if (order.n_wanted_ == order.size()) return;
        if (params_.draws_thresholds())
            order.words_.emplace(tree_key_, node_key);
        else
            order.random_.emplace(params_.seed, StreamUse::node_columns,
                                  RandomStream::Names{params_.tree, node_key});
    }

private:
    void keep_those_of_level(std::vector<index_t>& columns, index_t depth) const {
        RandomStream random(params_.seed, StreamUse::level_columns,
                            {params_.tree, static_cast<std::uint64_t>(depth)});
        const auto n_kept = static_cast<std::size_t>(params_.columns_per_level);
        for (std::size_t i = 0; i < n_kept; ++i)
            std::swap(columns[i], columns[i + random.below(columns.size() - i)]);
        columns.resize(n_kept);
        std::ranges::sort(columns);
    }

    std::vector<index_t> columns_;
    const GrowParams& params_;
    std::uint64_t tree_key_;
    Interactions interactions_;
};

// Which column parts two rows, whose bins are given: of those wanted the one of the lowest rank in
// which they differ, or else the first after them. Returns its position in the order, -1 if the
// rows are alike.
inline index_t find_parting_column(const std::uint8_t* one, const std::uint8_t* other,
                                   ColumnSampler::Order& order, const GrowParams& params,
                                   std::uint64_t node_key) noexcept {
    index_t chosen = -1;
    std::uint64_t lowest_rank = 0;
    for (index_t i = 0; i < order.n_wanted() || (i < order.size() && chosen < 0); ++i) {
        const index_t column = order[i];
        if (one[column] == other[column]) continue;
        const std::uint64_t rank = tie_rank(params, node_key, column);
        if (chosen >= 0 && rank > lowest_rank) continue;
        chosen = i;
        lowest_rank = rank;
    }
    return chosen;
}

}  // namespace nonet
