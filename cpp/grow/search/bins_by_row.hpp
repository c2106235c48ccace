// Which bins by rows the search of a tree's nodes reads, if any.
#pragma once

#include <algorithm>

#include "grow/histogram/row_bins.hpp"
#include "grow/search/branch_columns.hpp"
#include "grow/task/grow_params.hpp"

namespace nonet {

// For random thresholds: worth it unless that means to read many columns for one that is needed.
template <typename Bin>
RowBins random_threshold_rows(const BranchColumns<Bin>& columns, const GrowParams& params,
                              bool rows_add_up) {
    constexpr index_t bytes_worth_a_column = 32;
    const BinnedMatrix& matrix = columns.dataset().matrix();
    const index_t n_wanted = std::min(params.columns_per_split, matrix.n_columns());
    const bool is_worth = rows_add_up && sizeof(Bin) == 1 && !columns.is_sparse() &&
                          params.draws_thresholds() &&
                          matrix.row_stride() <= bytes_worth_a_column * n_wanted;
    return {is_worth ? matrix.rows(1) : nullptr, matrix.row_stride()};
}

// Few rows are sorted in all columns at once, unless few of these are needed. Boosting has few such
// nodes.
template <typename Bin>
RowBins rows_to_sort(const BranchColumns<Bin>& columns, const GrowParams& params,
                     bool rows_add_up) {
    constexpr index_t bytes_worth_a_look = 8;
    const BinnedMatrix& matrix = columns.dataset().matrix();
    const index_t n_columns =
        params.columns.empty() ? matrix.n_columns() : std::ssize(params.columns);
    const index_t n_wanted = std::min(params.columns_per_split, n_columns);
    const bool is_worth = rows_add_up && sizeof(Bin) == 1 && !columns.is_sparse() &&
                          matrix.row_stride() <= bytes_worth_a_look * n_wanted &&
                          params.threshold_draw == ThresholdDraw::all &&
                          params.threshold_policy != ThresholdPolicy::edge;
    return {is_worth ? matrix.rows(1) : nullptr, matrix.row_stride()};
}

// Of any column, the missing one included.
template <typename Bin>
index_t max_n_bins_of(const BranchColumns<Bin>& columns) {
    index_t most = 0;
    for (index_t j = 0; j < columns.dataset().n_columns(); ++j)
        most = std::max(most, columns.n_bins(j));
    return most;
}

}  // namespace nonet
