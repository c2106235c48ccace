#include "grow/grow_forest.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "grow/sampling/column_sampler.hpp"
#include "tree/predict/packed_trees.hpp"
#include "tree/prune.hpp"

namespace nonet {
namespace {

void note_seen(std::span<const std::uint32_t> counts, std::uint64_t* words) {
    for (std::size_t row = 0; row < counts.size(); ++row)
        words[row / 64] |= static_cast<std::uint64_t>(counts[row] > 0) << (row % 64);
}

// Weights that give the classes of a bag equal sums, and the whole its number of draws: n / (number
// of classes * size of the class), as scikit-learn has it.
void balance(const ClassCodes& target, std::span<const std::uint32_t> counts,
             std::span<double> weights) {
    std::vector<double> sizes(static_cast<std::size_t>(target.n_classes));
    double total = 0;
    for (std::size_t row = 0; row < counts.size(); ++row) {
        sizes[static_cast<std::size_t>(target.codes[row])] += counts[row];
        total += counts[row];
    }
    const auto n_present = std::ranges::count_if(sizes, [](double size) { return size > 0; });
    for (std::size_t row = 0; row < counts.size(); ++row)
        if (counts[row] > 0)
            weights[row] *= total / (static_cast<double>(n_present) *
                                     sizes[static_cast<std::size_t>(target.codes[row])]);
}

Tree with_impurity_unit(const Tree& tree, double unit) {
    TreeParts parts = tree.parts();
    for (NodeStatistics& node : parts.statistics) node.impurity *= unit;
    return Tree(std::move(parts));
}

// What one tree after another needs to be grown.
class TreeTask {
public:
    TreeTask(TreeGrower& grower, const BinnedDataset& dataset, const ForestPlan& plan)
        : grower_(grower),
          dataset_(dataset),
          plan_(plan),
          params_(plan.params),
          targets_(plan.targets) {}

    Tree grow(std::uint64_t number, int n_threads, std::uint64_t* seen) {
        params_.tree = number;
        params_.tie_word = NodeWords::tree_key(params_, StreamUse::column_ties);
        if (plan_.columns_per_tree < dataset_.n_columns())
            params_.columns =
                draw_columns(dataset_.n_columns(), plan_.columns_per_tree, params_.seed, number);
        if (plan_.bags.draws()) draw_bag(number, seen);
        Tree tree = grower_.grow(plan_.criterion, targets_, params_, n_threads);
        if (plan_.impurity_unit != 1) tree = with_impurity_unit(tree, plan_.impurity_unit);
        return plan_.pruning > 0 ? prune(tree, plan_.pruning) : std::move(tree);
    }

private:
    void draw_bag(std::uint64_t number, std::uint64_t* seen) {
        counts_.resize(static_cast<std::size_t>(dataset_.n_rows()));
        draw_counts(plan_.bags, params_.seed, number, counts_);
        targets_.counts = counts_;
        if (seen != nullptr) note_seen(counts_, seen);
        if (plan_.balanced.empty()) return;
        weights_.assign(counts_.size(), 1.0);
        std::ranges::copy(plan_.targets.weights, weights_.begin());
        for (const ClassCodes& target : plan_.balanced) balance(target, counts_, weights_);
        targets_.weights = weights_;
    }

    TreeGrower& grower_;
    const BinnedDataset& dataset_;
    const ForestPlan& plan_;
    GrowParams params_;
    Targets targets_;
    std::vector<std::uint32_t> counts_;
    std::vector<double> weights_;
};

}  // namespace

std::vector<Tree> grow_forest(const BinnedDataset& dataset, const ForestPlan& plan,
                              std::uint64_t first, index_t n_trees, int n_threads,
                              std::span<std::uint64_t> seen) {
    check_bags(plan.bags);
    check(plan.bags.n_rows == dataset.n_rows(), "Bags must be drawn from the rows of the dataset.");
    check(seen.empty() || std::ssize(seen) == n_trees * SeenRows::words_per_tree(dataset.n_rows()),
          "Rows seen must have one bit for each tree and row.");
    TreeGrower grower(dataset);
    return grow_side_by_side(n_trees, n_threads, [&](index_t t, int tree_threads) {
        std::uint64_t* words =
            seen.empty() ? nullptr : seen.data() + t * SeenRows::words_per_tree(dataset.n_rows());
        Tree tree = TreeTask(grower, dataset, plan)
                        .grow(first + static_cast<std::uint64_t>(t), tree_threads, words);
        if (plan.counter != nullptr) plan.counter->n_grown.fetch_add(1, std::memory_order_relaxed);
        return tree;
    });
}

}  // namespace nonet
