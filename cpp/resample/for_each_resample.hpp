// Resamples as parallel work.
#pragma once

#include <algorithm>

#include "base/parallel.hpp"

namespace nonet {

// Calls work(0), ..., work(n_resamples - 1), some dozens of neighbours to a task: a resample of a
// small sample is too short to be handed over on its own.
template <typename Work>
void for_each_resample(index_t n_resamples, int n_threads, const Work& work) {
    constexpr index_t per_task = 32;
    const index_t n_tasks = (n_resamples + per_task - 1) / per_task;
    parallel_for(n_tasks, n_threads, [&](index_t task) {
        const index_t last = std::min(n_resamples, (task + 1) * per_task);
        for (index_t b = task * per_task; b < last; ++b) work(b);
    });
}

}  // namespace nonet
