#include "data/bin_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/dispatch.hpp"

namespace nonet {
namespace {

constexpr index_t values_per_block = 1024;  // what is found so far stays in the nearest cache

// All values take one step after another, the same steps for each and no branch on a comparison:
// wide registers hold several values, and read the edges of all of them at once.
template <typename T>
NONET_INLINE void find_in_steps(const T* values, index_t n, const T* edges,
                                std::uint32_t first_half, std::uint16_t missing,
                                std::uint16_t* found) {
    std::uint32_t below[values_per_block] = {};
    for (std::uint32_t half = first_half; half >= 1; half /= 2)
        for (index_t i = 0; i < n; ++i)
            below[i] += edges[below[i] + half - 1] < values[i] ? half : 0;
    for (index_t i = 0; i < n; ++i)
        found[i] = values[i] != values[i] ? missing : static_cast<std::uint16_t>(below[i]);
}
NONET_CLONES void find_block(const float* values, index_t n, const float* edges,
                             std::uint32_t first_half, std::uint16_t missing,
                             std::uint16_t* found) {
    find_in_steps(values, n, edges, first_half, missing, found);
}
NONET_CLONES void find_block(const double* values, index_t n, const double* edges,
                             std::uint32_t first_half, std::uint16_t missing,
                             std::uint16_t* found) {
    find_in_steps(values, n, edges, first_half, missing, found);
}

// The maximum number of type T that is not above the edge: x <= edge means the same with it.
template <typename T>
T edge_as(double edge) {
    const T rounded = static_cast<T>(edge);
    if (static_cast<double>(rounded) <= edge) return rounded;
    return std::nextafter(rounded, -std::numeric_limits<T>::infinity());
}

template <typename T>
void find_codes(const T* values, index_t n, std::uint16_t missing, std::uint16_t* found) {
    for (index_t i = 0; i < n; ++i)
        found[i] = values[i] >= 0 ? static_cast<std::uint16_t>(values[i]) : missing;
}

}  // namespace

template <typename T>
BinSearch<T>::BinSearch(const ColumnBins& bins)
    : missing_(static_cast<std::uint16_t>(bins.missing_bin())), is_category_(bins.is_category) {
    for (const double edge : bins.edges) edges_.push_back(edge_as<T>(edge));
    std::size_t size = 1;
    while (size < edges_.size()) size = 2 * size + 1;
    edges_.resize(size, std::numeric_limits<T>::infinity());
}

template <typename T>
void BinSearch<T>::find(const T* values, index_t n, std::uint16_t* found) const {
    if (is_category_) return find_codes(values, n, missing_, found);
    const auto first_half = static_cast<std::uint32_t>(edges_.size() + 1) / 2;
    for (index_t begin = 0; begin < n; begin += values_per_block)
        find_block(values + begin, std::min(values_per_block, n - begin), edges_.data(), first_half,
                   missing_, found + begin);
}

template class BinSearch<float>;
template class BinSearch<double>;

}  // namespace nonet
