// The number types that all parts of the core use.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nonet {

// Counts and positions are signed: differences of positions are as common as positions.
using index_t = std::ptrdiff_t;

// Sums that must keep the bits of numbers many orders of magnitude apart.
__extension__ using int128_t = __int128;
__extension__ using uint128_t = unsigned __int128;

}  // namespace nonet
