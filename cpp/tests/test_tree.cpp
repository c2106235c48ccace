// Finished trees against plain walks, over sizes that end inside groups and blocks, and damaged
// bytes: what the sanitizers should see is every edge of every buffer.
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "fnv.hpp"
#include "testing.hpp"
#include "tree/bytes/bytes.hpp"
#include "tree/bytes/tree_arrays.hpp"
#include "tree/explain/dependence.hpp"
#include "tree/explain/importance.hpp"
#include "tree/explain/shap.hpp"
#include "tree/predict/predict.hpp"
#include "tree/prune.hpp"
#include "tree/tree_builder.hpp"

namespace nonet {
namespace {

using testing::sealed;

constexpr index_t n_columns = 3;
constexpr int n_threads = 3;

struct Kind {
    index_t n_splits;
    index_t n_outputs;
    bool categories;
};

constexpr Kind kinds[] = {{0, 1, false},  {1, 1, false},   {31, 1, false}, {32, 2, false},
                          {63, 1, false}, {200, 3, false}, {20, 1, true},  {90, 2, true}};

void split_randomly(TreeBuilder& builder, index_t node, bool categories, RandomStream& random) {
    const auto column = static_cast<index_t>(random.below(n_columns));
    const bool missing_left = random.below(2) == 1;
    if (categories && random.below(2) == 1) {
        const std::uint64_t words[] = {random.bits(), random.bits()};
        builder.split_categories(node, column, words, 70, missing_left);
    } else {
        builder.split(node, column, std::floor(random.uniform() * 20) - 10, missing_left);
    }
}

Tree random_tree(Kind kind, std::uint64_t seed) {
    RandomStream random(seed, {0});
    TreeBuilder builder(n_columns, kind.n_outputs);
    std::vector<index_t> leaves{0};
    for (index_t s = 0; s < kind.n_splits; ++s) {
        const auto pick = static_cast<std::size_t>(random.below(leaves.size()));
        const index_t node = leaves[pick];
        leaves[pick] = builder.n_nodes();
        leaves.push_back(builder.n_nodes() + 1);
        split_randomly(builder, node, kind.categories, random);
    }
    for (index_t i = 0; i < builder.n_nodes(); ++i) {
        std::vector<double> values;
        for (index_t k = 0; k < kind.n_outputs; ++k) values.push_back(random.uniform());
        builder.add_values([&](double* out) { std::ranges::copy(values, out); });
        builder.set_statistics(i, {random.uniform(), 1 + random.uniform(), 1});
    }
    return std::move(builder).finish();
}

// Owns exactly as many numbers as it shows, in C or Fortran order.
template <typename T>
struct Rows {
    Rows(index_t n_rows, bool by_columns, std::uint64_t seed)
        : numbers(static_cast<std::size_t>(n_rows * n_columns)),
          matrix{numbers.data(), n_rows, n_columns, by_columns ? 1 : n_columns,
                 by_columns ? n_rows : 1} {
        RandomStream random(seed, {1});
        for (T& number : numbers)
            number = random.below(9) == 0 ? std::numeric_limits<T>::quiet_NaN()
                                          : static_cast<T>(std::floor(random.uniform() * 100) - 20);
    }

    std::vector<T> numbers;
    StridedMatrix<T> matrix;
};

template <typename T>
index_t leaf_by_walk(const Tree& tree, const StridedMatrix<T>& rows, index_t row) {
    index_t at = 0;
    while (!tree.node(at).is_leaf()) {
        const TreeNode& node = tree.node(at);
        at = node.left + (tree.goes_left(node, rows(row, node.column_index())) ? 0 : 1);
    }
    return at;
}

template <typename T>
void expect_walks(const Tree& tree, const Rows<T>& rows) {
    const Tree* refs[] = {&tree, &tree};
    const auto n_rows = static_cast<std::size_t>(rows.matrix.n_rows);
    const auto n_outputs = static_cast<std::size_t>(tree.n_outputs());
    std::vector<double> sums(n_rows * n_outputs);
    std::vector<std::int32_t> leaves(2 * n_rows);
    add_predictions(refs, rows.matrix, n_threads, sums.data());
    find_leaves(refs, rows.matrix, n_threads, leaves.data());
    bool equal = true;
    for (std::size_t r = 0; r < n_rows; ++r) {
        const index_t leaf = leaf_by_walk(tree, rows.matrix, static_cast<index_t>(r));
        equal &= leaves[2 * r] == leaf && leaves[2 * r + 1] == leaf;
        for (std::size_t k = 0; k < n_outputs; ++k)
            equal &= sums[r * n_outputs + k] == 2 * tree.leaf_values(tree.node(leaf))[k];
    }
    EXPECT(equal);
    EXPECT(paths_to(tree, leaves).starts.size() == leaves.size() + 1);
}

template <typename T>
void expect_all_walks() {
    for (const Kind kind : kinds)
        for (const index_t n_rows : {0, 1, 7, 8, 63, 64, 100, 257, 1030})
            for (const bool by_columns : {false, true})
                expect_walks(random_tree(kind, static_cast<std::uint64_t>(n_rows)),
                             Rows<T>(n_rows, by_columns, 5));
}

NONET_TEST(walks_of_float_rows_are_right) { expect_all_walks<float>(); }
NONET_TEST(walks_of_double_rows_are_right) { expect_all_walks<double>(); }

// One row's explanations of two trees, which must add up to each other and to the prediction.
void expect_sums(const Tree& tree, std::size_t k, const double* fractions, const double* pairs,
                 double prediction) {
    const auto n_outputs = static_cast<std::size_t>(tree.n_outputs());
    double sum = 2 * mean_leaf_values(tree, Cover::weight)[k];
    for (std::size_t c = 0; c < n_columns; ++c) {
        double of_column = 0;
        for (std::size_t other = 0; other < n_columns; ++other)
            of_column += pairs[(c * n_columns + other) * n_outputs + k];
        EXPECT(std::abs(of_column - fractions[c * n_outputs + k]) < 1e-9);
        sum += fractions[c * n_outputs + k];
    }
    EXPECT(std::abs(sum - prediction) < 1e-9);
}

NONET_TEST(shap_values_and_interactions_sum_to_the_prediction) {
    for (const Kind kind : kinds) {
        const Tree tree = random_tree(kind, 3);
        const Tree* trees[] = {&tree, &tree};
        const Rows<double> rows(20, false, 4);
        const auto n_outputs = static_cast<std::size_t>(kind.n_outputs);
        std::vector<double> fractions(20 * n_columns * n_outputs);
        std::vector<double> pairs(20 * n_columns * n_columns * n_outputs);
        add_shap_values<double>(trees, rows.matrix, Cover::weight, n_threads, fractions.data());
        add_shap_interactions<double>(trees, rows.matrix, Cover::weight, n_threads, pairs.data());
        for (std::size_t r = 0; r < 20; ++r) {
            const index_t leaf = leaf_by_walk(tree, rows.matrix, static_cast<index_t>(r));
            for (std::size_t k = 0; k < n_outputs; ++k)
                expect_sums(tree, k, &fractions[r * n_columns * n_outputs],
                            &pairs[r * n_columns * n_columns * n_outputs],
                            2 * tree.leaf_values(tree.node(leaf))[k]);
        }
    }
}

NONET_TEST(dependence_on_all_columns_is_the_prediction) {
    const std::int32_t columns[] = {0, 1, 2};
    for (const Kind kind : kinds) {
        const Tree tree = random_tree(kind, 5);
        const Tree* trees[] = {&tree};
        const Rows<double> rows(30, true, 6);
        const auto size = static_cast<std::size_t>(30 * kind.n_outputs);
        std::vector<double> dependence(size);
        std::vector<double> predictions(size);
        add_dependence<double>(trees, rows.matrix, columns, Cover::n_rows, n_threads,
                               dependence.data());
        add_predictions<double>(trees, rows.matrix, n_threads, predictions.data());
        EXPECT(dependence == predictions);
    }
}

NONET_TEST(pruning_ends_at_the_root) {
    for (const Kind kind : kinds) {
        const Tree tree = random_tree(kind, 6);
        const PruningPath path = pruning_path(tree);
        EXPECT(path.alphas.size() == path.impurities.size());
        EXPECT(prune(tree, std::numeric_limits<double>::infinity()).n_nodes() == 1);
        EXPECT(prune(tree, path.alphas[path.alphas.size() / 2]).n_nodes() <= tree.n_nodes());
        std::vector<double> counts(n_columns);
        add_split_counts(tree, counts);
        add_gain_importances(tree, counts);
    }
}

// ---- Bytes -------------------------------------------------------------------------------------

// Whether the bytes are read as a tree; a tree that is read must bear to be walked.
bool reads(const std::string& bytes) {
    try {
        const Tree tree = tree_from_bytes(bytes);
        if (tree.n_columns() == n_columns) expect_walks(tree, Rows<double>(70, false, 8));
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

NONET_TEST(every_tree_comes_back_and_no_part_of_it_does) {
    for (const Kind kind : kinds) {
        const Tree tree = random_tree(kind, 7);
        const std::string bytes = to_bytes(tree);
        EXPECT(to_bytes(tree_from_bytes(bytes)) == bytes);
        const std::size_t content = bytes.size() - 8;  // the checksum is last
        for (std::size_t length = 0; length < content; length += 1 + content / 97)
            EXPECT(!reads(bytes.substr(0, length)) && !reads(sealed(bytes.substr(0, length))));
    }
}

NONET_TEST(damaged_bytes_are_refused_or_a_tree) {
    RandomStream random(9, {2});
    for (const Kind kind : kinds) {
        const std::string bytes = to_bytes(random_tree(kind, 7));
        for (int trial = 0; trial < 400; ++trial) {
            std::string content = bytes.substr(0, bytes.size() - 8);
            for (std::uint64_t n = 1 + random.below(4); n > 0; --n)
                content[random.below(content.size())] = static_cast<char>(random.bits());
            reads(sealed(content));
        }
    }
}

NONET_TEST(arrays_make_the_same_tree) {
    const Tree tree = random_tree({40, 2, false}, 11);
    EXPECT(to_bytes(from_arrays(n_columns, 2, to_arrays(tree), {})) == to_bytes(tree));
}

}  // namespace
NONET_TEST(pure_nodes_share_their_values_and_others_do_not) {
    const double nodes[][3] = {{0.5, 0.5, 0}, {0, 1, 0},    {0, 1, 0}, {0, 1, 0.5},
                               {1, 0, 0},     {-0.0, 1, 0}, {1, 0, 0}, {0, 1, 0}};
    ValueTable table(3);
    for (const auto& values : nodes) table.add(values);
    EXPECT(table.n_nodes() == 8);
    for (std::size_t i = 0; i < 8; ++i)
        EXPECT(std::memcmp(table[i], nodes[i], sizeof nodes[i]) == 0);  // signs of zeros too
    EXPECT(table[1] == table[2] && table[1] == table[7] && table[4] == table[6]);
    EXPECT(std::ssize(table.distinct()) == 5 * 3);
    const ValueTable one_output(1, std::vector{1.0, 1.0, 0.5});
    EXPECT(one_output.n_nodes() == 3 && *one_output[1] == 1 && *one_output[2] == 0.5);
}

}  // namespace nonet
