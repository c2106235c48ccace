// Gradients and sums of the built-in losses. All release Python's lock and write into arrays that
// the caller made.
#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "loss/gradients.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonet {
namespace {

using ReleaseLock = nb::call_guard<nb::gil_scoped_release>;

template <typename T>
std::span<T> places_of(const Vector<T>& vector) {
    return {vector.data(), vector.size()};
}
std::span<double> places_of(const Matrix<double>& matrix) { return {matrix.data(), matrix.size()}; }

ScoredClasses scored(const Vector<const std::int32_t>& classes,
                     const Matrix<const double>& scores) {
    return {
        span_of(classes), {scores.data(), scores.size()}, static_cast<index_t>(scores.shape(0))};
}

}  // namespace

void bind_loss(nb::module_& module) {
    nb::enum_<LossName>(module, "LossName")
        .value("squared", LossName::squared)
        .value("absolute", LossName::absolute)
        .value("huber", LossName::huber)
        .value("quantile", LossName::quantile)
        .value("poisson", LossName::poisson)
        .value("gamma", LossName::gamma)
        .value("tweedie", LossName::tweedie)
        .value("logistic", LossName::logistic)
        .value("exponential", LossName::exponential);
    module.def(
        "fill_gradients",
        [](LossName name, double shape, Vector<const double> targets, Vector<const double> scores,
           int n_threads, Vector<double> gradients, Vector<double> hessians) {
            fill_gradients({name, shape}, {span_of(targets), span_of(scores)}, n_threads,
                           places_of(gradients), places_of(hessians));
        },
        "name"_a, "shape"_a, "targets"_a.noconvert(), "scores"_a.noconvert(), "n_threads"_a,
        "gradients"_a.noconvert(), "hessians"_a.noconvert(), ReleaseLock(),
        "Slopes of a loss; an empty array of hessians is left alone.");
    module.def(
        "sum_losses",
        [](LossName name, double shape, Vector<const double> targets, Vector<const double> scores,
           Vector<const double> weights, int n_threads) {
            return sum_losses({name, shape}, {span_of(targets), span_of(scores)}, span_of(weights),
                              n_threads);
        },
        "name"_a, "shape"_a, "targets"_a.noconvert(), "scores"_a.noconvert(),
        "weights"_a.noconvert(), "n_threads"_a, ReleaseLock());
    module.def(
        "fill_class_gradients",
        [](Vector<const std::int32_t> classes, Matrix<const double> scores, int n_threads,
           Matrix<double> gradients, Matrix<double> hessians) {
            fill_class_gradients(scored(classes, scores), n_threads, places_of(gradients),
                                 places_of(hessians));
        },
        "classes"_a.noconvert(), "scores"_a.noconvert(), "n_threads"_a, "gradients"_a.noconvert(),
        "hessians"_a.noconvert(), ReleaseLock(), "Slopes of the multinomial loss, class by class.");
    module.def(
        "sum_class_losses",
        [](Vector<const std::int32_t> classes, Matrix<const double> scores,
           Vector<const double> weights, int n_threads) {
            return sum_class_losses(scored(classes, scores), span_of(weights), n_threads);
        },
        "classes"_a.noconvert(), "scores"_a.noconvert(), "weights"_a.noconvert(), "n_threads"_a,
        ReleaseLock());
    module.def(
        "add_leaf_values",
        [](Vector<const std::int32_t> leaves, Vector<const double> values, int n_threads,
           Vector<double> scores) {
            add_leaf_values(span_of(leaves), span_of(values), n_threads, places_of(scores));
        },
        "leaves"_a.noconvert(), "values"_a.noconvert(), "n_threads"_a, "scores"_a.noconvert(),
        ReleaseLock(), "scores[row] += values[leaves[row]] where the leaf is not negative.");
}

}  // namespace nonet
