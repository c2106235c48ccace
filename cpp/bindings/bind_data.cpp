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
#include "data/edge_sample.hpp"
#include "data/lent_bins.hpp"

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
        [](index_t n_rows, const Vector<const double>& weights, index_t n_sampled_rows,
           std::uint64_t seed) {
            const std::vector<index_t> rows =
                rows_to_sample(n_rows, span_of(weights), BinParams{2, n_sampled_rows, seed});
            return std::vector<std::int64_t>(rows.begin(), rows.end());
        },
        "n_rows"_a, "weights"_a.noconvert(), "n_sampled_rows"_a, "seed"_a,
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

// Bins of columns as arrays: for each column the number of its bins, then edges, minima and maxima
// of all columns one after another. A category column has bins only.
using BinTuple =
    std::tuple<Vector<const std::int64_t>, Vector<const double>, Vector<const double>,
               Vector<const double>, Vector<const std::uint8_t>, Vector<const std::uint8_t>>;

std::vector<double> next_of(const Vector<const double>& numbers, std::size_t& position, index_t n) {
    check(n >= 0 && position + static_cast<std::size_t>(n) <= numbers.size(),
          "Bins have fewer numbers than their columns.");
    const double* first = numbers.data() + position;
    position += static_cast<std::size_t>(n);
    return {first, first + n};
}

void check_order(const ColumnBins& bins) {
    bool is_ordered = std::ranges::is_sorted(bins.edges);
    for (std::size_t b = 0; b < bins.minimum.size(); ++b)
        is_ordered = is_ordered && bins.minimum[b] <= bins.maximum[b];
    for (std::size_t b = 0; b < bins.edges.size(); ++b)
        is_ordered =
            is_ordered && bins.maximum[b] <= bins.edges[b] && bins.edges[b] <= bins.minimum[b + 1];
    check(is_ordered, "Edges of bins must lie between their values, in order.");
}

std::vector<ColumnBins> bins_of(const BinTuple& arrays) {
    const auto& [n_bins, edges, minimum, maximum, is_category, has_missing] = arrays;
    check(is_category.size() == n_bins.size() && has_missing.size() == n_bins.size() &&
              n_bins.size() > 0,
          "Bins need an entry per column, and at least one column.");
    std::vector<ColumnBins> bins(n_bins.size());
    std::size_t edge = 0;
    std::size_t value = 0;
    for (std::size_t j = 0; j < bins.size(); ++j) {
        ColumnBins& column = bins[j];
        const index_t n = n_bins.data()[j];
        check(n >= 0 && n <= max_n_bins, "A column has at most 65535 bins.");
        column.is_category = is_category.data()[j] != 0;
        column.has_missing = has_missing.data()[j] != 0;
        if (!column.is_category) column.edges = next_of(edges, edge, std::max<index_t>(n - 1, 0));
        std::size_t same = value;
        column.minimum = next_of(minimum, same, n);
        column.maximum = next_of(maximum, value, n);
        check_order(column);
    }
    check(edge == edges.size() && value == minimum.size() && value == maximum.size(),
          "Bins have more numbers than their columns.");
    return bins;
}

template <typename T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> array_of(std::vector<T> numbers) {
    auto* owned = new std::vector<T>(std::move(numbers));
    const nb::capsule owner(owned,
                            [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner);
}

template <typename T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using OwnBinTuple = std::tuple<Array<std::int64_t>, Array<double>, Array<double>, Array<double>,
                               Array<std::uint8_t>, Array<std::uint8_t>>;

// What bins_of takes; flags as bytes.
OwnBinTuple arrays_of(const std::vector<ColumnBins>& bins) {
    std::vector<std::int64_t> n_bins;
    std::vector<double> edges;
    std::vector<double> minimum;
    std::vector<double> maximum;
    std::vector<std::uint8_t> is_category;
    std::vector<std::uint8_t> has_missing;
    for (const ColumnBins& column : bins) {
        n_bins.push_back(column.n_bins());
        edges.insert(edges.end(), column.edges.begin(), column.edges.end());
        minimum.insert(minimum.end(), column.minimum.begin(), column.minimum.end());
        maximum.insert(maximum.end(), column.maximum.begin(), column.maximum.end());
        is_category.push_back(column.is_category ? 1 : 0);
        has_missing.push_back(column.has_missing ? 1 : 0);
    }
    return {array_of(std::move(n_bins)),      array_of(std::move(edges)),
            array_of(std::move(minimum)),     array_of(std::move(maximum)),
            array_of(std::move(is_category)), array_of(std::move(has_missing))};
}

template <typename T>
void make_dataset_on(BinnedDataset* self, const AnyMatrix<T>& values, const BinTuple& bins,
                     int n_threads) {
    std::vector<ColumnBins> own = bins_of(bins);
    const WithoutLock without_lock;
    new (self) BinnedDataset(strided(values), std::move(own), n_threads);
}

using Bytes = Vector<const std::uint8_t>;

void make_lent_dataset(BinnedDataset* self, const BinTuple& bins, index_t n_rows,
                       const Bytes& columns, const Bytes& rows) {
    std::vector<ColumnBins> own = bins_of(bins);
    const int n_bytes = BinnedDataset::bytes_for(own);
    const index_t n_columns = std::ssize(own);
    check(n_rows >= 1 && static_cast<index_t>(columns.size()) == n_rows * n_columns * n_bytes,
          "Columns need one bin per row.");
    const index_t n_by_row = n_bytes == 1 ? n_rows * BinnedMatrix::stride_of(n_columns) : 0;
    check(static_cast<index_t>(rows.size()) == n_by_row,
          "Rows need the bins of all columns, in whole words.");
    new (self)
        BinnedDataset(std::move(own), n_rows, columns.data(), n_bytes == 1 ? rows.data() : nullptr);
}

OwnBinTuple gather(const BinnedDataset& dataset, const Vector<const std::int64_t>& rows,
                   const Vector<std::uint8_t>& columns, const Vector<std::uint8_t>& by_row,
                   int n_threads) {
    const int n_bytes = dataset.matrix().bytes_per_bin();
    const auto n_rows = static_cast<index_t>(rows.size());
    check(static_cast<index_t>(columns.size()) == n_rows * dataset.n_columns() * n_bytes &&
              static_cast<index_t>(by_row.size()) ==
                  (n_bytes == 1 ? n_rows * dataset.matrix().row_stride() : 0),
          "The result needs the bins of all rows.");
    std::vector<ColumnBins> bins;
    {
        const WithoutLock without_lock;
        bins = gather_rows(dataset, span_of(rows), columns.data(), by_row.data(), n_threads);
    }
    return arrays_of(bins);
}

nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<1>> bytes_of(nb::handle owner,
                                                                 const std::uint8_t* first,
                                                                 index_t n) {
    return {first, {static_cast<std::size_t>(n)}, owner};
}

template <typename T>
void add_block(EdgeSample& sample, const AnyMatrix<T>& values, const Vector<const double>& weights,
               int n_threads) {
    const WithoutLock without_lock;
    sample.add(strided(values), span_of(weights), n_threads);
}

void bind_edge_sample(nb::module_& module) {
    nb::class_<EdgeSample>(module, "EdgeSample", "Bin edges of rows that come in blocks.")
        .def(
            "__init__",
            [](EdgeSample* self, index_t n_columns, index_t max_bins, index_t n_sampled_rows,
               std::uint64_t seed) {
                new (self) EdgeSample(n_columns, BinParams{max_bins, n_sampled_rows, seed});
            },
            "n_columns"_a, "max_bins"_a, "n_sampled_rows"_a, "seed"_a)
        .def_prop_ro("n_rows", &EdgeSample::n_rows)
        .def("add", &add_block<float>, "values"_a.noconvert(), "weights"_a.noconvert(),
             "n_threads"_a)
        .def("add", &add_block<double>, "values"_a.noconvert(), "weights"_a.noconvert(),
             "n_threads"_a)
        .def(
            "find",
            [](const EdgeSample& self, int n_threads) {
                std::vector<ColumnBins> bins;
                {
                    const WithoutLock without_lock;
                    bins = self.find(n_threads);
                }
                return arrays_of(bins);
            },
            "n_threads"_a, "Bins of all columns, as arrays.");
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
    bind_edge_sample(module);
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
        .def("__init__", &make_dataset_on<float>, "values"_a.noconvert(), "bins"_a.noconvert(),
             "n_threads"_a)
        .def("__init__", &make_dataset_on<double>, "values"_a.noconvert(), "bins"_a.noconvert(),
             "n_threads"_a)
        .def("__init__", &make_lent_dataset, "bins"_a.noconvert(), "n_rows"_a,
             "columns"_a.noconvert(), "rows"_a.noconvert(), nb::keep_alive<1, 4>(),
             nb::keep_alive<1, 5>())
        .def(
            "all_bins",
            [](const BinnedDataset& self) {
                std::vector<ColumnBins> bins;
                for (index_t j = 0; j < self.n_columns(); ++j) bins.push_back(self.bins(j));
                return arrays_of(bins);
            },
            "Bins of all columns, as arrays.")
        .def(
            "columns",
            [](nb::handle_t<BinnedDataset> self) {
                const auto& dataset = nb::cast<const BinnedDataset&>(self);
                check(!dataset.matrix().is_sparse(), "Columns of sparse bins are not dense.");
                return bytes_of(
                    self, dataset.matrix().column<std::uint8_t>(0),
                    dataset.n_rows() * dataset.n_columns() * dataset.matrix().bytes_per_bin());
            },
            "The bins of all columns, one after another, as bytes.")
        .def(
            "rows",
            [](nb::handle_t<BinnedDataset> self, int n_threads) {
                const auto& dataset = nb::cast<const BinnedDataset&>(self);
                return bytes_of(self, dataset.matrix().rows(n_threads),
                                dataset.n_rows() * dataset.matrix().row_stride());
            },
            "n_threads"_a, "The bins of all rows, in whole words, as bytes.")
        .def("gather", &gather, "rows"_a.noconvert(), "columns"_a.noconvert(),
             "by_row"_a.noconvert(), "n_threads"_a, "Copy rows; return their bins as arrays.")
        .def(
            "find_bad_row",
            [](const BinnedDataset& self, int n_threads) {
                const WithoutLock without_lock;
                return find_bad_row(self, n_threads);
            },
            "n_threads"_a, "The first row of bins that there are not; -1 if there is none.")
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
