#include "tree/tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.hpp"

namespace nonet {
namespace {

constexpr index_t max_nodes = std::numeric_limits<std::int32_t>::max();

void check_sizes(const TreeParts& parts) {
    const auto n_nodes = std::ssize(parts.nodes);
    check(parts.n_columns >= 1 && parts.n_columns <= TreeNode::column_mask,
          "A tree needs at least 1 and at most 2**30 - 1 columns.");
    check(n_nodes >= 1 && n_nodes % 2 == 1 && n_nodes <= max_nodes,
          "A tree needs an odd number of nodes: one more leaf than inner nodes.");
    check(parts.n_outputs >= 1 && parts.n_outputs <= max_nodes,
          "A tree needs at least one output.");
    const bool nodes_say_it = parts.n_outputs == 1 || !parts.node_values.empty();
    check(std::ssize(parts.leaf_values) == (nodes_say_it ? 0 : (n_nodes + 1) / 2 * parts.n_outputs),
          "A tree of several outputs needs one value per leaf and output.");
    check(parts.statistics.empty() || std::ssize(parts.statistics) == n_nodes,
          "Statistics must be given for all nodes or for none.");
    check(parts.node_values.empty() || parts.node_values.n_nodes() == n_nodes,
          "Node values must be given for all nodes and outputs or for none.");
}

void check_split(const TreeParts& parts, const TreeNode& node, index_t position) {
    check(node.column_index() < parts.n_columns, [position] {
        return "Node " + std::to_string(position) +
               " of a tree splits a column that does not exist.";
    });
    const double bound = static_cast<double>(parts.category_sets.size());
    const bool known = node.is_category_split() ? node.threshold >= 0 && node.threshold < bound &&
                                                      node.threshold == std::floor(node.threshold)
                                                : !std::isnan(node.threshold);
    check(known, [position] {
        return "Node " + std::to_string(position) +
               " of a tree must have a threshold that is a number or the index of a category set.";
    });
}

// Children of the k-th inner node may lie anywhere behind it, but no two parents share one: with
// 2k + 1 nodes in all, k distinct pairs behind their parents make a tree.
void check_links(const TreeParts& parts) {
    const auto n_nodes = std::ssize(parts.nodes);
    std::vector<bool> has_parent(parts.nodes.size());
    std::int32_t next_leaf = 0;
    for (index_t i = 0; i < n_nodes; ++i) {
        const TreeNode& node = parts.nodes[static_cast<std::size_t>(i)];
        if (node.is_leaf()) {
            check(node.leaf() == next_leaf++, "Leaves of a tree must be numbered in their order.");
            // A row that has arrived is still compared until its neighbours arrive.
            check(node.column == 0, "Leaves of a tree must name column 0.");
            continue;
        }
        check(node.left > i && node.left + index_t{1} < n_nodes, [i] {
            return "Node " + std::to_string(i) + " of a tree must lie before its two children.";
        });
        check_split(parts, node, i);
        for (const auto child :
             {static_cast<std::size_t>(node.left), static_cast<std::size_t>(node.left) + 1}) {
            check(!has_parent[child], "No two nodes of a tree may share a child.");
            has_parent[child] = true;
        }
    }
    check(next_leaf == (n_nodes + 1) / 2, "A tree needs exactly one more leaf than inner nodes.");
}

// To the end, whatever it finds: such a loop looks at many at once.
bool has_nan(std::span<const double> values) {
    bool found = false;
    for (const double value : values) found |= value != value;
    return found;
}

void check_values(const TreeParts& parts) {
    bool found = false;
    for (const TreeNode& node : parts.nodes) found |= node.threshold != node.threshold;
    check(!found && !has_nan(parts.leaf_values) && !has_nan(parts.node_values.distinct()),
          "Values of a tree must not be NaN.");
}

void put_in_order(TreeParts& parts) {
    TreeParts arranged;
    arranged.nodes.reserve(parts.nodes.size());
    arranged.node_values = ValueTable(parts.n_outputs);
    arranged.node_values.reserve(std::ssize(parts.nodes));
    const auto append = [&](std::size_t from) {
        arranged.nodes.push_back(parts.nodes[from]);
        arranged.statistics.push_back(parts.statistics[from]);
        arranged.node_values.add(parts.node_values[from]);
    };
    append(0);
    std::vector<std::size_t> waiting{0};
    while (!waiting.empty()) {
        TreeNode& node = arranged.nodes[waiting.back()];
        waiting.pop_back();
        if (node.is_leaf()) continue;
        const auto from = static_cast<std::size_t>(node.left);
        const std::size_t left = arranged.nodes.size();
        node.left = static_cast<std::int32_t>(left);
        append(from);
        append(from + 1);
        waiting.insert(waiting.end(), {left + 1, left});
    }
    parts.nodes = std::move(arranged.nodes);
    parts.statistics = std::move(arranged.statistics);
    parts.node_values = std::move(arranged.node_values);
}

void number_leaves(TreeParts& parts) {
    std::int32_t ordinal = 0;
    for (std::size_t i = 0; i < parts.nodes.size(); ++i) {
        TreeNode& node = parts.nodes[i];
        if (node.is_leaf())
            node = {parts.n_outputs == 1 ? *parts.node_values[i] : 0.0, 0, ~ordinal++};
    }
}

}  // namespace

void check_splits(const TreeParts& parts, std::span<const std::int32_t> inner) {
    for (const std::int32_t i : inner)
        check_split(parts, parts.nodes[static_cast<std::size_t>(i)], i);
}

std::size_t CategorySets::add(std::span<const std::uint64_t> words, std::uint32_t n_categories) {
    check(n_categories >= 1 && words.size() == n_words(n_categories),
          "A category set needs one bit for each category, in words of 64.");
    starts_.push_back(words_.size());
    words_.insert(words_.end(), words.begin(), words.end());
    n_categories_.push_back(n_categories);
    return size() - 1;
}

bool is_arranged(std::span<const TreeNode> nodes) {
    std::vector<std::size_t> waiting{0};
    for (std::size_t next = 1; !waiting.empty();) {
        const TreeNode& node = nodes[waiting.back()];
        waiting.pop_back();
        if (node.is_leaf()) continue;
        if (static_cast<std::size_t>(node.left) != next) return false;
        waiting.insert(waiting.end(), {next + 1, next});
        next += 2;
    }
    return true;
}

void arrange(TreeParts& parts) {
    if (!is_arranged(parts.nodes)) put_in_order(parts);
    number_leaves(parts);
}

void leave_out_details(TreeParts& parts) {
    const auto n_outputs = static_cast<std::size_t>(parts.n_outputs);
    parts.statistics = {};
    const ValueTable values = std::exchange(parts.node_values, ValueTable());
    if (n_outputs == 1) return;
    for (std::size_t i = 0; i < parts.nodes.size(); ++i)
        if (parts.nodes[i].is_leaf())
            parts.leaf_values.insert(parts.leaf_values.end(), values[i], values[i] + n_outputs);
}

Tree::Tree(TreeParts parts) : parts_(std::move(parts)) {
    check_sizes(parts_);
    check_links(parts_);
    check_values(parts_);
    const std::vector<std::int32_t> depth = depths();
    max_depth_ = *std::max_element(depth.begin(), depth.end());
}

Tree::Tree(TreeParts parts, index_t max_depth) : parts_(std::move(parts)), max_depth_(max_depth) {
    check_sizes(parts_);
    check_values(parts_);
}

std::vector<std::int32_t> Tree::depths() const {
    std::vector<std::int32_t> depth(parts_.nodes.size());
    for (std::size_t i = 0; i < parts_.nodes.size(); ++i) {
        const TreeNode& node = parts_.nodes[i];
        if (node.is_leaf()) continue;
        const auto left = static_cast<std::size_t>(node.left);
        depth[left] = depth[left + 1] = depth[i] + 1;
    }
    return depth;
}

std::vector<std::int32_t> Tree::parents() const {
    std::vector<std::int32_t> parent(parts_.nodes.size(), -1);
    for (std::size_t i = 0; i < parts_.nodes.size(); ++i) {
        const TreeNode& node = parts_.nodes[i];
        if (node.is_leaf()) continue;
        const auto left = static_cast<std::size_t>(node.left);
        parent[left] = parent[left + 1] = static_cast<std::int32_t>(i);
    }
    return parent;
}

std::vector<std::int32_t> Tree::preorder() const {
    std::vector<std::int32_t> positions(parts_.nodes.size());
    std::vector<std::int32_t> waiting{0};
    for (std::int32_t position = 0; !waiting.empty(); ++position) {
        const auto i = static_cast<std::size_t>(waiting.back());
        waiting.pop_back();
        positions[i] = position;
        const TreeNode& node = parts_.nodes[i];
        if (!node.is_leaf()) waiting.insert(waiting.end(), {node.left + 1, node.left});
    }
    return positions;
}

}  // namespace nonet
