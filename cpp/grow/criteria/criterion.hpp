// What growing a tree needs of a split criterion.
//
// A criterion defines what a row adds to its bin, how bins are summed, and how good a set of rows
// is: a split gains the scores of its children less that of the parent. Scores are minus the weight
// times the impurity, up to a term that all splits of a node share. All sums are whole numbers
// (fixed point): they do not depend on the order of rows, nor on the number of threads.
//
// There are five: ClassCriterion, MomentCriterion (one output), OutputsCriterion (several),
// VectorNewton and AbsoluteErrors. An impurity is not a criterion but a formula that one of them is
// made of; impurities.hpp lists these.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

#include "base/types.hpp"
#include "grow/criteria/score_batch.hpp"

namespace nonet {

// The sums of a set of rows:
// - clear, add, add_rows: starts with no rows; adds the rows of a bin, or rows one by one;
// - set_sum, set_difference: becomes the union of two disjoint sets, or one set less its part.
template <typename Sums, typename Criterion>
concept RowSums = std::constructible_from<Sums, const Criterion&> &&
                  requires(Sums sums, const Sums& other, const typename Criterion::Cell* cells,
                           std::span<const typename Criterion::Row> rows) {
                      sums.clear();
                      sums.add(cells);
                      sums.add_rows(rows);
                      sums.set_sum(other, other);
                      sums.set_difference(other, other);
                  };

// Candidate splits that wait to be scored together:
// - capacity: how many can wait;
// - add(i, left, all): candidate i sends `left` of the rows `all` of the node to the left child;
// - scores(n, all): scores of candidates 0, ..., n - 1, the sum of those of both children; minus
//   infinity where a child breaks the limits.
template <typename Batch, typename Criterion>
concept CandidateBatch = std::constructible_from<Batch, const Criterion&, const ChildLimits&> &&
                         requires(Batch batch, index_t i, typename Criterion::Sums& left,
                                  const typename Criterion::Sums& all) {
                             { Batch::capacity } -> std::convertible_to<index_t>;
                             batch.add(i, left, all);
                             { batch.scores(i, all) } -> std::same_as<const double*>;
                         };

// The contract.
// - Row: what a row adds; write_rows(out, n_threads) writes that of all rows of the tree.
// - Cell, width: a bin is `width()` cells; is_empty(cell) is true for one that no row was added to.
// - n_rows, weight: of a set of rows.
// - score: of a set of rows; a node's, which its splits are compared with.
// - is_pure(sums, rows): whether no split of these rows can gain anything.
// - prediction: the number that monotone constraints apply to.
// - n_category_orders, category_key(cells, order, all, smoothing): categories are tried as sets in
//   the order of their keys, one order after another.
// - splits_need_gain: whether a split has to gain more than `min_gain` (boosting), or may gain
//   nothing as long as the node is not pure.
template <typename C>
concept SplitCriterion =
    std::is_trivially_copyable_v<typename C::Row> && RowSums<typename C::Sums, C> &&
    CandidateBatch<typename C::Batch, C> &&
    requires(const C& criterion, typename C::Row* out, typename C::Sums& sums,
             const typename C::Sums& all, std::span<const typename C::Row> rows,
             const typename C::Cell* cells) {
        criterion.write_rows(out, 1);
        { criterion.width() } -> std::same_as<index_t>;
        { C::is_empty(*cells) } -> std::same_as<bool>;
        { criterion.n_rows(all) } -> std::same_as<index_t>;
        { criterion.weight(all) } -> std::same_as<double>;
        { criterion.score(sums) } -> std::same_as<double>;
        { criterion.is_pure(all, rows) } -> std::same_as<bool>;
        { criterion.prediction(all) } -> std::same_as<double>;
        { criterion.n_category_orders() } -> std::same_as<index_t>;
        { criterion.category_key(cells, index_t{}, all, 0.0) } -> std::same_as<double>;
        { C::splits_need_gain } -> std::convertible_to<bool>;
    };

// Abilities that only some criteria have. Code that checks for them has a faster path for those
// that do.

// Sums of single rows: histograms, few rows and random thresholds need it. `fixed_width` is the
// width where it is known when compiling, else 0.
template <typename C>
concept AddsRows =
    SplitCriterion<C> &&
    requires(typename C::Cell* cells, const typename C::Row& row, typename C::Sums sums) {
        C::add_row(cells, row);
        sums.add_row_if(true, row);
        { C::fixed_width } -> std::convertible_to<index_t>;
    };

// Rows are labels: nodes of one class are seen without sums, and labels can be counted in vectors
// where counts_rows() is true: all rows have weight 1.
template <typename C>
concept HasLabels = AddsRows<C> && requires(const C& criterion, const typename C::Row* rows,
                                            typename C::Sums sums, const std::uint32_t* counts) {
    C::labels(rows);
    { C::are_alike(std::span(rows, 1)) } -> std::same_as<bool>;
    { criterion.counts_rows() } -> std::same_as<bool>;
    sums.set_counts(counts, index_t{});
};

// Sums are whole numbers of rows, from which the values of nodes follow.
template <typename C>
concept HasWholeWeights = HasLabels<C> && requires { requires C::has_whole_weights; };

// Rows are two words, which are summed in vectors.
template <typename C>
concept HasMoments =
    AddsRows<C> && requires(const typename C::Row* rows, typename C::Sums sums, std::int64_t sum) {
        C::moments(rows);
        sums.set_moments(sum, sum);
    };

// Children of a set of categories may have a penalty of their own, beyond that of all nodes.
template <typename C>
concept HasExtraPenalty = SplitCriterion<C> && requires(const C& criterion, typename C::Sums& all) {
    { criterion.score(all, 0.0) } -> std::same_as<double>;
};

}  // namespace nonet
