// What finished trees owe to their columns, row by row and on average.
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "tree/explain/cover.hpp"
#include "tree/explain/dependence.hpp"
#include "tree/explain/shap.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonet {
namespace {

using Trees = std::vector<const Tree*>;
using Block = nb::ndarray<double, nb::numpy, nb::ndim<4>, nb::c_contig>;

template <typename Out>
void check_last_axis(const Trees& trees, const Out& out) {
    check(
        !trees.empty() && static_cast<index_t>(out.shape(out.ndim() - 1)) == trees[0]->n_outputs(),
        "The result has the wrong shape.");
}

template <typename T>
void bind_for(nb::module_& module) {
    module.def(
        "add_shap_values",
        [](const Trees& trees, const AnyMatrix<T>& X, Cover cover, int n_threads,
           const Cube<double>& out) {
            check_last_axis(trees, out);
            check(out.shape(0) == X.shape(0) && out.shape(1) == X.shape(1),
                  "The result has the wrong shape.");
            const WithoutLock without_lock;
            add_shap_values(std::span<const Tree* const>(trees), strided(X), cover, n_threads,
                            out.data());
        },
        "trees"_a, "X"_a.noconvert(), "cover"_a, "n_threads"_a, "out"_a.noconvert(),
        "Add the Shapley values of all columns to out.");
    module.def(
        "add_shap_interactions",
        [](const Trees& trees, const AnyMatrix<T>& X, Cover cover, int n_threads, Block out) {
            check_last_axis(trees, out);
            check(out.shape(0) == X.shape(0) && out.shape(1) == X.shape(1) &&
                      out.shape(2) == X.shape(1),
                  "The result has the wrong shape.");
            const WithoutLock without_lock;
            add_shap_interactions(std::span<const Tree* const>(trees), strided(X), cover, n_threads,
                                  out.data());
        },
        "trees"_a, "X"_a.noconvert(), "cover"_a, "n_threads"_a, "out"_a.noconvert(),
        "Add the interactions of all pairs of columns to out.");
    module.def(
        "add_dependence",
        [](const Trees& trees, const AnyMatrix<T>& points,
           const Vector<const std::int32_t>& columns, Cover cover, int n_threads,
           const Matrix<double>& out) {
            check_last_axis(trees, out);
            check(out.shape(0) == points.shape(0), "The result has the wrong shape.");
            const WithoutLock without_lock;
            add_dependence(std::span<const Tree* const>(trees), strided(points), span_of(columns),
                           cover, n_threads, out.data());
        },
        "trees"_a, "points"_a.noconvert(), "columns"_a.noconvert(), "cover"_a, "n_threads"_a,
        "out"_a.noconvert(), "Add the mean predictions at points of some columns to out.");
}

}  // namespace

void bind_explain(nb::module_& module) {
    nb::enum_<Cover>(module, "Cover", "The measure of how many rows went to a node.")
        .value("weight", Cover::weight)
        .value("n_rows", Cover::n_rows);
    bind_for<float>(module);
    bind_for<double>(module);
}

}  // namespace nonet
