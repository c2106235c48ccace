// Grows a branch of a tree of drawn cuts from bins of its own.
//
// The bins of the branch's rows lie row by row and move with the rows when a node is split: all
// that a node looks at lies side by side, however deep it is. Nodes of fully grown trees are many
// and small, so that their own records are small too. The tree is the one that Grower grows node by
// node, to the bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/parallel.hpp"
#include "base/shelf.hpp"
#include "grow/branch_columns.hpp"
#include "grow/column_sampler.hpp"
#include "grow/column_search.hpp"
#include "grow/drawn_cut.hpp"
#include "grow/drawn_cuts.hpp"
#include "grow/growing_node.hpp"

namespace nonet {

template <typename Criterion>
class DrawnBranch {
public:
    using Row = typename Criterion::Row;

    // Whether trees of these parameters can be grown so, where bins lie row by row.
    static bool can_grow(const BinnedDataset& dataset, const GrowParams& params) {
        if (dataset.has_categories() || !params.interactions.empty()) return false;
        for (index_t j = 0; j < dataset.n_columns(); ++j)
            if (dataset.bins(j).has_missing) return false;
        return true;
    }

    DrawnBranch(Shelf& shelf, const BinnedDataset& dataset, const GrowParams& params,
                const Criterion& criterion, const ColumnSampler& sampler,
                RowPartition<Row>& partition, double total_weight, const RowBins& bins,
                RowRange rows)
        : dataset_(dataset),
          params_(params),
          criterion_(criterion),
          sampler_(sampler),
          partition_(partition),
          total_weight_(total_weight),
          stride_(bins.stride),
          first_row_(rows.begin),
          bins_(shelf, rows.size() * stride_),
          other_bins_(shelf, rows.size() * stride_),
          places_(shelf, rows.size()),
          bins_by_side_{rows.side == 0 ? bins_.data() : other_bins_.data(),
                        rows.side == 0 ? other_bins_.data() : bins_.data()},
          tree_key_(NodeWords::tree_key(params, NodeWords::cuts)),
          cuts_(criterion, params, stride_),
          all_(criterion),
          parts_all_pairs_(!Criterion::splits_need_gain && params.min_impurity_decrease <= 0 &&
                           params.min_weight_leaf <= 0),
          nodes_(ShelfAllocator<GrownNode>(shelf)) {
        const std::span<const std::uint32_t> numbers = partition.rows(rows);
        copy_bins(bins, numbers, bins_.data());
        nodes_.reserve(2 * numbers.size());
    }

    GrownNodes grow(const OpenNode& branch) {
        nodes_.push_back({branch.rows, branch.bounds});
        wait({0, branch.rows, branch.depth, branch.key});
        index_t n_seen = 0;
        while (!waiting_.empty()) {
            const Waiting node = waiting_.back();
            waiting_.pop_back();
            if ((n_seen += node.rows.size()) >= rows_a_check) {
                check_interrupt();
                n_seen = 0;
            }
            Split split = find_split(node);
            if (is_worth_it<Criterion>(split, params_, total_weight_)) part(node, split);
        }
        return std::move(nodes_);
    }

private:
    static constexpr index_t rows_a_check = 1 << 16;  // some milliseconds

    struct Waiting {
        std::int32_t place;
        RowRange rows;
        index_t depth;
        std::uint64_t key;
    };

    void wait(const Waiting& node) {
        if (can_split(params_, node.rows.size(), node.depth)) waiting_.push_back(node);
    }

    std::uint8_t* bins_of(RowRange rows) const noexcept {
        return bins_by_side_[rows.side] + (rows.begin - first_row_) * stride_;
    }

    NodeBins node_bins(RowRange rows) const noexcept {
        return {{bins_of(rows), stride_}, rows.size(), nullptr};
    }

    Split find_split(const Waiting& node) {
        const std::span<const Row> added = partition_.added(node.rows);
        all_.clear();
        all_.add_rows(added);
        if (criterion_.is_pure(all_, added)) return {};
        draw_cuts(node);
        if (!cuts_.has_drawn()) return {};
        if (node.rows.size() == 2 && parts_all_pairs_) return cuts_.any(node.key);
        return cuts_.best(added.data(), all_, criterion_.score(all_), node.key);
    }

    // As many columns as are wanted, and then one by one until one is not constant.
    void draw_cuts(const Waiting& node) {
        sampler_.draw(node.key, node.depth, {}, order_);
        cuts_.read(node_bins(node.rows));
        const NodeWords draws(tree_key_, node.key);
        for (index_t i = 0; i < order_.n_wanted() || (i < order_.size() && !cuts_.has_drawn());
             ++i) {
            const index_t column = order_[i];
            if (!cuts_.is_constant(column))
                cuts_.draw(column, dataset_.bins(column), draws.uniform(i));
        }
    }

    void part(const Waiting& node, Split& split) {
        const auto [below, above, n_left] =
            find_cut_neighbours(node_bins(node.rows), split.column, split.last_left_bin);
        split.below = below;
        split.above = above;
        place_threshold(split, dataset_.bins(split.column), params_);
        const index_t middle = node.rows.begin + n_left;
        const std::uint32_t side = 1 - node.rows.side;
        const RowRange left{node.rows.begin, middle, side};
        const RowRange right{middle, node.rows.end, side};
        move_rows(node.rows, split, n_left);
        const auto place = static_cast<std::int32_t>(std::ssize(nodes_));
        GrownNode& grown = nodes_[static_cast<std::size_t>(node.place)];
        grown.split = {split.threshold, nullptr, split.column, left.size() > right.size()};
        grown.left = place;
        const AnswerBounds bounds = grown.bounds;
        nodes_.push_back({left, bounds});
        nodes_.push_back({right, bounds});
        wait({place + 1, right, node.depth + 1, child_key(node.key, true)});
        wait({place, left, node.depth + 1, child_key(node.key, false)});
    }

    // To the same places of the other side.
    void move_rows(RowRange rows, const Split& split, index_t n_left) noexcept {
        const RowRange there{rows.begin, rows.end, 1 - rows.side};
        part_bins({bins_of(rows), stride_}, rows.size(), split.column, split.last_left_bin, n_left,
                  bins_of(there), places_.data());
        const std::span<const std::uint32_t> numbers = partition_.rows(rows);
        const std::span<const Row> added = partition_.added(rows);
        const std::span<std::uint32_t> moved_numbers = partition_.rows(there);
        const std::span<Row> moved_added = partition_.added(there);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const std::uint32_t to = places_.data()[i];
            moved_numbers[to] = numbers[i];
            moved_added[to] = added[i];
        }
    }

    const BinnedDataset& dataset_;
    const GrowParams& params_;
    const Criterion& criterion_;
    const ColumnSampler& sampler_;
    RowPartition<Row>& partition_;
    double total_weight_;
    index_t stride_;
    index_t first_row_;  // of the branch in the partition
    ShelfBuffer<std::uint8_t> bins_;
    ShelfBuffer<std::uint8_t> other_bins_;
    ShelfBuffer<std::uint32_t> places_;          // where rows of a node go
    std::array<std::uint8_t*, 2> bins_by_side_;  // as the sides of the partition
    std::uint64_t tree_key_;
    DrawnCuts<Criterion> cuts_;
    typename Criterion::Sums all_;
    bool parts_all_pairs_;  // of rows that differ, whatever the gain
    ColumnSampler::Order order_;
    GrownNodes nodes_;
    std::vector<Waiting> waiting_;
};

}  // namespace nonet
