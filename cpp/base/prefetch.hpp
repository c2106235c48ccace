// Prefetching memory before it is needed.
#pragma once

#include "base/types.hpp"

namespace nonet {

// Members lie megabytes apart, and a processor guesses what comes next only within a page: where a
// kernel hops from member to member in short runs, it must prefetch what it will read. Prefetching
// memory that does not exist has no effect.
template <typename T>
inline void prefetch_run(const T* run, index_t n) noexcept {
    constexpr index_t line = 64 / sizeof(T);
    for (index_t i = 0; i < n; i += line) __builtin_prefetch(run + i, 0, 2);
}

}  // namespace nonet
