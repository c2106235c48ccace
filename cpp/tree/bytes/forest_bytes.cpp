#include "tree/bytes/forest_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "base/check.hpp"
#include "tree/bytes/byte_stream.hpp"
#include "tree/bytes/detail_bytes.hpp"
#include "tree/predict/agreement.hpp"

namespace nonet {
namespace {

constexpr char magic[8] = {'n', 'o', 'n', 'e', 't', 'f', 'o', 'r'};
constexpr std::uint64_t version = 1;
constexpr std::uint64_t max_nodes = std::numeric_limits<std::int32_t>::max();
constexpr auto not_a_tree = "The leaves in the bytes do not make a tree.";

// ---- Writing -----------------------------------------------------------------------------------

void write_nodes(ByteWriter& out, const TreeParts& parts, std::size_t column_bytes) {
    std::vector<bool> leaf, missing_left, category;
    for (const TreeNode& node : parts.nodes) leaf.push_back(node.is_leaf());
    out.write_bits(leaf);
    for (const TreeNode& node : parts.nodes) {
        if (node.is_leaf()) continue;
        missing_left.push_back(node.missing_left());
        category.push_back(node.is_category_split());
        const std::uint32_t column = node.column_index();
        out.write(reinterpret_cast<const char*>(&column), column_bytes);
    }
    out.write_bits(missing_left);
    out.write_bits(category);
    for (const TreeNode& node : parts.nodes)
        if (!node.is_leaf()) out.write(node.threshold);
}

void write_sets(ByteWriter& out, const CategorySets& sets) {
    out.write_count(sets.size());
    for (std::size_t i = 0; i < sets.size(); ++i) {
        out.write_count(sets[i].n_categories);
        out.write(sets[i].words, CategorySets::n_words(sets[i].n_categories));
    }
}

// ---- Reading -----------------------------------------------------------------------------------

bool bit_of(std::span<const char> bytes, std::size_t i) {
    return (static_cast<unsigned char>(bytes[i / 8]) >> (i % 8) & 1U) != 0;
}

std::size_t count_bits(std::span<const char> bytes, std::uint64_t n) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < n / 8; ++i)
        count += static_cast<std::size_t>(std::popcount(static_cast<unsigned char>(bytes[i])));
    for (std::size_t i = n / 8 * 8; i < n; ++i) count += bit_of(bytes, i);
    return count;
}

// A right sibling whose children come later.
struct Waiting {
    std::uint32_t node;
    std::int32_t depth;
};

// What is reused from tree to tree.
struct Scratch {
    NodeKinds kinds;
    std::vector<Waiting> waiting;
};

// Children lie where `arrange` puts them: siblings side by side, then the left branch, then the
// right one. Returns the depth.
index_t link(std::vector<TreeNode>& nodes, std::vector<Waiting>& waiting) {
    if (nodes[0].is_leaf()) {
        check(nodes.size() == 1, not_a_tree);
        return 0;
    }
    // The first never gets children: who takes its turn, has no pair.
    waiting.resize(nodes.size() / 2 + 2);
    std::size_t n_waiting = 1;
    Waiting parent{0, 0};
    std::int32_t max_depth = 0;
    for (std::uint32_t left = 1; left < nodes.size(); left += 2) {
        check(n_waiting > 0, not_a_tree);
        nodes[parent.node].left = static_cast<std::int32_t>(left);
        const std::int32_t depth = parent.depth + 1;
        max_depth = std::max(max_depth, depth);
        const bool left_splits = !nodes[left].is_leaf();
        const bool right_splits = !nodes[left + 1].is_leaf();
        // All cases at once, without a branch: which of them it is, nobody can predict.
        waiting[n_waiting] = {left + 1, depth};
        n_waiting += left_splits && right_splits;
        const bool is_end = !left_splits && !right_splits;
        const Waiting next = {left + !left_splits, depth};
        n_waiting -= is_end;
        parent = is_end ? waiting[n_waiting] : next;
    }
    check(n_waiting == 0, not_a_tree);
    return max_depth;
}

// The bytes of all inner nodes of a tree, one fact after another.
struct Splits {
    const char* columns;
    std::span<const char> missing_left;
    std::span<const char> category;
    const char* thresholds;

    template <typename Column>
    void fill(std::vector<TreeNode>& nodes, std::span<const std::int32_t> inner) const {
        for (std::size_t k = 0; k < inner.size(); ++k) {
            TreeNode& node = nodes[static_cast<std::size_t>(inner[k])];
            std::memcpy(&node.threshold, thresholds + k * sizeof(double), sizeof(double));
            Column column;
            std::memcpy(&column, columns + k * sizeof(Column), sizeof(Column));
            check(column <= TreeNode::column_mask, "A tree splits a column beyond all.");
            node.column = column | (bit_of(missing_left, k) ? TreeNode::missing_left_bit : 0) |
                          (bit_of(category, k) ? TreeNode::category_bit : 0);
        }
    }
};

// Reads all nodes, and returns the depth of the tree that they make.
index_t take_nodes(ByteReader& in, TreeParts& parts, Scratch& scratch, std::uint64_t n_nodes,
                   std::size_t column_bytes) {
    NodeKinds& kinds = scratch.kinds;
    check(n_nodes % 2 == 1 && n_nodes <= max_nodes, "The bytes of trees name no size of a tree.");
    const std::uint64_t n_inner = n_nodes / 2;
    // A split takes a column and a threshold, a leaf a value: known before memory is allocated.
    in.check_holds(n_inner, column_bytes + sizeof(double));
    const auto leaf = in.take_bytes((n_nodes + 7) / 8);
    check(count_bits(leaf, n_nodes) == n_inner + 1, not_a_tree);
    const auto columns = in.take_bytes(n_inner * column_bytes);
    const auto missing_left = in.take_bytes((n_inner + 7) / 8);
    const auto category = in.take_bytes((n_inner + 7) / 8);
    const auto thresholds = in.take_bytes(n_inner * sizeof(double));
    kinds.list(static_cast<std::size_t>(n_nodes), [&](std::size_t i) { return bit_of(leaf, i); });
    parts.nodes.resize(static_cast<std::size_t>(n_nodes));
    const Splits splits{columns.data(), missing_left, category, thresholds.data()};
    if (column_bytes == 1)
        splits.fill<std::uint8_t>(parts.nodes, kinds.inner());
    else if (column_bytes == 2)
        splits.fill<std::uint16_t>(parts.nodes, kinds.inner());
    else
        splits.fill<std::uint32_t>(parts.nodes, kinds.inner());
    for (std::int32_t k = 0; const std::int32_t i : kinds.leaves())
        parts.nodes[static_cast<std::size_t>(i)].left = ~k++;
    return link(parts.nodes, scratch.waiting);
}

void take_sets(ByteReader& in, CategorySets& sets) {
    const std::uint64_t n_sets = in.take_count();
    for (std::uint64_t i = 0; i < n_sets; ++i) {
        const std::uint64_t n_categories = in.take_count();
        check(n_categories >= 1 && n_categories <= max_nodes,
              "The bytes of trees hold a category set of no size.");
        const auto n = static_cast<std::uint32_t>(n_categories);
        sets.add(in.take<std::uint64_t>(CategorySets::n_words(n)), n);
    }
}

void check_all_agree(const std::vector<Tree>& trees) {
    std::vector<const Tree*> refs;
    for (const Tree& tree : trees) refs.push_back(&tree);
    check_agreement(refs);
}

std::size_t bytes_of_column(std::uint64_t n_columns) {
    return n_columns <= 1 << 8 ? 1 : n_columns <= 1 << 16 ? 2 : 4;
}

}  // namespace

std::string forest_to_bytes(TreeRefs trees) {
    check(!trees.empty(), "There must be trees to be written.");
    check_agreement(trees);
    const auto n_columns = static_cast<std::uint64_t>(trees[0]->n_columns());
    ByteWriter out;
    out.write(magic, sizeof magic);
    out.write_count(version);
    out.write_count(trees.size());
    out.write_count(n_columns);
    for (const Tree* tree : trees) {
        check(is_arranged(tree->nodes()), "Trees must lie in the usual order to be written.");
        out.write_count(static_cast<std::uint64_t>(tree->n_outputs()));
        out.write_count(static_cast<std::uint64_t>(tree->n_nodes()));
        write_nodes(out, tree->parts(), bytes_of_column(n_columns));
        write_sets(out, tree->category_sets());
        write_details(out, *tree);
    }
    return std::move(out).take();
}

std::vector<Tree> forest_from_bytes(std::span<const char> bytes) {
    ByteReader in(bytes);
    check(std::memcmp(in.take_bytes(sizeof magic).data(), magic, sizeof magic) == 0,
          "These are not the bytes of trees: they begin with another mark.");
    check(in.take_count() == version, "The bytes of trees are of another version.");
    const std::uint64_t n_trees = in.take_count();
    const std::uint64_t n_columns = in.take_count();
    check(n_trees >= 1, "The bytes of trees name no number of trees.");
    check(n_columns >= 1 && n_columns <= TreeNode::column_mask,
          "The bytes of trees name no number of columns.");
    std::vector<Tree> trees;
    Scratch scratch;
    for (std::uint64_t t = 0; t < n_trees; ++t) {
        TreeParts parts;
        parts.n_columns = static_cast<index_t>(n_columns);
        const std::uint64_t n_outputs = in.take_count();
        check(n_outputs >= 1 && n_outputs <= bytes.size(),
              "The bytes of trees name no number of outputs.");
        parts.n_outputs = static_cast<index_t>(n_outputs);
        const std::uint64_t n_nodes = in.take_count();
        const index_t depth = take_nodes(in, parts, scratch, n_nodes, bytes_of_column(n_columns));
        take_sets(in, parts.category_sets);
        take_details(in, parts, scratch.kinds);
        // Children are right as they are linked; columns, thresholds and sizes came from outside.
        check_splits(parts, scratch.kinds.inner());
        trees.emplace_back(std::move(parts), depth);
    }
    check(in.at_end(), "The bytes of trees go on after their end.");
    check_all_agree(trees);
    return trees;
}

}  // namespace nonet
