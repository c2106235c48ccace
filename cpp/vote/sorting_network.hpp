// Fixed sequences of comparisons that sort: the same for all data, so that many lanes can be sorted
// at once by vector minima and maxima.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.hpp"

namespace nonet {

struct Comparator {
    std::int32_t low;   // this wire gets the lesser value
    std::int32_t high;  // this wire gets the greater one
};

// Batcher's odd-even merge exchange for any number of wires (Knuth, The Art of Computer
// Programming, volume 3, algorithm 5.2.2M).
std::vector<Comparator> sorting_network(index_t n_wires);

// The part of that network that the wires [first, last) depend on.
std::vector<Comparator> selection_network(index_t n_wires, index_t first, index_t last);

}  // namespace nonet
