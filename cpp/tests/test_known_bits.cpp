// Issue 19, part 3: results that were written down on x86-64, for machines and compilers that have
// to give the same bits. Without logarithms, which every C library rounds in its own way.
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "data/binned_dataset.hpp"
#include "fnv.hpp"
#include "grow/grow_forest.hpp"
#include "loss/gradients.hpp"
#include "testing.hpp"
#include "tree/bytes/bytes.hpp"

namespace nonet {
namespace {

std::uint64_t hash_of(const std::vector<double>& numbers) {
    return testing::fnv_hash({reinterpret_cast<const char*>(numbers.data()), 8 * numbers.size()});
}

constexpr index_t n_rows = 2'003;
constexpr index_t n_columns = 7;

std::vector<double> uniform_numbers(std::uint64_t name, index_t n) {
    RandomStream stream(19, {name});
    std::vector<double> numbers(static_cast<std::size_t>(n));
    for (double& number : numbers) number = stream.uniform();
    return numbers;
}

struct KnownData {
    KnownData() {
        for (double& value : table)
            value = value < 0.02 ? std::numeric_limits<double>::quiet_NaN() : value * value;
        for (const double number : numbers)
            classes.push_back(static_cast<std::int32_t>(4 * number));
    }
    StridedMatrix<double> matrix() const { return {table.data(), n_rows, n_columns, n_columns, 1}; }
    Targets targets() const {
        Targets targets;
        targets.classes = classes;
        targets.n_classes = 4;
        targets.values = numbers;
        targets.hessians = hessians;
        targets.weights = weights;
        return targets;
    }

    std::vector<double> table = uniform_numbers(1, n_rows* n_columns);
    std::vector<double> numbers = uniform_numbers(2, n_rows);
    std::vector<double> hessians = uniform_numbers(3, n_rows);
    std::vector<double> weights = uniform_numbers(4, n_rows);
    std::vector<std::int32_t> classes;
};

std::uint64_t forest_hash(CriterionName criterion, ThresholdDraw draw) {
    const KnownData data;
    ForestPlan plan;
    plan.criterion = criterion;
    plan.targets = data.targets();
    plan.params.threshold_draw = draw;
    plan.params.columns_per_split = 3;
    plan.bags.n_rows = n_rows;
    plan.bags.n_draws = n_rows;
    const BinnedDataset dataset(data.matrix(), {}, {}, {}, 2);
    std::string bytes;
    for (const Tree& tree : grow_forest(dataset, plan, 0, 3, 2, {})) bytes += to_bytes(tree);
    return testing::fnv_hash(bytes);
}

std::uint64_t gradient_hash(std::string_view loss, double shape) {
    std::vector<double> targets = uniform_numbers(5, n_rows);
    std::vector<double> scores = uniform_numbers(6, n_rows);
    for (double& score : scores) score = 8 * score - 4;
    std::vector<double> derivatives(2 * targets.size());
    const std::span<double> all(derivatives);
    fill_gradients({loss, shape}, {targets, scores}, 2, all.first(targets.size()),
                   all.last(targets.size()));
    derivatives.push_back(sum_losses({loss, shape}, {targets, scores}, {}, 2).value());
    return hash_of(derivatives);
}

// Five rounds of boosting: the trees, then the scores.
std::uint64_t booster_hash(std::string_view loss, index_t n_boosted) {
    std::vector<double> table = uniform_numbers(7, n_boosted * n_columns);
    std::vector<double> targets;
    for (index_t row = 0; row < n_boosted; ++row) {
        const double* x = table.data() + row * n_columns;
        targets.push_back(x[0] + x[1] * x[2] > 0.7 ? 1.0 : 0.0);
    }
    const StridedMatrix<double> matrix{table.data(), n_boosted, n_columns, n_columns, 1};
    const BinnedDataset dataset(matrix, {}, {}, {}, 2);
    TreeGrower grower(dataset);
    std::vector<double> scores(targets.size()), gradients(targets.size()), hessians(targets.size());
    std::vector<std::int32_t> leaves(targets.size());
    std::string bytes;
    for (int round = 0; round < 5; ++round) {
        fill_gradients({loss}, {targets, scores}, 2, gradients, hessians);
        Targets newton;
        newton.values = gradients;
        newton.hessians = hessians;
        GrowParams params;
        params.max_leaf_nodes = 15;
        params.l2 = 1;
        const Tree tree = grower.grow("newton", newton, params, 2, leaves);
        const std::vector<std::int32_t> numbers = tree.preorder();
        std::vector<double> values(numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i)
            values[static_cast<std::size_t>(numbers[i])] = 0.3 * tree.nodes()[i].threshold;
        add_leaf_values(leaves, values, 2, scores);
        bytes += to_bytes(tree);
    }
    return testing::fnv_hash(bytes) ^ hash_of(scores);
}

void expect_hash(std::string_view what, std::uint64_t hash, std::uint64_t known) {
    if (hash != known)
        std::printf("%.*s has the hash 0x%016llx\n", static_cast<int>(what.size()), what.data(),
                    static_cast<unsigned long long>(hash));
    EXPECT(hash == known);
}

}  // namespace

NONET_TEST(forests_have_known_bits) {
    struct Known {
        CriterionName criterion;
        ThresholdDraw draw;
        std::uint64_t hash;
    };
    for (const auto& [criterion, draw, hash] :
         std::vector<Known>{{"gini", ThresholdDraw::all, 0x213a0eda1437fd54},
                            {"gini", ThresholdDraw::uniform, 0xa79931e37ba8ff0e},
                            {"squared_error", ThresholdDraw::all, 0x4fe0951f8e1ce9da},
                            {"squared_error", ThresholdDraw::uniform, 0x2111c4f1d6cdb5d7},
                            {"absolute_error", ThresholdDraw::all, 0x4282893c71f291e3},
                            {"newton", ThresholdDraw::all, 0x3ce579a4a38c822b}})
        expect_hash(criterion, forest_hash(criterion, draw), hash);
}

NONET_TEST(gradients_have_known_bits) {
    struct Known {
        std::string_view loss;
        double shape;
        std::uint64_t hash;
    };
    for (const auto& [loss, shape, hash] :
         std::vector<Known>{{"squared", 0, 0x9c4d89d89c4778ab},
                            {"huber", 0.5, 0x28d5de0db87953db},
                            {"logistic", 0, 0xa7507156a987b9fa},
                            {"poisson", 0, 0x487694b3e109a149},
                            {"tweedie", 1.5, 0x188fab7c3275c1c7},
                            {"exponential", 0, 0xc96a83e52ad6da39}})
        expect_hash(loss, gradient_hash(loss, shape), hash);
}

// Rows are packed from 32,768 on.
NONET_TEST(boosters_have_known_bits) {
    struct Known {
        std::string_view loss;
        index_t n_rows;
        std::uint64_t hash;
    };
    for (const auto& [loss, n, hash] : std::vector<Known>{{"squared", 2'003, 0x498b55e98d63dfcb},
                                                          {"logistic", 2'003, 0x85a8da9b20075497},
                                                          {"poisson", 2'003, 0x57400ed0026efbc0},
                                                          {"squared", 33'000, 0x788af2c4d3a628df},
                                                          {"logistic", 33'000, 0x6599ff81a444a9e9},
                                                          {"poisson", 33'000, 0x78db0c63be28626e}})
        expect_hash(loss, booster_hash(loss, n), hash);
}

}  // namespace nonet
