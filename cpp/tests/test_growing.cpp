// Trees of every criterion: growth, prediction, pruning, explanations and bytes, over sizes that
// end inside blocks and words: what the sanitizers should see is every edge of every buffer and
// every meeting of threads. Exactness is tested from Python.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "data/binned_dataset.hpp"
#include "grow/grow_tree.hpp"
#include "testing.hpp"
#include "tree/bytes/bytes.hpp"
#include "tree/explain/importance.hpp"
#include "tree/explain/shap.hpp"
#include "tree/predict/bin_leaves.hpp"
#include "tree/predict/predict.hpp"
#include "tree/prune.hpp"

namespace nonet {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// A table with a few missing values, owned exactly, and targets of every kind for its rows.
struct Example {
    Example(index_t rows, index_t columns) : n_rows(rows), n_columns(columns) {
        RandomStream stream(7, {static_cast<std::uint64_t>(n_rows)});
        for (index_t i = 0; i < n_rows * n_columns; ++i) {
            const double draw = stream.uniform();
            values.push_back(draw < 0.02 ? missing : std::floor(100 * draw) / 10);
        }
        for (index_t i = 0; i < n_rows; ++i) {
            classes.push_back(static_cast<std::int32_t>(3 * stream.uniform()));
            numbers.push_back(stream.uniform() + 0.01);
            hessians.push_back(0.1 + stream.uniform());
            counts.push_back(static_cast<std::uint32_t>(3 * stream.uniform()));
        }
        counts.front() = 1;
    }

    StridedMatrix<double> table() const { return {values.data(), n_rows, n_columns, n_columns, 1}; }
    Targets targets() const {
        Targets targets;
        targets.classes = classes;
        targets.n_classes = 3;
        targets.values = numbers;
        targets.hessians = hessians;
        targets.counts = counts;
        return targets;
    }

    index_t n_rows;
    index_t n_columns;
    std::vector<double> values;
    std::vector<std::int32_t> classes;
    std::vector<double> numbers;
    std::vector<double> hessians;
    std::vector<std::uint32_t> counts;
};

constexpr CriterionName criteria[] = {
    "gini", "entropy", "squared_error", "absolute_error", "poisson", "indicator_entropy", "newton"};

std::vector<double> predictions(const Tree& tree, const StridedMatrix<double>& table,
                                int n_threads) {
    std::vector<double> out(static_cast<std::size_t>(table.n_rows * tree.n_outputs()));
    const Tree* trees[] = {&tree};
    add_predictions<double>(trees, table, n_threads, out.data());
    return out;
}

template <typename Use>
void for_each_tree(const Use& use) {
    for (const index_t n_rows : {1, 2, 9, 130, 3001})
        for (const index_t max_bins : {255, 1000}) {
            const Example example(n_rows, 11);
            const BinnedDataset dataset(example.table(), {}, {}, {.max_bins = max_bins}, 3);
            for (const CriterionName criterion : criteria) use(example, dataset, criterion);
        }
}

}  // namespace

NONET_TEST(trees_are_the_same_on_any_number_of_threads) {
    for_each_tree([](const Example& example, const BinnedDataset& dataset,
                     CriterionName criterion) {
        for (const index_t max_leaf_nodes : {index_t{31}, GrowParams::unlimited}) {
            GrowParams params;
            params.max_leaf_nodes = max_leaf_nodes;
            params.columns_per_split = 4;
            const Tree one = grow_tree(dataset, criterion, example.targets(), params, 1);
            const Tree more = grow_tree(dataset, criterion, example.targets(), params, 3);
            EXPECT(to_bytes(one) == to_bytes(more));
            EXPECT(predictions(one, example.table(), 1) == predictions(more, example.table(), 3));
        }
    });
}

NONET_TEST(trees_of_packed_rows_are_the_same_on_any_number_of_threads) {
    const Example example(33'001, 9);
    const BinnedDataset dataset(example.table(), {}, {}, {}, 3);
    const std::vector<double> one_hessian(example.hessians.size(), 0.5);
    for (const bool varied : {true, false})
        for (const index_t max_leaf_nodes : {index_t{31}, GrowParams::unlimited}) {
            Targets targets;
            targets.values = example.numbers;
            targets.hessians = varied ? example.hessians : one_hessian;
            GrowParams params;
            params.max_leaf_nodes = max_leaf_nodes;
            params.min_rows_leaf = 50;
            const auto grown = [&](int n_threads) {
                std::vector<std::int32_t> leaves(example.numbers.size());
                TreeGrower grower(dataset);
                grower.grow("newton", targets, params, n_threads, leaves);
                const Tree again = grower.grow("newton", targets, params, n_threads, leaves);
                return std::pair(to_bytes(again), leaves);
            };
            const auto one = grown(1);
            for (const int n_threads : {2, 3, 8}) EXPECT(grown(n_threads) == one);
        }
}

NONET_TEST(trees_of_weights_far_apart_are_the_same_on_any_number_of_threads) {
    const Example example(3001, 7);
    const BinnedDataset dataset(example.table(), {}, {}, {}, 3);
    std::vector<double> weights;
    for (index_t i = 0; i < example.n_rows; ++i)
        weights.push_back(std::pow(10.0, static_cast<double>(i % 25) - 12));
    for (const CriterionName criterion : criteria) {
        Targets targets = example.targets();
        targets.weights = weights;
        const Tree one = grow_tree(dataset, criterion, targets, {}, 1);
        EXPECT(to_bytes(one) == to_bytes(grow_tree(dataset, criterion, targets, {}, 3)));
        EXPECT(one.n_leaves() > 100);
        for (const double prediction : predictions(one, example.table(), 1))
            EXPECT(std::isfinite(prediction));
    }
}

NONET_TEST(trees_on_some_columns_are_the_same_on_any_number_of_threads) {
    for (const index_t n_rows : {130, 3001, 70'001}) {
        const Example example(n_rows, 19);
        const BinnedDataset dataset(example.table(), {}, {}, {}, 3);
        GrowParams params;
        params.max_leaf_nodes = 15;
        params.threshold_policy = ThresholdPolicy::edge;
        params.columns = {0, 2, 3, 7, 8, 9, 11, 15, 18};
        for (const CriterionName criterion : {"newton", "gini"}) {
            TreeGrower grower(dataset);
            const Tree one = grower.grow(criterion, example.targets(), params, 1);
            const Tree more = grower.grow(criterion, example.targets(), params, 3);
            EXPECT(to_bytes(one) == to_bytes(more));
        }
    }
}

NONET_TEST(leaves_from_bins_are_those_from_numbers) {
    for (const index_t n_rows : {1, 511, 513, 33'001})
        for (const index_t max_bins : {255, 1000})
            for (const index_t max_leaf_nodes : {1, 9, 300}) {
                const Example example(n_rows, 11);
                const BinnedDataset dataset(example.table(), {}, {}, {.max_bins = max_bins}, 3);
                GrowParams params;
                params.max_leaf_nodes = max_leaf_nodes;
                params.threshold_policy = ThresholdPolicy::edge;
                const Tree tree = grow_tree(dataset, "newton", example.targets(), params, 2);
                std::vector<std::int32_t> leaves(static_cast<std::size_t>(n_rows), -1);
                std::vector<std::int32_t> expected(leaves.size());
                EXPECT(find_bin_leaves(tree, dataset, 3, leaves));
                const Tree* trees[] = {&tree};
                find_leaves<double>(trees, example.table(), 1, expected.data());
                const std::vector<std::int32_t> numbers = tree.preorder();
                for (std::int32_t& leaf : expected) leaf = numbers[static_cast<std::size_t>(leaf)];
                EXPECT(leaves == expected);
            }
}

NONET_TEST(threads_share_a_grower) {
    const Example example(3001, 5);
    const BinnedDataset dataset(example.table(), {}, {}, {}, 2);
    TreeGrower grower(dataset);
    std::vector<std::string> trees(24);
    parallel_for(std::ssize(trees), 3, [&](index_t i) {
        const CriterionName criterion = criteria[static_cast<std::size_t>(i) % std::size(criteria)];
        trees[static_cast<std::size_t>(i)] =
            to_bytes(grower.grow(criterion, example.targets(), {}, 1));
    });
    for (std::size_t i = std::size(criteria); i < trees.size(); ++i)
        EXPECT(trees[i] == trees[i - std::size(criteria)]);
}

NONET_TEST(trees_survive_bytes_and_pruning_and_explain_themselves) {
    for_each_tree(
        [](const Example& example, const BinnedDataset& dataset, CriterionName criterion) {
            GrowParams params;
            params.max_depth = 5;
            const Tree tree = grow_tree(dataset, criterion, example.targets(), params, 2);
            const std::string bytes = to_bytes(tree);
            EXPECT(to_bytes(tree_from_bytes(bytes)) == bytes);
            EXPECT_THROWS(std::invalid_argument, tree_from_bytes({bytes.data(), bytes.size() - 1}));
            if (criterion != "newton") {
                EXPECT(prune(tree, 1e9).n_nodes() == 1);
                EXPECT(!pruning_path(tree).alphas.empty());
            }
            std::vector<double> importances(11);
            add_gain_importances(tree, importances);

            const auto n_values = static_cast<std::size_t>(example.n_rows * 11 * tree.n_outputs());
            std::vector<double> shap(n_values);
            const Tree* one[] = {&tree};
            add_shap_values<double>(one, example.table(), Cover::weight, 3, shap.data());
            const std::vector<double> mean = mean_leaf_values(tree, Cover::weight);
            double sum = mean[0];
            for (std::size_t j = 0; j < 11; ++j)
                sum += shap[j * static_cast<std::size_t>(tree.n_outputs())];
            EXPECT(std::abs(sum - predictions(tree, example.table(), 1)[0]) < 1e-9);
        });
}

NONET_TEST(trees_on_categories_and_drawn_thresholds_stay_inside_their_buffers) {
    Example example(500, 3);
    for (std::size_t i = 0; i < example.values.size(); ++i)
        if (i % 3 == 0) example.values[i] = static_cast<double>(i % 130);
    const std::vector<index_t> categories = {0};
    const BinnedDataset dataset(example.table(), {}, categories, {}, 2);
    for (const ThresholdDraw draw : {ThresholdDraw::all, ThresholdDraw::uniform})
        for (const CriterionName criterion : criteria) {
            GrowParams params;
            params.threshold_draw = draw;
            params.category_smoothing = 1;
            params.min_category_support = 4;
            if (criterion != "newton") params.code_order_columns = {0};
            params.category_l2 = 1;
            params.min_rows_group = 2;
            params.max_categories_left = 5;
            const Tree tree = grow_tree(dataset, criterion, example.targets(), params, 3);
            EXPECT(predictions(tree, example.table(), 3).size() ==
                   static_cast<std::size_t>(500 * tree.n_outputs()));
        }
}

// Issue 17, item 9 (d): the median of rows whose weights were lost beside others was looked for
// behind the last rank.
NONET_TEST(medians_of_light_rows_stay_inside_their_ranks) {
    Example example(500, 3);
    std::vector<double> weights;
    for (std::size_t i = 0; i < 500; ++i) {
        example.values[3 * i] = static_cast<double>(i);
        example.values[3 * i + 1] = static_cast<double>(i % 7);
        weights.push_back(i < 250 ? 1e-300 : 1e6);
    }
    for (const bool has_categories : {false, true}) {
        const std::vector<index_t> categories = {1};
        const BinnedDataset dataset(example.table(), {},
                                    has_categories ? categories : std::vector<index_t>{}, {}, 2);
        Targets targets;
        targets.values = example.numbers;
        targets.weights = weights;
        GrowParams params;
        if (!has_categories) params.monotone = {1, 0, 0};
        const Tree tree = grow_tree(dataset, "absolute_error", targets, params, 2);
        EXPECT(tree.n_leaves() > 1);
    }
}

NONET_TEST(trees_of_several_outputs_are_the_same_on_any_number_of_threads) {
    for (const index_t n_rows : {1, 9, 130, 3001}) {
        const Example example(n_rows, 11);
        std::vector<double> pairs;  // of targets
        for (const double number : example.numbers)
            pairs.insert(pairs.end(), {number, std::floor(3 * number)});
        Targets targets = example.targets();
        targets.values = pairs;
        targets.hessians = {};  // one per row would be too few for two outputs
        targets.n_outputs = 2;
        const BinnedDataset dataset(example.table(), {}, {}, {}, 3);
        for (const CriterionName criterion :
             {"squared_error", "absolute_error", "poisson", "indicator_entropy"}) {
            const Tree one = grow_tree(dataset, criterion, targets, {}, 1);
            EXPECT(to_bytes(one) == to_bytes(grow_tree(dataset, criterion, targets, {}, 3)));
            EXPECT(one.n_outputs() == 2);
        }
    }
}

NONET_TEST(sparse_columns_have_the_bins_of_dense_ones) {
    Example example(513, 7);
    std::vector<std::int64_t> starts = {0};
    std::vector<std::int32_t> rows;
    std::vector<double> values;
    for (index_t j = 0; j < example.n_columns; ++j) {
        for (index_t i = 0; i < example.n_rows; ++i) {
            double& value = example.values[static_cast<std::size_t>(i * example.n_columns + j)];
            if ((i + j) % 5 != 0) value = 0;
            if (value == 0) continue;
            rows.push_back(static_cast<std::int32_t>(i));
            values.push_back(value);
        }
        starts.push_back(std::ssize(rows));
    }
    const SparseColumns<double> columns{starts, rows, values, example.n_rows};
    const BinnedDataset sparse(columns, {}, {}, {}, 3);
    const BinnedDataset dense(example.table(), {}, {}, {}, 1);
    for (index_t j = 0; j < example.n_columns; ++j) {
        std::vector<std::uint8_t> ours(static_cast<std::size_t>(example.n_rows));
        sparse.matrix().copy_column(j, ours.data());
        EXPECT(std::ranges::equal(ours,
                                  std::span(dense.matrix().column<std::uint8_t>(j), ours.size())));
    }
    rows.back() = 513;
    EXPECT_THROWS(std::invalid_argument, BinnedDataset(columns, {}, {}, {}, 1));
}

}  // namespace nonet
