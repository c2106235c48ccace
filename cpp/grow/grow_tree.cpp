#include "grow/grow_tree.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/check.hpp"
#include "grow/criteria/class_criterion.hpp"
#include "grow/grow_task.hpp"

namespace nonet {
namespace {

void check_not_negative(const GrowTask& task) {
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
    check(params.category_smoothing >= 0 && params.min_category_support >= 0 &&
              params.code_order_support.value_or(0) >= 0 && params.category_l2 >= 0 &&
              params.min_rows_group >= 0,
          "Smoothing, support, penalty and groups of categories must not be negative.");
    check(std::ranges::is_sorted(params.code_order_columns),
          "Columns whose codes are tried as an order must be given in order.");
    check(params.max_categories_left >= 1, "A side of a split needs at least one category.");
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
    const GrowTask task{
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
            check_not_negative(task);
            return grow_poisson(task);
        case CriterionName::indicator_entropy:
            check_not_negative(task);
            return grow_indicators(task);
        case CriterionName::newton:
            return grow_newton(task);
    }
    throw std::invalid_argument("There is no such criterion.");
}

}  // namespace nonet
