// Grows a tree of classes. Each impurity compiles this in a file of its own, so that no core builds
// all of them while others have nothing left to do.
#pragma once

#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "grow/criteria/class_criterion.hpp"
#include "grow/criteria/class_values.hpp"
#include "grow/grow_by.hpp"
#include "grow/histogram/moment_rows.hpp"

namespace nonet {

// Cells of 32 bits suffice where weights are integers, fit, and determine the number of rows.
inline bool small_cells_do(const GrowTask& task) {
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

}  // namespace nonet
