#include "loss/gradients.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "base/check.hpp"
#include "base/parallel.hpp"
#include "loss/losses.hpp"

namespace nonet {
namespace {

constexpr index_t block_rows = 4096;

// Calls work(block, first, n) for blocks of rows.
template <typename Work>
void for_blocks(index_t n_rows, int n_threads, const Work& work) {
    parallel_for((n_rows + block_rows - 1) / block_rows, n_threads, [&](index_t block) {
        const index_t first = block * block_rows;
        work(block, first, std::min(block_rows, n_rows - first));
    });
}

// Sums of blocks, added in the order of blocks: the threads have no say.
template <typename SumOfBlock>
double sum_blocks(index_t n_rows, int n_threads, const SumOfBlock& sum_of_block) {
    std::vector<double> sums(static_cast<std::size_t>((n_rows + block_rows - 1) / block_rows));
    for_blocks(n_rows, n_threads, [&](index_t block, index_t first, index_t n) {
        sums[static_cast<std::size_t>(block)] = sum_of_block(first, n);
    });
    double total = 0;
    for (const double sum : sums) total += sum;
    return total;
}

template <typename Loss>
NONET_INLINE void fill(const Loss& loss, const double* targets, const double* scores, index_t n,
                       double* __restrict gradients, double* __restrict hessians) {
    if (hessians == nullptr) {
        for (index_t i = 0; i < n; ++i) gradients[i] = loss.slope(targets[i], scores[i]).gradient;
        return;
    }
    for (index_t i = 0; i < n; ++i) {
        const Slope slope = loss.slope(targets[i], scores[i]);
        gradients[i] = slope.gradient;
        hessians[i] = slope.hessian;
    }
}

// One function a loss, as clones need: a template would be compiled for the oldest machine.
#define NONET_FILL(name, Loss)                                                            \
    NONET_CLONES void name(const Loss& loss, const double* targets, const double* scores, \
                           index_t n, double* gradients, double* hessians) {              \
        fill(loss, targets, scores, n, gradients, hessians);                              \
    }
NONET_FILL(fill_block, SquaredLoss)
NONET_FILL(fill_block, AbsoluteLoss)
NONET_FILL(fill_block, HuberLoss)
NONET_FILL(fill_block, QuantileLoss)
NONET_FILL(fill_block, PoissonLoss)
NONET_FILL(fill_block, GammaLoss)
NONET_FILL(fill_block, TweedieLoss)
NONET_FILL(fill_block, LogisticLoss)
NONET_FILL(fill_block, ExponentialLoss)
#undef NONET_FILL

template <typename Visit>
auto with_loss(LossKind kind, const Visit& visit) {
    switch (kind.name) {
        case LossName::squared:
            return visit(SquaredLoss{});
        case LossName::absolute:
            return visit(AbsoluteLoss{});
        case LossName::huber:
            return visit(HuberLoss{kind.shape});
        case LossName::quantile:
            return visit(QuantileLoss{kind.shape});
        case LossName::poisson:
            return visit(PoissonLoss{});
        case LossName::gamma:
            return visit(GammaLoss{});
        case LossName::tweedie:
            return visit(TweedieLoss{kind.shape});
        case LossName::logistic:
            return visit(LogisticLoss{});
        case LossName::exponential:
            return visit(ExponentialLoss{});
    }
    throw std::invalid_argument("There is no such loss.");
}

double weight_of(std::span<const double> weights, index_t row) {
    return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(row)];
}

// A block of rows, class by class: `exponentials` gets exp(score - largest), `sums` their sums.
// Tiles of a few rows keep what is read twice in the nearest cache.
constexpr index_t tile_rows = 256;

struct Softmax {
    double largest[tile_rows];
    double sums[tile_rows];
};

NONET_CLONES void fill_class_tile(const double* scores, index_t stride, index_t n_classes,
                                  index_t n, double* gradients, double* hessians) {
    Softmax tile;
    std::copy_n(scores, n, tile.largest);
    for (index_t k = 1; k < n_classes; ++k)
        for (index_t i = 0; i < n; ++i)
            tile.largest[i] = std::max(tile.largest[i], scores[k * stride + i]);
    std::fill_n(tile.sums, n, 0.0);
    for (index_t k = 0; k < n_classes; ++k)
        for (index_t i = 0; i < n; ++i) {
            const double share = exp_of(scores[k * stride + i] - tile.largest[i]);
            gradients[k * stride + i] = share;
            tile.sums[i] += share;
        }
    for (index_t k = 0; k < n_classes; ++k)
        for (index_t i = 0; i < n; ++i) {
            const double p = gradients[k * stride + i] / tile.sums[i];
            gradients[k * stride + i] = p;
            hessians[k * stride + i] = p * (1.0 - p);
        }
}

void check_classes(const ScoredClasses& rows) {
    check(std::ranges::all_of(rows.classes,
                              [&](std::int32_t k) { return k >= 0 && k < rows.n_classes; }),
          "Codes of classes must be at least 0 and below the number of classes.");
}

double log_sum_exp(const double* scores, index_t stride, index_t n_classes) {
    double largest = scores[0];
    for (index_t k = 1; k < n_classes; ++k) largest = std::max(largest, scores[k * stride]);
    double sum = 0;
    for (index_t k = 0; k < n_classes; ++k) sum += std::exp(scores[k * stride] - largest);
    return largest + std::log(sum);
}

}  // namespace

void fill_gradients(LossKind kind, const Scored& rows, int n_threads, std::span<double> gradients,
                    std::span<double> hessians) {
    const index_t n_rows = std::ssize(rows.targets);
    check(std::ssize(rows.scores) == n_rows && std::ssize(gradients) == n_rows &&
              (hessians.empty() || std::ssize(hessians) == n_rows),
          "Targets, scores, gradients and hessians must have one entry a row.");
    with_loss(kind, [&](const auto& loss) {
        for_blocks(n_rows, n_threads, [&](index_t, index_t first, index_t n) {
            fill_block(loss, rows.targets.data() + first, rows.scores.data() + first, n,
                       gradients.data() + first,
                       hessians.empty() ? nullptr : hessians.data() + first);
        });
    });
}

double sum_losses(LossKind kind, const Scored& rows, std::span<const double> weights,
                  int n_threads) {
    const index_t n_rows = std::ssize(rows.targets);
    check(std::ssize(rows.scores) == n_rows && (weights.empty() || std::ssize(weights) == n_rows),
          "Targets, scores and weights must have one entry a row.");
    return with_loss(kind, [&](const auto& loss) {
        return sum_blocks(n_rows, n_threads, [&](index_t first, index_t n) {
            double sum = 0;
            for (index_t row = first; row < first + n; ++row) {
                const auto i = static_cast<std::size_t>(row);
                sum += weight_of(weights, row) * loss.value(rows.targets[i], rows.scores[i]);
            }
            return sum;
        });
    });
}

void fill_class_gradients(const ScoredClasses& rows, int n_threads, std::span<double> gradients,
                          std::span<double> hessians) {
    const index_t n_rows = std::ssize(rows.classes);
    check(std::ssize(rows.scores) == n_rows * rows.n_classes &&
              gradients.size() == rows.scores.size() && hessians.size() == rows.scores.size(),
          "Scores, gradients and hessians must have one entry a class and row.");
    check_classes(rows);
    for_blocks(n_rows, n_threads, [&](index_t, index_t first, index_t n) {
        for (index_t row = first; row < first + n; row += tile_rows)
            fill_class_tile(rows.scores.data() + row, n_rows, rows.n_classes,
                            std::min(tile_rows, first + n - row), gradients.data() + row,
                            hessians.data() + row);
        for (index_t row = first; row < first + n; ++row) {
            const index_t own = rows.classes[static_cast<std::size_t>(row)];
            gradients[static_cast<std::size_t>(own * n_rows + row)] -= 1.0;
        }
    });
}

double sum_class_losses(const ScoredClasses& rows, std::span<const double> weights, int n_threads) {
    const index_t n_rows = std::ssize(rows.classes);
    check(std::ssize(rows.scores) == n_rows * rows.n_classes &&
              (weights.empty() || std::ssize(weights) == n_rows),
          "Scores must have one entry a class and row, weights one a row.");
    check_classes(rows);
    return sum_blocks(n_rows, n_threads, [&](index_t first, index_t n) {
        double sum = 0;
        for (index_t row = first; row < first + n; ++row) {
            const double* scores = rows.scores.data() + row;
            const index_t own = rows.classes[static_cast<std::size_t>(row)];
            sum += weight_of(weights, row) *
                   (log_sum_exp(scores, n_rows, rows.n_classes) - scores[own * n_rows]);
        }
        return sum;
    });
}

void add_leaf_values(std::span<const std::int32_t> leaves, std::span<const double> values,
                     int n_threads, std::span<double> scores) {
    const index_t n_rows = std::ssize(leaves);
    check(std::ssize(scores) == n_rows, "Scores must have one entry a row.");
    check(std::ranges::all_of(leaves, [&](std::int32_t leaf) { return leaf < std::ssize(values); }),
          "A row is in a leaf that has no value.");
    for_blocks(n_rows, n_threads, [&](index_t, index_t first, index_t n) {
        for (index_t row = first; row < first + n; ++row) {
            const auto i = static_cast<std::size_t>(row);
            if (leaves[i] >= 0) scores[i] += values[static_cast<std::size_t>(leaves[i])];
        }
    });
}

}  // namespace nonet
