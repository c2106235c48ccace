// Memory that is used again.
//
// Fresh memory from the system is cleared page by page on first touch, which costs more than many a
// loop over it. A shelf keeps what is put back until it goes itself; several threads may use it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/aligned.hpp"

namespace nonet {

class BufferPool {
public:
    struct Block {
        index_t n_bytes = 0;
        AlignedBuffer<std::byte> memory{0};
    };

    // The smallest block on the shelf that is large enough, or a new one.
    Block take(index_t n_bytes) {
        {
            const std::lock_guard lock(mutex_);
            const auto found = std::ranges::lower_bound(blocks_, n_bytes, {}, &Block::n_bytes);
            if (found != blocks_.end()) {
                Block block = std::move(*found);
                blocks_.erase(found);
                return block;
            }
        }
        const index_t rounded = rounded_up(n_bytes);
        return {rounded, AlignedBuffer<std::byte>(rounded)};
    }

    void put_back(Block block) {
        const std::lock_guard lock(mutex_);
        const auto position = std::ranges::lower_bound(blocks_, block.n_bytes, {}, &Block::n_bytes);
        blocks_.insert(position, std::move(block));
    }

    // The same for who can keep no block but only its memory.
    void* lend(index_t n_bytes) {
        Block block = take(n_bytes);
        const std::lock_guard lock(mutex_);
        return lent_.emplace_back(std::move(block)).memory.data();
    }
    void take_back(const void* memory) { put_back(returned(memory)); }

private:
    Block returned(const void* memory) {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find(
            lent_, memory, [](const Block& block) -> const void* { return block.memory.data(); });
        std::swap(*found, lent_.back());
        Block block = std::move(lent_.back());
        lent_.pop_back();
        return block;
    }

    // To an eighth of a power of two: blocks of nearly equal size can stand for each other.
    static index_t rounded_up(index_t n_bytes) noexcept {
        const auto size = static_cast<std::size_t>(std::max<index_t>(n_bytes, 64));
        const std::size_t step = std::bit_floor(size) / 8;
        return static_cast<index_t>((size + step - 1) / step * step);
    }

    std::mutex mutex_;
    std::vector<Block> blocks_;  // smallest first
    std::vector<Block> lent_;
};

// Lets a vector live on a shelf.
template <typename T>
class PoolAllocator {
public:
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;

    PoolAllocator() = default;  // for a vector that another is moved into
    explicit PoolAllocator(BufferPool& pool) noexcept : buffers_(&pool) {}

    T* allocate(std::size_t n) {
        return static_cast<T*>(buffers_->lend(static_cast<index_t>(n * sizeof(T))));
    }
    void deallocate(T* memory, std::size_t) noexcept { buffers_->take_back(memory); }
    bool operator==(const PoolAllocator&) const noexcept = default;

private:
    BufferPool* buffers_ = nullptr;
};

// A block in use, as so many uninitialised numbers.
template <typename T>
class PooledBuffer {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    PooledBuffer(BufferPool& pool, index_t size)
        : buffers_(pool),
          size_(size),
          block_(pool.take(size * static_cast<index_t>(sizeof(T)))),
          data_(reinterpret_cast<T*>(block_.memory.data())) {}
    ~PooledBuffer() { buffers_.put_back(std::move(block_)); }
    PooledBuffer(const PooledBuffer&) = delete;
    PooledBuffer& operator=(const PooledBuffer&) = delete;

    T* data() const noexcept { return data_; }
    index_t size() const noexcept { return size_; }
    T& operator[](index_t i) const noexcept { return data_[i]; }
    std::span<T> all() const noexcept { return {data_, static_cast<std::size_t>(size_)}; }

private:
    BufferPool& buffers_;
    index_t size_;
    BufferPool::Block block_;
    T* data_;
};

}  // namespace nonet
