#include "vote/sorting_network.hpp"

#include <algorithm>
#include <bit>

namespace nonet {
namespace {

// One step of a merge: wires i with (i & p) == r meet their neighbours at the given distance.
void append_step(std::vector<Comparator>& network, index_t n_wires, index_t p, index_t r,
                 index_t distance) {
    for (index_t i = 0; i + distance < n_wires; ++i)
        if ((i & p) == r)
            network.push_back(
                {static_cast<std::int32_t>(i), static_cast<std::int32_t>(i + distance)});
}

index_t largest_power_below(index_t n_wires) {
    return static_cast<index_t>(std::bit_ceil(static_cast<std::size_t>(n_wires)) / 2);
}

}  // namespace

std::vector<Comparator> sorting_network(index_t n_wires) {
    std::vector<Comparator> network;
    const index_t top = largest_power_below(n_wires);
    for (index_t p = top; p > 0; p /= 2) {
        append_step(network, n_wires, p, 0, p);
        for (index_t q = top; q > p; q /= 2) append_step(network, n_wires, p, p, q - p);
    }
    return network;
}

// Backwards from the requested wires: a comparator matters if one of its outputs does, and then
// both of its inputs do.
std::vector<Comparator> selection_network(index_t n_wires, index_t first, index_t last) {
    const std::vector<Comparator> network = sorting_network(n_wires);
    std::vector<bool> matters(static_cast<std::size_t>(n_wires), false);
    std::fill(matters.begin() + first, matters.begin() + last, true);
    std::vector<Comparator> needed;
    for (auto step = network.rbegin(); step != network.rend(); ++step) {
        const auto low = static_cast<std::size_t>(step->low);
        const auto high = static_cast<std::size_t>(step->high);
        if (!matters[low] && !matters[high]) continue;
        matters[low] = matters[high] = true;
        needed.push_back(*step);
    }
    std::reverse(needed.begin(), needed.end());
    return needed;
}

}  // namespace nonet
