// Sums over the members of each lane, in double and in the order of members, for any layout: the
// loop that the weighted sum and the sum of logarithms share.
#pragma once

#include <array>
#include <atomic>
#include <span>

#include "base/aligned.hpp"
#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "vote/gather.hpp"
#include "vote/nan_check.hpp"
#include "vote/outputs.hpp"

namespace nonet {

// Adds n_members members to running sums: a sum is loaded and stored once for all of them.
template <int n_members, typename Term, typename T>
NONET_INLINE void add_members(const Term& term, StridedRows<const T> members, const double* weights,
                              index_t n_lanes, double* __restrict sums) {
    for (index_t lane = 0; lane < n_lanes; ++lane) {
        double sum = sums[lane];
        for (int m = 0; m < n_members; ++m)
            sum += term(weights[m], static_cast<double>(members.row(m)[lane]));
        sums[lane] = sum;
    }
}

// The body of an `Add` function; to be inlined into a function with clones. Members go n_together
// at a time, and what is left in two smaller steps.
template <int n_together, typename Term, typename T>
NONET_INLINE void add_terms(const Term& term, StridedRows<const T> members, const double* weights,
                            index_t n_members, index_t n_lanes, double* sums) {
    constexpr int n_left = std::max(1, n_together / 3);
    index_t m = 0;
    const auto rest = [&] { return StridedRows<const T>{members.row(m), members.stride}; };
    for (; m + n_together <= n_members; m += n_together)
        add_members<n_together, Term, T>(term, rest(), weights + m, n_lanes, sums);
    for (; m + n_left <= n_members; m += n_left)
        add_members<n_left, Term, T>(term, rest(), weights + m, n_lanes, sums);
    for (; m < n_members; ++m) add_members<1, Term, T>(term, rest(), weights + m, n_lanes, sums);
}

template <typename T>
using Add = void (*)(StridedRows<const T> members, const double* weights, index_t n_members,
                     index_t n_lanes, double* sums);

// Lanes whose sums stay in the second-level cache while the members pass by. The runs are as long
// as that allows: the processor fetches ahead along a run, and at its end has to guess anew.
constexpr index_t sum_block_lanes = 16384;

// Rows of a task: long runs, but some tasks for every thread, and a Ctrl-C heard soon.
template <typename T>
index_t sum_task_rows(const Outputs<T>& outputs, int n_threads) {
    const index_t fair = outputs.n_lanes() / (4 * n_threads);
    const index_t soon = 16 * predictions_per_task / outputs.n_members;
    const index_t n_lanes = std::max<index_t>(1024, std::min({sum_block_lanes, fair, soon}));
    return std::max<index_t>(1, n_lanes / outputs.n_classes);
}

template <typename T, typename Write>
void sum_member_major(const Outputs<T>& outputs, std::span<const double> weights, Add<T> add,
                      index_t first_lane, index_t last_lane, const Write& write) {
    const AlignedBuffer<double> buffer(std::min(sum_block_lanes, last_lane - first_lane));
    double* const sums = buffer.data();
    for (index_t lane = first_lane; lane < last_lane; lane += sum_block_lanes) {
        const index_t n_lanes = std::min(sum_block_lanes, last_lane - lane);
        // -0.0 is the only start that leaves every first term as it is, negative zeros included.
        std::fill_n(sums, n_lanes, -0.0);
        add({outputs.data + lane, outputs.member_stride()}, weights.data(), outputs.n_members,
            n_lanes, sums);
        write(sums, lane, n_lanes);
    }
}

// Here a member's lanes are apart; a tile brings them together.
template <typename T, typename Write>
void sum_row_major(const Outputs<T>& outputs, std::span<const double> weights, Add<T> add,
                   index_t first_lane, index_t last_lane, const Write& write) {
    constexpr index_t tile_lanes = 16;
    constexpr index_t tile_members = 128;
    const AlignedBuffer<T> buffer(tile_lanes * tile_members);
    const StridedRows<T> tile{buffer.data(), tile_lanes};
    std::array<double, tile_lanes> sums;
    for (index_t lane = first_lane; lane < last_lane; lane += tile_lanes) {
        const index_t n_lanes = std::min(tile_lanes, last_lane - lane);
        sums.fill(-0.0);
        for (index_t m = 0; m < outputs.n_members; m += tile_members) {
            const index_t n_members = std::min(tile_members, outputs.n_members - m);
            gather_lanes(outputs, lane, n_lanes, m, m + n_members, tile);
            add({tile.data, tile_lanes}, weights.data() + m, n_members, n_lanes, sums.data());
        }
        write(sums.data(), lane, n_lanes);
    }
}

// out[lane] = sum / divisor; returns whether every result is a number.
template <typename T, typename Out>
bool sum_lanes(const Outputs<T>& outputs, std::span<const double> weights, Add<T> add,
               double divisor, int n_threads, Out* out) {
    check(std::ssize(weights) == outputs.n_members, "One weight per member is needed.");
    std::atomic<bool> numbers{true};
    const auto write = [&](const double* sums, index_t first_lane, index_t n_lanes) {
        for (index_t lane = 0; lane < n_lanes; ++lane)
            out[first_lane + lane] = static_cast<Out>(sums[lane] / divisor);
        if (!all_numbers(out + first_lane, n_lanes)) numbers = false;
    };
    const bool member_major = outputs.layout == Layout::member_major;
    const index_t n_classes = outputs.n_classes;
    const auto sum =
        member_major ? sum_member_major<T, decltype(write)> : sum_row_major<T, decltype(write)>;
    for_blocks_of_rows(outputs.n_rows, sum_task_rows(outputs, n_threads), n_threads,
                       [&](index_t first, index_t last) {
                           sum(outputs, weights, add, first * n_classes, last * n_classes, write);
                       });
    return numbers;
}

}  // namespace nonet
