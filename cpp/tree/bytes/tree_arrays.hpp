// A tree as arrays of one fact a node, in the numbering and the words that scikit-learn's users
// know: the nodes in preorder, left and right -1 in leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/tree.hpp"

namespace nonet {

struct TreeArrays {
    std::vector<std::int32_t> left;
    std::vector<std::int32_t> right;
    std::vector<std::int32_t> column;  // -2 in leaves
    std::vector<double> threshold;     // -2 in leaves
    std::vector<std::uint8_t> missing_left;
    std::vector<std::int32_t> category_set;  // index of the set, -1 without one
    std::vector<double> values;              // (n_nodes, n_outputs); only of leaves without details
    std::vector<double> impurity;            // this and the following are empty without details
    std::vector<double> weight;
    std::vector<std::uint32_t> n_rows;
};

TreeArrays to_arrays(const Tree& tree);

// Takes nodes in any order, the root first; a category set holds for each code whether it goes
// left.
Tree from_arrays(index_t n_columns, index_t n_outputs, const TreeArrays& arrays,
                 const std::vector<std::vector<bool>>& category_sets);

}  // namespace nonet
