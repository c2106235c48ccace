#include <algorithm>
#include <type_traits>

#include "base/check.hpp"
#include "grow/criteria/impurities.hpp"
#include "grow/criteria/moment_criterion.hpp"
#include "grow/criteria/newton.hpp"
#include "grow/grow_by.hpp"
#include "grow/moment_kinds.hpp"

namespace nonet {
namespace {

// values_of(sizes of the rows) makes the values of nodes; grow_long(values) grows what no short
// rows fit.
template <typename Loss, typename ValuesOf, typename GrowLong>
Tree grow_moments(const GrowTask& task, const ValuesOf& values_of, const GrowLong& grow_long) {
    Moments<Loss> moments(task.targets, task.rows, task.n_threads);
    const auto values = values_of(moments.sizes());
    const auto grow = [&]<typename Rows>(Rows) {
        const MomentCriterion<Loss, Rows> criterion(task.params, moments);
        if constexpr (std::is_same_v<Rows, WideRows>) return grow_by(task, criterion, values);
        return grow_on<std::uint8_t>(task, criterion, values);
    };
    if constexpr (Loss::is_quadratic) {
        const bool packs = may_pack(std::ssize(task.rows), task.dataset, task.params);
        if (packs && moments.template fit<PackedRows<0>>()) return grow(PackedRows<0>{});
        if constexpr (Loss::has_hessians)
            if (packs && moments.template fit<PackedRows<13>>()) return grow(PackedRows<13>{});
    }
    if (moments.template fit<WideRows>()) return grow(WideRows{});
    return grow_long(values);
}

// Sums over rows that are there once or not at all need not look up how often: the bag knows.
Targets without_single_counts(Targets targets) {
    if (!targets.counts.empty() && std::ranges::max(targets.counts) <= 1) targets.counts = {};
    return targets;
}

}  // namespace

template <typename Impurity>
Tree grow_numbers(const GrowTask& given) {
    Impurity::check_targets(given.targets, given.rows);
    const Targets targets = without_single_counts(given.targets);
    const GrowTask task = given.with(targets);
    if (task.targets.n_outputs > 1) return grow_several_numbers<Impurity>(task);
    return grow_moments<Impurity>(
        task, [&](const MomentSizes&) { return typename Impurity::Values(task.targets); },
        [&](const auto&) { return grow_long_numbers<Impurity>(task); });
}

#define NONET_GROW(name, Impurity) template Tree grow_numbers<Impurity>(const GrowTask&);
NONET_NUMBER_IMPURITIES(NONET_GROW)
#undef NONET_GROW

Tree grow_newton(const GrowTask& given) {
    check(!given.targets.values.empty() && given.targets.n_outputs >= 1 &&
              !given.targets.hessians.empty(),
          "Newton's step needs a gradient and a hessian for every row and output.");
    const Targets targets = without_single_counts(given.targets);
    const GrowTask task = given.with(targets);
    if (task.targets.n_outputs > 1) return grow_several_newton(task);
    return grow_moments<Newton>(
        task,
        [&](const MomentSizes& sizes) {
            return NewtonValues(task.targets, task.params, MomentParts(sizes));
        },
        [&](const NewtonValues& values) { return grow_long_newton(task, values); });
}

}  // namespace nonet
