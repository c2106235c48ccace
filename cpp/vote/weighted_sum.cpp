#include "vote/weighted_sum.hpp"

#include "vote/lane_sums.hpp"

namespace nonet {
namespace {

constexpr auto product = [](double weight, double answer) { return weight * answer; };

// Four streams at a time keep the memory busy without asking for more pages than the processor
// tracks.
constexpr int n_together = 4;

NONET_CLONES void add_float(StridedRows<const float> members, const double* weights,
                            index_t n_members, index_t n_lanes, double* sums) {
    add_terms<n_together>(product, members, weights, n_members, n_lanes, sums);
}

NONET_CLONES void add_double(StridedRows<const double> members, const double* weights,
                             index_t n_members, index_t n_lanes, double* sums) {
    add_terms<n_together>(product, members, weights, n_members, n_lanes, sums);
}

}  // namespace

template <>
bool weighted_sum(const Outputs<float>& outputs, std::span<const double> weights, double divisor,
                  int n_threads, float* out) {
    return sum_lanes(outputs, weights, add_float, divisor, n_threads, out);
}

template <>
bool weighted_sum(const Outputs<double>& outputs, std::span<const double> weights, double divisor,
                  int n_threads, double* out) {
    return sum_lanes(outputs, weights, add_double, divisor, n_threads, out);
}

}  // namespace nonet
