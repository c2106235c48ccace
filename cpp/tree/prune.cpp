#include "tree/prune.hpp"

#include <queue>
#include <tuple>
#include <utility>

#include "base/check.hpp"

namespace nonet {
namespace {

class WeakestLinks {
public:
    explicit WeakestLinks(const Tree& tree)
        : tree_(tree), positions_(tree.preorder()), branches_(tree.nodes().size()) {
        check(tree.has_statistics() && tree.has_node_values(),
              "Pruning reads statistics and node values, which this tree was made without.");
        sum_up();
        for (index_t i = 0; i < tree.n_nodes(); ++i)
            if (!tree.node(i).is_leaf()) offer(i);
    }

    bool done() {
        drop_outdated();
        return links_.empty();
    }
    double min_alpha() const { return links_.top().alpha; }
    double total_cost() const { return branches_[0].cost; }
    bool is_cut(index_t i) const { return at(i).is_cut; }

    void cut_weakest() {
        const index_t node = links_.top().node;
        const double more_cost = at(node).own_cost - at(node).cost;
        const index_t fewer_leaves = at(node).n_leaves - 1;
        mark_cut(node);
        for (index_t i = node; i >= 0; i = at(i).parent) {
            at(i).cost = i == node ? at(i).own_cost : at(i).cost + more_cost;
            at(i).n_leaves -= fewer_leaves;
            if (i != node) offer(i);
        }
    }

private:
    struct Branch {
        double own_cost = 0;  // of the node as a leaf
        double cost = 0;      // of the leaves below it
        index_t n_leaves = 1;
        index_t parent = -1;
        bool is_cut = false;  // it is a leaf now, or gone
    };
    struct Link {
        double alpha;
        std::int32_t position;
        index_t node;
        index_t n_leaves;  // of the branch when the link was offered: outdated if it has fewer now

        bool operator<(const Link& other) const {  // the top of the queue is the weakest link
            return std::tie(alpha, position) > std::tie(other.alpha, other.position);
        }
    };

    Branch& at(index_t i) { return branches_[static_cast<std::size_t>(i)]; }
    const Branch& at(index_t i) const { return branches_[static_cast<std::size_t>(i)]; }

    void sum_up() {
        const auto statistics = tree_.statistics();
        for (index_t i = tree_.n_nodes() - 1; i >= 0; --i) {
            const NodeStatistics& node = statistics[static_cast<std::size_t>(i)];
            at(i).own_cost = node.weight * node.impurity / statistics[0].weight;
            at(i).cost = at(i).own_cost;
            if (!tree_.node(i).is_leaf()) join_children(i, tree_.node(i).left);
        }
    }

    void join_children(index_t i, index_t left) {
        at(i).cost = at(left).cost + at(left + 1).cost;
        at(i).n_leaves = at(left).n_leaves + at(left + 1).n_leaves;
        at(left).parent = at(left + 1).parent = i;
    }

    void offer(index_t i) {
        const double alpha =
            (at(i).own_cost - at(i).cost) / static_cast<double>(at(i).n_leaves - 1);
        links_.push({alpha, positions_[static_cast<std::size_t>(i)], i, at(i).n_leaves});
    }

    void drop_outdated() {
        while (!links_.empty() && (at(links_.top().node).is_cut ||
                                   at(links_.top().node).n_leaves != links_.top().n_leaves))
            links_.pop();
    }

    void mark_cut(index_t top) {
        std::vector<index_t> waiting{top};
        while (!waiting.empty()) {
            const index_t i = waiting.back();
            waiting.pop_back();
            if (at(i).is_cut) continue;
            at(i).is_cut = true;
            const TreeNode& node = tree_.node(i);
            if (!node.is_leaf()) waiting.insert(waiting.end(), {node.left, node.left + index_t{1}});
        }
    }

    const Tree& tree_;
    std::vector<std::int32_t> positions_;
    std::vector<Branch> branches_;
    std::priority_queue<Link> links_;
};

// Copies node `from` of the tree to the end of the parts; its children are linked later.
void copy_node(const Tree& tree, index_t from, TreeParts& parts) {
    parts.nodes.push_back({0.0, 0, -1});
    parts.statistics.push_back(tree.statistics()[static_cast<std::size_t>(from)]);
    parts.node_values.add(tree.node_values(from));
}

TreeNode copy_split(const Tree& tree, const TreeNode& node, index_t left, TreeParts& parts) {
    TreeNode copy{node.threshold, node.column, static_cast<std::int32_t>(left)};
    if (!node.is_category_split()) return copy;
    const CategorySet set = tree.category_sets()[node.category_set()];
    copy.threshold = static_cast<double>(parts.category_sets.add(
        {set.words, CategorySets::n_words(set.n_categories)}, set.n_categories));
    return copy;
}

Tree copy_uncut(const Tree& tree, const WeakestLinks& links) {
    TreeParts parts;
    parts.n_columns = tree.n_columns();
    parts.n_outputs = tree.n_outputs();
    parts.node_values = ValueTable(tree.n_outputs());
    copy_node(tree, 0, parts);
    std::vector<index_t> sources{0};
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const TreeNode& node = tree.node(sources[i]);
        if (node.is_leaf() || links.is_cut(sources[i])) continue;
        parts.nodes[i] = copy_split(tree, node, std::ssize(sources), parts);
        for (const index_t child : {index_t{node.left}, node.left + index_t{1}}) {
            copy_node(tree, child, parts);
            sources.push_back(child);
        }
    }
    arrange(parts);
    return Tree(std::move(parts));
}

}  // namespace

PruningPath pruning_path(const Tree& tree) {
    WeakestLinks links(tree);
    PruningPath path{{0.0}, {links.total_cost()}};
    while (!links.done()) {
        path.alphas.push_back(links.min_alpha());
        links.cut_weakest();
        path.impurities.push_back(links.total_cost());
    }
    return path;
}

Tree prune(const Tree& tree, double alpha) {
    WeakestLinks links(tree);
    while (!links.done() && links.min_alpha() <= alpha) links.cut_weakest();
    return copy_uncut(tree, links);
}

}  // namespace nonet
