// The rows of a boosting fit on a GPU.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>

#include <string_view>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/split_orders.hpp"
#include "cuda/device_rows.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonet {
namespace {

using cuda::DeviceRows;
using Numbers = Vector<const double>;
using Leaves = Vector<const std::int32_t>;

template <typename T>
std::span<T> positions_of(const Vector<T>& vector) {
    return {vector.data(), vector.size()};
}

}  // namespace

void bind_cuda(nb::module_& module) {
    module.def("n_cuda_devices", &cuda::n_devices,
               "GPUs that can be used; -1 if this build has no code for them.");
    nb::class_<DeviceRows>(module, "DeviceRows", "The rows of a boosting fit on a GPU.")
        .def(
            "__init__",
            [](DeviceRows* self, const BinnedDataset& dataset, const Numbers& targets,
               const Leaves& classes, const Numbers& weights, const Matrix<const double>& scores) {
                new (self) DeviceRows(dataset, span_of(targets), span_of(classes), span_of(weights),
                                      {scores.data(), scores.size()},
                                      static_cast<index_t>(scores.shape(0)));
            },
            "dataset"_a, "targets"_a.noconvert(), "classes"_a.noconvert(), "weights"_a.noconvert(),
            "scores"_a.noconvert())
        .def(
            "find_gradients",
            [](DeviceRows& self, std::string_view name, double shape) {
                self.find_gradients({name, shape});
            },
            "name"_a, "shape"_a, ReleaseLock(), "Of all trees of a round, at the scores.")
        .def("sizes", &DeviceRows::sizes, "tree"_a, ReleaseLock())
        .def("totals", &DeviceRows::totals, "tree"_a, "sizes"_a, ReleaseLock())
        .def(
            "count_light",
            [](const DeviceRows& self, index_t tree, MomentKind kind, const MomentSizes& sizes,
               const MomentTotals& totals) {
                const LightRows light = self.count_light(tree, kind, {sizes, totals});
                return std::pair(light.n_gradients, light.n_hessians);
            },
            "tree"_a, "kind"_a, "sizes"_a, "totals"_a)
        .def(
            "start",
            [](DeviceRows& self, index_t tree, MomentKind kind, const MomentSizes& sizes,
               const MomentTotals& totals, const Vector<std::int64_t>& cells) {
                self.start(tree, kind, {sizes, totals}, positions_of(cells));
            },
            "tree"_a, "kind"_a, "sizes"_a, "totals"_a, "cells"_a.noconvert(), ReleaseLock(),
            "Write the rows, and the histogram of the root.")
        .def(
            "split",
            [](DeviceRows& self, index_t tree, const Vector<const std::int64_t>& orders,
               const Vector<std::int64_t>& cells) {
                self.split(tree, orders_of(orders), positions_of(cells));
            },
            "tree"_a, "orders"_a.noconvert(), "cells"_a.noconvert(), ReleaseLock(),
            "Move rows, and write the histograms of the children that are counted.")
        .def(
            "sum_leaves",
            [](DeviceRows& self, index_t tree, const Leaves& leaf_of_node, const MomentSizes& sizes,
               const Vector<double>& sums) {
                self.sum_leaves(tree, span_of(leaf_of_node), sizes, positions_of(sums));
            },
            "tree"_a, "leaf_of_node"_a.noconvert(), "sizes"_a, "sums"_a.noconvert(), ReleaseLock())
        .def(
            "add",
            [](DeviceRows& self, index_t tree, const Numbers& values) {
                self.add(tree, span_of(values));
            },
            "tree"_a, "values"_a.noconvert(), ReleaseLock(),
            "Add values of leaves to the scores of the rows that fell into them.")
        .def(
            "copy_leaves",
            [](const DeviceRows& self, index_t tree, const Vector<std::int32_t>& leaves) {
                self.copy_leaves(tree, positions_of(leaves));
            },
            "tree"_a, "leaves"_a.noconvert(), ReleaseLock())
        .def(
            "copy_scores",
            [](const DeviceRows& self, const Matrix<double>& scores) {
                self.copy_scores({scores.data(), scores.size()});
            },
            "scores"_a.noconvert(), ReleaseLock());
}

}  // namespace nonet
