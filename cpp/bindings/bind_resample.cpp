// Kernels of the bootstrap. All release Python's lock and write into an array that the caller made,
// whose first axis counts the resamples from `first` on.
#include "base/check.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "resample/order_statistics.hpp"
#include "resample/products.hpp"
#include "resample/sums.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonet {
namespace {

using ReleaseLock = nb::call_guard<nb::gil_scoped_release>;

void draw_units(index_t n_units, std::uint64_t seed, std::uint64_t pool, std::uint64_t first,
                Matrix<std::uint32_t> out) {
    const MatrixView<std::uint32_t> units = view_of(out);
    const Pool drawn{n_units, units.n_columns, pool};
    for (index_t b = 0; b < units.n_rows; ++b) {
        std::uint32_t* next = units.row(b);
        for_each_chunk(seed, first + static_cast<std::uint64_t>(b), drawn,
                       [&](std::span<const std::uint32_t> chunk) {
                           next = std::copy(chunk.begin(), chunk.end(), next);
                       });
    }
}

using AddSums = void (*)(MatrixView<const double>, const Pool&, std::uint64_t, std::uint64_t, int,
                         MatrixView<double>);

template <AddSums add>
void add_sums(Matrix<const double> terms, index_t n_draws, std::uint64_t seed, std::uint64_t pool,
              std::uint64_t first, int n_threads, Matrix<double> out) {
    const MatrixView<const double> view = view_of(terms);
    add(view, {view.n_rows, n_draws, pool}, seed, first, n_threads, view_of(out));
}

void order_statistics(Vector<const std::uint32_t> rank, index_t n_draws, index_t lower,
                      std::uint64_t seed, std::uint64_t pool, std::uint64_t first, int n_threads,
                      Matrix<std::int64_t> out) {
    const Pool drawn{static_cast<index_t>(rank.size()), n_draws, pool};
    resampled_order_statistics(span_of(rank), drawn, seed, first, lower, n_threads, view_of(out));
}

}  // namespace

void bind_resample(nb::module_& module) {
    module.def("draw_units", &draw_units, "n_units"_a, "seed"_a, "pool"_a, "first"_a,
               "out"_a.noconvert(), ReleaseLock(), "Fill each row with the draws of a resample.");
    module.def("resampled_sums", &add_sums<add_resampled_sums>, "terms"_a.noconvert(), "n_draws"_a,
               "seed"_a, "pool"_a, "first"_a, "n_threads"_a, "out"_a.noconvert(), ReleaseLock(),
               "Add to each row the sum of the terms that a resample draws.");
    module.def("resampled_products", &add_sums<add_resampled_products>, "columns"_a.noconvert(),
               "n_draws"_a, "seed"_a, "pool"_a, "first"_a, "n_threads"_a, "out"_a.noconvert(),
               ReleaseLock(), "Add to each row the sums of products that a resample draws.");
    module.def("resampled_order_statistics", &order_statistics, "rank"_a.noconvert(), "n_draws"_a,
               "lower"_a, "seed"_a, "pool"_a, "first"_a, "n_threads"_a, "out"_a.noconvert(),
               ReleaseLock(), "Places of two neighbouring order statistics of each resample.");
}

}  // namespace nonet
