#include "tree/bytes/detail_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/check.hpp"
#include "tree/node_sums.hpp"

namespace nonet {
namespace {

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
    for (std::size_t i = 0; i < one.nodes.size(); ++i)
        if (!std::equal(one.node_values[i], one.node_values[i] + one.n_outputs,
                        other.node_values[i], same_bits))
            return false;
    return true;
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
                std::nearbyint(parts.node_values[i][k] * parts.statistics[i].weight);
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

void write_node_values(ByteWriter& out, const TreeParts& parts) {
    for (std::size_t i = 0; i < parts.nodes.size(); ++i)
        out.write(parts.node_values[i], static_cast<std::size_t>(parts.n_outputs));
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
    if (tree.has_node_values())
        write_node_values(out, parts);
    else
        write_leaf_values(out, tree);
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

// ---- Reading -----------------------------------------------------------------------------------

std::uint32_t take_row_count(ByteReader& in) {
    const std::uint64_t n_rows = in.take_count();
    check(n_rows <= std::numeric_limits<std::uint32_t>::max(),
          "The bytes of trees hold a number of rows beyond all.");
    return static_cast<std::uint32_t>(n_rows);
}

void take_leaf_values(ByteReader& in, TreeParts& parts) {
    const auto n = static_cast<std::uint64_t>(parts.n_outputs);
    if (n == 1)
        for_leaves(parts, [&](std::size_t i) { parts.nodes[i].threshold = in.take<double>(); });
    else
        parts.leaf_values = in.take<double>((parts.nodes.size() + 1) / 2 * n);
}

void take_leaf_sums(ByteReader& in, TreeParts& parts) {
    in.check_holds((parts.nodes.size() + 1) / 2, 2);
    parts.statistics.resize(parts.nodes.size());
    for_leaves(parts, [&](std::size_t i) {
        parts.statistics[i].n_rows = take_row_count(in);
        parts.statistics[i].weight = static_cast<double>(in.take_count());
    });
    sum_statistics(parts);
}

void take_node_values(ByteReader& in, TreeParts& parts) {
    const auto n = static_cast<std::uint64_t>(parts.n_outputs);
    parts.node_values = ValueTable(parts.n_outputs, in.take<double>(parts.nodes.size() * n));
}

void take_raw(ByteReader& in, TreeParts& parts) {
    const bool has_statistics = in.take<std::uint8_t>() != 0;
    const bool has_values = in.take<std::uint8_t>() != 0;
    if (has_statistics) {
        in.check_holds(parts.nodes.size(), 2 * sizeof(double) + 1);
        parts.statistics.resize(parts.nodes.size());
    }
    for (NodeStatistics& node : parts.statistics) {
        node.impurity = in.take<double>();
        node.weight = in.take<double>();
        node.n_rows = take_row_count(in);
    }
    if (!has_values) return take_leaf_values(in, parts);
    take_node_values(in, parts);
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
    const std::vector<double> zeros(parts.nodes.size());
    parts.node_values = ValueTable(1, zeros);
    for_leaves(parts,
               [&](std::size_t i) { parts.node_values.number(i) = parts.nodes[i].threshold; });
    join_means(parts);
}

void take_counts(ByteReader& in, TreeParts& parts, ClassImpurity kind) {
    const auto n = static_cast<std::size_t>(parts.n_outputs);
    in.check_holds((parts.nodes.size() + 1) / 2 * n, 1);  // a count takes a byte at least
    std::vector<double> counts(parts.nodes.size() * n);
    parts.statistics.resize(parts.nodes.size());
    for_leaves(parts, [&](std::size_t i) {
        parts.statistics[i].n_rows = take_row_count(in);
        for (std::size_t k = 0; k < n; ++k)
            counts[i * n + k] = static_cast<double>(in.take_count());
    });
    sum_statistics(parts);
    sum_counts(parts, counts, kind);
}

// Leaves of one output carry their value themselves.
void copy_leaf_values(TreeParts& parts) {
    for_leaves(parts, [&](std::size_t i) { parts.nodes[i].threshold = *parts.node_values[i]; });
}

}  // namespace

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
            return write_node_values(out, parts);
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

void take_details(ByteReader& in, TreeParts& parts) {
    const auto details = in.take<std::uint8_t>();
    check(details < n_details, "The bytes of trees hold parts that this release does not know.");
    switch (static_cast<Details>(details)) {
        case Details::none:
            return take_leaf_values(in, parts);
        case Details::raw:
            take_raw(in, parts);
            break;
        case Details::sums:
            take_leaf_sums(in, parts);
            take_impurities(in, parts);
            take_node_values(in, parts);
            break;
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
    if (!parts.node_values.empty() && parts.n_outputs == 1) copy_leaf_values(parts);
}

}  // namespace nonet
