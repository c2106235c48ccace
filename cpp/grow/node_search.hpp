// The best split of a node, over all columns it may use.
#pragma once

#include <memory>
#include <vector>

#include "base/parallel.hpp"
#include "grow/branch_columns.hpp"
#include "grow/column_sampler.hpp"
#include "grow/column_search.hpp"
#include "grow/drawn_cut.hpp"
#include "grow/growing_node.hpp"
#include "grow/histogram.hpp"
#include "grow/workspace_pool.hpp"

namespace nonet {

template <typename Criterion, typename Bin>
class NodeSearch {
public:
    using Row = typename Criterion::Row;
    using Sums = typename Criterion::Sums;

    NodeSearch(const BranchColumns<Bin>& columns, const Criterion& criterion,
               const GrowParams& params, const ColumnSampler& sampler,
               Histograms<Criterion>& histograms)
        : columns_(columns),
          criterion_(criterion),
          params_(params),
          sampler_(sampler),
          histograms_(histograms),
          draws_cuts_(rows_add_up && params.threshold_draw == ThresholdDraw::uniform &&
                      params.monotone.empty()),
          workspaces_([&, n_bins = most_bins(columns)] {
              return std::make_unique<Workspace>(criterion, params, n_bins);
          }) {}

    // `rows` and `added` are those of the node; `all` is their sum.
    Split best(const OpenNode& node, std::span<const std::uint32_t> rows, const Row* added,
               Sums& all, int n_threads) {
        const Node searched{
            node.key,   histograms_.cells(node.histogram), rows, added, all, criterion_.score(all),
            node.bounds};
        const ColumnSampler::Order order = sampler_.draw(node.key, node.groups);
        const bool is_small = node.histogram != Histograms<Criterion>::none ||
                              std::ssize(rows) * order.n_wanted < answers_worth_threads;
        Found found = is_small || n_threads == 1 ? best_of_columns(searched, order)
                                                 : best_by_threads(searched, order, n_threads);
        if (found.split.found() && !found.split.categories) {
            find_neighbours(found.split, rows);
            place_threshold(found.split, columns_.column_bins(found.split.column), params_);
        }
        return found.split;
    }

private:
    static constexpr index_t answers_worth_threads = 1 << 16;
    static constexpr bool rows_add_up = !requires { Criterion::sums_are_ranked; };

    struct Workspace {
        Workspace(const Criterion& criterion, const GrowParams& params, index_t n_bins)
            : counter(criterion, n_bins),
              search(criterion, params),
              left(criterion),
              right(criterion) {}
        BinCounter<Criterion> counter;
        ColumnSearch<Criterion> search;
        DrawnCut<Bin> cut;
        Sums left;
        Sums right;
    };
    struct Node {
        std::uint64_t key;
        const typename Criterion::Cell* histogram;  // none: rows are counted column by column
        std::span<const std::uint32_t> rows;
        const Row* added;
        const Sums& all;
        double score;
        const AnswerBounds& bounds;
    };
    struct Found {
        Split split;
        bool is_constant = true;
    };

    static index_t most_bins(const BranchColumns<Bin>& columns) {
        index_t most = 0;
        for (index_t j = 0; j < columns.dataset().n_columns(); ++j)
            most = std::max(most, columns.n_bins(j));
        return most;
    }

    Found search(const Node& node, index_t column, Workspace& workspace) const {
        if (draws_cuts_ && node.histogram == nullptr && !columns_.column_bins(column).is_category) {
            workspace.cut.read(columns_.column(column), columns_.dataset_bins(column), node.rows);
            if (workspace.cut.is_constant()) return {};
            if (!workspace.cut.has_missing(columns_.column_bins(column)))
                return {drawn_split(node, column, workspace), false};
        }
        const PresentBins<Criterion> present = bins_of(node, column, workspace);
        if (present.n < 2) return {};
        Split split = workspace.search.best(columns_.column_bins(column), column, present, node.all,
                                            node.score, node.key, node.bounds);
        split.tie_rank = tie_rank(params_, node.key, column);
        return {std::move(split), false};
    }

    // The neighbours of the cut are looked for in the end, in the best column only.
    Split drawn_split(const Node& node, index_t column, Workspace& workspace) const {
        RandomStream random(params_.seed,
                            {params_.tree, node.key, static_cast<std::uint64_t>(column), 1});
        Split split;
        split.last_left_bin = workspace.cut.draw(columns_.column_bins(column), random);
        workspace.cut.sum_sides(split.last_left_bin, node.added, workspace.left, workspace.right);
        const double score = workspace.search.score_of(workspace.left, node.all);
        split.gain = score - node.score;
        split.column = static_cast<std::uint32_t>(column);
        split.threshold = workspace.cut.threshold();
        return split;
    }

    void find_neighbours(Split& split, std::span<const std::uint32_t> rows) const {
        if (split.below != Split::no_bin) return;
        const auto [below, above] = DrawnCut<Bin>::neighbours(columns_.column(split.column),
                                                              columns_.dataset_bins(split.column),
                                                              rows, split.last_left_bin);
        split.below = below;
        split.above = above;
    }

    PresentBins<Criterion> bins_of(const Node& node, index_t column, Workspace& workspace) const {
        const index_t n_bins = columns_.n_bins(column);
        if (node.histogram == nullptr) {
            auto present =
                workspace.counter.count(columns_.column(column), n_bins, node.rows, node.added);
            present.of_dataset = columns_.dataset_bins(column);
            return present;
        }
        const auto* cells = node.histogram + column * histograms_.cells_a_column();
        if (columns_.column_bins(column).is_category ||
            params_.threshold_draw != ThresholdDraw::all)
            return workspace.counter.look_through(cells, n_bins);
        return {nullptr, n_bins, cells, criterion_.width(), false};
    }

    static void keep_better(Found& best, const Found& found) {
        if (is_better(found.split, best.split)) best.split = found.split;
        best.is_constant = best.is_constant && found.is_constant;
    }

    Found best_of_columns(const Node& node, const ColumnSampler::Order& order) {
        const auto workspace = workspaces_.borrow();
        Found best;
        for (index_t i = 0; i < order.n_wanted; ++i)
            keep_better(best, search(node, order.columns[static_cast<std::size_t>(i)], *workspace));
        look_further(best, node, order, *workspace);
        return best;
    }

    Found best_by_threads(const Node& node, const ColumnSampler::Order& order, int n_threads) {
        std::vector<Found> found(static_cast<std::size_t>(order.n_wanted));
        parallel_for(std::ssize(found), n_threads, [&](index_t i) {
            const auto workspace = workspaces_.borrow();
            const auto place = static_cast<std::size_t>(i);
            found[place] = search(node, order.columns[place], *workspace);
        });
        Found best;
        for (const Found& one : found) keep_better(best, one);
        look_further(best, node, order, *workspaces_.borrow());
        return best;
    }

    // As long as all columns seen are constant in the node.
    void look_further(Found& best, const Node& node, const ColumnSampler::Order& order,
                      Workspace& workspace) const {
        auto i = static_cast<std::size_t>(order.n_wanted);
        for (; i < order.columns.size() && best.is_constant; ++i)
            keep_better(best, search(node, order.columns[i], workspace));
    }

    const BranchColumns<Bin>& columns_;
    const Criterion& criterion_;
    const GrowParams& params_;
    const ColumnSampler& sampler_;
    Histograms<Criterion>& histograms_;
    bool draws_cuts_;
    WorkspacePool<Workspace> workspaces_;
};

}  // namespace nonet
