// Scratch memory that begins on a cache line, so that no vector load straddles two.
#pragma once

#include <memory>
#include <new>
#include <type_traits>

#include "base/types.hpp"

namespace nonet {

template <typename T>
class AlignedBuffer {
    static_assert(std::is_trivial_v<T>, "scratch memory is left uninitialised");

public:
    explicit AlignedBuffer(index_t size)
        : data_(static_cast<T*>(::operator new(static_cast<std::size_t>(size) * sizeof(T), line))) {
    }

    T* data() const noexcept { return data_.get(); }

private:
    static constexpr std::align_val_t line{64};
    struct Free {
        void operator()(T* data) const noexcept { ::operator delete(data, line); }
    };
    std::unique_ptr<T, Free> data_;
};

}  // namespace nonet
