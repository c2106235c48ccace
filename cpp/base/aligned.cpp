#include "base/aligned.hpp"

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace nonet {
namespace {

constexpr std::align_val_t line{64};
constexpr std::align_val_t large_page{1 << 21};
constexpr index_t large_block = 1 << 22;

}  // namespace

void* take_scratch(index_t n_bytes) {
    const auto size = static_cast<std::size_t>(n_bytes);
    if (n_bytes < large_block) return ::operator new(size, line);
    void* memory = ::operator new(size, large_page);
#if defined(MADV_HUGEPAGE)
    madvise(memory, size, MADV_HUGEPAGE);  // a hint: the result is ignored
#endif
    return memory;
}

void free_scratch(void* memory, index_t n_bytes) noexcept {
    ::operator delete(memory, n_bytes < large_block ? line : large_page);
}

}  // namespace nonet
