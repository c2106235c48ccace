// Issue 17, item 9: trees that do not agree, and bytes that lie about sizes, are refused before
// anything is read or allocated that is not there.
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "fnv.hpp"
#include "testing.hpp"
#include "tree/bytes/bytes.hpp"
#include "tree/bytes/forest_bytes.hpp"
#include "tree/predict/agreement.hpp"
#include "tree/predict/packed_trees.hpp"
#include "tree/tree_builder.hpp"

namespace nonet {
namespace {

using testing::sealed;

enum class Kind { numbers, categories, both };

void add_values(TreeBuilder& builder, index_t n_outputs) {
    for (index_t i = 0; i < builder.n_nodes(); ++i)
        builder.add_values([&](double* out) {
            for (index_t k = 0; k < n_outputs; ++k) out[k] = static_cast<double>(i);
        });
}

// Two splits of column 0, by a threshold, by categories, or by one of each.
Tree two_splits(index_t n_columns, index_t n_outputs, Kind kind) {
    const std::uint64_t words[] = {5};
    TreeBuilder builder(n_columns, n_outputs);
    const index_t left = kind == Kind::numbers ? builder.split(0, 0, 0.5, false)
                                               : builder.split_categories(0, 0, words, 40, false);
    if (kind == Kind::categories)
        builder.split_categories(left, 0, words, 40, true);
    else
        builder.split(left, 0, 0.25, true);
    add_values(builder, n_outputs);
    return std::move(builder).finish();
}

std::vector<const Tree*> references(const std::vector<Tree>& trees) {
    std::vector<const Tree*> refs;
    for (const Tree& tree : trees) refs.push_back(&tree);
    return refs;
}

std::vector<Tree> pair(const Tree& one, const Tree& other) { return {one, other}; }

void expect_refused(const std::vector<Tree>& trees) {
    EXPECT_THROWS(std::invalid_argument, PackedTrees::pack(references(trees), 2));
    EXPECT_THROWS(std::invalid_argument, forest_to_bytes(references(trees)));
}

// The trees of several forests as one, as if it had been written so.
std::string joined_bytes(const std::vector<Tree>& trees) {
    std::string joined;
    for (const Tree& tree : trees) {
        const Tree* refs[] = {&tree};
        const std::string bytes = forest_to_bytes(refs);
        joined += joined.empty() ? bytes : bytes.substr(11);  // mark, version, trees, columns
    }
    joined[9] = static_cast<char>(trees.size());
    return joined;
}

template <typename Number>
void put(std::string& bytes, std::size_t position, Number number) {
    std::memcpy(bytes.data() + position, &number, sizeof number);
}

// Trees that could be read must be able to predict, packed or not.
void predict_if_read(const std::string& bytes) {
    try {
        const std::vector<Tree> trees = forest_from_bytes(bytes);
        const index_t n_columns = trees[0].n_columns();
        if (n_columns > 1000) return;
        const std::vector<double> rows(static_cast<std::size_t>(70 * n_columns), 0.3);
        const StridedMatrix<double> table{rows.data(), 70, n_columns, n_columns, 1};
        std::vector<double> out(static_cast<std::size_t>(70 * trees[0].n_outputs()));
        add_predictions(references(trees), table, 1, out.data());
        if (const auto packed = PackedTrees::pack(references(trees), 1))
            packed->add_predictions(table, 1, out.data());
    } catch (const std::invalid_argument&) {
    }
}

}  // namespace

NONET_TEST(trees_that_agree_are_packed_and_written) {
    for (const Kind kind : {Kind::numbers, Kind::categories}) {
        const std::vector<Tree> trees = pair(two_splits(3, 2, kind), two_splits(3, 2, kind));
        EXPECT(PackedTrees::pack(references(trees), 2).has_value());
        EXPECT(forest_from_bytes(forest_to_bytes(references(trees))).size() == 2);
        EXPECT(forest_from_bytes(joined_bytes(trees)).size() == 2);
    }
}

NONET_TEST(trees_of_other_columns_outputs_or_categories_are_refused) {
    const Tree plain = two_splits(3, 2, Kind::numbers);
    expect_refused(pair(plain, two_splits(4, 2, Kind::numbers)));
    expect_refused(pair(plain, two_splits(3, 1, Kind::numbers)));
    expect_refused(pair(plain, two_splits(3, 2, Kind::categories)));
    expect_refused(pair(two_splits(3, 2, Kind::categories), plain));
    expect_refused({two_splits(3, 2, Kind::both)});
    EXPECT_THROWS(std::invalid_argument, PackedTrees::pack({}, 1));
}

NONET_TEST(bytes_of_trees_that_do_not_agree_are_refused) {
    const Tree plain = two_splits(3, 2, Kind::numbers);
    for (const Tree& other : {two_splits(3, 7, Kind::numbers), two_splits(3, 1, Kind::numbers),
                              two_splits(3, 2, Kind::categories)})
        EXPECT_THROWS(std::invalid_argument, forest_from_bytes(joined_bytes(pair(plain, other))));
}

// 64 bytes: a header of no nodes and many outputs, and its checksum.
NONET_TEST(headers_of_trees_that_are_not_there_are_refused) {
    const std::string header = to_bytes(two_splits(3, 2, Kind::numbers)).substr(0, 56);
    constexpr std::uint64_t sizes[] = {0,        1,
                                       2,        3,
                                       1U << 20, std::numeric_limits<std::int32_t>::max(),
                                       1U << 31, std::numeric_limits<std::uint64_t>::max()};
    for (std::size_t position = 16; position < 56; position += 8)
        for (std::size_t other = 16; other < 56; other += 8)
            for (const std::uint64_t size : sizes) {
                std::string content = header;
                put(content, other, std::uint64_t{0});
                put(content, position, size);
                EXPECT_THROWS(std::invalid_argument, tree_from_bytes(sealed(content)));
            }
}

NONET_TEST(counts_that_the_bytes_of_a_forest_do_not_hold_are_refused) {
    const std::vector<Tree> trees = {two_splits(3, 2, Kind::categories)};
    const std::string bytes = forest_to_bytes(references(trees));
    const std::string most(8, '\xff');  // seven bits each, and more to follow
    for (std::size_t i = 9; i < bytes.size(); ++i) {
        predict_if_read(bytes.substr(0, i) + most + '\x7f' + bytes.substr(i + 1));
        predict_if_read(bytes.substr(0, i) + '\xff' + '\xff' + '\xff' + '\x7f' +
                        bytes.substr(i + 1));
    }
}

NONET_TEST(mutated_forests_are_refused_or_predict) {
    RandomStream random(4, StreamUse::bag_rows, {});
    for (const Kind kind : {Kind::numbers, Kind::categories})
        for (const index_t n_outputs : {1, 3}) {
            const std::vector<Tree> trees =
                pair(two_splits(3, n_outputs, kind), two_splits(3, n_outputs, kind));
            const std::string bytes = forest_to_bytes(references(trees));
            for (int trial = 0; trial < 3000; ++trial) {
                std::string mutated = bytes;
                for (std::uint64_t n = 1 + random.below(3); n > 0; --n)
                    mutated[8 + random.below(bytes.size() - 8)] = static_cast<char>(random.bits());
                predict_if_read(mutated);
                predict_if_read(mutated.substr(0, random.below(bytes.size())));
            }
        }
}

}  // namespace nonet
