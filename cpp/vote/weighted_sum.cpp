#include "vote/weighted_sum.hpp"

#include "vote/lane_sums.hpp"

namespace nonet {
namespace {

constexpr auto product = [](double weight, double prediction) { return weight * prediction; };
// Without weights the product is left out: 1 * output is the same to the last bit, and the
// conversion of float takes long enough.
constexpr auto identity = [](double, double prediction) { return prediction; };

// Streams read at a time: enough to keep the memory busy and to load and store sums seldom, and few
// enough for the processor to follow each (measured: 8 to 12 are good, 20 take twice the time).
constexpr int n_together = 10;

NONET_CLONES void add_float_predictions(StridedRows<const float> members, const double* weights,
                                        index_t n_members, index_t n_lanes, double* sums) {
    add_terms<n_together>(identity, members, weights, n_members, n_lanes, sums);
}

NONET_CLONES void add_float_products(StridedRows<const float> members, const double* weights,
                                     index_t n_members, index_t n_lanes, double* sums) {
    add_terms<n_together>(product, members, weights, n_members, n_lanes, sums);
}

NONET_CLONES void add_double_products(StridedRows<const double> members, const double* weights,
                                      index_t n_members, index_t n_lanes, double* sums) {
    add_terms<n_together>(product, members, weights, n_members, n_lanes, sums);
}

bool all_ones(std::span<const double> weights) {
    return std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1; });
}

}  // namespace

template <>
bool weighted_sum(const Outputs<float>& outputs, std::span<const double> weights, double divisor,
                  int n_threads, float* out) {
    const Add<float> add = all_ones(weights) ? add_float_predictions : add_float_products;
    return sum_lanes(outputs, weights, add, divisor, n_threads, out);
}

template <>
bool weighted_sum(const Outputs<double>& outputs, std::span<const double> weights, double divisor,
                  int n_threads, double* out) {
    return sum_lanes(outputs, weights, add_double_products, divisor, n_threads, out);
}

}  // namespace nonet
