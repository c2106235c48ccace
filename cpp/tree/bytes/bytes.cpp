#include "tree/bytes/bytes.hpp"

#include <cstring>
#include <limits>
#include <utility>

#include "base/check.hpp"
#include "tree/bytes/byte_stream.hpp"

namespace nonet {
namespace {

constexpr char magic[8] = {'n', 'o', 'n', 'e', 't', 't', 'r', 'e'};
constexpr std::uint32_t version = 1;
constexpr std::uint32_t statistics_flag = 1;
constexpr std::uint32_t node_values_flag = 2;
constexpr std::size_t checksum_size = sizeof(std::uint64_t);

struct Header {
    char magic[8];
    std::uint32_t version;
    std::uint32_t flags;
    std::uint64_t n_columns;
    std::uint64_t n_outputs;
    std::uint64_t n_nodes;
    std::uint64_t n_category_sets;
    std::uint64_t n_category_words;
};
static_assert(sizeof(Header) == 56);

std::uint64_t checksum(std::span<const char> bytes) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char byte : bytes) {
        hash ^= static_cast<unsigned char>(byte);
        hash *= 0x100000001b3U;
    }
    return hash;
}

std::size_t words_in(const CategorySets& sets) {
    std::size_t n_words = 0;
    for (std::size_t i = 0; i < sets.size(); ++i)
        n_words += CategorySets::n_words(sets[i].n_categories);
    return n_words;
}

Header header_of(const Tree& tree) {
    Header header{};
    std::memcpy(header.magic, magic, sizeof(magic));
    header.version = version;
    header.flags = (tree.has_statistics() ? statistics_flag : 0) |
                   (tree.has_node_values() ? node_values_flag : 0);
    header.n_columns = static_cast<std::uint64_t>(tree.n_columns());
    header.n_outputs = static_cast<std::uint64_t>(tree.n_outputs());
    header.n_nodes = static_cast<std::uint64_t>(tree.n_nodes());
    header.n_category_sets = tree.category_sets().size();
    header.n_category_words = words_in(tree.category_sets());
    return header;
}

// Field by field: a struct of them would carry four padding bytes per node.
void append_statistics(ByteWriter& out, std::span<const NodeStatistics> statistics) {
    for (const NodeStatistics& node : statistics) out.write(node.impurity);
    for (const NodeStatistics& node : statistics) out.write(node.weight);
    for (const NodeStatistics& node : statistics) out.write(node.n_rows);
}

std::vector<NodeStatistics> take_statistics(ByteReader& in, std::uint64_t n_nodes) {
    const auto impurities = in.take<double>(n_nodes);
    const auto weights = in.take<double>(n_nodes);
    const auto n_rows = in.take<std::uint32_t>(n_nodes);
    std::vector<NodeStatistics> statistics(impurities.size());
    for (std::size_t i = 0; i < statistics.size(); ++i)
        statistics[i] = {impurities[i], weights[i], n_rows[i]};
    return statistics;
}

// Trees of one output have them in their nodes.
void append_leaf_values(ByteWriter& out, const Tree& tree) {
    if (tree.n_outputs() == 1) return;
    for (const TreeNode& node : tree.nodes())
        if (node.is_leaf())
            out.write(tree.leaf_values(node), static_cast<std::size_t>(tree.n_outputs()));
}

void append_category_sets(ByteWriter& out, const CategorySets& sets) {
    for (std::size_t i = 0; i < sets.size(); ++i) out.write(sets[i].n_categories);
    for (std::size_t i = 0; i < sets.size(); ++i)
        out.write(sets[i].words, CategorySets::n_words(sets[i].n_categories));
}

CategorySets take_category_sets(ByteReader& in, const Header& header) {
    const auto n_categories = in.take<std::uint32_t>(header.n_category_sets);
    const auto words = in.take<std::uint64_t>(header.n_category_words);
    CategorySets sets;
    std::size_t next = 0;
    for (const std::uint32_t n : n_categories) {
        const std::size_t n_words = CategorySets::n_words(n);
        check(n_words <= words.size() - next, "The category sets of a tree end too early.");
        sets.add({words.data() + next, n_words}, n);
        next += n_words;
    }
    check(next == words.size(), "The category sets of a tree must use all of their words.");
    return sets;
}

Header take_header(ByteReader& in) {
    const auto header = in.take<Header>();
    check(std::memcmp(header.magic, magic, sizeof(magic)) == 0,
          "These are not the bytes of a tree: they begin with another mark.");
    check(header.version == version, [&] {
        return "The bytes of a tree are of version " + std::to_string(header.version) +
               ", but this release reads version " + std::to_string(version) + ".";
    });
    check(header.flags <= (statistics_flag | node_values_flag),
          "The bytes of a tree hold parts that this release does not know.");
    constexpr std::uint64_t limit = std::numeric_limits<std::int32_t>::max();
    check(header.n_columns <= limit && header.n_outputs <= limit && header.n_nodes <= limit,
          "The bytes of a tree name sizes beyond 2**31 - 1.");
    check(header.n_columns >= 1 && header.n_outputs >= 1 && header.n_nodes % 2 == 1,
          "The bytes of a tree name no size of a tree.");
    return header;
}

}  // namespace

std::string to_bytes(const Tree& tree) {
    const TreeParts& parts = tree.parts();
    ByteWriter out;
    out.write(header_of(tree));
    out.write(parts.nodes.data(), parts.nodes.size());
    append_leaf_values(out, tree);
    append_category_sets(out, parts.category_sets);
    append_statistics(out, parts.statistics);
    for (index_t i = 0; i < parts.node_values.n_nodes(); ++i)
        out.write(tree.node_values(i), static_cast<std::size_t>(tree.n_outputs()));
    out.write(checksum(out.bytes()));
    return std::move(out).take();
}

Tree tree_from_bytes(std::span<const char> bytes) {
    check(bytes.size() >= sizeof(Header) + checksum_size, "The bytes of a tree end too early.");
    const auto content = bytes.first(bytes.size() - checksum_size);
    ByteReader in(content);
    const Header header = take_header(in);
    check(ByteReader(bytes.last(checksum_size)).take<std::uint64_t>() == checksum(content),
          "The bytes of a tree are damaged: their checksum does not match.");
    TreeParts parts;
    parts.n_columns = static_cast<index_t>(header.n_columns);
    parts.n_outputs = static_cast<index_t>(header.n_outputs);
    parts.nodes = in.take<TreeNode>(header.n_nodes);
    const std::uint64_t n_leaves = (header.n_nodes + 1) / 2;
    if (parts.n_outputs > 1) parts.leaf_values = in.take<double>(n_leaves * header.n_outputs);
    parts.category_sets = take_category_sets(in, header);
    if (header.flags & statistics_flag) parts.statistics = take_statistics(in, header.n_nodes);
    if (header.flags & node_values_flag) {
        parts.node_values =
            ValueTable(parts.n_outputs, in.take<double>(header.n_nodes * header.n_outputs));
        parts.leaf_values = {};  // the same once more
    }
    check(in.at_end(), "The bytes of a tree go on after its end.");
    return Tree(std::move(parts));
}

}  // namespace nonet
