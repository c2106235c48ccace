#include "loss/vote_weights.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "base/parallel.hpp"
#include "loss/block_sums.hpp"

namespace nonet {
namespace {

constexpr index_t block_rows = 1 << 13;
// Rows summed side by side, whatever the width of the machine's registers.
constexpr index_t n_lanes = 16;

// Adds term(i) for all rows of a block, lane by lane.
template <typename Term>
NONET_INLINE double add_lanes(index_t n, const Term& term) {
    double lanes[n_lanes] = {};
    index_t i = 0;
    for (; i + n_lanes <= n; i += n_lanes) {
        // Unrolled by GCC too early, the lanes would no longer be seen as one vector.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#pragma GCC unroll 1
#endif
        for (index_t lane = 0; lane < n_lanes; ++lane) lanes[lane] += term(i + lane);
    }
    for (; i < n; ++i) lanes[i % n_lanes] += term(i);
    for (index_t half = n_lanes / 2; half > 0; half /= 2)
        for (index_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
    return lanes[0];
}

NONET_CLONES double sum_block(const double* weights, index_t n) {
    return add_lanes(n, [=](index_t i) { return weights[i]; });
}

NONET_CLONES double sum_marked_block(const double* weights, const std::uint8_t* marks, index_t n) {
    return add_lanes(n, [=](index_t i) { return weights[i] * marks[i]; });
}

NONET_CLONES void scale_block(const double* weights, const std::uint8_t* marks, double factor,
                              index_t n, double* out) {
    for (index_t i = 0; i < n; ++i) out[i] = weights[i] * (marks[i] ? 1.0 : factor);
}

NONET_CLONES void normalise_block(double* weights, double total, double minimum, index_t n) {
    for (index_t i = 0; i < n; ++i) weights[i] = std::max(weights[i] / total, minimum);
}

NONET_CLONES double add_weights_block(const double* weights, double* sums, index_t n) {
    for (index_t i = 0; i < n; ++i) sums[i] += weights[i];
    return add_lanes(n, [=](index_t i) { return weights[i] * weights[i]; });
}

NONET_CLONES void add_votes_block(const std::uint8_t* wrong, double alpha, double* scores,
                                  index_t n) {
    for (index_t i = 0; i < n; ++i) scores[i] += wrong[i] ? -alpha : alpha;
}

NONET_CLONES double least_of_block(const double* scores, index_t n) {
    double minimum[n_lanes];
    std::fill_n(minimum, n_lanes, std::numeric_limits<double>::infinity());
    index_t i = 0;
    for (; i + n_lanes <= n; i += n_lanes)
        for (index_t lane = 0; lane < n_lanes; ++lane)
            minimum[lane] = std::min(scores[i + lane], minimum[lane]);
    for (; i < n; ++i) minimum[0] = std::min(scores[i], minimum[0]);
    return *std::min_element(minimum, minimum + n_lanes);
}

NONET_CLONES double wrong_weight_of_block(const double* scores, const double* weights,
                                          const std::uint8_t* is_second, index_t n) {
    return add_lanes(n, [=](index_t i) {
        // Without a branch, which would be guessed wrong as often as the votes are.
        const double below = scores[i] < 0 ? 1.0 : 0.0, level = scores[i] == 0 ? 1.0 : 0.0;
        return weights[i] * (below + level * is_second[i]);
    });
}

index_t check_marks(Weights weights, Marks marks) {
    check(weights.size() == marks.size(), "There must be a mark for each weight.");
    return std::ssize(weights);
}

}  // namespace

double sum_marked(Weights weights, Marks marks, int n_threads) {
    return sum_blocks(check_marks(weights, marks), block_rows, n_threads,
                      [=](index_t begin, index_t n) {
                          return sum_marked_block(weights.data() + begin, marks.data() + begin, n);
                      });
}

void scale_unmarked(Weights weights, Marks marks, double factor, int n_threads, double* out) {
    parallel_blocks(check_marks(weights, marks), block_rows, n_threads,
                    [=](index_t, index_t begin, index_t end) {
                        scale_block(weights.data() + begin, marks.data() + begin, factor,
                                    end - begin, out + begin);
                    });
}

void normalise(std::span<double> weights, double minimum, int n_threads) {
    const index_t n_rows = std::ssize(weights);
    const double total = sum_blocks(n_rows, block_rows, n_threads, [=](index_t begin, index_t n) {
        return sum_block(weights.data() + begin, n);
    });
    parallel_blocks(n_rows, block_rows, n_threads, [=](index_t, index_t begin, index_t end) {
        normalise_block(weights.data() + begin, total, minimum, end - begin);
    });
}

double add_weights(Weights weights, int n_threads, double* sums) {
    return sum_blocks(std::ssize(weights), block_rows, n_threads, [=](index_t begin, index_t n) {
        return add_weights_block(weights.data() + begin, sums + begin, n);
    });
}

VoteSums add_votes(Marks wrong, double alpha, Weights weights, Marks is_second, int n_threads,
                   double* scores) {
    check_marks(weights, wrong);
    const index_t n_rows = check_marks(weights, is_second);
    check(n_rows > 0, "There must be rows to vote on.");
    std::vector<double> minimum(static_cast<std::size_t>((n_rows + block_rows - 1) / block_rows));
    const double wrong_weight =
        sum_blocks(n_rows, block_rows, n_threads, [&](index_t begin, index_t n) {
            add_votes_block(wrong.data() + begin, alpha, scores + begin, n);
            minimum[static_cast<std::size_t>(begin / block_rows)] =
                least_of_block(scores + begin, n);
            return wrong_weight_of_block(scores + begin, weights.data() + begin,
                                         is_second.data() + begin, n);
        });
    return {*std::ranges::min_element(minimum), wrong_weight};
}

}  // namespace nonet
