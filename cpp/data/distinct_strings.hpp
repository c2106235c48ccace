// The distinct strings of a column, and the position of each row's string among them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/arrow_strings.hpp"

namespace nonet {

// Writes the position of each row's string, -1 where it is missing. Returns the distinct
// strings, in the order in which they are met.
std::vector<std::string> find_distinct(const ArrowStrings& strings,
                                       std::span<std::int32_t> positions);

}  // namespace nonet
