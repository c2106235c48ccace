#include "resample/jackknife.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "base/parallel.hpp"

namespace nonet {
namespace {

constexpr index_t block_rows = 4096, blocks_per_task = 16;
// Rows summed side by side, whatever the width of the machine's registers.
constexpr index_t n_lanes = 16;
// With less than this fraction of its spread (its sum) left, a column counts as one of no spread
// (no sum).
constexpr double min_fraction = 1e-6;

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

NONET_INLINE double distance(double value, Centre centre) {
    return (value - centre.base) - centre.rest;
}

// Each kind of terms fills what row i adds to the sums.

struct SpreadTerms {
    static constexpr std::size_t width = 2;
    const double* x;
    double base;
    NONET_INLINE void operator()(index_t i, double* out) const {
        const double d = x[i] - base;
        out[0] = d;
        out[1] = d * d;
    }
};

struct PairTerms {
    static constexpr std::size_t width = 5;
    const double* x;
    const double* y;
    double base_x, base_y;
    NONET_INLINE void operator()(index_t i, double* out) const {
        const double dx = x[i] - base_x, dy = y[i] - base_y;
        out[0] = dx;
        out[1] = dy;
        out[2] = dx * dx;
        out[3] = dy * dy;
        out[4] = dx * dy;
    }
};

struct QuadraticTerms {
    static constexpr std::size_t width = 2;
    const double* x;
    Centre mean;
    double constant, quadratic;
    NONET_INLINE void operator()(index_t i, double* out) const {
        const double d = distance(x[i], mean), gap = constant + quadratic * (d * d);
        out[0] = gap;
        out[1] = gap * gap;
    }
};

struct PolynomialTerms {
    static constexpr std::size_t width = 2;
    const double* x;
    Centre mean;
    Column coefficients;
    NONET_INLINE void operator()(index_t i, double* out) const {
        const double d = distance(x[i], mean);
        double gap = 0;
        for (std::size_t k = coefficients.size(); k-- > 0;) gap = gap * d + coefficients[k];
        out[0] = gap;
        out[1] = gap * gap;
    }
};

struct RootTerms {
    static constexpr std::size_t width = 2;
    const double* x;
    Centre mean;
    double constant, quadratic, root, square;
    NONET_INLINE void operator()(index_t i, double* out) const {
        const double d = distance(x[i], mean), change = constant + quadratic * (d * d);
        const double left = square + change;
        // The difference of two roots without cancellation.
        const double gap = change / (std::sqrt(left > 0 ? left : 0.0) + root);
        out[0] = gap;
        out[1] = gap * gap;
    }
};

struct CorrelationTerms {
    static constexpr std::size_t width = 2;
    const double* x;
    const double* y;
    Centre mean_x, mean_y;
    double per_xx, per_yy, per_xy, correlation;
    NONET_INLINE void operator()(index_t i, double* out) const {
        const double dx = distance(x[i], mean_x), dy = distance(y[i], mean_y);
        const double lost_x = dx * dx * per_xx, lost_y = dy * dy * per_yy, lost = dx * dy * per_xy;
        const double left_x = 1 - lost_x, left_y = 1 - lost_y;
        const double minimum = left_x < left_y ? left_x : left_y;
        const double q = std::sqrt(minimum > min_fraction ? left_x * left_y : undefined);
        // (r - lost) / q - r, with 1 - q taken from 1 - q^2 so that nothing cancels.
        const double one_more = 1 + q;
        const double gap =
            (correlation * (lost_x + lost_y - lost_x * lost_y) - lost * one_more) / (q * one_more);
        out[0] = gap;
        out[1] = gap * gap;
    }
};

// What the means of a ratio need: the sums about two bases, and for x the squares.
struct RatioSums {
    static constexpr std::size_t width = 3;
    const double* y;
    const double* x;
    double base_y, base_x;
    NONET_INLINE void operator()(index_t i, double* out) const {
        const double dx = x[i] - base_x;
        out[0] = y[i] - base_y;
        out[1] = dx;
        out[2] = dx * dx;
    }
};

struct RatioTerms {
    static constexpr std::size_t width = 2;
    const double* y;
    const double* x;
    Centre mean_y, mean_x;
    double ratio, left, minimum;
    NONET_INLINE void operator()(index_t i, double* out) const {
        const double dx = distance(x[i], mean_x), dy = distance(y[i], mean_y);
        const double sum = left - dx;
        const double gap = (ratio * dx - dy) / (std::fabs(sum) > minimum ? sum : undefined);
        // The numerators sum to 0, and so the gaps to those of gap * dx / left.
        out[0] = gap * dx;
        out[1] = gap * gap;
    }
};

// The same where no row is more than `max_fraction` of the sum: the first eight terms of the
// geometric series are all digits, and take half the time of a division.
struct SmallRatioTerms {
    static constexpr std::size_t width = 2;
    static constexpr double max_fraction = 1.0 / 128;
    const double* y;
    const double* x;
    Centre mean_y, mean_x;
    double ratio, per_left;
    NONET_INLINE void operator()(index_t i, double* out) const {
        const double dx = distance(x[i], mean_x), dy = distance(y[i], mean_y);
        const double u = dx * per_left, u2 = u * u;
        const double gap = (ratio * dx - dy) * per_left * ((1 + u) * ((1 + u2) * (1 + u2 * u2)));
        out[0] = gap * dx;
        out[1] = gap * gap;
    }
};

template <typename Terms>
NONET_INLINE void add_lanes(const Terms& terms, index_t first, index_t last, double* sums) {
    constexpr std::size_t width = Terms::width;
    double lanes[width][n_lanes] = {};
    double own[width];
    index_t i = first;
    for (; i + n_lanes <= last; i += n_lanes) {
        // Unrolled by GCC too early, the lanes would no longer be seen as one vector.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#pragma GCC unroll 1
#endif
        for (index_t lane = 0; lane < n_lanes; ++lane) {
            terms(i + lane, own);
            for (std::size_t k = 0; k < width; ++k) lanes[k][lane] += own[k];
        }
    }
    for (; i < last; ++i) {
        terms(i, own);
        for (std::size_t k = 0; k < width; ++k) lanes[k][i % n_lanes] += own[k];
    }
    for (std::size_t k = 0; k < width; ++k) {
        for (index_t half = n_lanes / 2; half > 0; half /= 2)
            for (index_t lane = 0; lane < half; ++lane) lanes[k][lane] += lanes[k][lane + half];
        sums[k] = lanes[k][0];
    }
}

NONET_CLONES void add_rows(const SpreadTerms& terms, index_t first, index_t last, double* sums) {
    add_lanes(terms, first, last, sums);
}
NONET_CLONES void add_rows(const PairTerms& terms, index_t first, index_t last, double* sums) {
    add_lanes(terms, first, last, sums);
}
NONET_CLONES void add_rows(const QuadraticTerms& terms, index_t first, index_t last, double* sums) {
    add_lanes(terms, first, last, sums);
}
NONET_CLONES void add_rows(const PolynomialTerms& terms, index_t first, index_t last,
                           double* sums) {
    add_lanes(terms, first, last, sums);
}
NONET_CLONES void add_rows(const RootTerms& terms, index_t first, index_t last, double* sums) {
    add_lanes(terms, first, last, sums);
}
NONET_CLONES void add_rows(const CorrelationTerms& terms, index_t first, index_t last,
                           double* sums) {
    add_lanes(terms, first, last, sums);
}
NONET_CLONES void add_rows(const RatioSums& terms, index_t first, index_t last, double* sums) {
    add_lanes(terms, first, last, sums);
}
NONET_CLONES void add_rows(const RatioTerms& terms, index_t first, index_t last, double* sums) {
    add_lanes(terms, first, last, sums);
}
NONET_CLONES void add_rows(const SmallRatioTerms& terms, index_t first, index_t last,
                           double* sums) {
    add_lanes(terms, first, last, sums);
}

template <typename Terms>
std::array<double, Terms::width> sum_over_rows(const Terms& terms, index_t n_rows, int n_threads) {
    using Sums = std::array<double, Terms::width>;
    const index_t n_blocks = (n_rows + block_rows - 1) / block_rows;
    std::vector<Sums> blocks(static_cast<std::size_t>(n_blocks));
    const index_t n_tasks = (n_blocks + blocks_per_task - 1) / blocks_per_task;
    parallel_for(n_tasks, n_threads, [&](index_t task) {
        const index_t last = std::min(n_blocks, (task + 1) * blocks_per_task);
        for (index_t b = task * blocks_per_task; b < last; ++b)
            add_rows(terms, b * block_rows, std::min(n_rows, (b + 1) * block_rows),
                     blocks[static_cast<std::size_t>(b)].data());
    });
    Sums total{};
    for (const Sums& block : blocks)
        for (std::size_t k = 0; k < total.size(); ++k) total[k] += block[k];
    return total;
}

template <typename Terms>
GapSums gaps_over_rows(const Terms& terms, Column x, int n_threads) {
    const auto sums = sum_over_rows(terms, static_cast<index_t>(x.size()), n_threads);
    return {sums[0], sums[1]};
}

// The mean of the first rows: any number near the data will do, and these are read next.
double first_guess(Column x) {
    const auto n = std::min<std::size_t>(x.size(), 256);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += x[i];
    return sum / static_cast<double>(n);
}

// Whether the guess lies so far from the mean that sums of squares about it lose digits.
bool is_far(double sum, double squares_about_mean, double n) {
    return sum * sum / n > 4 * squares_about_mean;
}

void check_columns(Column x, Column y) {
    check(!x.empty() && x.size() == y.size(), "Columns must have as many rows, at least one.");
}

// The sums of products about the means of two columns.
struct PairSums {
    Centre x, y;
    double xx, yy, xy;
};

PairSums pair_sums_of(Column x, Column y, int n_threads) {
    const auto n = static_cast<double>(x.size());
    double base_x = first_guess(x), base_y = first_guess(y);
    for (bool again = false;; again = true) {
        const auto [sx, sy, sxx, syy, sxy] =
            sum_over_rows(PairTerms{x.data(), y.data(), base_x, base_y},
                          static_cast<index_t>(x.size()), n_threads);
        const double xx = std::max(sxx - sx * sx / n, 0.0), yy = std::max(syy - sy * sy / n, 0.0);
        if (again || !(is_far(sx, xx, n) || is_far(sy, yy, n)))
            return {{base_x, sx / n}, {base_y, sy / n}, xx, yy, sxy - sx * sy / n};
        base_x += sx / n;
        base_y += sy / n;
    }
}

// The means of a ratio, and the sum of squares of x about its own.
struct RatioMeans {
    Centre y, x;
    double xx;
    // A mean that has cancelled would leave the ratio without digits.
    bool is_cancelled(double n) const noexcept {
        return !(std::fabs(x.base + x.rest) > 1e-6 * std::hypot(x.base, std::sqrt(xx / n)));
    }
};

RatioMeans ratio_means_of(Column y, Column x, int n_threads) {
    const auto n = static_cast<double>(x.size());
    const double base_y = first_guess(y);
    double base_x = first_guess(x);
    for (bool again = false;; again = true) {
        const auto [sy, sx, sxx] = sum_over_rows(RatioSums{y.data(), x.data(), base_y, base_x},
                                                 static_cast<index_t>(x.size()), n_threads);
        const double xx = std::max(sxx - sx * sx / n, 0.0);
        if (again || !is_far(sx, xx, n)) return {{base_y, sy / n}, {base_x, sx / n}, xx};
        base_x += sx / n;
    }
}

}  // namespace

Spread spread_of(Column x, int n_threads) {
    check(!x.empty(), "A column must have at least one row.");
    const auto n = static_cast<double>(x.size());
    double base = first_guess(x);
    for (bool again = false;; again = true) {
        const auto [sum, about_base] =
            sum_over_rows(SpreadTerms{x.data(), base}, static_cast<index_t>(x.size()), n_threads);
        const double squares = std::max(about_base - sum * sum / n, 0.0);
        if (again || !is_far(sum, squares, n)) return {{base, sum / n}, squares};
        base += sum / n;
    }
}

GapSums polynomial_gaps(Column x, Centre mean, Column coefficients, int n_threads) {
    if (coefficients.size() == 3 && coefficients[1] == 0)
        return gaps_over_rows(QuadraticTerms{x.data(), mean, coefficients[0], coefficients[2]}, x,
                              n_threads);
    return gaps_over_rows(PolynomialTerms{x.data(), mean, coefficients}, x, n_threads);
}

GapSums root_gaps(Column x, Centre mean, double constant, double quadratic, double root,
                  int n_threads) {
    return gaps_over_rows(RootTerms{x.data(), mean, constant, quadratic, root, root * root}, x,
                          n_threads);
}

Gaps correlation_gaps(Column x, Column y, int n_threads) {
    check_columns(x, y);
    const PairSums sums = pair_sums_of(x, y, n_threads);
    if (!(sums.xx > 0 && sums.yy > 0)) return {undefined, {}};
    const auto n = static_cast<double>(x.size());
    const double k = n / (n - 1), scale = std::sqrt(sums.xx) * std::sqrt(sums.yy);
    const CorrelationTerms terms{x.data(),    y.data(),    sums.x,    sums.y,
                                 k / sums.xx, k / sums.yy, k / scale, sums.xy / scale};
    return {std::clamp(sums.xy / scale, -1.0, 1.0), gaps_over_rows(terms, x, n_threads)};
}

Gaps ratio_gaps(Column y, Column x, int n_threads) {
    check_columns(x, y);
    const RatioMeans means = ratio_means_of(y, x, n_threads);
    const auto n = static_cast<double>(x.size());
    if (means.is_cancelled(n)) return {undefined, {}};
    const double mean_x = means.x.base + means.x.rest;
    const double ratio = (means.y.base + means.y.rest) / mean_x, left = (n - 1) * mean_x;
    // No distance from the mean is longer than the root of the sum of their squares.
    const bool is_small = std::sqrt(means.xx) <= SmallRatioTerms::max_fraction * std::fabs(left);
    const GapSums gaps =
        is_small
            ? gaps_over_rows(SmallRatioTerms{y.data(), x.data(), means.y, means.x, ratio, 1 / left},
                             x, n_threads)
            : gaps_over_rows(RatioTerms{y.data(), x.data(), means.y, means.x, ratio, left,
                                        min_fraction * std::fabs(left)},
                             x, n_threads);
    return {ratio, {gaps.total / left, gaps.squares}};
}

}  // namespace nonet
