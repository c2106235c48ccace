// Kernels of the bootstrap and the jackknife. All release Python's lock. Those of the bootstrap
// write into an array that the caller made, whose first axis counts the resamples from `first` on;
// those of the jackknife return the few numbers of the structures of resample/jackknife.hpp, in
// order.
#include <nanobind/stl/array.h>

#include "base/check.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "resample/jackknife.hpp"
#include "resample/order_statistics.hpp"
#include "resample/products.hpp"
#include "resample/sums.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonet {
namespace {

void draw_units(index_t n_units, std::uint64_t seed, std::uint64_t pool, std::uint64_t first,
                const Matrix<std::uint32_t>& out) {
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
void add_sums(const Matrix<const double>& terms, index_t n_draws, std::uint64_t seed,
              std::uint64_t pool, std::uint64_t first, int n_threads, const Matrix<double>& out) {
    const MatrixView<const double> view = view_of(terms);
    add(view, {view.n_rows, n_draws, pool}, seed, first, n_threads, view_of(out));
}

void order_statistics(const Vector<const std::uint32_t>& rank, index_t n_draws, index_t lower,
                      std::uint64_t seed, std::uint64_t pool, std::uint64_t first, int n_threads,
                      const Matrix<std::int64_t>& out) {
    const Pool drawn{static_cast<index_t>(rank.size()), n_draws, pool};
    resampled_order_statistics(span_of(rank), drawn, seed, first, lower, n_threads, view_of(out));
}

using Numbers = Vector<const double>;
template <std::size_t n>
using Some = std::array<double, n>;

Some<2> listed(const GapSums& gaps) { return {gaps.total, gaps.squares}; }

Some<3> column_spread(const Numbers& x, int n_threads) {
    const Spread spread = spread_of(span_of(x), n_threads);
    return {spread.mean.base, spread.mean.rest, spread.squares};
}

Some<2> gaps_of_polynomial(const Numbers& x, double base, double rest, const Numbers& coefficients,
                           int n_threads) {
    return listed(polynomial_gaps(span_of(x), {base, rest}, span_of(coefficients), n_threads));
}

Some<2> gaps_of_root(const Numbers& x, double base, double rest, double constant, double quadratic,
                     double root, int n_threads) {
    return listed(root_gaps(span_of(x), {base, rest}, constant, quadratic, root, n_threads));
}

using PairGaps = Gaps (*)(Column, Column, int);

template <PairGaps find>
Some<3> gaps_of_pair(const Numbers& first, const Numbers& second, int n_threads) {
    const Gaps gaps = find(span_of(first), span_of(second), n_threads);
    return {gaps.estimate, gaps.sums.total, gaps.sums.squares};
}

void bind_jackknife(nb::module_& module) {
    module.def("column_spread", &column_spread, "x"_a.noconvert(), "n_threads"_a, ReleaseLock(),
               "Mean in two parts, and the sum of squares about it.");
    module.def("polynomial_gaps", &gaps_of_polynomial, "x"_a.noconvert(), "base"_a, "rest"_a,
               "coefficients"_a.noconvert(), "n_threads"_a, ReleaseLock(),
               "Sum, and sum of squares, of a polynomial of the distance from the mean.");
    module.def("root_gaps", &gaps_of_root, "x"_a.noconvert(), "base"_a, "rest"_a, "constant"_a,
               "quadratic"_a, "root"_a, "n_threads"_a, ReleaseLock(),
               "Sum, and sum of squares, of what leaving a row out adds to a root.");
    module.def("correlation_gaps", &gaps_of_pair<correlation_gaps>, "x"_a.noconvert(),
               "y"_a.noconvert(), "n_threads"_a, ReleaseLock(),
               "The correlation; sum, and sum of squares, of what leaving a row out adds to it.");
    module.def("ratio_gaps", &gaps_of_pair<ratio_gaps>, "y"_a.noconvert(), "x"_a.noconvert(),
               "n_threads"_a, ReleaseLock(),
               "mean(y) / mean(x); sum, and sum of squares, of what leaving a row out adds to it.");
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
               ReleaseLock(), "Positions of two neighbouring order statistics of each resample.");
    bind_jackknife(module);
}

}  // namespace nonet
