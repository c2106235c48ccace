// Growing of trees.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "grow/grow_forest.hpp"
#include "grow/sampling/row_draws.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonet {
namespace {

void bind_params(nb::module_& module) {
    module.def("class_criteria", &class_criteria, "Names of the criteria that are about classes.");
    nb::enum_<ThresholdPolicy>(module, "ThresholdPolicy")
        .value("midway", ThresholdPolicy::midway)
        .value("edge", ThresholdPolicy::edge);
    nb::enum_<ThresholdDraw>(module, "ThresholdDraw")
        .value("all", ThresholdDraw::all)
        .value("uniform", ThresholdDraw::uniform)
        .value("distinct", ThresholdDraw::distinct);
    nb::class_<GrowParams>(module, "GrowParams", "What a tree should be like.")
        .def(nb::init<>())
        .def_rw("max_depth", &GrowParams::max_depth)
        .def_rw("max_leaf_nodes", &GrowParams::max_leaf_nodes)
        .def_rw("min_rows_split", &GrowParams::min_rows_split)
        .def_rw("min_rows_leaf", &GrowParams::min_rows_leaf)
        .def_rw("min_weight_leaf", &GrowParams::min_weight_leaf)
        .def_rw("min_impurity_decrease", &GrowParams::min_impurity_decrease)
        .def_rw("l2", &GrowParams::l2)
        .def_rw("l1", &GrowParams::l1)
        .def_rw("min_gain", &GrowParams::min_gain)
        .def_rw("max_step", &GrowParams::max_step)
        .def_rw("columns_per_level", &GrowParams::columns_per_level)
        .def_rw("columns_per_split", &GrowParams::columns_per_split)
        .def_rw("columns", &GrowParams::columns)
        .def_rw("monotone", &GrowParams::monotone)
        .def_rw("interactions", &GrowParams::interactions)
        .def_rw("threshold_policy", &GrowParams::threshold_policy)
        .def_rw("threshold_draw", &GrowParams::threshold_draw)
        .def_rw("category_smoothing", &GrowParams::category_smoothing)
        .def_rw("min_category_support", &GrowParams::min_category_support)
        .def_rw("weights_count_rows", &GrowParams::weights_count_rows)
        .def_rw("code_order_columns", &GrowParams::code_order_columns)
        .def_rw("code_order_support", &GrowParams::code_order_support, nb::none())
        .def_rw("category_l2", &GrowParams::category_l2)
        .def_rw("min_rows_group", &GrowParams::min_rows_group)
        .def_rw("max_categories_left", &GrowParams::max_categories_left)
        .def_rw("max_one_vs_rest", &GrowParams::max_one_vs_rest)
        .def_rw("seed", &GrowParams::seed)
        .def_rw("tree", &GrowParams::tree)
        .def(
            "of_tree",
            [](GrowParams params, std::uint64_t tree) {
                params.tree = tree;
                return params;
            },
            "tree"_a, "The same for another tree.");
}

Tree grow(TreeGrower& grower, CriterionName criterion, const Vector<const std::int32_t>& classes,
          index_t n_classes, const Matrix<const double>& values,
          const Vector<const double>& hessians, const Vector<const std::uint32_t>& counts,
          const Vector<const double>& weights, const GrowParams& params, int n_threads,
          const Vector<std::int32_t>& leaves) {
    const Targets targets{.classes = span_of(classes),
                          .n_classes = n_classes,
                          .values = {values.data(), values.size()},
                          .n_outputs = static_cast<index_t>(values.shape(1)),
                          .hessians = span_of(hessians),
                          .counts = span_of(counts),
                          .weights = span_of(weights)};
    return grower.grow(criterion, targets, params, n_threads, {leaves.data(), leaves.size()});
}

// Newton's trees for gradients, one per row of the matrices, with the same counts and weights of
// rows.
std::vector<Tree> grow_each(TreeGrower& grower, const Matrix<const double>& gradients,
                            const Matrix<const double>& hessians,
                            const Vector<const std::uint32_t>& counts,
                            const Vector<const double>& weights,
                            const std::vector<GrowParams>& params, int n_threads,
                            const Matrix<std::int32_t>& leaves) {
    const WithoutLock without_lock;
    const std::size_t n_rows = gradients.shape(1);
    return grow_side_by_side(std::ssize(params), n_threads, [&](index_t t, int tree_threads) {
        const auto tree = static_cast<std::size_t>(t);
        const Targets targets{.classes = {},
                              .n_classes = 0,
                              .values = {gradients.data() + tree * n_rows, n_rows},
                              .n_outputs = 1,
                              .hessians = {hessians.data() + tree * n_rows, n_rows},
                              .counts = span_of(counts),
                              .weights = span_of(weights)};
        return grower.grow("newton", targets, params[tree], tree_threads,
                           {leaves.data() + tree * n_rows, n_rows});
    });
}

using Codes = Vector<const std::int32_t>;

// Keeps the arrays that a plan of bags looks at.
struct Bags {
    std::string rule;
    index_t n_rows;
    index_t n_draws;
    Codes groups;
    index_t n_groups;
    Vector<const double> probabilities;
    Vector<const std::uint32_t> strata_rows;
    Vector<const std::int64_t> strata_ends;
    Vector<const std::int64_t> strata_draws;

    BagPlan plan() const {
        return {.rule = rule,
                .n_rows = n_rows,
                .n_draws = n_draws,
                .groups = span_of(groups),
                .n_groups = n_groups,
                .probabilities = span_of(probabilities),
                .strata = {span_of(strata_rows), span_of(strata_ends), span_of(strata_draws)}};
    }
};

std::vector<Tree> grow_many(const BinnedDataset& dataset, CriterionName criterion,
                            const Codes& classes, index_t n_classes,
                            const Matrix<const double>& values, const Vector<const double>& weights,
                            const GrowParams& params, const Bags& bags,
                            const std::vector<Codes>& balanced,
                            const std::vector<index_t>& balanced_sizes, index_t columns_per_tree,
                            double impurity_unit, double pruning, std::uint64_t first,
                            index_t n_trees, int n_threads, const Vector<std::uint64_t>& seen,
                            TreeCounter* counter) {
    const WithoutLock without_lock;
    ForestPlan plan{.criterion = criterion,
                    .targets = {.classes = span_of(classes),
                                .n_classes = n_classes,
                                .values = {values.data(), values.size()},
                                .n_outputs = static_cast<index_t>(values.shape(1)),
                                .hessians = {},
                                .counts = {},
                                .weights = span_of(weights)},
                    .params = params,
                    .bags = bags.plan(),
                    .balanced = {},
                    .columns_per_tree = columns_per_tree,
                    .impurity_unit = impurity_unit,
                    .pruning = pruning,
                    .counter = counter};
    for (std::size_t k = 0; k < balanced.size(); ++k)
        plan.balanced.push_back({span_of(balanced[k]), balanced_sizes[k]});
    return grow_forest(dataset, plan, first, n_trees, n_threads, {seen.data(), seen.size()});
}

void draw_one(const Bags& bags, std::uint64_t seed, std::uint64_t tree,
              const Vector<std::uint32_t>& counts) {
    const BagPlan plan = bags.plan();
    check_bags(plan);
    check(static_cast<index_t>(counts.size()) == plan.n_rows, "Counts are needed for all rows.");
    draw_counts(plan, seed, tree, {counts.data(), counts.size()});
}

void bind_bags(nb::module_& module) {
    nb::class_<Bags>(module, "Bags", "Which rows the trees of a forest see.")
        .def(nb::init<std::string, index_t, index_t, Codes, index_t, Vector<const double>,
                      Vector<const std::uint32_t>, Vector<const std::int64_t>,
                      Vector<const std::int64_t>>(),
             "rule"_a, "n_rows"_a, "n_draws"_a, "groups"_a.noconvert(), "n_groups"_a,
             "probabilities"_a.noconvert(), "strata_rows"_a.noconvert(),
             "strata_ends"_a.noconvert(), "strata_draws"_a.noconvert());
    module.def("draw_bag", &draw_one, "bags"_a, "seed"_a, "tree"_a, "counts"_a.noconvert(),
               "Write how often a tree of a forest sees each row.");
}

void bind_forest(nb::module_& module) {
    nb::class_<TreeCounter>(module, "TreeCounter", "How many trees of a forest are grown so far.")
        .def(nb::init<>())
        .def_prop_ro("n_grown", [](const TreeCounter& counter) { return counter.n_grown.load(); });
    module.def("grow_forest", &grow_many, "dataset"_a, "criterion"_a, "classes"_a.noconvert(),
               "n_classes"_a, "values"_a.noconvert(), "weights"_a.noconvert(), "params"_a, "bags"_a,
               "balanced"_a, "balanced_sizes"_a, "columns_per_tree"_a, "impurity_unit"_a,
               "pruning"_a, "first"_a, "n_trees"_a, "n_threads"_a, "seen"_a.noconvert(),
               "counter"_a.none(),
               "Grow trees, each on a bag of its own; arrays that are not wanted are empty.");
    module.def(
        "sample_rows",
        [](const Vector<const double>& uniforms, index_t n_wanted,
           const Vector<std::uint32_t>& counts) {
            sample_rows(span_of(uniforms), n_wanted, {counts.data(), counts.size()});
        },
        "uniforms"_a.noconvert(), "n_wanted"_a, "counts"_a.noconvert(), ReleaseLock(),
        "Write 1 for the rows that selection sampling takes, 0 for others.");
    module.def("draw_columns", &draw_columns, "n_columns"_a, "n_wanted"_a, "seed"_a, "tree"_a,
               "The columns of a tree of a forest, in order.");
}

std::span<double> positions_of(const Vector<double>& vector) {
    return {vector.data(), vector.size()};
}

void bind_row_draws(nb::module_& module) {
    module.def(
        "draw_uniform_rows",
        [](std::uint64_t seed, std::uint64_t round, double fraction, int n_threads,
           const Vector<double>& factors) {
            draw_uniform({seed, round, n_threads}, fraction, positions_of(factors));
        },
        "seed"_a, "round"_a, "fraction"_a, "n_threads"_a, "factors"_a.noconvert(), ReleaseLock());
    module.def(
        "measure_derivatives",
        [](const Matrix<const double>& gradients, const Matrix<const double>& hessians,
           const Vector<const double>& weights, double lambda, int n_threads,
           const Vector<double>& sizes) {
            measure_derivatives({gradients.data(), gradients.size()},
                                {hessians.data(), hessians.size()}, span_of(weights), lambda,
                                n_threads, positions_of(sizes));
        },
        "gradients"_a.noconvert(), "hessians"_a.noconvert(), "weights"_a.noconvert(), "lambda_"_a,
        "n_threads"_a, "sizes"_a.noconvert(), ReleaseLock());
    module.def(
        "draw_one_side_rows",
        [](std::uint64_t seed, std::uint64_t round, const Vector<const double>& sizes, double top,
           double other, int n_threads, const Vector<double>& factors) {
            draw_one_side({seed, round, n_threads}, span_of(sizes), top, other,
                          positions_of(factors));
        },
        "seed"_a, "round"_a, "sizes"_a.noconvert(), "top"_a, "other"_a, "n_threads"_a,
        "factors"_a.noconvert(), ReleaseLock());
    module.def(
        "draw_min_variance_rows",
        [](std::uint64_t seed, std::uint64_t round, const Vector<const double>& sizes,
           double fraction, int n_threads, const Vector<double>& factors) {
            draw_min_variance({seed, round, n_threads}, span_of(sizes), fraction,
                              positions_of(factors));
        },
        "seed"_a, "round"_a, "sizes"_a.noconvert(), "fraction"_a, "n_threads"_a,
        "factors"_a.noconvert(), ReleaseLock());
}

}  // namespace

void bind_grow(nb::module_& module) {
    bind_params(module);
    nb::class_<TreeGrower>(module, "TreeGrower", "Grows trees and keeps its memory between them.")
        .def(nb::init<const BinnedDataset&>(), "dataset"_a, nb::keep_alive<1, 2>())
        .def("grow", &grow, "criterion"_a, "classes"_a.noconvert(), "n_classes"_a,
             "values"_a.noconvert(), "hessians"_a.noconvert(), "counts"_a.noconvert(),
             "weights"_a.noconvert(), "params"_a, "n_threads"_a, "leaves"_a.noconvert(),
             ReleaseLock(), "Grow one tree; arrays that a criterion does not read are empty.")
        .def("grow_each", &grow_each, "gradients"_a.noconvert(), "hessians"_a.noconvert(),
             "counts"_a.noconvert(), "weights"_a.noconvert(), "params"_a, "n_threads"_a,
             "leaves"_a.noconvert(), "Grow Newton's trees on several gradients side by side.");
    bind_bags(module);
    bind_forest(module);
    bind_row_draws(module);
}

}  // namespace nonet
