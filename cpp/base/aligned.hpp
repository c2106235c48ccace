// Scratch memory that begins on a cache line, so that no vector load straddles two.
#pragma once

#include <memory>
#include <type_traits>

#include "base/types.hpp"

namespace nonet {

// Large blocks begin on a large page, and the system is advised to use such pages: gathering rows
// from all over a table of small pages spends more time on finding the pages than on the rows.
void* take_scratch(index_t n_bytes);
void free_scratch(void* memory, index_t n_bytes) noexcept;

template <typename T>
class AlignedBuffer {
    static_assert(std::is_trivial_v<T>, "scratch memory is left uninitialised");

public:
    explicit AlignedBuffer(index_t size)
        : data_(static_cast<T*>(take_scratch(size * item)), Free{size * item}) {}

    T* data() const noexcept { return data_.get(); }

private:
    static constexpr auto item = static_cast<index_t>(sizeof(T));
    struct Free {
        index_t n_bytes;
        void operator()(T* data) const noexcept { free_scratch(data, n_bytes); }
    };
    std::unique_ptr<T, Free> data_;
};

}  // namespace nonet
