// A growing tree: begins as one leaf, splits leaves, and becomes a Tree in the end.
#pragma once

#include <algorithm>
#include <span>

#include "tree/tree.hpp"

namespace nonet {

class TreeBuilder {
public:
    TreeBuilder(index_t n_columns, index_t n_outputs);

    index_t n_nodes() const noexcept { return std::ssize(parts_.nodes); }

    // Both return the left child; the right one is the next. Rows that are missing in the column
    // follow `missing_left`: where the node saw none, scikit-learn sends them with the most rows.
    index_t split(index_t node, index_t column, double threshold, bool missing_left);
    index_t split_categories(index_t node, index_t column, std::span<const std::uint64_t> words,
                             std::uint32_t n_categories, bool missing_left);

    // Every node, inner ones too, has values (its mean target, class fractions, or leaf weight).
    // They are added in the order of nodes; `write` puts them where it is told.
    template <typename Write>
    void add_values(const Write& write) {
        parts_.node_values.add_written(write);
    }
    void set_statistics(index_t node, const NodeStatistics& statistics) {
        parts_.statistics[static_cast<std::size_t>(node)] = statistics;
    }

    // keep_details = false leaves out statistics and node values.
    Tree finish(bool keep_details = true) &&;

private:
    index_t open_children(index_t node, index_t column, double threshold, std::uint32_t bits);

    TreeParts parts_;
};

}  // namespace nonet
