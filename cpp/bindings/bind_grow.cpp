// Growing of trees.
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "grow/grow_tree.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonet {
namespace {

void bind_params(nb::module_& module) {
    nb::enum_<CriterionName>(module, "Criterion")
        .value("gini", CriterionName::gini)
        .value("entropy", CriterionName::entropy)
        .value("squared_error", CriterionName::squared_error)
        .value("absolute_error", CriterionName::absolute_error)
        .value("poisson", CriterionName::poisson)
        .value("indicator_entropy", CriterionName::indicator_entropy)
        .value("newton", CriterionName::newton);
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
        .def_rw("columns_a_split", &GrowParams::columns_a_split)
        .def_rw("columns", &GrowParams::columns)
        .def_rw("monotone", &GrowParams::monotone)
        .def_rw("interactions", &GrowParams::interactions)
        .def_rw("threshold_policy", &GrowParams::threshold_policy)
        .def_rw("threshold_draw", &GrowParams::threshold_draw)
        .def_rw("category_smoothing", &GrowParams::category_smoothing)
        .def_rw("max_one_vs_rest", &GrowParams::max_one_vs_rest)
        .def_rw("seed", &GrowParams::seed)
        .def_rw("tree", &GrowParams::tree);
}

Tree grow(const BinnedDataset& dataset, CriterionName criterion, Vector<const std::int32_t> classes,
          index_t n_classes, Matrix<const double> values, Vector<const double> hessians,
          Vector<const std::uint32_t> counts, Vector<const double> weights,
          const GrowParams& params, int n_threads, Vector<std::int32_t> leaves) {
    const Targets targets{.classes = span_of(classes),
                          .n_classes = n_classes,
                          .values = {values.data(), values.size()},
                          .n_outputs = static_cast<index_t>(values.shape(1)),
                          .hessians = span_of(hessians),
                          .counts = span_of(counts),
                          .weights = span_of(weights)};
    return grow_tree(dataset, criterion, targets, params, n_threads,
                     {leaves.data(), leaves.size()});
}

}  // namespace

void bind_grow(nb::module_& module) {
    bind_params(module);
    module.def("grow_tree", &grow, "dataset"_a, "criterion"_a, "classes"_a.noconvert(),
               "n_classes"_a, "values"_a.noconvert(), "hessians"_a.noconvert(),
               "counts"_a.noconvert(), "weights"_a.noconvert(), "params"_a, "n_threads"_a,
               "leaves"_a.noconvert(), nb::call_guard<nb::gil_scoped_release>(),
               "Grow one tree; arrays that a criterion does not read are empty.");
}

}  // namespace nonet
