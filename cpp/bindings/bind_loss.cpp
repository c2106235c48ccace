// Gradients and sums of the built-in losses. All release Python's lock and write into arrays that
// the caller made.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>

#include <string_view>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "loss/gradients.hpp"
#include "loss/vote_weights.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonet {
namespace {

template <typename T>
std::span<T> positions_of(const Vector<T>& vector) {
    return {vector.data(), vector.size()};
}
std::span<double> positions_of(const Matrix<double>& matrix) {
    return {matrix.data(), matrix.size()};
}

ScoredClasses scored(const Vector<const std::int32_t>& classes,
                     const Matrix<const double>& scores) {
    return {
        span_of(classes), {scores.data(), scores.size()}, static_cast<index_t>(scores.shape(0))};
}

using Column = Vector<const double>;
using MarkColumn = Vector<const std::uint8_t>;

void bind_vote_weights(nb::module_& module) {
    module.def(
        "sum_marked",
        [](const Column& weights, const MarkColumn& marks, int n_threads) {
            return sum_marked(span_of(weights), span_of(marks), n_threads);
        },
        "weights"_a.noconvert(), "marks"_a.noconvert(), "n_threads"_a, ReleaseLock(),
        "The weight of the marked rows.");
    module.def(
        "scale_unmarked",
        [](const Column& weights, const MarkColumn& marks, double factor, int n_threads,
           const Vector<double>& out) {
            scale_unmarked(span_of(weights), span_of(marks), factor, n_threads, out.data());
        },
        "weights"_a.noconvert(), "marks"_a.noconvert(), "factor"_a, "n_threads"_a,
        "out"_a.noconvert(), ReleaseLock(), "The weights, times a factor in rows without a mark.");
    module.def(
        "normalise",
        [](const Vector<double>& weights, double minimum, int n_threads) {
            normalise(positions_of(weights), minimum, n_threads);
        },
        "weights"_a.noconvert(), "minimum"_a, "n_threads"_a, ReleaseLock(),
        "Make the sum 1, with no row below the minimum weight.");
    module.def(
        "add_weights",
        [](const Column& weights, int n_threads, const Vector<double>& sums) {
            return add_weights(span_of(weights), n_threads, sums.data());
        },
        "weights"_a.noconvert(), "n_threads"_a, "sums"_a.noconvert(), ReleaseLock(),
        "Add weights to sums, and return the sum of their squares.");
    module.def(
        "add_votes",
        [](const MarkColumn& wrong, double alpha, const Column& weights,
           const MarkColumn& is_second, int n_threads, const Vector<double>& scores) {
            const VoteSums sums = add_votes(span_of(wrong), alpha, span_of(weights),
                                            span_of(is_second), n_threads, scores.data());
            return std::pair(sums.min_score, sums.wrong_weight);
        },
        "wrong"_a.noconvert(), "alpha"_a, "weights"_a.noconvert(), "is_second"_a.noconvert(),
        "n_threads"_a, "scores"_a.noconvert(), ReleaseLock(),
        "Add alpha to scores, minus alpha where the vote is wrong; minimum score and wrong "
        "weight.");
}

}  // namespace

void bind_loss(nb::module_& module) {
    bind_vote_weights(module);
    module.def(
        "fill_gradients",
        [](std::string_view name, double shape, const Vector<const double>& targets,
           const Vector<const double>& scores, int n_threads, const Vector<double>& gradients,
           const Vector<double>& hessians) {
            fill_gradients({name, shape}, {span_of(targets), span_of(scores)}, n_threads,
                           positions_of(gradients), positions_of(hessians));
        },
        "name"_a, "shape"_a, "targets"_a.noconvert(), "scores"_a.noconvert(), "n_threads"_a,
        "gradients"_a.noconvert(), "hessians"_a.noconvert(), ReleaseLock(),
        "Gradients and hessians of a loss; an empty array of hessians is left alone.");
    module.def(
        "sum_losses",
        [](std::string_view name, double shape, const Vector<const double>& targets,
           const Vector<const double>& scores, const Vector<const double>& weights, int n_threads) {
            return sum_losses({name, shape}, {span_of(targets), span_of(scores)}, span_of(weights),
                              n_threads);
        },
        "name"_a, "shape"_a, "targets"_a.noconvert(), "scores"_a.noconvert(),
        "weights"_a.noconvert(), "n_threads"_a, ReleaseLock());
    module.def(
        "fill_class_gradients",
        [](const Vector<const std::int32_t>& classes, const Matrix<const double>& scores,
           int n_threads, const Matrix<double>& gradients, const Matrix<double>& hessians) {
            fill_class_gradients(scored(classes, scores), n_threads, positions_of(gradients),
                                 positions_of(hessians));
        },
        "classes"_a.noconvert(), "scores"_a.noconvert(), "n_threads"_a, "gradients"_a.noconvert(),
        "hessians"_a.noconvert(), ReleaseLock(),
        "Gradients and hessians of the multinomial loss, class by class.");
    module.def(
        "sum_class_losses",
        [](const Vector<const std::int32_t>& classes, const Matrix<const double>& scores,
           const Vector<const double>& weights, int n_threads) {
            return sum_class_losses(scored(classes, scores), span_of(weights), n_threads);
        },
        "classes"_a.noconvert(), "scores"_a.noconvert(), "weights"_a.noconvert(), "n_threads"_a,
        ReleaseLock());
    module.def(
        "add_leaf_values",
        [](const Vector<const std::int32_t>& leaves, const Vector<const double>& values,
           int n_threads, const Vector<double>& scores) {
            add_leaf_values(span_of(leaves), span_of(values), n_threads, positions_of(scores));
        },
        "leaves"_a.noconvert(), "values"_a.noconvert(), "n_threads"_a, "scores"_a.noconvert(),
        ReleaseLock(), "scores[row] += values[leaves[row]] where the leaf is not negative.");
}

}  // namespace nonet
