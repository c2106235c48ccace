#include "vote/sorting_network.hpp"

#include <algorithm>
#include <vector>

#include "testing.hpp"

namespace nonet {
namespace {

unsigned apply(const std::vector<Comparator>& network, unsigned wires) {
    for (const Comparator& step : network) {
        const unsigned low = wires >> step.low & 1U;
        const unsigned high = wires >> step.high & 1U;
        if (low > high) wires ^= (1U << step.low) | (1U << step.high);
    }
    return wires;
}

// The ones of a sorted 0-1 input are its last wires.
unsigned sorted(unsigned wires, index_t n_wires) {
    const int n_ones = __builtin_popcount(wires);
    return ((1U << n_ones) - 1U) << (n_wires - n_ones);
}

}  // namespace

// A network that sorts all inputs of zeros and ones sorts everything (Knuth, theorem 5.3.4Z).
NONET_TEST(network_sorts_all_zero_one_inputs) {
    for (index_t n_wires = 1; n_wires <= 12; ++n_wires) {
        const auto network = sorting_network(n_wires);
        for (unsigned wires = 0; wires < 1U << n_wires; ++wires)
            EXPECT(apply(network, wires) == sorted(wires, n_wires));
    }
}

NONET_TEST(selection_network_is_right_on_its_wires) {
    constexpr index_t n_wires = 9;
    for (index_t first = 0; first < n_wires; ++first)
        for (index_t last = first + 1; last <= n_wires; ++last) {
            const auto network = selection_network(n_wires, first, last);
            const unsigned mask = ((1U << (last - first)) - 1U) << first;
            for (unsigned wires = 0; wires < 1U << n_wires; ++wires)
                EXPECT((apply(network, wires) & mask) == (sorted(wires, n_wires) & mask));
        }
}

NONET_TEST(selection_of_the_minimum_is_a_tournament) {
    EXPECT(selection_network(100, 0, 1).size() == 99);
    EXPECT(selection_network(100, 49, 51).size() < sorting_network(100).size());
}

}  // namespace nonet
