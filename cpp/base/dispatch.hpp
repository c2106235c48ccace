// One loop compiled for several instruction sets, the best of them chosen when the module loads.
//
// A function marked NONET_CLONES must hold its loop itself or in NONET_INLINE functions: what it
// merely calls is compiled once, for the oldest machine. The clones give equal bits, as they run
// the same operations in the same order on wider registers.
#pragma once

#include <cstdlib>  // defines __GLIBC__, whose loader does the choosing

#define NONET_INLINE [[gnu::always_inline]] inline

// Sanitizers are not ready when the loader chooses, and crash there; compilers before GCC 12 do not
// know these names.
#if defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__) && defined(__x86_64__) && \
    defined(__GLIBC__) && !defined(NONET_SANITIZED)
#define NONET_CLONES [[gnu::target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")]]
#else
#define NONET_CLONES
#endif
