#include "grow/criteria/impurities.hpp"
#include "grow/criteria/newton.hpp"
#include "grow/criteria/outputs_criterion.hpp"
#include "grow/criteria/vector_newton.hpp"
#include "grow/grow_by.hpp"

namespace nonet {
namespace {

template <typename Loss, typename Values>
Tree grow_long(const GrowTask& task, const Values& values) {
    return grow_by(task, OutputsCriterion<Loss, int128_t>(task.targets, task.rows), values);
}

template <typename Loss, typename Values>
Tree grow_outputs(const GrowTask& task, const Values& values) {
    const OutputsCriterion<Loss, std::int64_t> criterion(task.targets, task.rows);
    if (criterion.keeps_light_rows()) return grow_by(task, criterion, values);
    return grow_long<Loss>(task, values);
}

template <typename Values>
Tree grow_long_steps(const GrowTask& task, const Values& values) {
    return grow_by(task, VectorNewton<int128_t>(task.params, task.targets, task.rows), values);
}

}  // namespace

template <typename Impurity>
Tree grow_several_numbers(const GrowTask& task) {
    return grow_outputs<typename Impurity::Outputs>(task, typename Impurity::Values(task.targets));
}
template <typename Impurity>
Tree grow_long_numbers(const GrowTask& task) {
    return grow_long<typename Impurity::Outputs>(task, typename Impurity::Values(task.targets));
}

#define NONET_GROW(name, Impurity)                                 \
    template Tree grow_several_numbers<Impurity>(const GrowTask&); \
    template Tree grow_long_numbers<Impurity>(const GrowTask&);
NONET_NUMBER_IMPURITIES(NONET_GROW)
#undef NONET_GROW

Tree grow_indicators(const GrowTask& task) {
    check_not_negative(task.targets, task.rows);
    return grow_outputs<Deviances<false>>(task, PoissonValues(task.targets));
}
Tree grow_several_newton(const GrowTask& task) {
    const VectorNewtonValues values(task.targets, task.params);
    const VectorNewton<std::int64_t> criterion(task.params, task.targets, task.rows);
    if (criterion.keeps_light_rows()) return grow_by(task, criterion, values);
    return grow_long_steps(task, values);
}

Tree grow_long_newton(const GrowTask& task, const NewtonValues& values) {
    return grow_long_steps(task, values);
}

}  // namespace nonet
