// Looking for NaN.
#pragma once

#include "base/types.hpp"

namespace nonet {

bool all_numbers(const float* values, index_t n) noexcept;
bool all_numbers(const double* values, index_t n) noexcept;

}  // namespace nonet
