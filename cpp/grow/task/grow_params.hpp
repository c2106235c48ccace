// What a tree should be like.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/types.hpp"

namespace nonet {

// Where a threshold is put: midway between the neighbours that are present in the node, as CART
// does, or on the edge of a bin, which all nodes share.
enum class ThresholdPolicy { midway, edge };

// Which thresholds are searched: all; one per column, uniform between the minimum and the maximum
// value of the node (Geurts, Ernst and Wehenkel, 2006); or one per column, between two neighbours
// among the node's distinct values, each pair as likely as the next.
enum class ThresholdDraw { all, uniform, distinct };

struct GrowParams {
    static constexpr index_t unlimited = std::numeric_limits<index_t>::max();

    index_t max_depth = unlimited;
    index_t max_leaf_nodes = unlimited;  // limited: the node of the maximum gain is split next
    index_t min_rows_split = 2;
    index_t min_rows_leaf = 1;
    double min_weight_leaf = 0;        // minimum sum of weights (Newton: of hessians) in a leaf
    double min_impurity_decrease = 0;  // in fractions of the whole weight, as in scikit-learn
    double l2 = 0;                     // Newton only: lambda, alpha and gamma
    double l1 = 0;
    double min_gain = 0;
    double max_step =
        std::numeric_limits<double>::infinity();  // Newton only: of a leaf, either way
    index_t columns_per_level = unlimited;  // drawn from the tree's for all nodes of one depth
    index_t columns_per_split = unlimited;  // drawn from the level's anew for every node
    std::vector<index_t> columns;           // those the tree may use; none given: all
    // One sign per column, or none: 1 = the prediction must not fall with the column, -1 = not
    // rise, 0 = free.
    std::vector<int> monotone;
    std::vector<std::vector<index_t>>
        interactions;  // groups of columns that may meet; none: all may
    ThresholdPolicy threshold_policy = ThresholdPolicy::midway;
    ThresholdDraw threshold_draw = ThresholdDraw::all;
    // Categories are ordered by their mean target, moved towards the node's (Newton: the step
    // towards 0) as by so many rows of weight 1. Those with less than the minimum support stay out
    // of the order and go with the larger number of categories; support is the weight, in rows of
    // the node's mean weight unless weights count rows.
    double category_smoothing = 0;
    double min_category_support = 0;
    bool weights_count_rows = false;
    // Where some stay out, categories of these columns are tried in the order of their codes too,
    // which owes nothing to targets. Support may be another there.
    std::vector<index_t> code_order_columns;
    std::optional<double> code_order_support;
    double category_l2 = 0;                   // Newton only: added to l2 of both children
    index_t min_rows_group = 0;               // between two candidates, and in the rest
    index_t max_categories_left = unlimited;  // from either end of the order
    index_t max_one_vs_rest = 0;              // columns with so few categories split off one
    std::uint64_t seed = 0;
    std::uint64_t tree = 0;  // number of the tree: names its random streams
    // Trees of a forest: the word that orders columns of equal gain at all nodes; see tie_rank.
    std::optional<std::uint64_t> tie_word;

    // Whether a threshold is drawn from the minimum and maximum value alone. Boosting has
    // histograms, which know them already.
    bool draws_thresholds() const noexcept {
        return threshold_draw == ThresholdDraw::uniform && monotone.empty() &&
               threshold_policy == ThresholdPolicy::midway;
    }
};

}  // namespace nonet
