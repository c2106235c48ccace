#include "vote/weighted_quantile.hpp"

#include <array>
#include <atomic>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "base/aligned.hpp"
#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "vote/gather.hpp"
#include "vote/nan_check.hpp"
#include "vote/sorting_network.hpp"

namespace nonet {
namespace {

// Beyond this many members, sorting lane by lane: k log(k) steps for one lane instead of k log(k)^2
// for many.
constexpr index_t max_network_members = 4096;

// A member's index moves with its output through the network, in a word as wide as the output:
// mixed widths would keep the compiler from using vectors.
template <typename T>
using MemberOf = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

template <typename T>
constexpr index_t tile_lanes = 128 / sizeof(T);

template <typename T>
struct Tile {
    T* predictions;
    MemberOf<T>* members;
};

template <typename T>
NONET_INLINE void sort_tile(const std::vector<Comparator>& network, const Tile<T>& tile) {
    const Comparator* const end = network.data() + network.size();
    for (const Comparator* step = network.data(); step != end; ++step) {
        T* __restrict low = tile.predictions + step->low * tile_lanes<T>;
        T* __restrict high = tile.predictions + step->high * tile_lanes<T>;
        MemberOf<T>* __restrict low_member = tile.members + step->low * tile_lanes<T>;
        MemberOf<T>* __restrict high_member = tile.members + step->high * tile_lanes<T>;
        for (index_t lane = 0; lane < tile_lanes<T>; ++lane) {
            const T a = low[lane];
            const T b = high[lane];
            const MemberOf<T> member_a = low_member[lane];
            const MemberOf<T> member_b = high_member[lane];
            low[lane] = b < a ? b : a;
            high[lane] = b < a ? a : b;
            low_member[lane] = b < a ? member_b : member_a;
            high_member[lane] = b < a ? member_a : member_b;
        }
    }
}

NONET_CLONES void sort_lanes(const std::vector<Comparator>& network, const Tile<float>& tile) {
    sort_tile(network, tile);
}

NONET_CLONES void sort_lanes(const std::vector<Comparator>& network, const Tile<double>& tile) {
    sort_tile(network, tile);
}

// Sums of weights that count as having reached, and as not having passed, the quantile.
struct Band {
    double low;
    double high;
};

Band band_of(std::span<const double> weights, double q) {
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    const double rounding =
        total * static_cast<double>(weights.size()) * std::numeric_limits<double>::epsilon();
    return {q * total - rounding, q * total + rounding};
}

template <typename T>
class WeightedQuantile {
public:
    WeightedQuantile(const Outputs<T>& outputs, std::span<const double> weights, Quantile quantile)
        : outputs_(outputs), midpoint_(quantile.midpoint), band_(band_of(weights, quantile.q)) {
        for (index_t m = 0; m < outputs.n_members; ++m) {
            const double weight = weights[static_cast<std::size_t>(m)];
            if (weight == 0) continue;
            members_.push_back(m);
            weights_.push_back(weight);
        }
        check(!members_.empty(), "A weighted quantile needs a member of positive weight.");
        if (n_members() <= max_network_members) network_ = sorting_network(n_members());
    }

    bool operator()(index_t first_lane, index_t last_lane, T* out) const {
        const AlignedBuffer<T> predictions(n_members() * tile_lanes<T>);
        const AlignedBuffer<MemberOf<T>> members(n_members() * tile_lanes<T>);
        const Tile<T> tile{predictions.data(), members.data()};
        for (index_t lane = first_lane; lane < last_lane; lane += tile_lanes<T>) {
            const index_t n_lanes = std::min(tile_lanes<T>, last_lane - lane);
            if (!fill(tile, lane, n_lanes)) return false;
            sort(tile, n_lanes);
            write_quantiles(tile, n_lanes, out + lane);
        }
        // The midpoint of -infinity and +infinity is none.
        return all_numbers(out + first_lane, last_lane - first_lane);
    }

private:
    index_t n_members() const noexcept { return std::ssize(members_); }

    // Returns whether no output is NaN; lanes of a short tile that stay unused are zeros.
    bool fill(const Tile<T>& tile, index_t first_lane, index_t n_lanes) const {
        for (index_t m = 0; m < n_members(); ++m) {
            const index_t source = members_[static_cast<std::size_t>(m)];
            T* predictions = tile.predictions + m * tile_lanes<T>;
            std::fill_n(predictions, tile_lanes<T>, T{0});
            gather_lanes(outputs_, first_lane, n_lanes, source, source + 1, {predictions, 0});
            std::fill_n(tile.members + m * tile_lanes<T>, tile_lanes<T>,
                        static_cast<MemberOf<T>>(m));
        }
        return all_numbers(tile.predictions, n_members() * tile_lanes<T>);
    }

    void sort(const Tile<T>& tile, index_t n_lanes) const {
        if (n_members() <= max_network_members)
            sort_lanes(network_, tile);
        else
            sort_lane_by_lane(tile, n_lanes);
    }

    void sort_lane_by_lane(const Tile<T>& tile, index_t n_lanes) const {
        std::vector<std::pair<T, MemberOf<T>>> lane_predictions(members_.size());
        for (index_t lane = 0; lane < n_lanes; ++lane) {
            for (std::size_t m = 0; m < members_.size(); ++m) {
                const index_t position = static_cast<index_t>(m) * tile_lanes<T> + lane;
                lane_predictions[m] = {tile.predictions[position], tile.members[position]};
            }
            std::sort(lane_predictions.begin(), lane_predictions.end());
            for (std::size_t m = 0; m < members_.size(); ++m) {
                const index_t position = static_cast<index_t>(m) * tile_lanes<T> + lane;
                tile.predictions[position] = lane_predictions[m].first;
                tile.members[position] = lane_predictions[m].second;
            }
        }
    }

    // Counts, for each lane, the outputs whose sum of weights is below the band and up to its end:
    // the positions of the quantile and, where the sum falls into the band, of the next output.
    void write_quantiles(const Tile<T>& tile, index_t n_lanes, T* out) const {
        std::array<double, tile_lanes<T>> sums{};
        std::array<index_t, tile_lanes<T>> below{};
        std::array<index_t, tile_lanes<T>> up_to{};
        for (index_t m = 0; m < n_members(); ++m)
            for (index_t l = 0; l < tile_lanes<T>; ++l) {
                const auto lane = static_cast<std::size_t>(l);
                const MemberOf<T> member = tile.members[m * tile_lanes<T> + l];
                sums[lane] += weights_[static_cast<std::size_t>(member)];
                below[lane] += sums[lane] < band_.low;
                up_to[lane] += sums[lane] <= band_.high;
            }
        for (index_t l = 0; l < n_lanes; ++l) {
            const auto lane = static_cast<std::size_t>(l);
            out[l] = between(tile, l, below[lane], midpoint_ ? up_to[lane] : below[lane]);
        }
    }

    T between(const Tile<T>& tile, index_t lane, index_t position, index_t next) const noexcept {
        const index_t last = n_members() - 1;
        const T prediction = tile.predictions[std::min(position, last) * tile_lanes<T> + lane];
        const T following = tile.predictions[std::min(next, last) * tile_lanes<T> + lane];
        if (prediction == following) return prediction;  // two equal infinities, too
        return static_cast<T>((static_cast<double>(prediction) + static_cast<double>(following)) /
                              2);
    }

    Outputs<T> outputs_;
    bool midpoint_;
    Band band_;
    std::vector<index_t> members_;  // those of positive weight
    std::vector<double> weights_;   // theirs
    std::vector<Comparator> network_;
};

}  // namespace

template <typename T>
bool weighted_quantile(const Outputs<T>& outputs, std::span<const double> weights,
                       Quantile quantile, int n_threads, T* out) {
    check(std::ssize(weights) == outputs.n_members, "One weight per member is needed.");
    check(0 <= quantile.q && quantile.q <= 1, "The quantile must lie in [0, 1].");
    const WeightedQuantile<T> quantile_of(outputs, weights, quantile);
    const index_t n_classes = outputs.n_classes;
    std::atomic<bool> numbers{true};
    for_row_blocks(outputs.n_rows, outputs.n_members * n_classes, n_threads,
                   [&](index_t first, index_t last) {
                       if (!quantile_of(first * n_classes, last * n_classes, out)) numbers = false;
                   });
    return numbers;
}

template bool weighted_quantile(const Outputs<float>&, std::span<const double>, Quantile, int,
                                float*);
template bool weighted_quantile(const Outputs<double>&, std::span<const double>, Quantile, int,
                                double*);

}  // namespace nonet
