// Trees on rows in partitions.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <tuple>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/split_orders.hpp"
#include "grow/tree_from_sums.hpp"
#include "grow/tree_of_part.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonet {
namespace {

using Words = std::vector<std::int64_t>;
using Cells = std::vector<MomentCell>;
using SizesState = std::tuple<double, double, double, double, double, index_t, index_t>;
using TotalsState = std::tuple<double, double, double>;

// ---- What travels ------------------------------------------------------------------------------

SizesState state_of(const MomentSizes& sizes) {
    return {sizes.max_gradient, sizes.min_hessian, sizes.max_hessian, sizes.lightest,
            sizes.heaviest,     sizes.n_rows,      sizes.n_times};
}
void set_sizes(MomentSizes* self, const SizesState& state) {
    const auto& [max_gradient, min_hessian, max_hessian, lightest, heaviest, n_rows, n_times] =
        state;
    new (self)
        MomentSizes{max_gradient, min_hessian, max_hessian, lightest, heaviest, n_rows, n_times};
}
TotalsState state_of(const MomentTotals& totals) {
    return {totals.gradient, totals.hessian, totals.weight};
}
void set_totals(MomentTotals* self, const TotalsState& state) {
    const auto& [gradient, hessian, weight] = state;
    new (self) MomentTotals{gradient, hessian, weight};
}

void write_order(const SplitOrder& order, Words& words) {
    const Split& split = order.split;
    const CategoryBits none;
    const CategoryBits& left = split.categories ? split.categories->left : none;
    words.insert(words.end(),
                 {order.node, order.left, static_cast<std::int64_t>(order.counted), split.column,
                  split.last_left_bin, split.missing_bin, split.missing_left, std::ssize(left)});
    for (const std::uint64_t word : left) words.push_back(static_cast<std::int64_t>(word));
}

Words words_of(const std::vector<SplitOrder>& orders) {
    Words words;
    for (const SplitOrder& order : orders) write_order(order, words);
    return words;
}

// Cells are aligned, what comes from elsewhere may not be.
Cells cells_of(const Vector<const std::int64_t>& words) {
    Cells cells(words.size() / 2);
    std::memcpy(cells.data(), words.data(), cells.size() * sizeof(MomentCell));
    return cells;
}
void copy_cells(const Cells& cells, const Vector<std::int64_t>& out) {
    check(out.size() == 2 * cells.size(), "Two words are needed for every cell.");
    std::memcpy(out.data(), cells.data(), cells.size() * sizeof(MomentCell));
}

// ---- One partition -----------------------------------------------------------------------------

struct PartGrower {
    const BinnedDataset& dataset;
    BufferPool pool;

    explicit PartGrower(const BinnedDataset& dataset_) : dataset(dataset_) {}
};

// A tree, with the arrays that it reads.
struct PartTree {
    Vector<const double> gradients;
    Vector<const double> hessians;
    Vector<const double> weights;
    TreeOfPart tree;

    PartTree(PartGrower& grower, Vector<const double> gradients_, Vector<const double> hessians_,
             Vector<const double> weights_, const GrowParams& params, int n_threads)
        : gradients(std::move(gradients_)),
          hessians(std::move(hessians_)),
          weights(std::move(weights_)),
          tree(grower.pool, grower.dataset,
               Targets{.classes = {},
                       .n_classes = 0,
                       .values = span_of(gradients),
                       .n_outputs = 1,
                       .hessians = span_of(hessians),
                       .counts = {},
                       .weights = span_of(weights)},
               params, n_threads) {}
};

void count_root(PartTree& self, const Vector<std::int64_t>& out) {
    Cells cells(out.size() / 2);
    self.tree.count_root(cells);
    copy_cells(cells, out);
}

void split(PartTree& self, const Vector<const std::int64_t>& orders,
           const Vector<std::int64_t>& out) {
    Cells cells(out.size() / 2);
    self.tree.split(orders_of(orders), cells);
    copy_cells(cells, out);
}

void bind_part(nb::module_& module) {
    nb::class_<PartGrower>(module, "PartGrower", "Memory for trees on a partition of the rows.")
        .def(nb::init<const BinnedDataset&>(), "dataset"_a, nb::keep_alive<1, 2>());
    nb::class_<PartTree>(module, "PartTree", "The nodes of a tree in a partition of its rows.")
        .def(nb::init<PartGrower&, Vector<const double>, Vector<const double>, Vector<const double>,
                      const GrowParams&, int>(),
             "grower"_a, "gradients"_a.noconvert(), "hessians"_a.noconvert(),
             "weights"_a.noconvert(), "params"_a, "n_threads"_a, nb::keep_alive<1, 2>())
        .def_prop_ro("sizes", [](const PartTree& self) { return self.tree.sizes(); })
        .def(
            "totals",
            [](const PartTree& self, const MomentSizes& sizes) { return self.tree.totals(sizes); },
            "sizes"_a, ReleaseLock(), "What these rows add to the totals of all.")
        .def(
            "count_light",
            [](const PartTree& self, MomentKind kind, const MomentSizes& sizes,
               const MomentTotals& totals) {
                const LightRows light = self.tree.count_light(kind, {sizes, totals});
                return std::pair(light.n_gradients, light.n_hessians);
            },
            "kind"_a, "sizes"_a, "totals"_a,
            "How many gradients and hessians would be rounded too coarsely.")
        .def(
            "start",
            [](PartTree& self, MomentKind kind, const MomentSizes& sizes,
               const MomentTotals& totals) { self.tree.start(kind, {sizes, totals}); },
            "kind"_a, "sizes"_a, "totals"_a, ReleaseLock(),
            "Write the rows in the units of all partitions.")
        .def("count_root", &count_root, "out"_a.noconvert(), ReleaseLock())
        .def("split", &split, "orders"_a.noconvert(), "out"_a.noconvert(), ReleaseLock(),
             "Move rows, and write the histograms of the children that are counted.")
        .def(
            "sum_leaves",
            [](const PartTree& self, const Vector<const std::int32_t>& leaf_of_node,
               const Vector<double>& sums) {
                self.tree.sum_leaves(span_of(leaf_of_node), {sums.data(), sums.size()});
            },
            "leaf_of_node"_a.noconvert(), "sums"_a.noconvert(), ReleaseLock())
        .def(
            "find_leaves",
            [](const PartTree& self, const Vector<const std::int32_t>& leaf_of_node,
               const Vector<std::int32_t>& leaves) {
                self.tree.find_leaves(span_of(leaf_of_node), {leaves.data(), leaves.size()});
            },
            "leaf_of_node"_a.noconvert(), "leaves"_a.noconvert(), ReleaseLock());
}

// ---- All partitions ----------------------------------------------------------------------------

void bind_sums(nb::module_& module) {
    nb::class_<TreeFromSums>(module, "TreeFromSums", "A tree that is grown from histograms alone.")
        .def(
            "__init__",
            [](TreeFromSums* self, const BinnedDataset& dataset, const GrowParams& params,
               MomentKind kind, const MomentSizes& sizes, const MomentTotals& totals,
               int n_threads) {
                new (self)
                    TreeFromSums(dataset, params, kind, MeasuredMoments{sizes, totals}, n_threads);
            },
            "dataset"_a, "params"_a, "kind"_a, "sizes"_a, "totals"_a, "n_threads"_a,
            nb::keep_alive<1, 2>())
        .def(
            "take_root",
            [](TreeFromSums& self, const Vector<const std::int64_t>& cells) {
                self.take_root(cells_of(cells));
            },
            "cells"_a.noconvert(), ReleaseLock())
        .def(
            "next",
            [](TreeFromSums& self, index_t max_rows) {
                const std::vector<SplitOrder> orders = self.next(max_rows);
                index_t n_counted = 0;
                for (const SplitOrder& order : orders)
                    n_counted += order.counted != SplitOrder::Counted::none;
                return std::tuple(words_of(orders), std::ssize(orders), n_counted);
            },
            "max_rows"_a, "Orders to split nodes, how many they are, and how many histograms.")
        .def(
            "take",
            [](TreeFromSums& self, const Vector<const std::int64_t>& cells) {
                self.take(cells_of(cells));
            },
            "cells"_a.noconvert(), ReleaseLock())
        .def("last", [](const TreeFromSums& self) { return words_of(self.last()); })
        .def("leaf_of_node", &TreeFromSums::leaf_of_node)
        .def_prop_ro("n_leaves", &TreeFromSums::n_leaves)
        .def(
            "finish",
            [](const TreeFromSums& self, const Vector<const double>& sums,
               const Vector<std::int32_t>& preorder) {
                return self.finish(span_of(sums), {preorder.data(), preorder.size()});
            },
            "sums"_a.noconvert(), "preorder"_a.noconvert(),
            "The tree; `preorder` gets the index of each leaf.");
}

}  // namespace

void bind_partitions(nb::module_& module) {
    nb::enum_<MomentKind>(module, "MomentKind")
        .value("counted", MomentKind::counted)
        .value("packed", MomentKind::packed)
        .value("wide", MomentKind::wide);
    nb::class_<MomentSizes>(module, "MomentSizes", "Sizes of gradients and hessians of rows.")
        .def(nb::init<>())
        .def("join", &MomentSizes::join, "other"_a)
        .def_ro("n_rows", &MomentSizes::n_rows)
        .def("__getstate__", [](const MomentSizes& self) { return state_of(self); })
        .def("__setstate__", &set_sizes);
    nb::class_<MomentTotals>(module, "MomentTotals", "Sums of the sizes of rows.")
        .def(nb::init<>())
        .def("join", &MomentTotals::join, "other"_a)
        .def("__getstate__", [](const MomentTotals& self) { return state_of(self); })
        .def("__setstate__", &set_totals);
    module.def("moment_kinds", &moment_kinds, "all"_a, "dataset"_a, "params"_a,
               "Ways to write rows of these sizes that are worth a try, the best one first.");
    module.def("needs_totals", &needs_totals, "kind"_a);
    module.def(
        "fits",
        [](MomentKind kind, const MomentSizes& sizes, const MomentTotals& totals,
           index_t n_gradients,
           index_t n_hessians) { return fits(kind, {sizes, totals}, {n_gradients, n_hessians}); },
        "kind"_a, "sizes"_a, "totals"_a, "n_gradients"_a, "n_hessians"_a,
        "Whether nearly all rows keep enough units.");
    module.attr("leaf_sums") = TreeOfPart::leaf_sums;
    module.def("count_cells", &count_cells, "dataset"_a, "params"_a);
    bind_part(module);
    bind_sums(module);
}

}  // namespace nonet
