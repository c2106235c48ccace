// Forests grown on bags, packed, used in prediction and written; and the kernels of random
// thresholds, alone. Sizes end inside blocks, words and vectors.
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
#include "grow/histogram/class_runs.hpp"
#include "grow/histogram/row_bins.hpp"
#include "testing.hpp"
#include "tree/bytes/forest_bytes.hpp"
#include "tree/predict/packed_trees.hpp"

namespace nonet {
namespace {

// A table and targets for it; values are distinct and none is missing, unless requested.
struct Table {
    Table(index_t rows, index_t columns, double missing_fraction)
        : n_rows(rows), n_columns(columns) {
        RandomStream stream(3, {static_cast<std::uint64_t>(rows)});
        for (index_t i = 0; i < n_rows * n_columns; ++i) {
            const bool is_missing = stream.uniform() < missing_fraction;
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
    plan.params.columns_per_split = 4;
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
        for (const double missing_fraction : {0.0, 0.1}) {
            const Table table(n_rows, 11, missing_fraction);
            for (const auto criterion : {"gini", "squared_error"})
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
NONET_TEST(strata_send_their_rows_and_no_others) {
    const std::vector<std::uint32_t> rows{4, 0, 2, 3, 1};
    const std::vector<std::int64_t> ends{1, 1, 3, 5};
    const std::vector<std::int64_t> draws{2, 0, 0, 7};
    const std::vector<double> probabilities{1, 1, 2, 0, 1};  // none for row 3
    for (const bool by_chance : {false, true}) {
        BagPlan plan;
        plan.rule = "strata";
        plan.n_rows = 5;
        plan.n_draws = 9;
        plan.strata = {rows, ends, draws};
        if (by_chance) plan.probabilities = probabilities;
        check_bags(plan);
        std::vector<std::uint32_t> counts(5);
        for (std::uint64_t tree = 0; tree < 20; ++tree) {
            draw_counts(plan, 1, tree, counts);
            EXPECT(counts[4] == 2 && counts[0] == 0 && counts[2] == 0);
            EXPECT(counts[1] + counts[3] == 7 && (!by_chance || counts[3] == 0));
        }
        plan.n_draws = 8;
        EXPECT_THROWS(std::invalid_argument, check_bags(plan));
    }
}

NONET_TEST(drawn_thresholds_by_row_and_by_column_are_the_same) {
    const Table table(20'011, 9, 0);
    for (const auto criterion : {"gini", "squared_error"}) {
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

// A limit on leaves that no tree reaches makes nodes wait for each other, each searched alone.
NONET_TEST(branches_of_drawn_thresholds_are_those_grown_node_by_node) {
    const Table table(1001, 11, 0);
    const std::vector<double> weights(table.numbers.begin(), table.numbers.end());
    for (const auto criterion : {"gini", "entropy", "squared_error"})
        for (const bool is_weighted : {false, true})
            for (const index_t n_columns : {index_t{4}, index_t{11}}) {
                ForestPlan plan = plan_for(table, criterion, ThresholdDraw::uniform, false);
                plan.params.columns_per_split = n_columns;
                if (is_weighted) plan.targets.weights = weights;
                const std::vector<Tree> branches = grown(table, 255, plan, 1);
                const std::vector<Tree> by_threads = grown(table, 255, plan, 3);
                plan.params.max_leaf_nodes = 2 * table.n_rows;
                const std::vector<Tree> by_nodes = grown(table, 255, plan, 1);
                EXPECT(branches[0].n_leaves() > 100);
                const std::string bytes = forest_to_bytes(references(by_nodes));
                EXPECT(forest_to_bytes(references(branches)) == bytes);
                EXPECT(forest_to_bytes(references(by_threads)) == bytes);
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
        trees.push_back(grow_tree(dataset, "squared_error", targets, params, 2));
    EXPECT(packed_sums(trees, table, 3) == sums(trees, table));
}

NONET_TEST(unseen_rows_are_those_out_of_the_bag) {
    const Table table(1001, 7, 0.1);
    const ForestPlan plan = plan_for(table, "gini", ThresholdDraw::all, true);
    const index_t n_words = SeenRows::words_per_tree(table.n_rows);
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
        double fractions = 0;
        for (index_t t = 0; t < 5; ++t)
            n_unseen +=
                (seen[static_cast<std::size_t>(t * n_words + row / 64)] >> (row % 64) & 1U) == 0;
        for (index_t k = 0; k < 5; ++k) fractions += out[static_cast<std::size_t>(row * 5 + k)];
        EXPECT(coverage[static_cast<std::size_t>(row)] == n_unseen);
        EXPECT(std::abs(fractions - n_unseen) < 1e-9);
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
    const ForestPlan plan = plan_for(table, "gini", ThresholdDraw::all, true);
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

// Bins of rows, some of them sampled; with labels and pairs of words for those.
struct SampledBins {
    SampledBins(RandomStream& random, index_t row_stride, std::size_t n, std::uint32_t n_labels)
        : stride(row_stride),
          bins(2 * n * static_cast<std::size_t>(stride)),
          last_left(static_cast<std::size_t>(stride)) {
        for (std::uint8_t& bin : bins) bin = static_cast<std::uint8_t>(random.below(256));
        for (std::uint8_t& bin : last_left) bin = static_cast<std::uint8_t>(random.below(256));
        last_left[1] = 255;  // all go left: sums are as large as they can be
        for (std::size_t i = 0; i < n; ++i) {
            rows.push_back(static_cast<std::uint32_t>(random.below(2 * n)));
            labels.insert(labels.end(), {static_cast<std::uint32_t>(random.below(n_labels)), 7});
            moments.push_back(MomentCell{static_cast<std::int64_t>(random.bits() >> 20) - (1 << 30),
                                         static_cast<std::int64_t>(random.below(1000))});
        }
        copied.resize(n * static_cast<std::size_t>(stride));
        copy_bins({bins.data(), stride}, rows, copied.data());
    }

    // The same rows, by number or one after another.
    NodeBins node(bool in_order) const {
        if (in_order) return {{copied.data(), stride}, std::ssize(rows), nullptr};
        return {{bins.data(), stride}, std::ssize(rows), rows.data()};
    }
    std::uint32_t bin(std::size_t i, std::size_t column) const {
        return bins[rows[i] * static_cast<std::size_t>(stride) + column];
    }
    bool is_left(std::size_t i, std::size_t column) const {
        return bin(i, column) <= last_left[column];
    }

    index_t stride;
    std::vector<std::uint8_t> bins;
    std::vector<std::uint8_t> last_left;
    std::vector<std::uint32_t> rows;
    std::vector<std::uint32_t> labels;  // every second one
    std::vector<MomentCell> moments;
    std::vector<std::uint8_t> copied;
};

template <typename Use>
void for_each_sample(const Use& use) {
    RandomStream random(5, {1});
    for (const index_t stride : {8, 16, 32, 40, 120})
        for (const std::size_t n : {2U, 15U, 16U, 33U, 255U, 700U})
            for (const std::uint32_t n_labels : {1U, 2U, 3U, 64U}) {
                const SampledBins sample(random, stride, n, n_labels);
                for (const bool in_order : {false, true})
                    use(sample, sample.node(in_order), n, n_labels);
            }
}

NONET_TEST(ranges_and_neighbours_of_row_bins_against_naive) {
    for_each_sample(
        [](const SampledBins& sample, const NodeBins& node, std::size_t n, std::uint32_t) {
            const std::size_t size = sample.last_left.size();
            std::vector<std::uint8_t> minimum(size), maximum(size);
            find_bin_ranges(node, minimum.data(), maximum.data());
            for (std::size_t c = 0; c < size; ++c) {
                std::uint32_t low = 255, high = 0, below = 0, above = 255;
                index_t n_left = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    const std::uint32_t bin = sample.bin(i, c);
                    low = std::min(low, bin);
                    high = std::max(high, bin);
                    n_left += sample.is_left(i, c);
                    if (sample.is_left(i, c))
                        below = std::max(below, bin);
                    else
                        above = std::min(above, bin);
                }
                EXPECT(minimum[c] == low && maximum[c] == high);
                const auto found =
                    find_threshold_neighbours(node, static_cast<index_t>(c), sample.last_left[c]);
                EXPECT(found.below == below && found.above == above && found.n_left == n_left);
            }
        });
}

NONET_TEST(labels_left_of_thresholds_against_naive) {
    for_each_sample(
        [](const SampledBins& sample, const NodeBins& node, std::size_t n, std::uint32_t n_labels) {
            const std::size_t size = sample.last_left.size();
            const Labels labels{sample.labels.data(), 2};
            std::vector<std::uint32_t> counts(n_labels * size);
            count_labels_left(node, labels, n_labels, sample.last_left.data(), counts.data());
            std::vector<std::uint16_t> totals(n_labels);
            for (std::size_t i = 0; i < n; ++i) ++totals[sample.labels[2 * i]];
            std::vector<std::uint8_t> n_left(size);
            std::vector<std::uint16_t> squares(size), products(size);
            const bool squared = static_cast<index_t>(n) <= max_rows_squared;
            if (squared)
                sum_squares_left(node, labels, totals, sample.last_left.data(),
                                 {n_left.data(), squares.data(), products.data()});
            for (std::size_t c = 0; c < size; ++c) {
                std::vector<std::uint32_t> naive(n_labels);
                for (std::size_t i = 0; i < n; ++i)
                    naive[sample.labels[2 * i]] += sample.is_left(i, c);
                std::uint32_t all = 0, square = 0, product = 0;
                for (std::size_t k = 0; k < n_labels; ++k) {
                    EXPECT(counts[k * size + c] == naive[k]);
                    all += naive[k];
                    square += naive[k] * naive[k];
                    product += naive[k] * totals[k];
                }
                EXPECT(!squared ||
                       (n_left[c] == all && squares[c] == square && products[c] == product));
            }
        });
}

NONET_TEST(runs_left_of_thresholds_against_naive) {
    for_each_sample([](const SampledBins& sample, const NodeBins& node, std::size_t n,
                       std::uint32_t n_labels) {
        if (node.rows != nullptr) return;
        std::vector<ClassRun> runs;
        for (std::size_t first = 0; first < n; first += runs.back().n_rows) {
            const std::size_t n_rows = std::min<std::size_t>(n - first, 1 + 300 / n_labels);
            runs.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(n_rows)});
        }
        const std::size_t size = sample.last_left.size();
        std::vector<std::uint64_t> all(size), squares(size), products(size);
        sum_runs_left(node, runs, sample.last_left.data(),
                      {all.data(), squares.data(), products.data()});
        std::vector<std::uint8_t> few_rows(size), memory(few_left_bytes);
        std::vector<std::uint16_t> few_squares(size), few_products(size);
        const bool are_few = static_cast<index_t>(n) <= max_rows_squared;
        if (are_few)
            sum_few_left(node, runs, sample.last_left.data(), memory.data(),
                         {few_rows.data(), few_squares.data(), few_products.data()});
        for (std::size_t c = 0; c < size; ++c) {
            std::uint64_t naive = 0, square = 0, product = 0;
            for (const auto [first, n_rows] : runs) {
                std::uint64_t of_run = 0;
                for (std::size_t i = first; i < first + n_rows; ++i) of_run += sample.is_left(i, c);
                naive += of_run;
                square += of_run * of_run;
                product += of_run * n_rows;
            }
            EXPECT(all[c] == naive && squares[c] == square && products[c] == product);
            EXPECT(!are_few || (few_rows[c] == naive && few_squares[c] == square &&
                                few_products[c] == product));
        }
    });
}

NONET_TEST(moments_left_of_thresholds_against_naive) {
    for_each_sample(
        [](const SampledBins& sample, const NodeBins& node, std::size_t n, std::uint32_t) {
            const std::size_t size = sample.last_left.size();
            std::vector<std::int64_t> first(size), second(size);
            sum_moments_left(node, sample.moments.data(), sample.last_left.data(), first.data(),
                             second.data());
            for (std::size_t c = 0; c < size; ++c) {
                MomentCell naive{};
                for (std::size_t i = 0; i < n; ++i)
                    if (sample.is_left(i, c)) naive += sample.moments[i];
                EXPECT(first[c] == naive[0] && second[c] == naive[1]);
            }
        });
}

NONET_TEST(rows_are_sorted_in_all_columns_at_once) {
    RandomStream random(6, {1});
    for (const index_t stride : {8, 32, 40})
        for (std::size_t n = 2; n <= static_cast<std::size_t>(max_rows_sorted); ++n) {
            SampledBins sample(random, stride, n, 2);
            for (std::uint8_t& bin : sample.bins) bin %= 5;  // with ties
            copy_bins({sample.bins.data(), stride}, sample.rows, sample.copied.data());
            for (const bool in_order : {false, true}) {
                const auto size = static_cast<std::size_t>(stride);
                std::vector<std::uint16_t> sorted(n * size);
                sort_bins(sample.node(in_order), sorted.data());
                for (std::size_t c = 0; c < size; ++c) {
                    std::vector<std::uint32_t> keys;
                    for (std::size_t i = 0; i < n; ++i)
                        keys.push_back(sample.bin(i, c) << sorted_position_bits |
                                       static_cast<std::uint32_t>(i));
                    std::ranges::sort(keys);
                    for (std::size_t i = 0; i < n; ++i) EXPECT(sorted[i * size + c] == keys[i]);
                }
            }
        }
}

NONET_TEST(parted_row_bins_keep_their_order) {
    for_each_sample([](const SampledBins& sample, const NodeBins& node, std::size_t n,
                       std::uint32_t) {
        if (node.rows != nullptr) return;
        const std::size_t size = sample.last_left.size();
        const std::size_t column = size - 3;
        const auto found =
            find_threshold_neighbours(node, static_cast<index_t>(column), sample.last_left[column]);
        std::vector<std::uint8_t> parted(n * size);
        std::vector<std::uint32_t> positions(n);
        split_bins(node.bins, node.n_rows, static_cast<index_t>(column), sample.last_left[column],
                   found.n_left, parted.data(), positions.data());
        std::uint32_t next[2] = {static_cast<std::uint32_t>(found.n_left), 0};
        for (std::size_t i = 0; i < n; ++i) {
            EXPECT(positions[i] == next[sample.is_left(i, column)]++);
            EXPECT(std::equal(parted.data() + positions[i] * size,
                              parted.data() + (positions[i] + 1) * size,
                              node.of(static_cast<index_t>(i))));
        }
    });
}

}  // namespace nonet
