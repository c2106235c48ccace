#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "grow/criteria/class_criterion.hpp"
#include "grow/criteria/class_values.hpp"
#include "grow/criteria/impurities.hpp"
#include "grow/grow_by.hpp"
#include "grow/histogram/moment_rows.hpp"

namespace nonet {
namespace {

// Cells of 32 bits suffice where weights are integers, fit, and determine the number of rows.
bool small_cells_do(const GrowTask& task) {
    if (!task.targets.has_weights()) return true;
    if (task.params.min_rows_leaf > 1) return false;
    double total = 0;
    for (const std::uint32_t row : task.rows) {
        const double weight = task.targets.weight(row) * task.targets.count(row);
        if (weight != std::floor(weight)) return false;
        total += weight;
    }
    return total <= std::numeric_limits<std::uint32_t>::max();
}

template <typename Impurity, typename Cell>
Tree grow_classes_in(const GrowTask& task) {
    const ClassValues<Impurity> values(task.targets);
    if (task.targets.n_classes == 2) {
        const ClassCriterion<Impurity, Cell, 2> criterion(task.targets, task.rows);
        return grow_by(task, criterion, values);
    }
    const ClassCriterion<Impurity, Cell, 0> criterion(task.targets, task.rows);
    return grow_by(task, criterion, values);
}

}  // namespace

template <typename Impurity>
Tree grow_classes(const GrowTask& task) {
    check(!task.targets.classes.empty() && task.targets.n_classes >= 1,
          "Gini and entropy need the classes of the rows.");
    if (small_cells_do(task)) return grow_classes_in<Impurity, std::uint32_t>(task);
    const bool fit =
        WideRows::keep_weights(weight_range(task.targets, task.rows), std::ssize(task.rows));
    return fit ? grow_classes_in<Impurity, std::uint64_t>(task)
               : grow_classes_in<Impurity, uint128_t>(task);
}

#define NONET_GROW(name, Impurity) template Tree grow_classes<Impurity>(const GrowTask&);
NONET_CLASS_IMPURITIES(NONET_GROW)
#undef NONET_GROW

}  // namespace nonet
