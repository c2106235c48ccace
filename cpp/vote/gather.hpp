// Tiles: the lanes of a block brought together, one tile row per member.
#pragma once

#include <array>
#include <cstring>
#include <utility>

#include "base/prefetch.hpp"
#include "base/views.hpp"
#include "vote/outputs.hpp"

namespace nonet {

template <typename T>
using CopyRuns = void (*)(StridedRows<const T> from, StridedRows<T> to, index_t n_runs);

template <typename T, std::size_t length>
void copy_runs(StridedRows<const T> from, StridedRows<T> to, index_t n_runs) noexcept {
    for (index_t i = 0; i < n_runs; ++i) std::memcpy(to.row(i), from.row(i), length * sizeof(T));
}

// Copying a few numbers is quick only if the compiler knows how many: one function for each length
// up to this one.
constexpr std::size_t max_known_length = 16;

template <typename T, std::size_t... lengths>
constexpr std::array<CopyRuns<T>, sizeof...(lengths)> copies_by_length(
    std::index_sequence<lengths...>) {
    return {copy_runs<T, lengths>...};
}

template <typename T>
void copy_runs_of(index_t length, StridedRows<const T> from, StridedRows<T> to, index_t n_runs) {
    static constexpr auto copies =
        copies_by_length<T>(std::make_index_sequence<max_known_length + 1>());
    if (length <= static_cast<index_t>(max_known_length))
        return copies[static_cast<std::size_t>(length)](from, to, n_runs);
    for (index_t i = 0; i < n_runs; ++i) std::copy_n(from.row(i), length, to.row(i));
}

// Rows become columns, eight at a time: what is written then fills whole cache lines.
template <typename T>
void transpose(StridedRows<const T> from, StridedRows<T> to, index_t n_rows, index_t n_columns) {
    constexpr index_t together = 8;
    index_t row = 0;
    for (; row + together <= n_rows; row += together)
        for (index_t c = 0; c < n_columns; ++c)
            for (index_t i = 0; i < together; ++i) to.row(c)[row + i] = from.row(row + i)[c];
    for (; row < n_rows; ++row)
        for (index_t c = 0; c < n_columns; ++c) to.row(c)[row] = from.row(row)[c];
}

// Copies the members [first_member, last_member) of the lanes [first_lane, first_lane + n_lanes).
template <typename T>
void gather_lanes(const Outputs<T>& outputs, index_t first_lane, index_t n_lanes,
                  index_t first_member, index_t last_member, StridedRows<T> tile) {
    const index_t stride = outputs.member_stride();
    if (outputs.layout == Layout::member_major) {
        for (index_t m = first_member; m < last_member; ++m) {
            const T* run = outputs.data + m * stride + first_lane;
            std::copy_n(run, n_lanes, tile.row(m - first_member));
            prefetch_run(run + n_lanes, n_lanes);  // the tile after this one
        }
        return;
    }
    if (outputs.n_classes == 1) {
        const StridedRows<const T> rows{outputs.at(first_lane, first_member), outputs.row_stride()};
        const index_t n_members = last_member - first_member;
        for (index_t i = 0; i < n_lanes; ++i)  // the tile after this one
            prefetch_run(rows.row(n_lanes + i), n_members);
        return transpose<T>(rows, tile, n_lanes, n_members);
    }
    for (index_t lane = 0; lane < n_lanes;) {
        const index_t row = (first_lane + lane) / outputs.n_classes;
        const index_t column = (first_lane + lane) % outputs.n_classes;
        const index_t run = std::min(outputs.n_classes - column, n_lanes - lane);
        copy_runs_of<T>(run, {outputs.at(row, first_member) + column, stride},
                        {tile.data + lane, tile.stride}, last_member - first_member);
        lane += run;
    }
}

}  // namespace nonet
