// The best split of a node, over all columns it may use.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "grow/criteria/criterion.hpp"
#include "grow/histogram/histogram.hpp"
#include "grow/node/growing_node.hpp"
#include "grow/sampling/column_sampler.hpp"
#include "grow/search/bins_by_row.hpp"
#include "grow/search/branch_columns.hpp"
#include "grow/search/column_search.hpp"
#include "grow/search/column_threshold.hpp"
#include "grow/search/listed_columns_search.hpp"
#include "grow/search/node_entries.hpp"
#include "grow/search/random_thresholds.hpp"
#include "grow/search/small_node_search.hpp"
#include "grow/search/workspace_pool.hpp"

namespace nonet {

template <SplitCriterion Criterion, typename Bin>
class NodeSearch {
public:
    using Row = typename Criterion::Row;
    using Sums = typename Criterion::Sums;
    static constexpr bool rows_add_up = AddsRows<Criterion>;

    NodeSearch(const BranchColumns<Bin>& columns, const Criterion& criterion,
               const GrowParams& params, const ColumnSampler& sampler,
               Histograms<Criterion>& histograms)
        : columns_(columns),
          criterion_(criterion),
          params_(params),
          sampler_(sampler),
          histograms_(histograms),
          draws_thresholds_(rows_add_up && params.draws_thresholds()),
          tree_key_(NodeWords::tree_key(params, StreamUse::random_node_thresholds)),
          row_bins_(random_threshold_rows(columns, params, rows_add_up)),
          sorted_rows_(rows_to_sort(columns, params, rows_add_up)),
          are_few_rows_plain_(sorted_rows_.bins != nullptr && params.monotone.empty() &&
                              columns.dataset().has_plain_numbers()),
          searches_lists_(ListedColumnsSearch<Criterion>::can_search &&
                          params.threshold_draw == ThresholdDraw::all && params.monotone.empty()),
          workspaces_([&, n_bins = max_n_bins_of(columns)] {
              return std::make_unique<Workspace>(criterion, params, n_bins, row_bins_.stride);
          }) {}

    struct Found {
        Split split;
        bool is_constant = true;  // all columns that were looked at
    };
    static void keep_better(Found& best, const Found& found) {
        if (is_better(found.split, best.split)) best.split = found.split;
        best.is_constant = best.is_constant && found.is_constant;
    }

    // The best split on some of the columns of a node that has its histogram: parts of the columns
    // may be searched apart, and the best of them is then given to `position`.
    Found best_in(ColumnRange columns, const OpenNode& node, std::span<const std::uint32_t> rows,
                  std::span<const Row> added) {
        auto* cells = histograms_.cells(node.histogram);
        const auto workspace = workspaces_.borrow();
        Sums all(criterion_);
        histograms_.add_up(cells, columns, workspace->total);
        all.add(workspace->total.data());
        if (criterion_.is_pure(all, added)) return {};
        const Node searched{node.key,   cells, rows, added.data(), all, criterion_.score(all),
                            node.bounds};
        ColumnSampler::Order& order = workspace->order;
        sampler_.draw(node.key, node.depth, node.groups, order);
        Found best = best_listed(columns, searched, order, *workspace);
        if (searches_lists_ && histograms_.listed().are_all_plain(columns)) return best;
        for (index_t i = 0; i < order.n_wanted(); ++i)
            if (columns.contains(histograms_.position_of(order[i])) && !is_batched(order[i]))
                keep_better(best, search(searched, order[i], i, best, *workspace));
        return best;
    }
    void position(Split& split, std::span<const std::uint32_t> rows) {
        position(split, rows, *workspaces_.borrow());
    }

    // `rows` and `added` are those of the node; `all` is their sum.
    Split best(const OpenNode& node, std::span<const std::uint32_t> rows, const Row* added,
               Sums& all, int n_threads) {
        Node searched{
            node.key,   histograms_.cells(node.histogram), rows, added, all, criterion_.score(all),
            node.bounds};
        const auto workspace = workspaces_.borrow();
        look_at_lists(searched, *workspace);
        if constexpr (Histograms<Criterion>::exist)
            if (searched.histogram != nullptr)
                histograms_.add_up(searched.histogram, {0, histograms_.n_positions()},
                                   workspace->total);
        ColumnSampler::Order& order = workspace->order;
        sampler_.draw(node.key, node.depth, node.groups, order);
        gather_entries(searched, order, 0, order.n_wanted(), *workspace);
        const bool is_small = node.histogram != Histograms<Criterion>::none ||
                              std::ssize(rows) * order.n_wanted() < predictions_worth_threads;
        Found found;
        if (!is_small && n_threads > 1)
            found = best_by_threads(searched, order, n_threads);
        else if (looks_by_row())
            found = best_by_row(searched, order, *workspace);
        else
            found = best_of_columns(searched, order, *workspace);
        look_further(found, searched, order, *workspace);
        position(found.split, rows, *workspace);
        return found.split;
    }

    // Random thresholds of several columns are searched in bins stored row by row.
    bool looks_by_row() const noexcept { return row_bins_.bins != nullptr; }
    const RowBins& row_bins() const noexcept { return row_bins_; }
    RowBinsColumn row_column(index_t column) const noexcept {
        return {row_bins_.bins + column, row_bins_.stride};
    }

private:
    static constexpr index_t predictions_worth_threads = 1 << 16;
    // A forest on a sparse table, whose histograms are not used.
    static constexpr bool can_have_entries =
        rows_add_up && sizeof(Bin) == 1 && Histograms<Criterion>::exist;
    static constexpr bool has_squares = std::is_same_v<typename Criterion::Batch, ClassSquares>;

    struct Workspace {
        Workspace(const Criterion& criterion, const GrowParams& params, index_t n_bins,
                  index_t row_stride)
            : counter(criterion, n_bins),
              search(criterion, params),
              thresholds(criterion, params, row_stride),
              few_rows(criterion, params, row_stride),
              listed(criterion, params),
              left(criterion),
              right(criterion) {}
        BinCounter<Criterion> counter;
        ColumnSearch<Criterion> search;
        ColumnThreshold<Bin> threshold;
        RandomThresholds<ThresholdScores<Criterion>> thresholds;
        FewRows<Criterion> few_rows;
        ListedColumnsSearch<Criterion> listed;
        Sums left;
        Sums right;
        ColumnSampler::Order order;
        std::vector<std::uint16_t> sorted;
        GatheredBins<Bin> gathered;
        NodeEntries entries;
        std::vector<typename Criterion::Cell> total;  // of a node that has a histogram
        std::vector<typename Criterion::Cell> others;
        std::vector<typename Criterion::Cell> complete;  // cells of a listed column
        std::vector<std::uint32_t> n_listed;
    };
    struct Node {
        std::uint64_t key;
        typename Criterion::Cell* histogram;  // none: rows are counted column by column
        std::span<const std::uint32_t> rows;
        const Row* added;
        const Sums& all;
        double score;
        const PredictionBounds& bounds;
        const std::uint16_t* sorted = nullptr;    // few rows in all columns; none: not sorted yet
        const std::uint32_t* n_listed = nullptr;  // by column; none: not known
        const NodeEntries* entries = nullptr;     // of some columns; none: not gathered
        std::span<const typename Criterion::Cell> total{};  // of all rows, where there are entries
    };

    void position(Split& split, std::span<const std::uint32_t> rows, Workspace& workspace) const {
        if (!split.found() || split.categories) return;
        find_neighbours(split, rows, workspace);
        set_threshold(split, columns_.column_bins(split.column), params_);
    }

    // Position i of the order is for draw i. What gains less than the best so far is not found.
    Found search(const Node& node, index_t column, index_t position, const Found& best,
                 Workspace& workspace) const {
        if constexpr (can_have_entries)
            if (node.entries != nullptr && node.entries->cover(position))
                return search_entries(node, column, position, best, workspace);
        if constexpr (rows_add_up)
            if (draws_thresholds_ && !columns_.column_bins(column).is_category) {
                const auto [bins, rows] =
                    columns_.node_column(column, node.rows, workspace.gathered);
                workspace.threshold.read(bins, columns_.dataset_bins(column), rows);
                if (workspace.threshold.is_constant()) return {};
                if (!workspace.threshold.has_missing(columns_.column_bins(column)))
                    return {drawn_split(node, column, position, workspace), false};
            }
        if (const Others others = others_of(node, column); others != Others::enough)
            return {{}, others == Others::none};
        const PresentBins<Criterion> present = bins_of(node, column, workspace);
        return best_of_bins(node, column, present, best, workspace);
    }

    Found best_of_bins(const Node& node, index_t column, const PresentBins<Criterion>& present,
                       const Found& best, Workspace& workspace) const {
        if (present.n < 2) return {{}, present.n == 1};
        Split split = workspace.search.best(columns_.column_bins(column), column, present, node.all,
                                            node.score, node.key, node.bounds, best.split.gain);
        split.tie_rank = tie_rank(params_, node.key, column);
        return {std::move(split), false};
    }

    // The same for a column of a sparse table of which only the entries are known.
    Found search_entries(const Node& node, index_t column, index_t position, const Found& best,
                         Workspace& workspace) const {
        const std::span<const NodeEntry> entries = node.entries->at(position);
        const index_t n_rows = std::ssize(node.rows);
        if (entries.empty()) return {};
        const ColumnBins& bins = columns_.column_bins(column);
        const std::uint32_t of_zero =
            columns_.dataset().matrix().template sparse_column<Bin>(column).of_zero;
        if (draws_thresholds_ && !bins.is_category) {
            workspace.threshold.read_entries(entries, of_zero, n_rows);
            if (workspace.threshold.is_constant()) return {};
            if (!workspace.threshold.has_missing(bins))
                return {drawn_split(node, column, position, workspace), false};
        }
        return best_of_bins(
            node, column,
            workspace.counter.count_entries(entries, of_zero, node.total, n_rows, node.added), best,
            workspace);
    }

    void sum_left(const Node& node, index_t column, index_t position, std::uint32_t last_left,
                  Workspace& workspace) const {
        if constexpr (can_have_entries)
            if (node.entries != nullptr && node.entries->cover(position)) {
                const auto zeros = columns_.dataset().matrix().template sparse_column<Bin>(column);
                workspace.threshold.sum_left_entries(node.entries->at(position), zeros.of_zero,
                                                     last_left, node.added, node.all,
                                                     workspace.right, workspace.left);
                return;
            }
        workspace.threshold.sum_left(last_left, node.added, workspace.left);
    }

    // The neighbours of the cut are looked for in the end, in the best column only.
    Split drawn_split(const Node& node, index_t column, index_t position,
                      Workspace& workspace) const {
        const RandomThreshold threshold = workspace.threshold.draw(
            columns_.column_bins(column), NodeWords(tree_key_, node.key).uniform(position));
        sum_left(node, column, position, threshold.last_left, workspace);
        Split split;
        split.gain = workspace.search.score_of(workspace.left, node.all) - node.score;
        split.tie_rank = tie_rank(params_, node.key, column);
        split.column = static_cast<std::uint32_t>(column);
        split.last_left_bin = threshold.last_left;
        split.threshold = threshold.threshold;
        return split;
    }

    // Whether no split of a column with one very common bin leaves enough rows on the side of the
    // others. Such splits would be found and refused one by one.
    bool has_too_few_others(const ScatteredColumn& column, Workspace& workspace) const {
        if (params_.threshold_draw != ThresholdDraw::all ||
            columns_.column_bins(column.column).is_category)
            return false;
        workspace.left.clear();
        workspace.left.add(workspace.others.data());
        return criterion_.n_rows(workspace.left) < params_.min_rows_leaf;
    }

    // The same of a node without a histogram, whose rows were looked through in all columns at
    // once: too few for a split, or none at all.
    enum class Others { none, too_few, enough };
    Others others_of(const Node& node, index_t column) const noexcept {
        if (node.n_listed == nullptr) return Others::enough;
        const auto n = static_cast<index_t>(node.n_listed[column]);
        if (n == 0) return Others::none;
        return n < params_.min_rows_leaf ? Others::too_few : Others::enough;
    }

    void find_neighbours(Split& split, std::span<const std::uint32_t> rows,
                         Workspace& workspace) const {
        if (split.below != Split::no_bin) return;
        const auto of_column = [&] {
            const auto column = columns_.node_column(split.column, rows, workspace.gathered);
            return find_threshold_neighbours(column.bins, column.rows, split.last_left_bin);
        };
        const auto [below, above, n_left] =
            looks_by_row()
                ? find_threshold_neighbours(NodeBins{row_bins_, std::ssize(rows), rows.data()},
                                            split.column, split.last_left_bin)
                : of_column();
        const std::uint32_t* of_dataset = columns_.dataset_bins(split.column);
        split.below = of_dataset == nullptr ? below : of_dataset[below];
        split.above = of_dataset == nullptr ? above : of_dataset[above];
    }

    Found best_by_row(const Node& node, ColumnSampler::Order& order, Workspace& workspace) const {
        RandomThresholds<ThresholdScores<Criterion>>& thresholds = workspace.thresholds;
        const NodeWords draws(tree_key_, node.key);
        thresholds.read({row_bins_, std::ssize(node.rows), node.rows.data()});
        Found best;
        for (index_t i = 0; i < order.n_wanted(); ++i) {
            const index_t column = order[i];
            const ColumnBins& bins = columns_.column_bins(column);
            if (thresholds.is_constant(column)) continue;
            if (bins.is_category || thresholds.has_missing(column, bins))
                keep_better(best, search(node, column, i, best, workspace));
            else
                thresholds.draw(column, bins, draws.uniform(i));
        }
        if constexpr (rows_add_up)
            if (thresholds.has_drawn())
                keep_better(best,
                            {thresholds.best({node.added, node.all}, node.score, node.key), false});
        return best;
    }

    // Rows in order serve where all bins are those of numbers that are known, and free.
    bool takes_ordered_rows(index_t column) const noexcept {
        return has_squares && params_.threshold_draw == ThresholdDraw::all &&
               params_.monotone.empty() && !columns_.column_bins(column).is_category &&
               !columns_.column_bins(column).has_missing;
    }

    PresentBins<Criterion> bins_of(const Node& node, index_t column, Workspace& workspace) const {
        if (node.histogram != nullptr) return histogram_bins(node, column, workspace);
        if constexpr (rows_add_up)
            if (node.sorted != nullptr)
                return workspace.counter.take_sorted(node.sorted + column, sorted_rows_.stride,
                                                     std::ssize(node.rows), node.added);
        const index_t n_bins = columns_.n_bins(column);
        const auto [bins, rows] = columns_.node_column(column, node.rows, workspace.gathered);
        const auto counted = [&] {
            if constexpr (has_squares)
                if (takes_ordered_rows(column) &&
                    workspace.counter.is_worth_ordering(std::ssize(rows), n_bins))
                    return workspace.counter.order(bins, rows, node.added);
            return workspace.counter.count(bins, n_bins, rows, node.added);
        };
        PresentBins<Criterion> present = counted();
        present.of_dataset = columns_.dataset_bins(column);
        return present;
    }

    // Whether the column is searched together with others; see best_listed.
    bool is_batched(index_t column) const noexcept {
        const ScatteredColumn* scattered = histograms_.scattered_column(column);
        return searches_lists_ && scattered != nullptr && scattered->is_plain;
    }

    // The best split on those columns of a node that are searched together.
    Found best_listed(ColumnRange columns, const Node& node, ColumnSampler::Order& order,
                      Workspace& workspace) const {
        Found best;
        if constexpr (ListedColumnsSearch<Criterion>::can_search) {
            if (!searches_lists_) return best;
            ListedColumnsSearch<Criterion>& listed = workspace.listed;
            listed.start(node.all, node.score, node.key);
            const auto look_at = [&](const ScatteredColumn& column, const auto* cells) {
                if (!column.is_plain) return;
                listed.add(column, cells);
                best.is_constant = false;
            };
            if (order.is_whole()) {
                histograms_.listed().each_column(node.histogram, columns, look_at);
            } else {
                for (index_t i = 0; i < order.n_wanted(); ++i)
                    if (const index_t column = order[i];
                        is_batched(column) && columns.contains(histograms_.position_of(column))) {
                        const ScatteredColumn& its = *histograms_.scattered_column(column);
                        look_at(its, histograms_.listed().of(node.histogram, its));
                    }
            }
            if (const index_t column = listed.best_column(); column != listed.no_column)
                keep_better(best, search(node, column, 0, best, workspace));
        }
        return best;
    }

    // No bins at all: there is no split.
    PresentBins<Criterion> histogram_bins(const Node& node, index_t column,
                                          Workspace& workspace) const {
        if constexpr (Histograms<Criterion>::exist) {
            const index_t n_bins = columns_.n_bins(column);
            const typename Criterion::Cell* cells = nullptr;
            if (const ScatteredColumn* scattered = histograms_.scattered_column(column)) {
                histograms_.listed().complete(node.histogram, *scattered, workspace.total,
                                              workspace.others, workspace.complete);
                cells = workspace.complete.data();
                if (has_too_few_others(*scattered, workspace)) return {};
            } else {
                cells = histograms_.cells_of(node.histogram, column);
            }
            if (columns_.column_bins(column).is_category ||
                params_.threshold_draw != ThresholdDraw::all)
                return workspace.counter.look_through(cells, n_bins);
            return {nullptr, n_bins, cells, criterion_.width(), false};
        } else {
            return {};
        }
    }

    // What the rows have in the columns at positions begin, ..., end - 1 of the order.
    void gather_entries(Node& node, ColumnSampler::Order& order, index_t begin, index_t end,
                        Workspace& workspace) const {
        if constexpr (can_have_entries) {
            if (!columns_.is_sparse() || histograms_.are_all_listed()) return;
            if (node.entries == nullptr) {
                workspace.total.assign(static_cast<std::size_t>(criterion_.width()),
                                       typename Criterion::Cell{});
                for (std::size_t i = 0; i < node.rows.size(); ++i)
                    Criterion::add_row(workspace.total.data(), node.added[i]);
            }
            workspace.entries.gather(columns_.dataset(), order, begin, end, node.rows);
            node.entries = &workspace.entries;
            node.total = workspace.total;
        }
    }

    // Few rows in very many columns of mostly zeros: most columns are seen to have no split.
    void look_at_lists(Node& node, Workspace& workspace) const {
        if constexpr (HasMoments<Criterion>)
            if (node.histogram == nullptr && histograms_.are_all_listed() &&
                params_.threshold_draw == ThresholdDraw::all &&
                !columns_.dataset().has_categories()) {
                workspace.n_listed.assign(static_cast<std::size_t>(columns_.dataset().n_columns()),
                                          0);
                histograms_.listed().count_listed(node.rows, workspace.n_listed);
                node.n_listed = workspace.n_listed.data();
            }
    }

    Found best_of_columns(Node node, ColumnSampler::Order& order, Workspace& workspace) const {
        if constexpr (FewRows<Criterion>::can_search)
            if (are_few_rows_plain_ && node.histogram == nullptr &&
                std::ssize(node.rows) <= max_rows_sorted) {
                Found best;
                best.is_constant = !workspace.few_rows.find_best(
                    {sorted_rows_, std::ssize(node.rows), node.rows.data()}, order, node.added,
                    node.all, node.score, node.key, best.split);
                return best;
            }
        if (sorted_rows_.bins != nullptr && node.histogram == nullptr &&
            std::ssize(node.rows) <= max_rows_sorted) {
            workspace.sorted.resize(
                static_cast<std::size_t>(max_rows_sorted * sorted_rows_.stride));
            sort_bins({sorted_rows_, std::ssize(node.rows), node.rows.data()},
                      workspace.sorted.data());
            node.sorted = workspace.sorted.data();
        }
        Found best;
        for (index_t i = 0; i < order.n_wanted(); ++i)
            keep_better(best, search(node, order[i], i, best, workspace));
        return best;
    }

    // Parts of so many columns that to take one costs little beside searching it.
    Found best_by_threads(const Node& node, ColumnSampler::Order& order, int n_threads) {
        constexpr index_t predictions_per_part = 1 << 14;
        const index_t columns_per_part =
            std::max<index_t>(predictions_per_part / std::ssize(node.rows), 1);
        std::vector<index_t> columns;
        for (index_t i = 0; i < order.n_wanted(); ++i) columns.push_back(order[i]);
        std::vector<Found> found(columns.size() / static_cast<std::size_t>(columns_per_part) + 1);
        parallel_blocks(std::ssize(columns), columns_per_part, n_threads,
                        [&](index_t part, index_t begin, index_t end) {
                            const auto workspace = workspaces_.borrow();
                            Found best;
                            for (index_t i = begin; i < end; ++i)
                                keep_better(best, search(node, columns[static_cast<std::size_t>(i)],
                                                         i, best, *workspace));
                            found[static_cast<std::size_t>(part)] = std::move(best);
                        });
        Found best;
        for (const Found& one : found) keep_better(best, one);
        return best;
    }

    // As long as all columns seen are constant in the node.
    void look_further(Found& best, Node& node, ColumnSampler::Order& order,
                      Workspace& workspace) const {
        for (index_t i = order.n_wanted(); i < order.size() && best.is_constant; ++i) {
            if (node.entries != nullptr && !node.entries->cover(i))
                gather_entries(node, order, i, std::min(2 * i + 1, order.size()), workspace);
            keep_better(best, search(node, order[i], i, best, workspace));
        }
    }

    const BranchColumns<Bin>& columns_;
    const Criterion& criterion_;
    const GrowParams& params_;
    const ColumnSampler& sampler_;
    Histograms<Criterion>& histograms_;
    bool draws_thresholds_;
    std::uint64_t tree_key_;
    RowBins row_bins_;
    RowBins sorted_rows_;
    bool are_few_rows_plain_;
    bool searches_lists_;
    WorkspacePool<Workspace> workspaces_;
};

}  // namespace nonet
