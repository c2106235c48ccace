// The built-in losses: value, gradient and hessian of one row with respect to its score.
//
// A new loss is a struct here and a line in the table at the end of this file. A loss may have one
// number of its own, which it keeps as its only member.
#pragma once

#include <cmath>
#include <concepts>

#include "loss/exponential.hpp"

namespace nonet {

struct Derivatives {
    double gradient;
    double hessian;
};

// log(1 + exp(x)) for any x.
NONET_INLINE double softplus(double x) { return std::max(x, 0.0) + log1p_of(exp_of(-std::abs(x))); }

// What the loops over rows need of a loss.
template <typename Loss>
concept RowLoss = requires(const Loss& loss, double y, double f) {
    { loss.value(y, f) } -> std::same_as<double>;
    { loss.derivatives(y, f) } -> std::same_as<Derivatives>;
};

// Half the squared error.
struct SquaredLoss {
    NONET_INLINE double value(double y, double f) const { return 0.5 * (y - f) * (y - f); }
    NONET_INLINE Derivatives derivatives(double y, double f) const { return {f - y, 1.0}; }
};

struct AbsoluteLoss {
    NONET_INLINE double value(double y, double f) const { return std::abs(y - f); }
    NONET_INLINE Derivatives derivatives(double y, double f) const {
        return {y >= f ? -1.0 : 1.0, 1.0};
    }
};

// Squared near the target and absolute from `width` on.
struct HuberLoss {
    double width;
    NONET_INLINE double value(double y, double f) const {
        const double error = std::abs(y - f);
        return error <= width ? 0.5 * error * error : width * (error - 0.5 * width);
    }
    NONET_INLINE Derivatives derivatives(double y, double f) const {
        return {std::min(std::max(f - y, -width), width), 1.0};
    }
};

struct QuantileLoss {
    double level;
    NONET_INLINE double value(double y, double f) const {
        return y >= f ? level * (y - f) : (1 - level) * (f - y);
    }
    NONET_INLINE Derivatives derivatives(double y, double f) const {
        return {y >= f ? -level : 1 - level, 1.0};
    }
};

// The score is the logarithm of the mean in this loss and the next two; constants are left out.
struct PoissonLoss {
    NONET_INLINE double value(double y, double f) const { return exp_of(f) - y * f; }
    NONET_INLINE Derivatives derivatives(double y, double f) const {
        const double mean = exp_of(f);
        return {mean - y, mean};
    }
};

struct GammaLoss {
    NONET_INLINE double value(double y, double f) const { return f + y * exp_of(-f); }
    NONET_INLINE Derivatives derivatives(double y, double f) const {
        const double ratio = y * exp_of(-f);
        return {1.0 - ratio, ratio};
    }
};

// Variance grows as the mean to the power, 1 < power < 2.
struct TweedieLoss {
    double power;
    NONET_INLINE double value(double y, double f) const {
        return exp_of((2 - power) * f) / (2 - power) - y * exp_of((1 - power) * f) / (1 - power);
    }
    NONET_INLINE Derivatives derivatives(double y, double f) const {
        const double rising = exp_of((2 - power) * f);
        const double falling = y * exp_of((1 - power) * f);
        return {rising - falling, (2 - power) * rising - (1 - power) * falling};
    }
};

// y is 0, 1 or a probability between them; the score is the log-odds.
struct LogisticLoss {
    NONET_INLINE double value(double y, double f) const { return softplus(f) - y * f; }
    NONET_INLINE Derivatives derivatives(double y, double f) const {
        const double p = 1.0 / (1.0 + exp_of(-f));
        return {p - y, p * (1.0 - p)};
    }
};

// AdaBoost's: the score is half the log-odds.
struct ExponentialLoss {
    NONET_INLINE double value(double y, double f) const {
        return y * exp_of(-f) + (1 - y) * exp_of(f);
    }
    NONET_INLINE Derivatives derivatives(double y, double f) const {
        const double falling = y * exp_of(-f);
        const double rising = (1.0 - y) * exp_of(f);
        return {rising - falling, rising + falling};
    }
};

// Every loss, by the name that Python knows it by: calls each(name, type) for one after another. A
// macro and no list of types, because clones are made of functions and never of templates
// (base/dispatch.hpp).
// clang-format off
#define NONET_LOSSES(each) \
    each(squared, SquaredLoss) \
    each(absolute, AbsoluteLoss) \
    each(huber, HuberLoss) \
    each(quantile, QuantileLoss) \
    each(poisson, PoissonLoss) \
    each(gamma, GammaLoss) \
    each(tweedie, TweedieLoss) \
    each(logistic, LogisticLoss) \
    each(exponential, ExponentialLoss)
// clang-format on

}  // namespace nonet
