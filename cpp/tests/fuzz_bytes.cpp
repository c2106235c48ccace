// Mutated bytes for the readers of trees: every input is refused by an exception, or is a tree that
// can be walked, explained and written again. Run under ASan by `make fuzz`:
//
//     nonet_bytes_fuzz [number of inputs] [seed]
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "fnv.hpp"
#include "tree/bytes/bytes.hpp"
#include "tree/bytes/forest_bytes.hpp"
#include "tree/bytes/tree_arrays.hpp"
#include "tree/explain/importance.hpp"
#include "tree/explain/shap.hpp"
#include "tree/node_sums.hpp"
#include "tree/predict/packed_trees.hpp"
#include "tree/predict/predict.hpp"
#include "tree/tree_builder.hpp"

namespace nonet {
namespace {

constexpr index_t n_columns = 4;
constexpr std::size_t checksum_size = 8;

// ---- Trees to begin with: one of each way in which details are written -------------------------

struct Seed {
    index_t n_splits;
    index_t n_outputs;
    bool categories;
    bool whole_weights;
};

constexpr Seed seeds[] = {{0, 1, false, true}, {1, 1, false, false}, {9, 1, false, true},
                          {9, 1, true, false}, {12, 3, false, true}, {12, 2, true, false},
                          {40, 2, true, true}};

void split_randomly(TreeBuilder& builder, index_t node, bool categories, RandomStream& random) {
    const bool missing_left = random.below(2) == 1;
    if (categories && random.below(2) == 1) {
        const std::uint64_t words[] = {random.bits(), random.bits()};
        builder.split_categories(node, n_columns - 1, words, 70, missing_left);
    } else {
        const auto column = static_cast<index_t>(random.below(n_columns - 1));
        builder.split(node, column, std::floor(random.uniform() * 20) - 10, missing_left);
    }
}

Tree random_tree(Seed seed, std::uint64_t number) {
    RandomStream random(number, {0});
    TreeBuilder builder(n_columns, seed.n_outputs);
    std::vector<index_t> leaves{0};
    for (index_t s = 0; s < seed.n_splits; ++s) {
        const auto pick = static_cast<std::size_t>(random.below(leaves.size()));
        const index_t node = leaves[pick];
        leaves[pick] = builder.n_nodes();
        leaves.push_back(builder.n_nodes() + 1);
        split_randomly(builder, node, seed.categories, random);
    }
    for (index_t i = 0; i < builder.n_nodes(); ++i) {
        builder.add_values([&](double* out) {
            for (index_t k = 0; k < seed.n_outputs; ++k) out[k] = random.uniform();
        });
        const double weight = seed.whole_weights ? 3.0 : 1 + random.uniform();
        builder.set_statistics(i, {random.uniform(), weight, 3});
    }
    return std::move(builder).finish();
}

// The same tree with statistics that follow from its leaves, which are written in the short ways.
Tree with_sums(const Tree& tree, ClassImpurity kind) {
    TreeParts parts = tree.parts();
    RandomStream random(7, {1});
    const auto n = static_cast<std::size_t>(parts.n_outputs);
    std::vector<double> counts(parts.nodes.size() * n);
    for (std::size_t i = 0; i < parts.nodes.size(); ++i) {
        parts.statistics[i] = {0.0, 3.0, 3};
        for (std::size_t k = 0; k < n; ++k)
            counts[i * n + k] = 1 + static_cast<double>(random.below(5));
    }
    const NodeKinds kinds = kinds_of(parts.nodes);
    sum_statistics(parts, kinds);
    if (n > 1) {
        sum_counts(parts, kinds, counts, kind);
    } else {
        join_means(parts, kinds);
        join_variances(parts, kinds);
        for (std::size_t i = 0; i < parts.nodes.size(); ++i)
            if (parts.nodes[i].is_leaf()) parts.nodes[i].threshold = *parts.node_values[i];
    }
    return Tree(std::move(parts));
}

Tree without_details(const Tree& tree) {
    TreeParts parts = tree.parts();
    leave_out_details(parts);
    return Tree(std::move(parts));
}

std::vector<Tree> first_trees() {
    std::vector<Tree> trees;
    for (const Seed& seed : seeds) {
        const Tree tree = random_tree(seed, trees.size());
        trees.push_back(with_sums(tree, ClassImpurity::gini));
        trees.push_back(with_sums(tree, ClassImpurity::entropy));
        trees.push_back(without_details(tree));
        trees.push_back(tree);
    }
    return trees;
}

struct Corpus {
    std::vector<std::string> single;  // without their checksum
    std::vector<std::string> many;
};

Corpus make_corpus() {
    Corpus corpus;
    for (const Tree& tree : first_trees()) {
        const std::string bytes = to_bytes(tree);
        corpus.single.push_back(bytes.substr(0, bytes.size() - checksum_size));
        const Tree* refs[] = {&tree, &tree};
        corpus.many.push_back(forest_to_bytes(refs));
    }
    return corpus;
}

// ---- Mutations ---------------------------------------------------------------------------------

void overwrite_number(std::string& bytes, RandomStream& random) {
    constexpr std::array<std::uint64_t, 8> odd = {
        0, 1, 0x7f, 0xffffffff, 0x7fffffff, 0x80000000, ~std::uint64_t{0}, 1ULL << 63U,
    };
    const std::uint64_t number = random.below(2) ? odd[random.below(odd.size())] : random.bits();
    const std::size_t size = std::min<std::size_t>(std::size_t{1} << random.below(4), bytes.size());
    std::memcpy(bytes.data() + random.below(bytes.size() - size + 1), &number, size);
}

void mutate(std::string& bytes, const std::string& other, RandomStream& random) {
    const auto position = static_cast<std::size_t>(random.below(bytes.size()));
    switch (random.below(7)) {
        case 0:
        case 1:
            bytes[position] = static_cast<char>(bytes[position] ^ (1 << random.below(8)));
            return;
        case 2:
            return overwrite_number(bytes, random);
        case 3:
            bytes.resize(position + 1);
            return;
        case 4:
            bytes.insert(position, 1 + random.below(9), static_cast<char>(random.bits()));
            return;
        case 5:
            bytes.erase(position, 1 + random.below(9));
            if (bytes.empty()) bytes = "n";
            return;
        default:  // the end of another
            bytes = bytes.substr(0, position) +
                    other.substr(static_cast<std::size_t>(random.below(other.size())));
            if (bytes.empty()) bytes = "n";
    }
}

std::string mutated(const std::vector<std::string>& all, RandomStream& random) {
    std::string bytes = all[random.below(all.size())];
    for (std::uint64_t n = 1 + random.below(4); n > 0; --n)
        mutate(bytes, all[random.below(all.size())], random);
    return bytes;
}

// ---- What a tree that was read must bear -------------------------------------------------------

void use(const std::vector<Tree>& trees) {
    std::vector<const Tree*> refs;
    for (const Tree& tree : trees) refs.push_back(&tree);
    const index_t columns = trees[0].n_columns();
    if (columns > 64 || trees[0].n_outputs() > 64) return;  // memory for rows, not for trees
    constexpr index_t n_rows = 5;
    std::vector<double> rows(static_cast<std::size_t>(n_rows * columns));
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = i % 7 == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(i);
    const StridedMatrix<double> table{rows.data(), n_rows, columns, columns, 1};
    std::vector<double> sums(static_cast<std::size_t>(n_rows * trees[0].n_outputs()));
    std::vector<std::int32_t> leaves(static_cast<std::size_t>(n_rows) * refs.size());
    add_predictions<double>(refs, table, 1, sums.data());
    find_leaves<double>(refs, table, 1, leaves.data());
    for (const Tree& tree : trees) {
        to_arrays(tree);
        std::vector<double> importances(static_cast<std::size_t>(columns));
        add_split_counts(tree, importances);
        if (tree.has_statistics()) add_gain_importances(tree, importances);
    }
}

bool reads_tree(const std::string& bytes) {
    try {
        std::vector<Tree> trees;
        trees.push_back(tree_from_bytes(bytes));
        use(trees);
        if (to_bytes(tree_from_bytes(to_bytes(trees[0]))) != to_bytes(trees[0])) std::abort();
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

bool reads_forest(const std::string& bytes) {
    std::vector<Tree> trees;
    try {
        trees = forest_from_bytes(bytes);
    } catch (const std::invalid_argument&) {
        return false;
    }
    use(trees);
    std::vector<const Tree*> refs;
    for (const Tree& tree : trees) refs.push_back(&tree);
    const std::string again = forest_to_bytes(refs);
    if (forest_from_bytes(again).size() != trees.size()) std::abort();
    return true;
}

void run(std::uint64_t n_inputs, std::uint64_t seed) {
    const Corpus corpus = make_corpus();
    RandomStream random(seed, {2});
    std::uint64_t n_read = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < n_inputs; ++i) {
        if (i % 3 == 0) {
            const std::string bytes = mutated(corpus.single, random);
            // Two in three have their checksum repaired: others end at once.
            n_read += reads_tree(i % 9 == 0 ? bytes : testing::sealed(bytes));
        } else {
            n_read += reads_forest(mutated(corpus.many, random));
        }
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("%llu mutated inputs: %llu read as trees, all others refused, in %.0f s\n",
                static_cast<unsigned long long>(n_inputs), static_cast<unsigned long long>(n_read),
                seconds.count());
}

}  // namespace
}  // namespace nonet

int main(int argc, char** argv) {
    const auto number = [&](int position, unsigned long long otherwise) {
        return argc > position ? std::strtoull(argv[position], nullptr, 10) : otherwise;
    };
    nonet::run(number(1, 20'000), number(2, 0));
    return 0;
}
