// Forests grown on bags, packed, asked and written; and the kernels of drawn cuts, alone. Sizes end
// inside blocks, words and vectors.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "data/binned_dataset.hpp"
#include "grow/grow_forest.hpp"
#include "grow/row_bins.hpp"
#include "testing.hpp"
#include "tree/forest_bytes.hpp"
#include "tree/packed_trees.hpp"

namespace nonet {
namespace {

// A table and targets for it; values are distinct and none is missing, unless asked for.
struct Table {
    Table(index_t rows, index_t columns, double missing_share) : n_rows(rows), n_columns(columns) {
        RandomStream stream(3, {static_cast<std::uint64_t>(rows)});
        for (index_t i = 0; i < n_rows * n_columns; ++i) {
            const bool is_missing = stream.uniform() < missing_share;
            const double value = stream.uniform();
            values.push_back(is_missing ? std::numeric_limits<double>::quiet_NaN() : value);
        }
        for (index_t i = 0; i < n_rows; ++i) {
            classes.push_back(static_cast<std::int32_t>(stream.below(5)));
            numbers.push_back(stream.uniform());
        }
    }

    StridedMatrix<double> matrix() const {
        return {values.data(), n_rows, n_columns, n_columns, 1};
    }

    index_t n_rows;
    index_t n_columns;
    std::vector<double> values;
    std::vector<std::int32_t> classes;
    std::vector<double> numbers;
};

ForestPlan plan_for(const Table& table, CriterionName criterion, ThresholdDraw draw, bool bags) {
    ForestPlan plan;
    plan.criterion = criterion;
    plan.targets.classes = table.classes;
    plan.targets.n_classes = 5;
    plan.targets.values = table.numbers;
    plan.params.threshold_draw = draw;
    plan.params.columns_a_split = 4;
    plan.bags.n_rows = table.n_rows;
    plan.bags.n_draws = bags ? table.n_rows : 0;
    return plan;
}

std::vector<Tree> grown(const Table& table, index_t max_bins, const ForestPlan& plan, int n_threads,
                        std::span<std::uint64_t> seen = {}) {
    const BinnedDataset dataset(table.matrix(), {}, {}, {.max_bins = max_bins}, n_threads);
    return grow_forest(dataset, plan, 0, 5, n_threads, seen);
}

std::vector<const Tree*> references(const std::vector<Tree>& trees) {
    std::vector<const Tree*> all;
    for (const Tree& tree : trees) all.push_back(&tree);
    return all;
}

template <typename Use>
void for_each_forest(const Use& use) {
    for (const index_t n_rows : {2, 9, 130, 1001})
        for (const double missing_share : {0.0, 0.1}) {
            const Table table(n_rows, 11, missing_share);
            for (const auto criterion : {CriterionName::gini, CriterionName::squared_error})
                for (const auto draw : {ThresholdDraw::all, ThresholdDraw::uniform})
                    for (const bool bags : {false, true})
                        use(table, plan_for(table, criterion, draw, bags));
        }
}

std::vector<double> sums(const std::vector<Tree>& trees, const Table& table) {
    std::vector<double> out(static_cast<std::size_t>(table.n_rows * trees[0].n_outputs()));
    add_predictions<double>(references(trees), table.matrix(), 1, out.data());
    return out;
}

std::vector<double> packed_sums(const std::vector<Tree>& trees, const Table& table, int n_threads) {
    const auto packed = PackedTrees::pack(references(trees), n_threads);
    EXPECT(packed.has_value());
    std::vector<double> out(static_cast<std::size_t>(table.n_rows * trees[0].n_outputs()));
    packed->add_predictions(table.matrix(), n_threads, out.data());
    return out;
}

}  // namespace

NONET_TEST(forests_are_the_same_on_any_number_of_threads) {
    for_each_forest([](const Table& table, const ForestPlan& plan) {
        for (const index_t max_bins : {255, 500}) {
            const std::vector<Tree> one = grown(table, max_bins, plan, 1);
            const std::vector<Tree> more = grown(table, max_bins, plan, 3);
            EXPECT(forest_to_bytes(references(one)) == forest_to_bytes(references(more)));
        }
    });
}

// Large nodes are searched column by column on several threads, and by row on one.
NONET_TEST(drawn_cuts_by_row_and_by_column_are_the_same) {
    const Table table(20'011, 9, 0);
    for (const auto criterion : {CriterionName::gini, CriterionName::squared_error}) {
        ForestPlan plan = plan_for(table, criterion, ThresholdDraw::uniform, false);
        plan.params.max_depth = 4;
        const BinnedDataset dataset(table.matrix(), {}, {}, {}, 2);
        const Tree one = grow_tree(dataset, criterion, plan.targets, plan.params, 1);
        const Tree more = grow_tree(dataset, criterion, plan.targets, plan.params, 3);
        const Tree* one_ref[] = {&one};
        const Tree* more_ref[] = {&more};
        EXPECT(one.n_nodes() > 20);
        EXPECT(forest_to_bytes(one_ref) == forest_to_bytes(more_ref));
    }
}

NONET_TEST(packed_trees_say_what_plain_trees_say) {
    for_each_forest([](const Table& table, const ForestPlan& plan) {
        const std::vector<Tree> trees = grown(table, 255, plan, 2);
        const std::vector<double> plain = sums(trees, table);
        for (const int n_threads : {1, 3}) EXPECT(packed_sums(trees, table, n_threads) == plain);
    });
}

// So many thresholds that ranks take four bytes.
NONET_TEST(packed_trees_of_many_thresholds_say_what_plain_trees_say) {
    const Table table(70'001, 1, 0.01);
    Targets targets;
    targets.values = table.numbers;
    const BinnedDataset dataset(table.matrix(), {}, {}, {.max_bins = 65'535}, 2);
    GrowParams params;
    params.threshold_draw = ThresholdDraw::uniform;
    std::vector<Tree> trees;
    for (params.tree = 0; params.tree < 2; ++params.tree)
        trees.push_back(grow_tree(dataset, CriterionName::squared_error, targets, params, 2));
    EXPECT(packed_sums(trees, table, 3) == sums(trees, table));
}

NONET_TEST(unseen_rows_are_those_out_of_the_bag) {
    const Table table(1001, 7, 0.1);
    const ForestPlan plan = plan_for(table, CriterionName::gini, ThresholdDraw::all, true);
    const index_t n_words = SeenRows::words_a_tree(table.n_rows);
    std::vector<std::uint64_t> seen(static_cast<std::size_t>(5 * n_words));
    const std::vector<Tree> trees = grown(table, 255, plan, 3, seen);
    const auto packed = PackedTrees::pack(references(trees), 2);
    const PackedTrees::RankedRows rows = packed->rank(table.matrix(), 2);
    std::vector<double> out(static_cast<std::size_t>(table.n_rows * 5));
    std::vector<std::int32_t> coverage(static_cast<std::size_t>(table.n_rows));
    packed->add_unseen(rows, {seen.data(), table.n_rows}, 0, 2, 3, out.data(), coverage.data());
    packed->add_unseen(rows, {seen.data() + 2 * n_words, table.n_rows}, 2, 5, 3, out.data(),
                       coverage.data());
    for (index_t row = 0; row < table.n_rows; ++row) {
        std::int32_t n_unseen = 0;
        double shares = 0;
        for (index_t t = 0; t < 5; ++t)
            n_unseen +=
                (seen[static_cast<std::size_t>(t * n_words + row / 64)] >> (row % 64) & 1U) == 0;
        for (index_t k = 0; k < 5; ++k) shares += out[static_cast<std::size_t>(row * 5 + k)];
        EXPECT(coverage[static_cast<std::size_t>(row)] == n_unseen);
        EXPECT(std::abs(shares - n_unseen) < 1e-9);
    }
}

NONET_TEST(forests_survive_bytes_and_no_part_of_them_does) {
    for_each_forest([](const Table& table, const ForestPlan& plan) {
        const std::vector<Tree> trees = grown(table, 255, plan, 2);
        const std::string bytes = forest_to_bytes(references(trees));
        const std::vector<Tree> again = forest_from_bytes(bytes);
        EXPECT(forest_to_bytes(references(again)) == bytes);
        EXPECT(sums(again, table) == sums(trees, table));
        const std::size_t step = bytes.size() / 50 + 1;
        for (std::size_t n = 0; n < bytes.size(); n += step)
            EXPECT_THROWS(std::invalid_argument, forest_from_bytes({bytes.data(), n}));
    });
}

NONET_TEST(broken_forest_bytes_are_refused_or_make_a_tree) {
    const Table table(60, 5, 0.1);
    const ForestPlan plan = plan_for(table, CriterionName::gini, ThresholdDraw::all, true);
    const std::vector<Tree> trees = grown(table, 255, plan, 1);
    const std::string bytes = forest_to_bytes(references(trees));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::string broken = bytes;
        broken[i] = static_cast<char>(broken[i] ^ 0x55);
        try {
            const std::vector<Tree> read = forest_from_bytes(broken);
            EXPECT(sums(read, table).size() >= static_cast<std::size_t>(table.n_rows));
        } catch (const std::invalid_argument&) {
        }
    }
}

NONET_TEST(row_bins_against_naive) {
    RandomStream random(5, {1});
    for (const index_t stride : {8, 32, 40, 104})
        for (const std::size_t n :
             {std::size_t{2}, std::size_t{33}, std::size_t{255}, std::size_t{700}})
            for (const std::uint32_t n_labels : {1U, 2U, 3U, 64U}) {
                std::vector<std::uint8_t> bins(2 * n * static_cast<std::size_t>(stride));
                for (std::uint8_t& bin : bins) bin = static_cast<std::uint8_t>(random.below(256));
                std::vector<std::uint32_t> rows;
                std::vector<std::uint32_t> labels;
                for (std::size_t i = 0; i < n; ++i) {
                    rows.push_back(static_cast<std::uint32_t>(random.below(2 * n)));
                    labels.insert(labels.end(),
                                  {static_cast<std::uint32_t>(random.below(n_labels)), 7});
                }
                const RowBins all{bins.data(), stride};
                const auto size = static_cast<std::size_t>(stride);
                std::vector<std::uint8_t> least(size), largest(size), last_left(size);
                find_bin_ranges(all, rows, least.data(), largest.data());
                for (std::uint8_t& bin : last_left)
                    bin = static_cast<std::uint8_t>(random.below(256));
                std::vector<std::uint32_t> counts(n_labels * size);
                count_labels_left(all, rows, {labels.data(), 2}, n_labels, last_left.data(),
                                  counts.data());
                for (std::size_t c = 0; c < size; ++c) {
                    std::vector<std::uint32_t> naive(n_labels);
                    std::uint32_t low = 255, high = 0, below = 0, above = 255;
                    for (std::size_t i = 0; i < n; ++i) {
                        const std::uint32_t bin = all.of_row(rows[i])[c];
                        low = std::min(low, bin);
                        high = std::max(high, bin);
                        const bool is_left = bin <= last_left[c];
                        naive[labels[2 * i]] += is_left;
                        if (is_left)
                            below = std::max(below, bin);
                        else
                            above = std::min(above, bin);
                    }
                    EXPECT(least[c] == low && largest[c] == high);
                    for (std::size_t k = 0; k < n_labels; ++k)
                        EXPECT(counts[k * size + c] == naive[k]);
                    const auto found =
                        find_cut_neighbours(all, rows, static_cast<index_t>(c), last_left[c]);
                    EXPECT(found.below == below && found.above == above);
                }
            }
}

}  // namespace nonet
