#include "tree/bytes/detail_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
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
    const NodeKinds kinds = kinds_of(parts.nodes);
    sum_statistics(summed, kinds);
    if (!same_statistics(parts, summed, false)) return Details::raw;
    if (parts.n_outputs == 1) {
        join_means(summed, kinds);
        if (!same_values(parts, summed)) return Details::sums;
        join_variances(summed, kinds);
        return same_statistics(parts, summed, true) ? Details::variances : Details::means;
    }
    for (const auto kind : {ClassImpurity::gini, ClassImpurity::entropy}) {
        std::vector<double> counts = leaf_counts(parts);
        if (counts.empty()) break;
        sum_counts(summed, kinds, counts, kind);
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

// What a tree is read into: its parts, and which of its nodes are leaves.
struct Reading {
    ByteReader& in;
    TreeParts& parts;
    const NodeKinds& kinds;

    std::size_t n_outputs() const noexcept { return static_cast<std::size_t>(parts.n_outputs); }

    template <typename Each>
    void for_leaves(const Each& each) const {
        for (const std::int32_t leaf : kinds.leaves()) each(static_cast<std::size_t>(leaf));
    }
};

void take_leaf_values(const Reading& to) {
    const std::size_t n_leaves = to.kinds.leaves().size();
    if (to.n_outputs() > 1) {
        to.parts.leaf_values = to.in.take<double>(n_leaves * to.n_outputs());
        return;
    }
    to.in.check_holds(n_leaves, sizeof(double));
    const char* next = to.in.take_bytes(n_leaves * sizeof(double)).data();
    to.for_leaves([&](std::size_t i) {
        std::memcpy(&to.parts.nodes[i].threshold, next, sizeof(double));
        next += sizeof(double);
    });
}

void take_leaf_sums(const Reading& to) {
    to.in.check_holds(to.kinds.leaves().size(), 2);
    to.parts.statistics.resize(to.parts.nodes.size());
    to.for_leaves([&](std::size_t i) {
        to.parts.statistics[i].n_rows = take_row_count(to.in);
        to.parts.statistics[i].weight = static_cast<double>(to.in.take_count());
    });
    sum_statistics(to.parts, to.kinds);
}

void take_node_values(const Reading& to) {
    const std::size_t n = to.parts.nodes.size() * to.n_outputs();
    to.parts.node_values = ValueTable(to.parts.n_outputs, to.in.take<double>(n));
}

void take_raw(const Reading& to) {
    const bool has_statistics = to.in.take<std::uint8_t>() != 0;
    const bool has_values = to.in.take<std::uint8_t>() != 0;
    if (has_statistics) {
        to.in.check_holds(to.parts.nodes.size(), 2 * sizeof(double) + 1);
        to.parts.statistics.resize(to.parts.nodes.size());
    }
    for (NodeStatistics& node : to.parts.statistics) {
        node.impurity = to.in.take<double>();
        node.weight = to.in.take<double>();
        node.n_rows = take_row_count(to.in);
    }
    if (!has_values) return take_leaf_values(to);
    take_node_values(to);
}

void take_impurities(const Reading& to) {
    const std::size_t n_nodes = to.parts.statistics.size();
    to.in.check_holds(n_nodes, sizeof(double));
    const char* next = to.in.take_bytes(n_nodes * sizeof(double)).data();
    for (NodeStatistics& node : to.parts.statistics) {
        std::memcpy(&node.impurity, next, sizeof(double));
        next += sizeof(double);
    }
}

void take_leaf_impurities(const Reading& to) {
    const std::vector<bool> above_zero = to.in.take_bits(to.kinds.leaves().size());
    std::size_t leaf = 0;
    to.for_leaves([&](std::size_t i) {
        to.parts.statistics[i].impurity = above_zero[leaf++] ? to.in.take<double>() : 0.0;
    });
}

void take_means(const Reading& to) {
    check(to.n_outputs() == 1, "The bytes of trees hold means of several outputs.");
    take_leaf_values(to);
    TreeParts& parts = to.parts;
    parts.node_values.resize(std::ssize(parts.nodes));
    to.for_leaves([&](std::size_t i) { parts.node_values.number(i) = parts.nodes[i].threshold; });
    join_means(parts, to.kinds);
}

void take_counts(const Reading& to, ClassImpurity kind) {
    const std::size_t n = to.n_outputs();
    to.in.check_holds(to.kinds.leaves().size() * n, 1);  // a count takes a byte at least
    std::vector<double> counts(to.parts.nodes.size() * n);
    to.parts.statistics.resize(to.parts.nodes.size());
    with_number_of_classes(n, [&](const auto n_classes) {
        to.for_leaves([&](std::size_t i) {
            to.parts.statistics[i].n_rows = take_row_count(to.in);
            for (std::size_t k = 0; k < n_classes; ++k)
                counts[i * n_classes + k] = static_cast<double>(to.in.take_count());
        });
    });
    sum_counts(to.parts, to.kinds, counts, kind);
}

// Leaves of one output carry their value themselves.
void copy_leaf_values(const Reading& to) {
    to.for_leaves([&](std::size_t i) { to.parts.nodes[i].threshold = *to.parts.node_values[i]; });
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

void take_details(ByteReader& in, TreeParts& parts, const NodeKinds& kinds) {
    const Reading to{in, parts, kinds};
    const auto details = in.take<std::uint8_t>();
    check(details < n_details, "The bytes of trees hold parts that this release does not know.");
    switch (static_cast<Details>(details)) {
        case Details::none:
            return take_leaf_values(to);
        case Details::raw:
            take_raw(to);
            break;
        case Details::sums:
            take_leaf_sums(to);
            take_impurities(to);
            take_node_values(to);
            break;
        case Details::means:
            take_leaf_sums(to);
            take_impurities(to);
            return take_means(to);
        case Details::variances:
            take_leaf_sums(to);
            take_leaf_impurities(to);
            take_means(to);
            return join_variances(parts, kinds);
        case Details::gini_counts:
            take_counts(to, ClassImpurity::gini);
            break;
        case Details::entropy_counts:
            take_counts(to, ClassImpurity::entropy);
            break;
    }
    if (!parts.node_values.empty() && parts.n_outputs == 1) copy_leaf_values(to);
}

}  // namespace nonet
