#include "grow/criteria/outputs_criterion.hpp"
#include "grow/criteria/vector_newton.hpp"
#include "grow/grow_by.hpp"
#include "grow/node_values.hpp"

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

Tree grow_several_numbers(const GrowTask& task) {
    return grow_outputs<SquaredErrors>(task, MeanValues(task.targets));
}
Tree grow_several_rates(const GrowTask& task) {
    return grow_outputs<Deviances<true>>(task, PoissonValues(task.targets));
}
Tree grow_indicators(const GrowTask& task) {
    return grow_outputs<Deviances<false>>(task, PoissonValues(task.targets));
}
Tree grow_several_newton(const GrowTask& task) {
    const VectorNewtonValues values(task.targets, task.params);
    const VectorNewton<std::int64_t> criterion(task.params, task.targets, task.rows);
    if (criterion.keeps_light_rows()) return grow_by(task, criterion, values);
    return grow_long_steps(task, values);
}

Tree grow_long_numbers(const GrowTask& task) {
    return grow_long<SquaredErrors>(task, MeanValues(task.targets));
}
Tree grow_long_rates(const GrowTask& task) {
    return grow_long<Deviances<true>>(task, PoissonValues(task.targets));
}
Tree grow_long_newton(const GrowTask& task) {
    return grow_long_steps(task, NewtonValues(task.targets, task.params));
}

}  // namespace nonet
