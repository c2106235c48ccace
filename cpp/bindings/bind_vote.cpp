// Kernels of the combination rules. All release Python's lock, write into an array that the caller
// made, and return whether the data were fit: what was wrong with them is worked out in Python,
// where it need not be fast.
#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "vote/argmax.hpp"
#include "vote/borda.hpp"
#include "vote/log_sum.hpp"
#include "vote/order_mean.hpp"
#include "vote/votes.hpp"
#include "vote/weighted_quantile.hpp"
#include "vote/weighted_sum.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonet {
namespace {

using Weights = Vector<const double>;

template <typename T>
void bind_values(nb::module_& module) {
    module.def(
        "weighted_sum",
        [](const Cube<const T>& cube, bool member_major, const Weights& weights, double divisor,
           int n_threads, const Matrix<T>& out) {
            const Outputs<T> outputs = outputs_of(cube, member_major);
            return weighted_sum(outputs, span_of(weights), divisor, n_threads,
                                lanes_of(out, outputs));
        },
        "outputs"_a.noconvert(), "member_major"_a, "weights"_a.noconvert(), "divisor"_a,
        "n_threads"_a, "out"_a.noconvert(), ReleaseLock(),
        "Divided sum of weight * output; false if a result is NaN.");
    module.def(
        "order_mean",
        [](const Cube<const T>& cube, bool member_major, index_t first, index_t last, int n_threads,
           const Matrix<T>& out) {
            const Outputs<T> outputs = outputs_of(cube, member_major);
            return order_mean(outputs, first, last, n_threads, lanes_of(out, outputs));
        },
        "outputs"_a.noconvert(), "member_major"_a, "first"_a, "last"_a, "n_threads"_a,
        "out"_a.noconvert(), ReleaseLock(),
        "Mean of order statistics first..last-1; false if a value is NaN.");
    module.def(
        "weighted_quantile",
        [](const Cube<const T>& cube, bool member_major, const Weights& weights, double q,
           bool midpoint, int n_threads, const Matrix<T>& out) {
            const Outputs<T> outputs = outputs_of(cube, member_major);
            return weighted_quantile(outputs, span_of(weights), Quantile{q, midpoint}, n_threads,
                                     lanes_of(out, outputs));
        },
        "outputs"_a.noconvert(), "member_major"_a, "weights"_a.noconvert(), "q"_a, "midpoint"_a,
        "n_threads"_a, "out"_a.noconvert(), ReleaseLock(),
        "Weighted quantile over members; false if a value is NaN.");
}

template <typename T>
void bind_scores(nb::module_& module) {
    module.def(
        "weighted_log_sum",
        [](const Cube<const T>& cube, bool member_major, const Weights& weights, int n_threads,
           const Matrix<double>& out) {
            const Outputs<T> outputs = outputs_of(cube, member_major);
            return weighted_log_sum(outputs, span_of(weights), n_threads, lanes_of(out, outputs));
        },
        "probabilities"_a.noconvert(), "member_major"_a, "weights"_a.noconvert(), "n_threads"_a,
        "out"_a.noconvert(), ReleaseLock(),
        "Sum of weight * log(probability); false if a result is NaN.");
    module.def(
        "borda",
        [](const Cube<const T>& cube, bool member_major, const Weights& weights, double tie_points,
           int n_threads, const Matrix<double>& out) {
            const Outputs<T> scores = outputs_of(cube, member_major);
            lanes_of(out, scores);
            return borda_counts(scores, span_of(weights), tie_points, n_threads, view_of(out));
        },
        "scores"_a.noconvert(), "member_major"_a, "weights"_a.noconvert(), "tie_points"_a,
        "n_threads"_a, "out"_a.noconvert(), ReleaseLock(),
        "Weighted Borda counts over members; false if a score is NaN.");
}

template <typename T>
void bind_argmax(nb::module_& module) {
    module.def(
        "argmax",
        [](const Matrix<const T>& support, int n_threads, const Vector<std::int64_t>& out) {
            check(out.size() == support.shape(0), "The result must have one number per row.");
            return argmax_rows(view_of(support), n_threads, out.data());
        },
        "support"_a.noconvert(), "n_threads"_a, "out"_a.noconvert(), ReleaseLock(),
        "First column of the maximum support; false if a value is NaN.");
}

template <typename Code>
void bind_votes(nb::module_& module) {
    module.def(
        "votes",
        [](const Cube<const Code>& cube, bool member_major, const Weights& weights, int n_threads,
           const Matrix<double>& out) {
            const Outputs<Code> codes = outputs_of(cube, member_major);
            check(codes.n_classes == 1, "A member casts one vote a row.");
            const MatrixView<double> support = view_of(out);
            check(support.n_rows == codes.n_rows, "The result must have one row per row.");
            return count_votes(codes, span_of(weights), n_threads, support);
        },
        "codes"_a.noconvert(), "member_major"_a, "weights"_a.noconvert(), "n_threads"_a,
        "out"_a.noconvert(), ReleaseLock(),
        "Weight of the votes for a class; false if a code is too large.");
}

}  // namespace

void bind_vote(nb::module_& module) {
    bind_values<float>(module);
    bind_values<double>(module);
    bind_scores<float>(module);
    bind_scores<double>(module);
    bind_argmax<float>(module);
    bind_argmax<double>(module);
    bind_votes<std::int8_t>(module);
    bind_votes<std::uint8_t>(module);
    bind_votes<std::int16_t>(module);
    bind_votes<std::int32_t>(module);
    bind_votes<std::int64_t>(module);
}

}  // namespace nonet
