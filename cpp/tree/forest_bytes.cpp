#include "tree/forest_bytes.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/check.hpp"
#include "tree/byte_stream.hpp"
#include "tree/node_sums.hpp"

namespace nonet {
namespace {

constexpr char magic[8] = {'n', 'o', 'n', 'e', 't', 'f', 'o', 'r'};
constexpr std::uint64_t version = 1;
constexpr std::uint64_t most_nodes = std::numeric_limits<std::int32_t>::max();

// How the values and statistics of a tree are written.
enum class Details : std::uint8_t {
    none,           // values of leaves
    raw,            // everything for every node
    sums,           // numbers of rows and whole weights of leaves; the rest for every node
    means,          // those sums and the values of leaves; impurities for every node
    variances,      // those sums, the values and the impurities (most are 0) of leaves
    gini_counts,    // whole weights of the classes in leaves
    entropy_counts  // the same
};
constexpr std::uint8_t n_details = 7;

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

bool is_arranged(const TreeParts& parts) {
    std::vector<TreeNode> nodes = parts.nodes;
    if (!link(nodes)) return false;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].left != parts.nodes[i].left) return false;
    return true;
}

bool same_bits(double one, double other) {
    return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other);
}

bool same_statistics(const TreeParts& one, const TreeParts& other, bool also_impurity) {
    for (std::size_t i = 0; i < one.statistics.size(); ++i) {
        const NodeStatistics& mine = one.statistics[i];
        const NodeStatistics& theirs = other.statistics[i];
        if (!same_bits(mine.weight, theirs.weight) || mine.n_rows != theirs.n_rows ||
            (also_impurity && !same_bits(mine.impurity, theirs.impurity)))
            return false;
    }
    return true;
}

bool same_values(const TreeParts& one, const TreeParts& other) {
    return std::equal(one.node_values.begin(), one.node_values.end(), other.node_values.begin(),
                      same_bits);
}

bool is_count(double number) {
    constexpr double most = 1ULL << 53;
    return number >= 0 && number <= most && number == std::floor(number) && !std::signbit(number);
}

// Weights of the classes in leaves, if all are whole; nothing otherwise.
std::vector<double> leaf_counts(const TreeParts& parts) {
    const auto n = static_cast<std::size_t>(parts.n_outputs);
    std::vector<double> counts(parts.nodes.size() * n);
    for (std::size_t i = 0; i < parts.nodes.size(); ++i) {
        if (!parts.nodes[i].is_leaf()) continue;
        for (std::size_t k = 0; k < n; ++k) {
            const double count =
                std::nearbyint(parts.node_values[i * n + k] * parts.statistics[i].weight);
            if (!is_count(count)) return {};
            counts[i * n + k] = count;
        }
    }
    return counts;
}

bool has_whole_weights(const TreeParts& parts) {
    return std::ranges::all_of(parts.statistics,
                               [](const NodeStatistics& node) { return is_count(node.weight); });
}

// The shortest way that brings every bit back.
Details shortest(const TreeParts& parts) {
    if (parts.statistics.empty() && parts.node_values.empty()) return Details::none;
    if (parts.statistics.empty() || parts.node_values.empty() || !has_whole_weights(parts))
        return Details::raw;
    TreeParts summed = parts;
    sum_statistics(summed);
    if (!same_statistics(parts, summed, false)) return Details::raw;
    if (parts.n_outputs == 1) {
        join_means(summed);
        if (!same_values(parts, summed)) return Details::sums;
        join_variances(summed);
        return same_statistics(parts, summed, true) ? Details::variances : Details::means;
    }
    for (const auto kind : {ClassImpurity::gini, ClassImpurity::entropy}) {
        std::vector<double> counts = leaf_counts(parts);
        if (counts.empty()) break;
        sum_counts(summed, counts, kind);
        if (same_statistics(parts, summed, true) && same_values(parts, summed))
            return kind == ClassImpurity::gini ? Details::gini_counts : Details::entropy_counts;
    }
    return Details::sums;
}

// ---- Writing -----------------------------------------------------------------------------------

template <typename Each>
void for_leaves(const TreeParts& parts, const Each& each) {
    for (std::size_t i = 0; i < parts.nodes.size(); ++i)
        if (parts.nodes[i].is_leaf()) each(i);
}

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

void write_leaf_values(ByteWriter& out, const Tree& tree) {
    for (const TreeNode& node : tree.nodes())
        if (node.is_leaf())
            out.write(tree.leaf_values(node), static_cast<std::size_t>(tree.n_outputs()));
}

void write_leaf_sums(ByteWriter& out, const TreeParts& parts) {
    for_leaves(parts, [&](std::size_t i) {
        out.write_count(parts.statistics[i].n_rows);
        out.write_count(static_cast<std::uint64_t>(parts.statistics[i].weight));
    });
}

void write_leaf_impurities(ByteWriter& out, const TreeParts& parts) {
    std::vector<bool> above_zero;
    for_leaves(parts, [&](std::size_t i) {
        above_zero.push_back(!same_bits(parts.statistics[i].impurity, 0.0));
    });
    out.write_bits(above_zero);
    for_leaves(parts, [&](std::size_t i) {
        if (!same_bits(parts.statistics[i].impurity, 0.0)) out.write(parts.statistics[i].impurity);
    });
}

void write_impurities(ByteWriter& out, const TreeParts& parts) {
    for (const NodeStatistics& node : parts.statistics) out.write(node.impurity);
}

void write_raw(ByteWriter& out, const Tree& tree) {
    const TreeParts& parts = tree.parts();
    out.write(std::uint8_t{tree.has_statistics()});
    out.write(std::uint8_t{tree.has_node_values()});
    for (const NodeStatistics& node : parts.statistics) {
        out.write(node.impurity);
        out.write(node.weight);
        out.write_count(node.n_rows);
    }
    out.write(parts.node_values.data(), parts.node_values.size());
    if (!tree.has_node_values()) write_leaf_values(out, tree);
}

void write_counts(ByteWriter& out, const TreeParts& parts) {
    const std::vector<double> counts = leaf_counts(parts);
    const auto n = static_cast<std::size_t>(parts.n_outputs);
    for_leaves(parts, [&](std::size_t i) {
        out.write_count(parts.statistics[i].n_rows);
        for (std::size_t k = 0; k < n; ++k)
            out.write_count(static_cast<std::uint64_t>(counts[i * n + k]));
    });
}

void write_details(ByteWriter& out, const Tree& tree) {
    const TreeParts& parts = tree.parts();
    const Details details = shortest(parts);
    out.write(details);
    switch (details) {
        case Details::none:
            return write_leaf_values(out, tree);
        case Details::raw:
            return write_raw(out, tree);
        case Details::sums:
            write_leaf_sums(out, parts);
            write_impurities(out, parts);
            return out.write(parts.node_values.data(), parts.node_values.size());
        case Details::means:
            write_leaf_sums(out, parts);
            write_impurities(out, parts);
            return write_leaf_values(out, tree);
        case Details::variances:
            write_leaf_sums(out, parts);
            write_leaf_impurities(out, parts);
            return write_leaf_values(out, tree);
        case Details::gini_counts:
        case Details::entropy_counts:
            return write_counts(out, parts);
    }
}

// ---- Reading -----------------------------------------------------------------------------------

void take_nodes(ByteReader& in, TreeParts& parts, std::uint64_t n_nodes, std::size_t column_bytes) {
    check(n_nodes % 2 == 1 && n_nodes <= most_nodes, "The bytes of trees name no size of a tree.");
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
        check(n_categories >= 1 && n_categories <= most_nodes,
              "The bytes of trees hold a category set of no size.");
        const auto n = static_cast<std::uint32_t>(n_categories);
        sets.add(in.take<std::uint64_t>(CategorySets::n_words(n)), n);
    }
}

std::uint32_t take_rows(ByteReader& in) {
    const std::uint64_t n_rows = in.take_count();
    check(n_rows <= std::numeric_limits<std::uint32_t>::max(),
          "The bytes of trees hold a number of rows beyond all.");
    return static_cast<std::uint32_t>(n_rows);
}

void take_leaf_values(ByteReader& in, TreeParts& parts) {
    const auto n = static_cast<std::size_t>(parts.n_outputs);
    for_leaves(parts, [&](std::size_t i) {
        const std::vector<double> values = in.take<double>(n);
        if (n == 1)
            parts.nodes[i].threshold = values[0];
        else
            parts.leaf_values.insert(parts.leaf_values.end(), values.begin(), values.end());
    });
}

void take_leaf_sums(ByteReader& in, TreeParts& parts) {
    parts.statistics.resize(parts.nodes.size());
    for_leaves(parts, [&](std::size_t i) {
        parts.statistics[i].n_rows = take_rows(in);
        parts.statistics[i].weight = static_cast<double>(in.take_count());
    });
    sum_statistics(parts);
}

void take_raw(ByteReader& in, TreeParts& parts) {
    const bool has_statistics = in.take<std::uint8_t>() != 0;
    const bool has_values = in.take<std::uint8_t>() != 0;
    if (has_statistics) parts.statistics.resize(parts.nodes.size());
    for (NodeStatistics& node : parts.statistics) {
        node.impurity = in.take<double>();
        node.weight = in.take<double>();
        node.n_rows = take_rows(in);
    }
    const auto n = static_cast<std::uint64_t>(parts.n_outputs);
    if (!has_values) return take_leaf_values(in, parts);
    parts.node_values = in.take<double>(parts.nodes.size() * n);
}

void take_impurities(ByteReader& in, TreeParts& parts) {
    for (NodeStatistics& node : parts.statistics) node.impurity = in.take<double>();
}

void take_leaf_impurities(ByteReader& in, TreeParts& parts) {
    const std::vector<bool> above_zero = in.take_bits((parts.nodes.size() + 1) / 2);
    std::size_t leaf = 0;
    for_leaves(parts, [&](std::size_t i) {
        parts.statistics[i].impurity = above_zero[leaf++] ? in.take<double>() : 0.0;
    });
}

void take_means(ByteReader& in, TreeParts& parts) {
    check(parts.n_outputs == 1, "The bytes of trees hold means of several outputs.");
    take_leaf_values(in, parts);
    parts.node_values.resize(parts.nodes.size());
    for_leaves(parts, [&](std::size_t i) { parts.node_values[i] = parts.nodes[i].threshold; });
    join_means(parts);
}

void take_counts(ByteReader& in, TreeParts& parts, ClassImpurity kind) {
    const auto n = static_cast<std::size_t>(parts.n_outputs);
    // A count takes a byte at least: known before memory is asked for.
    check((parts.nodes.size() + 1) / 2 * n <= in.n_left(), "The bytes of trees end too early.");
    std::vector<double> counts(parts.nodes.size() * n);
    parts.statistics.resize(parts.nodes.size());
    parts.node_values.resize(counts.size());
    for_leaves(parts, [&](std::size_t i) {
        parts.statistics[i].n_rows = take_rows(in);
        for (std::size_t k = 0; k < n; ++k)
            counts[i * n + k] = static_cast<double>(in.take_count());
    });
    sum_statistics(parts);
    sum_counts(parts, counts, kind);
}

// Values of leaves are those of their nodes.
void copy_leaf_values(TreeParts& parts) {
    const auto n = static_cast<std::size_t>(parts.n_outputs);
    parts.leaf_values.clear();
    for_leaves(parts, [&](std::size_t i) {
        const double* values = parts.node_values.data() + i * n;
        if (n == 1)
            parts.nodes[i].threshold = values[0];
        else
            parts.leaf_values.insert(parts.leaf_values.end(), values, values + n);
    });
}

void take_details(ByteReader& in, TreeParts& parts) {
    const auto details = in.take<std::uint8_t>();
    check(details < n_details, "The bytes of trees hold parts that this release does not know.");
    switch (static_cast<Details>(details)) {
        case Details::none:
            return take_leaf_values(in, parts);
        case Details::raw:
            take_raw(in, parts);
            break;
        case Details::sums: {
            take_leaf_sums(in, parts);
            take_impurities(in, parts);
            const auto n = static_cast<std::uint64_t>(parts.n_outputs);
            parts.node_values = in.take<double>(parts.nodes.size() * n);
            break;
        }
        case Details::means:
            take_leaf_sums(in, parts);
            take_impurities(in, parts);
            return take_means(in, parts);
        case Details::variances:
            take_leaf_sums(in, parts);
            take_leaf_impurities(in, parts);
            take_means(in, parts);
            return join_variances(parts);
        case Details::gini_counts:
            take_counts(in, parts, ClassImpurity::gini);
            break;
        case Details::entropy_counts:
            take_counts(in, parts, ClassImpurity::entropy);
            break;
    }
    if (!parts.node_values.empty()) copy_leaf_values(parts);
}

void number_leaves(std::vector<TreeNode>& nodes) {
    std::int32_t ordinal = 0;
    for (TreeNode& node : nodes)
        if (node.is_leaf()) node.left = ~ordinal++;
}

std::size_t bytes_of_column(std::uint64_t n_columns) {
    return n_columns <= 1 << 8 ? 1 : n_columns <= 1 << 16 ? 2 : 4;
}

}  // namespace

std::string forest_to_bytes(TreeRefs trees) {
    check(!trees.empty(), "There must be trees to be written.");
    const auto n_columns = static_cast<std::uint64_t>(trees[0]->n_columns());
    ByteWriter out;
    out.write(magic, sizeof magic);
    out.write_count(version);
    out.write_count(trees.size());
    out.write_count(n_columns);
    for (const Tree* tree : trees) {
        check(tree->n_columns() == trees[0]->n_columns() && is_arranged(tree->parts()),
              "Trees must have the same columns and lie in the usual order to be written.");
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
    return trees;
}

}  // namespace nonet
