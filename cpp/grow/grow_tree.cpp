#include "grow/grow_tree.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/check.hpp"
#include "grow/criteria/impurities.hpp"
#include "grow/grow_task.hpp"

namespace nonet {
namespace {

struct Criterion {
    std::string_view name;
    bool reads_classes;
    Tree (*grow)(const GrowTask&);
};

#define NONET_CLASSES(name, Impurity) Criterion{#name, true, grow_classes<Impurity>},
#define NONET_NUMBERS(name, Impurity) Criterion{#name, false, grow_numbers<Impurity>},
// clang-format off
constexpr std::array criteria = {
    NONET_CLASS_IMPURITIES(NONET_CLASSES)
    NONET_NUMBER_IMPURITIES(NONET_NUMBERS)
    Criterion{"absolute_error", false, grow_medians},
    Criterion{"indicator_entropy", false, grow_indicators},
    Criterion{"newton", false, grow_newton},
};
// clang-format on
#undef NONET_CLASSES
#undef NONET_NUMBERS

const Criterion& criterion_of(CriterionName name) {
    const auto found = std::ranges::find(criteria, name, &Criterion::name);
    check(found != criteria.end(),
          [name] { return "There is no criterion named '" + std::string(name) + "'."; });
    return *found;
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
    check(params.columns_per_level >= 1 && params.columns_per_split >= 1,
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
          "Leaves must have one entry for each row of the dataset.");
    const PooledBuffer<std::uint32_t> rows(buffers_, n_rows);
    const index_t n_in_bag = write_rows_in_bag(targets, n_rows, n_threads, rows.data());
    const GrowTask task{
        dataset_,  targets, params, buffers_, rows.all().first(static_cast<std::size_t>(n_in_bag)),
        n_threads, leaves};
    return criterion_of(criterion).grow(task);
}

std::vector<CriterionName> class_criteria() {
    std::vector<CriterionName> names;
    for (const Criterion& criterion : criteria)
        if (criterion.reads_classes) names.push_back(criterion.name);
    return names;
}

}  // namespace nonet
