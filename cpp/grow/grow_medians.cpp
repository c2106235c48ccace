#include "base/check.hpp"
#include "grow/criteria/absolute_errors.hpp"
#include "grow/grow_by.hpp"
#include "grow/median_values.hpp"
#include "grow/search/ranked_bins.hpp"

namespace nonet {

Tree grow_medians(const GrowTask& task) {
    check(!task.targets.values.empty() && task.targets.n_outputs >= 1,
          "Absolute error needs the targets of the rows.");
    const MedianValues values(task.targets);
    const AbsoluteErrors criterion(task.targets, task.rows);
    return grow_by(task, criterion, values);
}

}  // namespace nonet
