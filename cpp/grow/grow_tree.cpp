#include "grow/grow_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "base/check.hpp"
#include "grow/absolute_errors.hpp"
#include "grow/finish_tree.hpp"
#include "grow/grower.hpp"
#include "grow/median_values.hpp"
#include "grow/node_values.hpp"
#include "grow/outputs_criterion.hpp"
#include "grow/ranked_bins.hpp"
#include "grow/vector_newton.hpp"

namespace nonet {
namespace {

struct Task {
    const BinnedDataset& dataset;
    const Targets& targets;
    const GrowParams& params;
    Shelf& shelf;
    std::span<std::uint32_t> rows;  // in the bag; growing puts them into another order
    int n_threads;
    std::span<std::int32_t> leaves;

    Task with(const Targets& others) const {
        return {dataset, others, params, shelf, rows, n_threads, leaves};
    }
};

template <typename Criterion>
double weight_of(const Criterion& criterion,
                 const RowPartition<typename Criterion::Row>& partition) {
    typename Criterion::Sums all(criterion);
    all.add_rows(partition.added(partition.all()));
    return criterion.weight(all);
}

template <typename Bin, typename Criterion>
constexpr bool can_count = sizeof(Bin) == 1 && requires { requires Criterion::has_whole_weights; };

template <typename Bin, typename Criterion, typename Values>
Tree grow_on(const Task& task, const Criterion& criterion, const Values& values) {
    RowPartition<typename Criterion::Row> partition(task.shelf, task.rows);
    criterion.write_rows(partition.added(partition.all()).data(), task.n_threads);
    const bool asks_weight = task.params.min_impurity_decrease > 0;
    const double total_weight = asks_weight ? weight_of(criterion, partition) : 1.0;
    const BranchColumns<Bin> columns(task.dataset);
    Grower<Criterion, Bin> grower(task.shelf, columns, task.params, criterion, partition,
                                  total_weight);
    if constexpr (can_count<Bin, Criterion>)
        if (values.n_outputs() > 1 && task.leaves.empty() && grower.is_one_branch(task.n_threads))
            return grower.grow_counted(values);
    const GrownNodes nodes = grower.grow({}, task.n_threads);
    return finish_tree(task.shelf, nodes, values, partition, task.dataset, task.n_threads,
                       task.leaves);
}

template <typename Criterion, typename Values>
Tree grow_by(const Task& task, const Criterion& criterion, const Values& values) {
    return task.dataset.matrix().bytes_a_bin() == 1
               ? grow_on<std::uint8_t>(task, criterion, values)
               : grow_on<std::uint16_t>(task, criterion, values);
}

// Packed rows are for trees that spend their time on histograms of many rows. Small data keep all
// the bits there are.
bool may_pack(const Task& task) {
    constexpr std::size_t fewest_rows = 1 << 15;
    const auto n_columns = task.dataset.n_columns();
    return task.rows.size() >= fewest_rows && task.dataset.matrix().bytes_a_bin() == 1 &&
           !task.params.draws_cuts() && ColumnSampler(task.params, n_columns).takes_most();
}

template <typename Loss, typename Values>
Tree grow_moments(const Task& task, const Values& values) {
    const Moments<Loss> moments(task.targets, task.rows, task.n_threads);
    const auto grow = [&]<typename Rows>(Rows) {
        const MomentCriterion<Loss, Rows> criterion(task.params, moments);
        if constexpr (std::is_same_v<Rows, WideRows>) return grow_by(task, criterion, values);
        return grow_on<std::uint8_t>(task, criterion, values);
    };
    if constexpr (Loss::is_quadratic) {
        const bool packs = may_pack(task);
        if (packs && PackedRows<0>::is_fine(moments.sizes())) return grow(PackedRows<0>{});
        if constexpr (Loss::has_hessians)
            if (packs && PackedRows<13>::is_fine(moments.sizes())) return grow(PackedRows<13>{});
    }
    return grow(WideRows{});
}

// Cells of 32 bits do where weights are whole, fit, and say enough about the number of rows.
bool small_cells_do(const Task& task) {
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
Tree grow_classes_in(const Task& task) {
    const ClassValues<Impurity> values(task.targets);
    if (task.targets.n_classes == 2) {
        const ClassCriterion<Impurity, Cell, 2> criterion(task.targets, task.rows);
        return grow_by(task, criterion, values);
    }
    const ClassCriterion<Impurity, Cell, 0> criterion(task.targets, task.rows);
    return grow_by(task, criterion, values);
}

template <typename Impurity>
Tree grow_classes(const Task& task) {
    check(!task.targets.classes.empty() && task.targets.n_classes >= 1,
          "Gini and entropy need the classes of the rows.");
    return small_cells_do(task) ? grow_classes_in<Impurity, std::uint32_t>(task)
                                : grow_classes_in<Impurity, std::uint64_t>(task);
}

// Sums over rows that are there once or not at all need not look up how often: the bag knows.
Targets without_single_counts(Targets targets) {
    if (!targets.counts.empty() && std::ranges::max(targets.counts) <= 1) targets.counts = {};
    return targets;
}

Tree grow_numbers(const Task& given) {
    check(!given.targets.values.empty() && given.targets.n_outputs >= 1,
          "Squared error needs the targets of the rows.");
    const Targets targets = without_single_counts(given.targets);
    const Task task = given.with(targets);
    const MeanValues values(task.targets);
    if (task.targets.n_outputs == 1) return grow_moments<SquaredError>(task, values);
    const OutputsCriterion<SquaredErrors> criterion(task.targets, task.rows);
    return grow_by(task, criterion, values);
}

Tree grow_medians(const Task& task) {
    check(!task.targets.values.empty() && task.targets.n_outputs >= 1,
          "Absolute error needs the targets of the rows.");
    const MedianValues values(task.targets);
    const AbsoluteErrors criterion(task.targets, task.rows);
    return grow_by(task, criterion, values);
}

void check_not_negative(const Task& task) {
    check(!task.targets.values.empty() && task.targets.n_outputs >= 1,
          "Deviances need the targets of the rows.");
    double total = 0;
    for (const std::uint32_t row : task.rows)
        for (index_t k = 0; k < task.targets.n_outputs; ++k) {
            const double target = task.targets.value(row, static_cast<std::size_t>(k));
            check(target >= 0, [row] {
                return "Targets of a deviance must not be negative, which fails in row " +
                       std::to_string(row) + ".";
            });
            total += target;
        }
    check(total > 0, "A deviance needs a target above 0.");
}

Tree grow_poisson(const Task& task) {
    check_not_negative(task);
    const PoissonValues values(task.targets);
    if (task.targets.n_outputs == 1) return grow_moments<Poisson>(task, values);
    const OutputsCriterion<Deviances<true>> criterion(task.targets, task.rows);
    return grow_by(task, criterion, values);
}

Tree grow_indicators(const Task& task) {
    check_not_negative(task);
    const PoissonValues values(task.targets);
    const OutputsCriterion<Deviances<false>> criterion(task.targets, task.rows);
    return grow_by(task, criterion, values);
}

Tree grow_newton(const Task& given) {
    check(!given.targets.values.empty() && given.targets.n_outputs >= 1 &&
              !given.targets.hessians.empty(),
          "Newton's step needs a gradient and a hessian for every row and output.");
    const Targets targets = without_single_counts(given.targets);
    const Task task = given.with(targets);
    if (task.targets.n_outputs > 1) {
        const VectorNewton criterion(task.params, task.targets, task.rows);
        return grow_by(task, criterion, VectorNewtonValues(task.targets, task.params));
    }
    return grow_moments<Newton>(task, NewtonValues(task.targets, task.params));
}

void check_monotone(const GrowParams& params, const BinnedDataset& dataset,
                    const Targets& targets) {
    if (params.monotone.empty()) return;
    check(std::ssize(params.monotone) == dataset.n_columns(),
          "Monotone constraints must be given for all columns or for none.");
    check((targets.classes.empty() || targets.n_classes == 2) && targets.n_outputs <= 1,
          "Monotone constraints need one output: numbers or two classes.");
    for (index_t j = 0; j < dataset.n_columns(); ++j) {
        const int sign = params.monotone[static_cast<std::size_t>(j)];
        check(sign >= -1 && sign <= 1, "A monotone constraint is -1, 0 or 1.");
        check(sign == 0 || !dataset.bins(j).is_category,
              "A column of categories has no order to be monotone in.");
    }
}

void check_params(const GrowParams& params, index_t n_columns) {
    check(params.max_depth >= 0, "max_depth must not be negative.");
    check(params.max_leaf_nodes >= 1, "max_leaf_nodes must be at least 1.");
    check(params.min_rows_leaf >= 1, "A leaf needs at least one row.");
    check(params.columns_a_level >= 1 && params.columns_a_split >= 1,
          "A split needs at least one column to choose from.");
    check(params.max_step > 0, "The longest step must be above 0.");
    check(params.l1 >= 0 && params.l2 >= 0, "Penalties of leaf values must not be negative.");
    check(params.category_smoothing >= 0, "Smoothing of categories must not be negative.");
    for (const index_t column : params.columns)
        check(column >= 0 && column < n_columns, "A tree may only use columns of its dataset.");
    for (const std::vector<index_t>& group : params.interactions)
        for (const index_t column : group)
            check(column >= 0 && column < n_columns,
                  "Groups of interacting columns must name columns of the dataset.");
    check(std::ranges::is_sorted(params.columns, std::ranges::less_equal{}),
          "Columns of a tree must be given in order, each once.");
}

}  // namespace

Tree TreeGrower::grow(CriterionName criterion, const Targets& targets, const GrowParams& params,
                      int n_threads, std::span<std::int32_t> leaves) {
    const index_t n_rows = dataset_.n_rows();
    check_params(params, dataset_.n_columns());
    check_monotone(params, dataset_, targets);
    check(leaves.empty() || std::ssize(leaves) == n_rows,
          "Leaves must have one place for each row of the dataset.");
    const ShelfBuffer<std::uint32_t> rows(shelf_, n_rows);
    const index_t n_in_bag = write_rows_in_bag(targets, n_rows, n_threads, rows.data());
    const Task task{
        dataset_,  targets, params, shelf_, rows.all().first(static_cast<std::size_t>(n_in_bag)),
        n_threads, leaves};
    switch (criterion) {
        case CriterionName::gini:
            return grow_classes<Gini>(task);
        case CriterionName::entropy:
            return grow_classes<Entropy>(task);
        case CriterionName::squared_error:
            return grow_numbers(task);
        case CriterionName::absolute_error:
            return grow_medians(task);
        case CriterionName::poisson:
            return grow_poisson(task);
        case CriterionName::indicator_entropy:
            return grow_indicators(task);
        case CriterionName::newton:
            return grow_newton(task);
    }
    throw std::invalid_argument("There is no such criterion.");
}

}  // namespace nonet
