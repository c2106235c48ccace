// How the rows of a boosted tree are written, where it is chosen at run time.
//
// A tree of one process chooses by its rows (grow_moments.cpp). Where the rows are in partitions,
// all of them have to write rows in the same way, chosen from the sizes of all rows together.
#pragma once

#include <cstdint>

#include "data/binned_dataset.hpp"
#include "grow/histogram/moment_rows.hpp"
#include "grow/sampling/column_sampler.hpp"
#include "grow/task/grow_params.hpp"

namespace nonet {

enum class MomentKind : std::uint8_t { counted, packed, wide };

// Calls use(rows of the kind).
template <typename Use>
decltype(auto) with_moment_kind(MomentKind kind, const Use& use) {
    switch (kind) {
        case MomentKind::counted:
            return use(PackedRows<0>{});
        case MomentKind::packed:
            return use(PackedRows<13>{});
        default:
            return use(WideRows{});
    }
}

// Packed rows are for trees that spend their time on histograms of many rows. Small data keep all
// the bits there are.
inline bool may_pack(index_t n_rows, const BinnedDataset& dataset, const GrowParams& params) {
    constexpr index_t min_rows = 1 << 15;
    return n_rows >= min_rows && dataset.matrix().bytes_per_bin() == 1 &&
           !params.draws_thresholds() && ColumnSampler(params, dataset.n_columns()).takes_most();
}

}  // namespace nonet
