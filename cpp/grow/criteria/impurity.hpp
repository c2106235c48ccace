// What an impurity is made of: the formulas that criteria (criterion.hpp) call. The table of
// impurities is impurities.hpp.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "grow/criteria/node_values.hpp"
#include "grow/task/grow_params.hpp"
#include "grow/task/targets.hpp"

namespace nonet {

// An impurity of classes is `most` less the score of a node by its weight:
// - score(weights, total): from the weights of the classes and their sum;
// - is_sum_of_squares: whether the score is the sum of w_k^2 / w, which kernels know.
template <typename Impurity>
concept ClassImpurity = requires(const std::vector<double>& weights) {
    { Impurity::score(weights, 0.0) } -> std::same_as<double>;
    { Impurity::most } -> std::convertible_to<double>;
    { Impurity::is_sum_of_squares } -> std::convertible_to<bool>;
};

// An impurity may scale what a split gains by the weights of its two children.
template <typename Impurity>
concept ScalesGain = ClassImpurity<Impurity> && requires {
    { Impurity::scale_gain(0.0, 0.0, 0.0) } -> std::same_as<double>;
};

// One output, from the sum of gradients and that of hessians:
// - hessian, centre: of a row, and what is taken off all targets to make them gradients;
// - prediction, node_score: the value of a node, and its score before it is split, with a
//   penalty of its children beyond that of all nodes;
// - has_pure_nodes: whether equal targets leave nothing to gain;
// - is_quadratic: whether score_moments knows the score, by l1, l2, max_step and factor. If not,
// the
//   loss has allows(sum): whether a child may have this sum.
template <typename Loss>
concept MomentLoss =
    std::constructible_from<Loss, const GrowParams&> &&
    requires(const Loss& loss, const Targets& targets, std::span<const std::uint32_t> rows) {
        { Loss::hessian(targets, std::uint32_t{}) } -> std::same_as<double>;
        { Loss::centre(targets, rows) } -> std::same_as<double>;
        { loss.prediction(0.0, 0.0, 0.0) } -> std::same_as<double>;
        { loss.node_score(0.0, 0.0, 0.0) } -> std::same_as<double>;
        { Loss::has_pure_nodes } -> std::convertible_to<bool>;
        { Loss::is_quadratic } -> std::convertible_to<bool>;
        requires(!Loss::is_quadratic) || requires {
            loss.l1 + loss.l2 + loss.max_step + loss.factor;
            { Loss::has_hessians } -> std::convertible_to<bool>;
        };
        requires Loss::is_quadratic || requires {
            { Loss::allows(0.0) } -> std::same_as<bool>;
        };
    };

// One of several outputs, from the sum of its targets and their weight:
// - is_centred: whether targets are summed less their mean;
// - score, score_children: of a node, and of the two children of a split;
// - allows: whether a child may have this sum.
template <typename Loss>
concept OutputLoss = requires {
    { Loss::is_centred } -> std::convertible_to<bool>;
    { Loss::score(0.0, 0.0) } -> std::same_as<double>;
    { Loss::score_children(0.0, 0.0, 0.0, 0.0) } -> std::same_as<double>;
    { Loss::allows(0.0) } -> std::same_as<bool>;
};

// An impurity of numbers: the formula of one output, that of several (Outputs), and the values of
// nodes (Values). check_targets throws if the targets are outside its domain.
template <typename Impurity>
concept NumberImpurity = MomentLoss<Impurity> && OutputLoss<typename Impurity::Outputs> &&
                         NodeValues<typename Impurity::Values> &&
                         std::constructible_from<typename Impurity::Values, const Targets&> &&
                         requires(const Targets& targets, std::span<const std::uint32_t> rows) {
                             Impurity::check_targets(targets, rows);
                         };

}  // namespace nonet
