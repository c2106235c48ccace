// Memory of histograms, used again and again.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "base/buffer_pool.hpp"

namespace nonet {

// Histograms are named by small numbers. There is a limit to their memory: a node that gets none is
// searched column by column.
template <typename Cell>
class HistogramPool {
public:
    static constexpr std::int32_t none = -1;

    HistogramPool(BufferPool& pool, index_t n_cells)
        : buffers_(pool),
          n_cells_(n_cells),
          maximum_(max_bytes / (n_cells * static_cast<index_t>(sizeof(Cell)))) {}

    std::int32_t take() {
        const std::lock_guard lock(mutex_);
        if (!free_.empty()) {
            const std::int32_t histogram = free_.back();
            free_.pop_back();
            return histogram;
        }
        if (std::ssize(histograms_) >= maximum_) return none;
        histograms_.emplace_back(buffers_, n_cells_);
        return static_cast<std::int32_t>(std::ssize(histograms_) - 1);
    }

    void give_back(std::int32_t& histogram) {
        if (histogram == none) return;
        const std::lock_guard lock(mutex_);
        free_.push_back(histogram);
        histogram = none;
    }

    Cell* cells(std::int32_t histogram) {
        const std::lock_guard lock(mutex_);
        return histograms_[static_cast<std::size_t>(histogram)].data();
    }
    index_t n_cells() const noexcept { return n_cells_; }

private:
    static constexpr index_t max_bytes = index_t{1} << 28;

    BufferPool& buffers_;
    index_t n_cells_;
    index_t maximum_;
    std::mutex mutex_;
    std::deque<PooledBuffer<Cell>> histograms_;
    std::vector<std::int32_t> free_;
};

}  // namespace nonet
