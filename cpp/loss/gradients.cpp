#include "loss/gradients.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "base/check.hpp"
#include "base/parallel.hpp"
#include "base/phases.hpp"
#include "loss/losses.hpp"

namespace nonet {
namespace {

constexpr index_t block_rows = 4096;

template <typename Loss>
NONET_INLINE void fill(const Loss& loss, const double* targets, const double* scores, index_t n,
                       double* __restrict gradients, double* __restrict hessians) {
    if (hessians == nullptr) {
        for (index_t i = 0; i < n; ++i)
            gradients[i] = loss.derivatives(targets[i], scores[i]).gradient;
        return;
    }
    for (index_t i = 0; i < n; ++i) {
        const Derivatives at_row = loss.derivatives(targets[i], scores[i]);
        gradients[i] = at_row.gradient;
        hessians[i] = at_row.hessian;
    }
}

// One function a loss, as clones need: a template would be compiled for the oldest machine.
#define NONET_LOOPS(name, Loss)                                                                  \
    static_assert(RowLoss<Loss>);                                                                \
    NONET_CLONES void fill_block(const Loss& loss, const double* targets, const double* scores,  \
                                 index_t n, double* gradients, double* hessians) {               \
        fill(loss, targets, scores, n, gradients, hessians);                                     \
    }                                                                                            \
    NONET_CLONES void fill_values(const Loss& loss, const double* targets, const double* scores, \
                                  index_t n, double* __restrict values) {                        \
        for (index_t i = 0; i < n; ++i) values[i] = loss.value(targets[i], scores[i]);           \
    }
NONET_LOSSES(NONET_LOOPS)
#undef NONET_LOOPS

template <typename Loss>
Loss loss_of(double shape) {
    if constexpr (std::is_empty_v<Loss>)
        return Loss{};
    else
        return Loss{shape};
}

template <typename Visit>
auto with_loss(LossKind kind, const Visit& visit) {
#define NONET_VISIT(known, Loss) \
    if (kind.name == #known) return visit(loss_of<Loss>(kind.shape));
    NONET_LOSSES(NONET_VISIT)
#undef NONET_VISIT
    throw std::invalid_argument("There is no loss named '" + std::string(kind.name) + "'.");
}

double weight_of(std::span<const double> weights, index_t row) {
    return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(row)];
}

// Tiles of a few rows keep what is read twice in the nearest cache.
constexpr index_t tile_rows = 256;

// Sum of weight times value over the rows of a block; fill_tile(first, n, values) finds the values.
template <typename FillTile>
ExactSum sum_tiles(index_t first, index_t n, std::span<const double> weights,
                   const FillTile& fill_tile) {
    double values[tile_rows];
    ExactSum sum;
    for (index_t start = first; start < first + n; start += tile_rows) {
        const index_t n_tile = std::min(tile_rows, first + n - start);
        fill_tile(start, n_tile, values);
        for (index_t i = 0; i < n_tile; ++i) sum.add(weight_of(weights, start + i) * values[i]);
    }
    return sum;
}

// Whether all numbers are below a limit, and 0 or above: without an early end, in vectors.
NONET_CLONES bool are_below(const std::int32_t* numbers, index_t n, std::int32_t limit) {
    index_t n_below = 0;
    for (index_t i = 0; i < n; ++i) n_below += numbers[i] < limit;
    return n_below == n;
}
NONET_CLONES bool are_codes(const std::int32_t* numbers, index_t n, std::int32_t limit) {
    index_t n_codes = 0;
    for (index_t i = 0; i < n; ++i) n_codes += (numbers[i] >= 0) & (numbers[i] < limit);
    return n_codes == n;
}

// Maximum score of each row, and the sum of exp(score - maximum) over the classes.
struct Softmax {
    double maximum[tile_rows];
    double sums[tile_rows];
};

NONET_INLINE void find_maximum(const double* scores, index_t stride, index_t n_classes, index_t n,
                               Softmax& tile) {
    std::copy_n(scores, n, tile.maximum);
    for (index_t k = 1; k < n_classes; ++k)
        for (index_t i = 0; i < n; ++i)
            tile.maximum[i] = std::max(tile.maximum[i], scores[k * stride + i]);
    std::fill_n(tile.sums, n, 0.0);
}

NONET_CLONES void fill_class_tile(const double* scores, index_t stride, index_t n_classes,
                                  index_t n, double* gradients, double* hessians) {
    Softmax tile;
    find_maximum(scores, stride, n_classes, n, tile);
    for (index_t k = 0; k < n_classes; ++k)
        for (index_t i = 0; i < n; ++i) {
            const double fraction = exp_of(scores[k * stride + i] - tile.maximum[i]);
            gradients[k * stride + i] = fraction;
            tile.sums[i] += fraction;
        }
    for (index_t k = 0; k < n_classes; ++k)
        for (index_t i = 0; i < n; ++i) {
            const double p = gradients[k * stride + i] / tile.sums[i];
            gradients[k * stride + i] = p;
            hessians[k * stride + i] = p * (1.0 - p);
        }
}

void check_classes(const ScoredClasses& rows, index_t first, index_t end) {
    const auto n_classes = static_cast<std::int32_t>(rows.n_classes);
    check(are_codes(rows.classes.data() + first, end - first, n_classes),
          "Codes of classes must be at least 0 and below the number of classes.");
}

NONET_CLONES void sum_exponentials(const double* scores, index_t stride, index_t n_classes,
                                   index_t n, Softmax& tile) {
    find_maximum(scores, stride, n_classes, n, tile);
    for (index_t k = 0; k < n_classes; ++k)
        for (index_t i = 0; i < n; ++i)
            tile.sums[i] += exp_of(scores[k * stride + i] - tile.maximum[i]);
}

// The multinomial loss of each row of a tile.
void fill_class_values(const ScoredClasses& rows, index_t first, index_t n, double* values) {
    const index_t n_rows = std::ssize(rows.classes);
    Softmax tile;
    sum_exponentials(rows.scores.data() + first, n_rows, rows.n_classes, n, tile);
    for (index_t i = 0; i < n; ++i) {
        const index_t own = rows.classes[static_cast<std::size_t>(first + i)];
        const double score = rows.scores[static_cast<std::size_t>(own * n_rows + first + i)];
        values[i] = tile.maximum[i] + log_of(tile.sums[i]) - score;
    }
}

}  // namespace

void fill_gradients(LossKind kind, const Scored& rows, int n_threads, std::span<double> gradients,
                    std::span<double> hessians) {
    const index_t n_rows = std::ssize(rows.targets);
    check(std::ssize(rows.scores) == n_rows && std::ssize(gradients) == n_rows &&
              (hessians.empty() || std::ssize(hessians) == n_rows),
          "Targets, scores, gradients and hessians must have one entry per row.");
    const InPhase phase(Phase::gradients);
    with_loss(kind, [&](const auto& loss) {
        parallel_blocks(n_rows, block_rows, n_threads, [&](index_t, index_t first, index_t end) {
            fill_block(loss, rows.targets.data() + first, rows.scores.data() + first, end - first,
                       gradients.data() + first,
                       hessians.empty() ? nullptr : hessians.data() + first);
        });
    });
}

ExactSum sum_losses(LossKind kind, const Scored& rows, std::span<const double> weights,
                    int n_threads) {
    const index_t n_rows = std::ssize(rows.targets);
    check(std::ssize(rows.scores) == n_rows && (weights.empty() || std::ssize(weights) == n_rows),
          "Targets, scores and weights must have one entry per row.");
    const InPhase phase(Phase::gradients);
    return with_loss(kind, [&](const auto& loss) {
        const auto fill_tile = [&](index_t first, index_t n, double* values) {
            fill_values(loss, rows.targets.data() + first, rows.scores.data() + first, n, values);
        };
        return exact_sum_of_blocks(n_rows, block_rows, n_threads, [&](index_t first, index_t n) {
            return sum_tiles(first, n, weights, fill_tile);
        });
    });
}

void fill_class_gradients(const ScoredClasses& rows, int n_threads, std::span<double> gradients,
                          std::span<double> hessians) {
    const index_t n_rows = std::ssize(rows.classes);
    check(std::ssize(rows.scores) == n_rows * rows.n_classes &&
              gradients.size() == rows.scores.size() && hessians.size() == rows.scores.size(),
          "Scores, gradients and hessians must have one entry per class and row.");
    const InPhase phase(Phase::gradients);
    parallel_blocks(n_rows, block_rows, n_threads, [&](index_t, index_t first, index_t end) {
        check_classes(rows, first, end);
        for (index_t row = first; row < end; row += tile_rows)
            fill_class_tile(rows.scores.data() + row, n_rows, rows.n_classes,
                            std::min(tile_rows, end - row), gradients.data() + row,
                            hessians.data() + row);
        for (index_t row = first; row < end; ++row) {
            const index_t own = rows.classes[static_cast<std::size_t>(row)];
            gradients[static_cast<std::size_t>(own * n_rows + row)] -= 1.0;
        }
    });
}

ExactSum sum_class_losses(const ScoredClasses& rows, std::span<const double> weights,
                          int n_threads) {
    const index_t n_rows = std::ssize(rows.classes);
    check(std::ssize(rows.scores) == n_rows * rows.n_classes &&
              (weights.empty() || std::ssize(weights) == n_rows),
          "Scores must have one entry per class and row, weights one per row.");
    const InPhase phase(Phase::gradients);
    const auto fill_tile = [&](index_t first, index_t n, double* values) {
        fill_class_values(rows, first, n, values);
    };
    return exact_sum_of_blocks(n_rows, block_rows, n_threads, [&](index_t first, index_t n) {
        check_classes(rows, first, first + n);
        return sum_tiles(first, n, weights, fill_tile);
    });
}

void add_leaf_values(std::span<const std::int32_t> leaves, std::span<const double> values,
                     int n_threads, std::span<double> scores) {
    const index_t n_rows = std::ssize(leaves);
    check(std::ssize(scores) == n_rows, "Scores must have one entry per row.");
    const InPhase phase(Phase::scores);
    const auto n_values = static_cast<std::int32_t>(values.size());
    parallel_blocks(n_rows, block_rows, n_threads, [&](index_t, index_t first, index_t end) {
        check(are_below(leaves.data() + first, end - first, n_values),
              "A row is in a leaf that has no value.");
        for (index_t row = first; row < end; ++row) {
            const auto i = static_cast<std::size_t>(row);
            if (leaves[i] >= 0) scores[i] += values[static_cast<std::size_t>(leaves[i])];
        }
    });
}

}  // namespace nonet
