// The number types that every room of the core shares.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nonet {

// Counts and positions are signed: differences of positions are as common as positions.
using index_t = std::ptrdiff_t;

}  // namespace nonet
