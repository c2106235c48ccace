// Datasets in bins.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "base/parallel.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "data/arrow_strings.hpp"
#include "data/binned_dataset.hpp"
#include "data/distinct_strings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonet {
namespace {

using Doubles = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

template <typename T>
void make_dataset(BinnedDataset* self, const AnyMatrix<T>& values,
                  const Vector<const double>& weights, const std::vector<index_t>& categories,
                  index_t max_bins, index_t n_sampled_rows, std::uint64_t seed, int n_threads) {
    const WithoutLock without_lock;
    new (self) BinnedDataset(strided(values), span_of(weights), categories,
                             BinParams{max_bins, n_sampled_rows, seed}, n_threads);
}

template <typename T>
void make_dataset_like(BinnedDataset* self, const AnyMatrix<T>& values,
                       const BinnedDataset& reference, const std::vector<index_t>& categories,
                       int n_threads) {
    const WithoutLock without_lock;
    new (self) BinnedDataset(strided(values), reference, categories, n_threads);
}

template <typename T>
void make_dataset_with_bins(BinnedDataset* self, const AnyMatrix<T>& values,
                            const std::vector<ColumnBins>& bins, int n_threads) {
    const WithoutLock without_lock;
    new (self) BinnedDataset(strided(values), bins, n_threads);
}

using BinsState =
    std::tuple<std::vector<double>, std::vector<double>, std::vector<double>, bool, bool>;

void bind_column_bins(nb::module_& module) {
    nb::class_<ColumnBins>(module, "ColumnBins",
                           "How the values of a column become small integers.")
        .def("__getstate__",
             [](const ColumnBins& self) {
                 return BinsState(self.edges, self.minimum, self.maximum, self.is_category,
                                  self.has_missing);
             })
        .def("__setstate__", [](ColumnBins* self, const BinsState& state) {
            const auto& [edges, minimum, maximum, is_category, has_missing] = state;
            new (self) ColumnBins{edges, minimum, maximum, is_category, has_missing};
        });
    module.def(
        "sample_positions",
        [](index_t n_rows, index_t n_sampled_rows, std::uint64_t seed) {
            const std::vector<index_t> rows =
                rows_to_sample(n_rows, {}, BinParams{2, n_sampled_rows, seed});
            return std::vector<std::int64_t>(rows.begin(), rows.end());
        },
        "n_rows"_a, "n_sampled_rows"_a, "seed"_a,
        "Positions of the rows that edges of bins are taken from, in order.");
}

template <typename T>
void make_sparse_dataset(BinnedDataset* self, const Vector<const std::int64_t>& starts,
                         const Vector<const std::int32_t>& rows, const Vector<const T>& values,
                         index_t n_rows, const Vector<const double>& weights,
                         const std::vector<index_t>& categories, index_t max_bins,
                         index_t n_sampled_rows, std::uint64_t seed, int n_threads) {
    check(starts.size() >= 1, "Columns of a sparse matrix need an end.");
    const WithoutLock without_lock;
    const SparseColumns<T> columns{span_of(starts), span_of(rows), span_of(values), n_rows};
    new (self) BinnedDataset(columns, span_of(weights), categories,
                             BinParams{max_bins, n_sampled_rows, seed}, n_threads);
}

Doubles copy_of(const std::vector<double>& numbers) {
    auto* owned = new std::vector<double>(numbers);
    const nb::capsule owner(owned,
                            [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return Doubles(owned->data(), {owned->size()}, owner);
}

const ColumnBins& column_of(const BinnedDataset& dataset, index_t column) {
    check(column >= 0 && column < dataset.n_columns(), "There is no such column in the dataset.");
    return dataset.bins(column);
}

void copy_column(const BinnedDataset& dataset, index_t column, const Vector<std::uint16_t>& out) {
    column_of(dataset, column);
    check(static_cast<index_t>(out.size()) == dataset.n_rows(),
          "The result needs one entry per row.");
    const BinnedMatrix& matrix = dataset.matrix();
    if (matrix.bytes_per_bin() == 2) return matrix.copy_column(column, out.data());
    std::vector<std::uint8_t> bins(out.size());
    matrix.copy_column(column, bins.data());
    std::ranges::copy(bins, out.data());
}

// The stream of a column that another library lends, in the capsule that Arrow's interface names.
void take_strings(ArrowStrings* self, const nb::object& capsule) {
    auto* stream =
        static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
    if (stream == nullptr) throw nb::python_error();
    new (self) ArrowStrings(*stream);
}

std::vector<std::vector<std::string>> find_distinct_of(
    const std::vector<const ArrowStrings*>& columns,
    const std::vector<Vector<std::int32_t>>& positions, int n_threads) {
    check(columns.size() == positions.size(), "Every column of strings needs its positions.");
    std::vector<std::vector<std::string>> distinct(columns.size());
    const WithoutLock without_lock;
    parallel_for(std::ssize(columns), n_threads, [&](index_t column) {
        const auto j = static_cast<std::size_t>(column);
        distinct[j] = find_distinct(*columns[j], {positions[j].data(), positions[j].size()});
    });
    return distinct;
}

void bind_strings(nb::module_& module) {
    nb::class_<ArrowStrings>(module, "ArrowStrings", "A column of strings of another library.")
        .def("__init__", &take_strings, "stream"_a)
        .def_prop_ro("n_rows", &ArrowStrings::n_rows)
        .def_prop_ro("is_known",
                     [](const ArrowStrings& self) { return self.layout() != StringLayout::none; });
    module.def("find_distinct_strings", &find_distinct_of, "columns"_a, "positions"_a.noconvert(),
               "n_threads"_a, "Write positions of strings among the distinct ones; return these.");
}

}  // namespace

void bind_data(nb::module_& module) {
    bind_strings(module);
    bind_column_bins(module);
    nb::class_<BinnedDataset>(module, "BinnedDataset", "Columns as small integers, binned once.")
        .def("__init__", &make_dataset<float>, "values"_a.noconvert(), "weights"_a.noconvert(),
             "categories"_a, "max_bins"_a, "n_sampled_rows"_a, "seed"_a, "n_threads"_a)
        .def("__init__", &make_dataset<double>, "values"_a.noconvert(), "weights"_a.noconvert(),
             "categories"_a, "max_bins"_a, "n_sampled_rows"_a, "seed"_a, "n_threads"_a)
        .def("__init__", &make_dataset_like<float>, "values"_a.noconvert(), "reference"_a,
             "categories"_a, "n_threads"_a)
        .def("__init__", &make_dataset_like<double>, "values"_a.noconvert(), "reference"_a,
             "categories"_a, "n_threads"_a)
        .def("__init__", &make_sparse_dataset<float>, "starts"_a.noconvert(), "rows"_a.noconvert(),
             "values"_a.noconvert(), "n_rows"_a, "weights"_a.noconvert(), "categories"_a,
             "max_bins"_a, "n_sampled_rows"_a, "seed"_a, "n_threads"_a)
        .def("__init__", &make_sparse_dataset<double>, "starts"_a.noconvert(), "rows"_a.noconvert(),
             "values"_a.noconvert(), "n_rows"_a, "weights"_a.noconvert(), "categories"_a,
             "max_bins"_a, "n_sampled_rows"_a, "seed"_a, "n_threads"_a)
        .def("__init__", &make_dataset_with_bins<float>, "values"_a.noconvert(), "bins"_a,
             "n_threads"_a)
        .def("__init__", &make_dataset_with_bins<double>, "values"_a.noconvert(), "bins"_a,
             "n_threads"_a)
        .def("column_bins", &column_of, "column"_a, nb::rv_policy::copy)
        .def_prop_ro("n_rows", &BinnedDataset::n_rows)
        .def_prop_ro("n_columns", &BinnedDataset::n_columns)
        .def_prop_ro("bytes_per_bin",
                     [](const BinnedDataset& self) { return self.matrix().bytes_per_bin(); })
        .def(
            "n_bins",
            [](const BinnedDataset& self, index_t column) {
                return column_of(self, column).n_bins();
            },
            "column"_a, "Bins of the column, without the missing one.")
        .def(
            "has_missing",
            [](const BinnedDataset& self, index_t column) {
                return column_of(self, column).has_missing;
            },
            "column"_a)
        .def(
            "edges",
            [](const BinnedDataset& self, index_t column) {
                return copy_of(column_of(self, column).edges);
            },
            "column"_a, "Upper edges of all bins but the last.")
        .def("copy_column", &copy_column, "column"_a, "out"_a.noconvert(),
             "Write the bins of all rows in a column.");
}

}  // namespace nonet
