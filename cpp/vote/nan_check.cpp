#include "vote/nan_check.hpp"

#include <cstdint>

#include "base/dispatch.hpp"

namespace nonet {
namespace {

// A mask as wide as the values: a bool would keep the compiler from using vectors.
template <typename Mask, typename T>
NONET_INLINE bool none_is_nan(const T* values, index_t n) {
    Mask nan = 0;
    for (index_t i = 0; i < n; ++i) nan |= values[i] != values[i] ? Mask{-1} : Mask{0};
    return nan == 0;
}

}  // namespace

NONET_CLONES bool all_numbers(const float* values, index_t n) noexcept {
    return none_is_nan<std::int32_t>(values, n);
}

NONET_CLONES bool all_numbers(const double* values, index_t n) noexcept {
    return none_is_nan<std::int64_t>(values, n);
}

}  // namespace nonet
