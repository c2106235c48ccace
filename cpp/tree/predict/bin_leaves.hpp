// The leaves of the rows of a binned dataset, found from their bins.
//
// Bins take a quarter of the memory of numbers or less, and lie column by column already: rows that
// a tree was not grown on are found at once, however many they are.
#pragma once

#include <cstdint>
#include <span>

#include "data/binned_dataset.hpp"
#include "tree/tree.hpp"

namespace nonet {

// Writes the leaf of each row whose leaf is negative, numbered in preorder; -1 where a bin does not
// determine it, as a threshold lies inside it. Returns whether all of them told. Leaves that are
// given are those of their rows, and stay.
bool find_bin_leaves(const Tree& tree, const BinnedDataset& dataset, int n_threads,
                     std::span<std::int32_t> leaves);

}  // namespace nonet
