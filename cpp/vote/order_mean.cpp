#include "vote/order_mean.hpp"

#include <array>
#include <atomic>
#include <vector>

#include "base/aligned.hpp"
#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "vote/gather.hpp"
#include "vote/nan_check.hpp"
#include "vote/sorting_network.hpp"

namespace nonet {
namespace {

// A network of k wires has about k log2(k)^2 / 4 comparators, each of which serves a whole tile
// row; selection takes about k steps, for one lane at a time. At this number of members the network
// is two to four times as fast with vectors of 64 bytes; narrower ones gain less.
constexpr index_t max_network_members = 2048;

template <typename T>
constexpr index_t tile_lanes = 256 / sizeof(T);

template <typename T>
NONET_INLINE void sort_tile(const std::vector<Comparator>& network, T* tile) {
    const Comparator* const end = network.data() + network.size();
    for (const Comparator* step = network.data(); step != end; ++step) {
        T* __restrict low = tile + step->low * tile_lanes<T>;
        T* __restrict high = tile + step->high * tile_lanes<T>;
        for (index_t lane = 0; lane < tile_lanes<T>; ++lane) {
            const T a = low[lane];
            const T b = high[lane];
            low[lane] = a < b ? a : b;
            high[lane] = a > b ? a : b;
        }
    }
}

NONET_CLONES void sort_lanes(const std::vector<Comparator>& network, float* tile) {
    sort_tile(network, tile);
}

NONET_CLONES void sort_lanes(const std::vector<Comparator>& network, double* tile) {
    sort_tile(network, tile);
}

template <typename T>
class OrderMean {
public:
    OrderMean(const Outputs<T>& outputs, index_t first, index_t last)
        : outputs_(outputs), first_(first), last_(last) {
        if (outputs.n_members <= max_network_members)
            network_ = selection_network(outputs.n_members, first, last);
    }

    bool operator()(index_t first_lane, index_t last_lane, T* out) const {
        const index_t tile_size = outputs_.n_members * tile_lanes<T>;
        const AlignedBuffer<T> buffer(tile_size);
        const StridedRows<T> tile{buffer.data(), tile_lanes<T>};
        std::fill_n(tile.data, tile_size, T{0});
        for (index_t lane = first_lane; lane < last_lane; lane += tile_lanes<T>) {
            const index_t n_lanes = std::min(tile_lanes<T>, last_lane - lane);
            gather_lanes(outputs_, lane, n_lanes, 0, outputs_.n_members, tile);
            // Minima and maxima lose a NaN, so it must be seen before they run.
            if (!all_numbers(tile.data, tile_size)) return false;
            sort(tile, n_lanes);
            write_means(tile, n_lanes, out + lane);
        }
        // The mean of -infinity and +infinity is none.
        return all_numbers(out + first_lane, last_lane - first_lane);
    }

private:
    void sort(StridedRows<T> tile, index_t n_lanes) const {
        if (outputs_.n_members <= max_network_members)
            sort_lanes(network_, tile.data);
        else
            select_lane_by_lane(tile, n_lanes);
    }

    void select_lane_by_lane(StridedRows<T> tile, index_t n_lanes) const {
        std::vector<T> predictions(static_cast<std::size_t>(outputs_.n_members));
        for (index_t lane = 0; lane < n_lanes; ++lane) {
            for (index_t m = 0; m < outputs_.n_members; ++m)
                predictions[static_cast<std::size_t>(m)] = tile.row(m)[lane];
            const auto begin = predictions.begin() + first_;
            std::nth_element(predictions.begin(), begin, predictions.end());
            std::partial_sort(begin, predictions.begin() + last_, predictions.end());
            for (index_t m = first_; m < last_; ++m)
                tile.row(m)[lane] = predictions[static_cast<std::size_t>(m)];
        }
    }

    void write_means(StridedRows<T> tile, index_t n_lanes, T* out) const noexcept {
        std::array<double, tile_lanes<T>> sums{};
        for (index_t m = first_; m < last_; ++m)
            for (index_t lane = 0; lane < tile_lanes<T>; ++lane)
                sums[static_cast<std::size_t>(lane)] += static_cast<double>(tile.row(m)[lane]);
        const auto count = static_cast<double>(last_ - first_);
        for (index_t lane = 0; lane < n_lanes; ++lane)
            out[lane] = static_cast<T>(sums[static_cast<std::size_t>(lane)] / count);
    }

    Outputs<T> outputs_;
    index_t first_;
    index_t last_;
    std::vector<Comparator> network_;
};

}  // namespace

template <typename T>
bool order_mean(const Outputs<T>& outputs, index_t first, index_t last, int n_threads, T* out) {
    check(0 <= first && first < last && last <= outputs.n_members,
          "The positions must satisfy 0 <= first < last <= number of members.");
    const OrderMean<T> mean(outputs, first, last);
    const index_t n_classes = outputs.n_classes;
    std::atomic<bool> numbers{true};
    for_row_blocks(outputs.n_rows, outputs.n_members * n_classes, n_threads,
                   [&](index_t first_row, index_t last_row) {
                       if (!mean(first_row * n_classes, last_row * n_classes, out)) numbers = false;
                   });
    return numbers;
}

template bool order_mean(const Outputs<float>&, index_t, index_t, int, float*);
template bool order_mean(const Outputs<double>&, index_t, index_t, int, double*);

}  // namespace nonet
