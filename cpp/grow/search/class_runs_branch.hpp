// Grows a tree of random thresholds on rows that lie class by class.
//
// Rows keep their order when a node is split, so that the rows of every node lie class by class
// once those of the root do. A node then needs no labels: it has a list of classes with their
// numbers of rows, from which its value and its score follow, and only bins move. The tree is the
// one that DrawnBranch grows, to the bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/buffer_pool.hpp"
#include "base/parallel.hpp"
#include "grow/criteria/criterion.hpp"
#include "grow/histogram/class_runs.hpp"
#include "grow/node/growing_node.hpp"
#include "grow/search/branch_bins.hpp"
#include "grow/search/branch_draws.hpp"
#include "grow/search/random_thresholds.hpp"
#include "grow/search/run_scores.hpp"

namespace nonet {

// Rows in the order of their classes.
class RowsByClass {
public:
    RowsByClass(BufferPool& pool, std::span<const std::uint32_t> rows, const Labels& labels,
                index_t n_classes)
        : rows_(pool, std::ssize(rows)) {
        std::vector<std::uint32_t> next(static_cast<std::size_t>(n_classes) + 1);
        for (index_t i = 0; i < rows_.size(); ++i) ++next[labels[i] + 1];
        for (std::uint32_t k = 0; k < n_classes; ++k)
            if (next[k + 1] > 0) runs_.push_back({k, next[k + 1]});
        for (std::size_t k = 1; k < next.size(); ++k) next[k] += next[k - 1];
        for (index_t i = 0; i < rows_.size(); ++i)
            rows_[next[labels[i]]++] = rows[static_cast<std::size_t>(i)];
    }

    std::span<const std::uint32_t> rows() const noexcept { return rows_.all(); }
    const std::vector<ClassRun>& runs() const noexcept { return runs_; }

private:
    PooledBuffer<std::uint32_t> rows_;
    std::vector<ClassRun> runs_;
};

// `Nodes` keeps what has been grown, as in DrawnBranch. All rows have weight 1.
template <SplitCriterion Criterion, typename Nodes>
class ClassRunsBranch {
public:
    ClassRunsBranch(BufferPool& pool, const BinnedDataset& dataset, const GrowParams& params,
                    const Criterion& criterion, const ColumnSampler& sampler, double total_weight,
                    const RowBins& bins, const RowsByClass& rows, Nodes nodes)
        : params_(params),
          total_weight_(total_weight),
          all_rows_{0, std::ssize(rows.rows()), 0},
          bins_(pool, bins, all_rows_, rows.rows()),
          draws_(dataset, params, sampler),
          thresholds_(criterion, params, bins.stride),
          parts_all_pairs_(parts_all_pairs<Criterion>(params)),
          nodes_(std::move(nodes)),
          runs_(rows.runs()),
          left_(runs_.size()),
          right_(runs_.size()) {}

    auto grow() {
        nodes_.add(all_rows_, 0);
        open({0, all_rows_, 0, 0}, runs_);
        index_t n_seen = 0;
        while (!waiting_.empty()) {
            const Waiting node = waiting_.back();
            waiting_.pop_back();
            if ((n_seen += node.rows.size()) >= rows_per_check) {
                check_interrupt();
                n_seen = 0;
            }
            const auto first_run = waiting_runs_.begin() + node.first_run;
            runs_.assign(first_run, waiting_runs_.end());
            waiting_runs_.erase(first_run, waiting_runs_.end());
            grow_node(node);
        }
        return std::move(nodes_).finish();
    }

private:
    static constexpr index_t rows_per_check = 1 << 16;  // some milliseconds

    struct Waiting {
        std::int32_t position;
        RowRange rows;
        index_t depth;
        std::uint64_t key;
        std::ptrdiff_t first_run = 0;  // of those that wait; the last node's are the last
    };

    void open(Waiting node, std::span<const ClassRun> runs) {
        if (!can_split(params_, node.rows.size(), node.depth))
            return nodes_.prediction(node.position, runs);
        node.first_run = std::ssize(waiting_runs_);
        waiting_runs_.insert(waiting_runs_.end(), runs.begin(), runs.end());
        waiting_.push_back(node);
    }

    void grow_node(const Waiting& node) {
        nodes_.prediction(node.position, std::span<const ClassRun>(runs_));
        if (runs_.size() == 1) return;
        if (node.rows.size() == 2 && parts_all_pairs_) return part_pair(node);
        const NodeBins bins = bins_.of_node(node.rows);
        draws_.draw({node.key, node.depth}, bins, thresholds_);
        if (!thresholds_.has_drawn()) return;
        std::uint64_t squares = 0;
        for (const ClassRun& run : runs_) squares += std::uint64_t{run.n_rows} * run.n_rows;
        const double score = static_cast<double>(squares) / static_cast<double>(node.rows.size());
        Split split = thresholds_.best({runs_, squares}, score, node.key);
        if (is_worth_it<Criterion>(split, params_, total_weight_)) part(node, split);
    }

    void part(const Waiting& node, Split& split) {
        const index_t n_left = draws_.finish(split, bins_.of_node(node.rows));
        bins_.move(node.rows, split, n_left);
        const auto [n_left_runs, n_right_runs] = part_runs(n_left);
        add_children(node, split, n_left, {left_.data(), n_left_runs},
                     {right_.data(), n_right_runs});
    }

    // Two rows of different classes. The bins of the children, which are leaves, are not needed.
    void part_pair(const Waiting& node) {
        const NodeBins bins = bins_.of_node(node.rows);
        const Split split = draws_.part_pair({node.key, node.depth}, bins);
        if (split.below == Split::no_bin) return;
        const bool is_swapped = bins.of(0)[split.column] == split.above;
        add_children(node, split, 1, {&runs_[is_swapped], 1}, {&runs_[!is_swapped], 1});
    }

    // Writes the classes of both children, once the rows are moved. Returns how many they are.
    std::pair<std::size_t, std::size_t> part_runs(index_t n_left) {
        std::size_t n_left_runs = 0;
        std::size_t n_right_runs = 0;
        std::uint32_t end = 0;
        std::uint32_t left_before = 0;
        for (const auto [label, n_rows] : runs_) {
            end += n_rows;
            const std::uint32_t left = n_left_through(end - 1, static_cast<std::uint32_t>(n_left));
            const std::uint32_t here = left - left_before;
            left_before = left;
            left_[n_left_runs] = {label, here};
            n_left_runs += here > 0;
            right_[n_right_runs] = {label, n_rows - here};
            n_right_runs += here < n_rows;
        }
        return {n_left_runs, n_right_runs};
    }

    // How many of the first rows, up to this one, went left: it is after all of them on its side.
    std::uint32_t n_left_through(std::uint32_t row, std::uint32_t n_left) const noexcept {
        const std::uint32_t position = bins_.positions()[row];
        return position < n_left ? position + 1 : row + n_left - position;
    }

    void add_children(const Waiting& node, const Split& split, index_t n_left,
                      std::span<const ClassRun> left_runs, std::span<const ClassRun> right_runs) {
        const index_t middle = node.rows.begin + n_left;
        const std::uint32_t side = 1 - node.rows.side;
        const RowRange left{node.rows.begin, middle, side};
        const RowRange right{middle, node.rows.end, side};
        const std::int32_t position = nodes_.size();
        nodes_.split(node.position, split, left.size() > right.size());
        nodes_.add(left, node.depth + 1);
        nodes_.add(right, node.depth + 1);
        open({position + 1, right, node.depth + 1, child_key(node.key, true)}, right_runs);
        open({position, left, node.depth + 1, child_key(node.key, false)}, left_runs);
    }

    const GrowParams& params_;
    double total_weight_;
    RowRange all_rows_;
    BranchBins bins_;
    BranchDraws draws_;
    RandomThresholds<RunScores> thresholds_;
    bool parts_all_pairs_;  // of rows that differ, whatever the gain
    Nodes nodes_;
    std::vector<Waiting> waiting_;
    std::vector<ClassRun> waiting_runs_;
    std::vector<ClassRun> runs_;  // of the node that is grown
    std::vector<ClassRun> left_;  // memory for those of its children
    std::vector<ClassRun> right_;
};

}  // namespace nonet
