#include "tree/bytes/forest_bytes.hpp"

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

// Children lie where `arrange` puts them; returns false if the leaves do not make a tree.
bool link(std::vector<TreeNode>& nodes) {
    std::vector<std::size_t> waiting{0};
    std::size_t next = 1;
    while (!waiting.empty()) {
        TreeNode& node = nodes[waiting.back()];
        waiting.pop_back();
        if (node.is_leaf()) continue;
        if (next + 2 > nodes.size()) return false;
        node.left = static_cast<std::int32_t>(next);
        waiting.insert(waiting.end(), {next + 1, next});
        next += 2;
    }
    return next == nodes.size();
}

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

void take_nodes(ByteReader& in, TreeParts& parts, std::uint64_t n_nodes, std::size_t column_bytes) {
    check(n_nodes % 2 == 1 && n_nodes <= max_nodes, "The bytes of trees name no size of a tree.");
    // A split takes a column and a threshold, a leaf a value: known before memory is allocated.
    in.check_holds(n_nodes / 2, column_bytes + sizeof(double));
    const std::vector<bool> leaf = in.take_bits(n_nodes);
    parts.nodes.assign(leaf.size(), {0.0, 0, -1});
    std::vector<TreeNode*> inner;
    for (std::size_t i = 0; i < leaf.size(); ++i) {
        if (leaf[i]) continue;
        parts.nodes[i].left = 0;
        inner.push_back(&parts.nodes[i]);
    }
    for (TreeNode* node : inner)
        std::memcpy(&node->column, in.take_bytes(column_bytes).data(), column_bytes);
    const std::vector<bool> missing_left = in.take_bits(inner.size());
    const std::vector<bool> category = in.take_bits(inner.size());
    for (std::size_t i = 0; i < inner.size(); ++i) {
        check(inner[i]->column <= TreeNode::column_mask, "A tree splits a column beyond all.");
        if (missing_left[i]) inner[i]->column |= TreeNode::missing_left_bit;
        if (category[i]) inner[i]->column |= TreeNode::category_bit;
        inner[i]->threshold = in.take<double>();
    }
    check(link(parts.nodes), "The leaves in the bytes do not make a tree.");
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

void number_leaves(std::vector<TreeNode>& nodes) {
    std::int32_t ordinal = 0;
    for (TreeNode& node : nodes)
        if (node.is_leaf()) node.left = ~ordinal++;
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
    for (std::uint64_t t = 0; t < n_trees; ++t) {
        TreeParts parts;
        parts.n_columns = static_cast<index_t>(n_columns);
        const std::uint64_t n_outputs = in.take_count();
        check(n_outputs >= 1 && n_outputs <= bytes.size(),
              "The bytes of trees name no number of outputs.");
        parts.n_outputs = static_cast<index_t>(n_outputs);
        take_nodes(in, parts, in.take_count(), bytes_of_column(n_columns));
        take_sets(in, parts.category_sets);
        take_details(in, parts);
        number_leaves(parts.nodes);
        trees.emplace_back(std::move(parts));
    }
    check(in.at_end(), "The bytes of trees go on after their end.");
    check_all_agree(trees);
    return trees;
}

}  // namespace nonet
