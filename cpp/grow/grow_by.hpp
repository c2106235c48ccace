// Grows the tree of a task, once its criterion and the values of its nodes are known.
#pragma once

#include "grow/criteria/criterion.hpp"
#include "grow/finish_tree.hpp"
#include "grow/grow_task.hpp"
#include "grow/grower.hpp"

namespace nonet {

template <SplitCriterion Criterion>
double weight_of(const Criterion& criterion,
                 const RowPartition<typename Criterion::Row>& partition) {
    typename Criterion::Sums all(criterion);
    all.add_rows(partition.added(partition.all()));
    return criterion.weight(all);
}

template <typename Bin, SplitCriterion Criterion>
constexpr bool can_count = sizeof(Bin) == 1 && HasWholeWeights<Criterion>;

template <typename Bin, SplitCriterion Criterion, NodeValues Values>
Tree grow_on(const GrowTask& task, const Criterion& criterion, const Values& values) {
    RowPartition<typename Criterion::Row> partition(task.pool, task.rows);
    criterion.write_rows(partition.added(partition.all()).data(), task.n_threads);
    const bool needs_weight = task.params.min_impurity_decrease > 0;
    const double total_weight = needs_weight ? weight_of(criterion, partition) : 1.0;
    const BranchColumns<Bin> columns(task.dataset);
    Grower<Criterion, Bin> grower(task.pool, columns, task.params, criterion, partition,
                                  total_weight);
    if constexpr (can_count<Bin, Criterion>)
        if (values.n_outputs() > 1 && task.leaves.empty() && grower.is_one_branch(task.n_threads))
            return grower.grow_counted(values);
    // A thread that is woken looks for more work for a moment: not worth it for the leaves alone.
    const int n_threads = grower.n_threads_worth(task.n_threads);
    const GrownNodes nodes = grower.grow({}, n_threads);
    return finish_tree(task.pool, nodes, values, partition, task.dataset, n_threads, task.leaves);
}

template <SplitCriterion Criterion, NodeValues Values>
Tree grow_by(const GrowTask& task, const Criterion& criterion, const Values& values) {
    return task.dataset.matrix().bytes_per_bin() == 1
               ? grow_on<std::uint8_t>(task, criterion, values)
               : grow_on<std::uint16_t>(task, criterion, values);
}

}  // namespace nonet
