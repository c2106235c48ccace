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
    derivatives.push_back(sum_losses({loss, shape}, {targets, scores}, {}, 2));
    return hash_of(derivatives);
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
                            {"newton", ThresholdDraw::all, 0xdb25312d005b6616}})
        expect_hash(criterion, forest_hash(criterion, draw), hash);
}

NONET_TEST(gradients_have_known_bits) {
    struct Known {
        std::string_view loss;
        double shape;
        std::uint64_t hash;
    };
    for (const auto& [loss, shape, hash] :
         std::vector<Known>{{"squared", 0, 0x588f04595cb8268e},
                            {"huber", 0.5, 0xf04836911309d24d},
                            {"logistic", 0, 0xe6b8594741984513},
                            {"poisson", 0, 0x2067001821b9cf7c},
                            {"tweedie", 1.5, 0xf34c0ff56f7697e1},
                            {"exponential", 0, 0xdf2a7d949498e804}})
        expect_hash(loss, gradient_hash(loss, shape), hash);
}

}  // namespace nonet
