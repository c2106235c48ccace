// Which bin a value falls into, for many values at once.
#pragma once

#include <cstdint>
#include <vector>

#include "data/bin_edges.hpp"

namespace nonet {

// The edges of one column, laid out for a search that takes the same steps for every value.
template <typename T>
class BinSearch {
public:
    explicit BinSearch(const ColumnBins& bins);

    void find(const T* values, index_t n, std::uint16_t* found) const;

private:
    std::vector<T> edges_;  // 2**k - 1 of them, filled up with infinities
    std::uint16_t missing_;
    bool is_category_;
};

}  // namespace nonet
