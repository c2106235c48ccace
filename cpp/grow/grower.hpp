// Grows one tree.
//
// A tree without a limit on its leaves is grown in two steps: large nodes one after another, each
// by all threads; then the branches below, many at once, each by one thread. Where the line is
// drawn depends on the number of rows alone, and draws are named by nodes: threads change nothing.
// Trees of random thresholds do not depend on it; a single thread grows them as one branch.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/phases.hpp"
#include "grow/children.hpp"
#include "grow/classification_tree_writer.hpp"
#include "grow/criteria/criterion.hpp"
#include "grow/frontier.hpp"
#include "grow/search/class_runs_branch.hpp"
#include "grow/search/node_search.hpp"
#include "grow/search/random_branch.hpp"

namespace nonet {

template <SplitCriterion Criterion, typename Bin>
class Grower {
public:
    using Row = typename Criterion::Row;

    Grower(BufferPool& pool, const BranchColumns<Bin>& columns, const GrowParams& params,
           const Criterion& criterion, RowPartition<Row>& partition, double total_weight)
        : buffers_(pool),
          columns_(columns),
          params_(params),
          criterion_(criterion),
          partition_(partition),
          total_weight_(total_weight),
          sampler_(params, columns.dataset().n_columns()),
          histograms_(pool, columns.dataset(), params.columns, criterion,
                      sampler_.takes_most() && !params.draws_thresholds()),
          search_(columns, criterion, params, sampler_, histograms_),
          draws_branches_(search_.looks_by_row() && can_draw_branches(columns.dataset(), params)) {}

    // How many of these threads are worth their time. Small trees of few leaves are grown by one
    // thread: each node hands work from core to core, and a second thread would gain less than a
    // fifth of the time, and take twice the processor.
    int n_threads_worth(int n_threads) const noexcept {
        constexpr index_t min_work = 1'500'000;
        if constexpr (Histograms<Criterion>::exist) {
            const index_t n_rows = partition_.n_rows();
            if (params_.max_leaf_nodes == GrowParams::unlimited || !histograms_.is_worth(n_rows))
                return n_threads;
            const index_t work = histograms_.work().of_tree(n_rows, params_.max_leaf_nodes);
            return histograms_.n_threads_for(n_rows, threads_for(work, min_work / 2, n_threads));
        }
        return n_threads;
    }

    // Nodes below one that holds all rows of the partition.
    GrownNodes grow(OpenNode root, int n_threads) {
        root.rows = partition_.all();
        if (root.depth == 0) root.groups = sampler_.interactions().at_root();
        if constexpr (Histograms<Criterion>::exist)
            if (histograms_.is_worth(root.rows.size())) prepare_histograms(n_threads);
        if (is_one_branch(n_threads)) return grow_branch(root);
        std::vector<OpenNode> branches;
        const index_t branch_rows = has_branches(n_threads) ? max_rows_of_a_branch(n_threads) : 0;
        GrownNodes nodes = grow_from(root, branch_rows, n_threads, branches);
        std::vector<GrownNodes> grown(branches.size());
        parallel_for(std::ssize(branches), n_threads, [&](index_t i) {
            grown[static_cast<std::size_t>(i)] = grow_branch(branches[static_cast<std::size_t>(i)]);
        });
        std::size_t n_nodes = nodes.size();
        for (const GrownNodes& branch : grown) n_nodes += branch.size();
        nodes.reserve(n_nodes);
        for (std::size_t b = 0; b < branches.size(); ++b)
            graft(nodes, branches[b].position, std::move(grown[b]));
        return nodes;
    }

    // Whether the tree is one branch of random thresholds.
    bool is_one_branch(int n_threads) const noexcept {
        return draws_branches_ && params_.max_leaf_nodes == GrowParams::unlimited &&
               partition_.n_rows() <= max_rows_of_a_branch(n_threads);
    }
    // Such a tree, where sums of rows are whole numbers.
    template <typename Values>
    Tree grow_counted(const Values& values) {
        using Nodes = CountedTree<Criterion, Values>;
        const RowRange rows = partition_.all();
        const index_t n_columns = columns_.dataset().n_columns();
        Nodes nodes(buffers_, values, n_columns, rows.size());
        if constexpr (std::is_same_v<typename Criterion::Batch, ClassSquares>)
            if (criterion_.counts_rows()) return grow_by_class(std::move(nodes));
        return drawn_branch(rows, std::move(nodes)).grow({.rows = rows});
    }

private:
    using Found = typename NodeSearch<Criterion, Bin>::Found;
    static constexpr std::int32_t none = Histograms<Criterion>::none;

    // Enough branches to keep threads busy to the end, and small enough for the caches.
    static constexpr index_t branches_per_tree = 16;
    static constexpr index_t max_branch_rows = 1 << 15;
    // A branch of random thresholds has bins of its own: the larger the better, but they take
    // memory.
    static constexpr index_t max_drawn_bytes = 1 << 23;
    static constexpr index_t rows_per_check = 1
                                              << 14;  // the clock is not read for every small node
    static constexpr index_t rows_worth_a_copy = 32;
    static constexpr index_t min_own_rows = 128;  // fewer are not worth columns of their own

    void prepare_histograms(int n_threads) {
        const InPhase phase(Phase::binning);
        histograms_.prepare(n_threads);
    }

    // A single thread gains nothing by them, unless they get bins or columns of their own.
    bool has_branches(int n_threads) const noexcept {
        const bool have_their_own = draws_branches_ || sizeof(Bin) > 1;
        return params_.max_leaf_nodes == GrowParams::unlimited && (n_threads > 1 || have_their_own);
    }
    index_t max_rows_of_a_branch(int n_threads) const noexcept {
        if (draws_branches_ && n_threads == 1) return max_drawn_bytes / search_.row_bins().stride;
        return std::min(partition_.n_rows() / branches_per_tree, max_branch_rows);
    }

    GrownNodes grow_branch(const OpenNode& branch) {
        if constexpr (sizeof(Bin) == 1 && NodeSearch<Criterion, Bin>::rows_add_up)
            if (draws_branches_)
                return drawn_branch(branch.rows, BranchNodes<Criterion>(buffers_, branch.bounds,
                                                                        branch.rows.size()))
                    .grow(branch);
        // Bins of 8 bits are few enough as they are, and sets of categories are those of the
        // dataset.
        // Columns of mostly zeros would become dense.
        const bool has_own_columns = sizeof(Bin) > 1 && branch.rows.size() >= min_own_rows &&
                                     !columns_.is_sparse() && !columns_.dataset().has_categories();
        if (has_own_columns) return grow_on_own_columns(branch);
        std::vector<OpenNode> no_branches;
        return grow_from(branch, 0, 1, no_branches);
    }

    template <typename Nodes>
    DrawnBranch<Criterion, Nodes> drawn_branch(RowRange rows, Nodes nodes) {
        return {buffers_,      columns_.dataset(), params_, criterion_,      sampler_, partition_,
                total_weight_, search_.row_bins(), rows,    std::move(nodes)};
    }

    template <typename Nodes>
    Tree grow_by_class(Nodes nodes) {
        const RowRange all = partition_.all();
        const RowsByClass rows(buffers_, partition_.rows(all),
                               Criterion::labels(partition_.added(all).data()), criterion_.width());
        return ClassRunsBranch<Criterion, Nodes>(buffers_, columns_.dataset(), params_, criterion_,
                                                 sampler_, total_weight_, search_.row_bins(), rows,
                                                 std::move(nodes))
            .grow();
    }

    GrownNodes grow_on_own_columns(const OpenNode& branch) {
        const std::span<const std::uint32_t> rows = partition_.rows(branch.rows);
        const std::span<const Row> added = partition_.added(branch.rows);
        const BranchColumns<Bin> own_columns(columns_, rows);
        const PooledBuffer<std::uint32_t> own_rows(buffers_, branch.rows.size());
        std::iota(own_rows.all().begin(), own_rows.all().end(), 0U);
        RowPartition<Row> own_partition(buffers_, own_rows.all());
        std::ranges::copy(added, own_partition.added(own_partition.all()).begin());
        Grower grower(buffers_, own_columns, params_, criterion_, own_partition, total_weight_);
        GrownNodes nodes = grower.grow(branch, 1);
        for (GrownNode& node : nodes) take_over(node, branch.rows, own_partition);
        return nodes;
    }

    // A node of a branch's own partition becomes one of this partition. What rows add stays behind:
    // not needed again.
    void take_over(GrownNode& node, RowRange branch, const RowPartition<Row>& own) const {
        const RowRange here{branch.begin + node.rows.begin, branch.begin + node.rows.end,
                            1 - branch.side};
        const std::span<const std::uint32_t> rows = partition_.rows(branch);
        if (node.is_leaf())
            std::ranges::transform(own.rows(node.rows), partition_.rows(here).begin(),
                                   [rows](std::uint32_t own_row) { return rows[own_row]; });
        node.rows = here;
    }

    // Nodes with at most branch_rows rows are not split but put among the branches.
    GrownNodes grow_from(OpenNode root, index_t branch_rows, int n_threads,
                         std::vector<OpenNode>& branches) {
        Frontier frontier(params_.max_leaf_nodes != GrowParams::unlimited);
        root.position = 0;
        GrownNodes nodes({{root.rows, root.bounds}}, PoolAllocator<GrownNode>(buffers_));
        index_t n_leaves = 1;
        const auto open = [&](OpenNode& node) {
            if (node.rows.size() <= branch_rows) return branches.push_back(std::move(node));
            if (find_split(node, n_threads)) frontier.add(std::move(node));
        };
        if constexpr (Histograms<Criterion>::exist)
            if (root.histogram == none && histograms_.is_worth(root.rows.size()))
                count_and_search(root, nullptr, 0, n_threads);
        open(root);
        index_t n_parted = 0;
        while (!frontier.empty() && n_leaves < params_.max_leaf_nodes) {
            OpenNode node = frontier.take();
            if ((n_parted += node.rows.size()) >= rows_per_check) {
                check_interrupt();
                n_parted = 0;
            }
            const auto rows = split_rows(node, n_threads);
            auto [left, right] = children_of(node, rows, sampler_.interactions());
            add_children(nodes, node, left, right);
            if (++n_leaves == params_.max_leaf_nodes) break;  // no more splits are needed
            if constexpr (Histograms<Criterion>::exist)
                search_children(node, left, right, branch_rows, n_threads);
            open(right);
            open(left);
        }
        return nodes;
    }

    void search_children(OpenNode& parent, OpenNode& left, OpenNode& right, index_t branch_rows,
                         int n_threads) {
        OpenNode& small = left.rows.size() < right.rows.size() ? left : right;
        OpenNode& large = left.rows.size() < right.rows.size() ? right : left;
        large.histogram = std::exchange(parent.histogram, none);
        const bool is_worth = can_split(large) && histograms_.is_worth(large.rows.size());
        const bool is_counted = large.histogram != none && is_worth &&
                                count_and_search(small, &large, branch_rows, n_threads);
        if (!is_counted) histograms_.give_back(large.histogram);
    }

    // Counts the smaller of two children; the larger one, which has the parent's histogram, is the
    // difference. Threads have columns of their own, which they count, subtract and search: sums
    // stay in their caches. Children that become branches are not searched.
    // Returns false if there is no memory for it.
    bool count_and_search(OpenNode& small, OpenNode* large, index_t branch_rows, int n_threads) {
        const std::span<const std::uint32_t> rows = partition_.rows(small.rows);
        const Row* added = partition_.added(small.rows).data();
        const bool takes_away =
            large && histograms_.can_take_away(std::ssize(rows), can_split(small));
        if (!takes_away) {
            small.histogram = histograms_.take();
            if (small.histogram == none) return false;
        }
        std::deque<typename Histograms<Criterion>::Part> parts;
        if (takes_away) {
            histograms_.take_away_total(large->histogram, partition_.added(small.rows));
        } else {
            const InPhase phase(Phase::histograms);
            if (histograms_.work().is_shared_by_rows(std::ssize(rows), n_threads))
                parts = histograms_.count_by_rows(small.histogram, rows, added, n_threads);
            else
                histograms_.set_total(small.histogram, partition_.added(small.rows));
            if (large) histograms_.subtract_total(large->histogram, small.histogram);
        }
        search_columns(small, large, takes_away, parts, branch_rows, n_threads);
        histograms_.give_back(parts);
        return true;
    }

    // The columns of the two children are counted or added up from parts, subtracted and searched.
    void search_columns(OpenNode& small, OpenNode* large, bool takes_away,
                        std::deque<typename Histograms<Criterion>::Part>& parts,
                        index_t branch_rows, int n_threads) {
        const InPhase phase(Phase::search);
        const std::span<const std::uint32_t> rows = partition_.rows(small.rows);
        const Row* added = partition_.added(small.rows).data();
        std::array<OpenNode*, 2> children = {takes_away ? nullptr : &small, large};
        const auto is_closed = [&](const OpenNode* child) {
            return child == nullptr || child->rows.size() <= branch_rows || !can_split(*child);
        };
        std::ranges::replace_if(children, is_closed, nullptr);
        // Sets of categories take longer than numbers: finer parts even that out.
        const int parts_per_thread = columns_.dataset().has_categories() ? 4 : 1;
        const index_t n_parts = histograms_.work().n_column_parts(std::ssize(rows), parts.size(),
                                                                  parts_per_thread * n_threads);
        const index_t n_counted = parts.empty() ? std::ssize(rows) : 0;
        std::vector<std::array<Found, 2>> found(static_cast<std::size_t>(n_parts));
        parallel_for(n_parts, n_threads, [&](index_t p) {
            const ColumnRange columns = histograms_.work().column_part(p, n_parts, n_counted);
            if (takes_away)
                histograms_.take_away(large->histogram, columns, rows, added);
            else if (parts.empty())
                histograms_.count(small.histogram, columns, rows, added);
            else
                histograms_.join(parts, columns);
            if (!takes_away && large)
                histograms_.subtract(large->histogram, small.histogram, columns);
            for (std::size_t c = 0; c < children.size(); ++c)
                if (const OpenNode* child = children[c])
                    found[static_cast<std::size_t>(p)][c] =
                        search_.best_in(columns, *child, partition_.rows(child->rows),
                                        partition_.added(child->rows));
        });
        for (std::size_t c = 0; c < children.size(); ++c)
            if (children[c]) keep_best(*children[c], found, c);
    }

    // Where all columns looked at are constant, others may be left to look at.
    void keep_best(OpenNode& node, const std::vector<std::array<Found, 2>>& found, std::size_t c) {
        Found best;
        for (const std::array<Found, 2>& part : found) search_.keep_better(best, part[c]);
        if (best.is_constant) return;
        node.is_searched = true;
        node.split = std::move(best.split);
        search_.position(node.split, partition_.rows(node.rows));
    }

    bool can_split(const OpenNode& node) const noexcept {
        return nonet::can_split(params_, node.rows.size(), node.depth);
    }

    bool find_split(OpenNode& node, int n_threads) {
        if (!node.is_searched && can_split(node)) search(node, n_threads);
        const bool found = is_worth_it<Criterion>(node.split, params_, total_weight_);
        if (!found || !histograms_.is_worth(node.rows.size()))
            histograms_.give_back(node.histogram);
        return found;
    }

    void search(OpenNode& node, int n_threads) {
        const InPhase phase(Phase::search);
        const std::span<const Row> added = partition_.added(node.rows);
        typename Criterion::Sums all(criterion_);
        all.add_rows(added);
        if (criterion_.is_pure(all, added)) return;
        node.split = search_.best(node, partition_.rows(node.rows), added.data(), all, n_threads);
    }

    std::pair<RowRange, RowRange> split_rows(OpenNode& node, int n_threads) {
        const InPhase phase(Phase::partition);
        Split& split = node.split;
        const auto parts =
            columns_.is_sparse() ? split_sparse_rows(node, n_threads)
            : search_.looks_by_row()
                ? partition_.part(node.rows, search_.row_column(split.column), split, n_threads)
                : partition_.part(node.rows, columns_.column(split.column), split, n_threads);
        send_unseen_missing(split, parts.first.size(), parts.second.size());
        return parts;
    }

    // Many rows read the bins of the column from a copy that is not sparse.
    std::pair<RowRange, RowRange> split_sparse_rows(const OpenNode& node, int n_threads) {
        const BinnedMatrix& matrix = columns_.dataset().matrix();
        const auto column = matrix.template sparse_column<Bin>(node.split.column);
        if (node.rows.size() * rows_worth_a_copy < matrix.n_rows())
            return partition_.part(node.rows, column, node.split, n_threads);
        const PooledBuffer<Bin> dense(buffers_, matrix.n_rows());
        column.copy(matrix.n_rows(), dense.data());
        return partition_.part(node.rows, static_cast<const Bin*>(dense.data()), node.split,
                               n_threads);
    }

    BufferPool& buffers_;
    const BranchColumns<Bin>& columns_;
    const GrowParams& params_;
    const Criterion& criterion_;
    RowPartition<Row>& partition_;
    double total_weight_;
    ColumnSampler sampler_;
    Histograms<Criterion> histograms_;
    NodeSearch<Criterion, Bin> search_;
    bool draws_branches_;
};

}  // namespace nonet
