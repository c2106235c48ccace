#include "data/bin_search.hpp"

#include <cmath>
#include <limits>

namespace nonet {
namespace {

// The same steps for every value and no branch on a comparison: the processor works on several
// values at once, where a search that jumps would wait for each.
template <typename T>
void find_values(const T* values, index_t n, const std::vector<T>& edges, std::uint16_t missing,
                 std::uint16_t* found) {
    const auto first_half = static_cast<std::uint32_t>(edges.size() + 1) / 2;
    const T* edge = edges.data();
    for (index_t i = 0; i < n; ++i) {
        const T value = values[i];
        std::uint32_t below = 0;
        for (std::uint32_t half = first_half; half >= 1; half /= 2)
            below += (edge[below + half - 1] < value) * half;
        found[i] = value != value ? missing : static_cast<std::uint16_t>(below);
    }
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
    find_values(values, n, edges_, missing_, found);
}

template class BinSearch<float>;
template class BinSearch<double>;

}  // namespace nonet
