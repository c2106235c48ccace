// Minimal cost-complexity pruning (Breiman, Friedman, Olshen and Stone, "Classification and
// Regression Trees", 1984, chapter 3).
//
// The cost of a node is its fraction of the weight times its impurity; the weakest link is the
// inner node whose branch saves the minimum cost per leaf it has beyond one. Links are pruned in
// the order of that number, alpha; of equal ones, the first in preorder.
#pragma once

#include <vector>

#include "tree/tree.hpp"

namespace nonet {

// Step 0 is the whole tree with alpha 0; every further one prunes one link.
struct PruningPath {
    std::vector<double> alphas;
    std::vector<double> impurities;  // total cost of the leaves that are left
};

PruningPath pruning_path(const Tree& tree);

// The tree after all links with an alpha of at most the given one are cut.
Tree prune(const Tree& tree, double alpha);

}  // namespace nonet
