// A dataset whose columns are binned once, to be shared by all members, folds and configurations.
#pragma once

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "data/bin_edges.hpp"
#include "data/binned_matrix.hpp"
#include "data/scattered_columns.hpp"
#include "data/sparse_columns.hpp"

namespace nonet {

class BinnedDataset {
public:
    // Weights are the base weights of the rows (none: all equal); only bin edges depend on them.
    // Columns listed in `categories` hold codes.
    template <typename T>
    BinnedDataset(const StridedMatrix<T>& values, std::span<const double> weights,
                  std::span<const index_t> categories, const BinParams& params, int n_threads);

    // Columns become dense one at a time, if at all; only the bins of entries are kept.
    template <typename T>
    BinnedDataset(const SparseColumns<T>& values, std::span<const double> weights,
                  std::span<const index_t> categories, const BinParams& params, int n_threads);

    // Numbers get the bins of another dataset, such as that of all rows for those of a fold; only
    // columns listed in `categories`, whose codes are those of these rows, get bins of their own.
    template <typename T>
    BinnedDataset(const StridedMatrix<T>& values, const BinnedDataset& reference,
                  std::span<const index_t> categories, int n_threads);

    // Bins that were found before, of categories as well, for other rows of the same table.
    template <typename T>
    BinnedDataset(const StridedMatrix<T>& values, std::vector<ColumnBins> bins, int n_threads);

    index_t n_rows() const noexcept { return matrix_.n_rows(); }
    index_t n_columns() const noexcept { return matrix_.n_columns(); }
    const ColumnBins& bins(index_t column) const noexcept {
        return bins_[static_cast<std::size_t>(column)];
    }
    bool has_categories() const noexcept {
        return std::ranges::any_of(bins_, &ColumnBins::is_category);
    }
    // Whether all columns are numbers, and none of them is missing anywhere.
    bool has_plain_numbers() const noexcept {
        return std::ranges::none_of(bins_, [](const ColumnBins& column) {
            return column.is_category || column.has_missing;
        });
    }
    const BinnedMatrix& matrix() const noexcept { return matrix_; }

    // Columns whose histograms count lists of rows, found on first use; bins of 8 bits only. The
    // other columns, which the caller names, are kept by rows, side by side.
    const ScatteredColumns& scattered() const;
    const std::uint8_t* rows_beside_scattered(std::span<const index_t> columns,
                                              int n_threads) const;

private:
    template <typename Values>
    void fill(const Values& values, int n_threads);
    template <typename T, typename Bin>
    void fill_as(const StridedMatrix<T>& values, int n_threads);
    template <typename T, typename Bin>
    void fill_as(const SparseColumns<T>& values, int n_threads);

    std::vector<ColumnBins> bins_;
    BinnedMatrix matrix_;
    mutable std::once_flag scattered_found_;
    mutable std::once_flag rows_made_;
    mutable std::optional<ScatteredColumns> scattered_;
    mutable std::optional<AlignedBuffer<std::uint8_t>> rows_;
};

}  // namespace nonet
