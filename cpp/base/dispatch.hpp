// One loop compiled for several instruction sets, the best of them chosen when the module loads.
//
// A function marked NONET_CLONES must hold its loop itself or in NONET_INLINE functions: what it
// merely calls is compiled once, for the oldest machine. The clones give equal bits, as they run
// the same operations in the same order on wider registers.
#pragma once

#include <cstdlib>  // defines __GLIBC__, whose loader does the choosing

#if defined(__CUDACC__)
#define NONET_INLINE __host__ __device__ inline  // the same operations on a GPU
#else
#define NONET_INLINE [[gnu::always_inline]] inline
#endif

// GCC knows these names from 12 on. Clang up to 18 may choose by the maker of the processor instead
// of its instructions (seen in 16), 19 does not. macOS and Windows have no loader that could
// choose, and all machines of aarch64 have the same vectors: there the loop is compiled once.
#if defined(__clang__)
#define NONET_COMPILER_CLONES (__clang_major__ >= 19)
#elif defined(__GNUC__)
#define NONET_COMPILER_CLONES (__GNUC__ >= 12)
#else
#define NONET_COMPILER_CLONES 0
#endif

// Sanitizers are not ready when the loader chooses, and crash there.
#if NONET_COMPILER_CLONES && defined(__x86_64__) && defined(__GLIBC__) && !defined(NONET_SANITIZED)
#define NONET_CLONES [[gnu::target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")]]
#else
#define NONET_CLONES
#endif

// For loops that use classes: clang (seen in 19) does not compile the functions of a class, or of
// the library, that nothing but clones calls.
#if defined(__clang__)
#define NONET_GCC_CLONES
#else
#define NONET_GCC_CLONES NONET_CLONES
#endif
