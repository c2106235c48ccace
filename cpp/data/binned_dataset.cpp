#include "data/binned_dataset.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "base/check.hpp"
#include "base/parallel.hpp"
#include "base/phases.hpp"
#include "data/bin_search.hpp"

namespace nonet {
namespace {

constexpr index_t max_bins_of_8_bits = 255;
constexpr index_t rows_per_block = 1024;

void check_shape(index_t n_rows, index_t n_columns, std::span<const double> weights,
                 std::span<const index_t> categories, const BinParams& params) {
    check(n_rows >= 1 && n_columns >= 1, "A binned dataset needs at least one row and one column.");
    check(n_rows <= std::numeric_limits<std::uint32_t>::max(),
          "A binned dataset holds at most 2**32 - 1 rows.");
    check(params.max_bins >= 2 && params.max_bins <= max_n_bins,
          "max_bins must lie between 2 and 65535.");
    check(params.n_sampled_rows >= params.max_bins,
          "Bins need a sample of at least max_bins rows.");
    check(weights.empty() || std::ssize(weights) == n_rows,
          "Base weights must hold one number per row.");
    for (const index_t column : categories)
        check(column >= 0 && column < n_columns, "Category columns must be columns of the data.");
}

bool is_in(std::span<const index_t> categories, index_t column) {
    return std::ranges::find(categories, column) != categories.end();
}

std::vector<index_t> sampled_rows_of(index_t n_rows, index_t n_columns,
                                     std::span<const double> weights,
                                     std::span<const index_t> categories, const BinParams& params) {
    check_shape(n_rows, n_columns, weights, categories, params);
    std::vector<index_t> rows = rows_to_sample(n_rows, weights, params);
    check(!rows.empty(), "A binned dataset needs at least one row of positive weight.");
    return rows;
}

template <typename T>
std::vector<ColumnBins> bins_of_group(const StridedMatrix<T>& values, index_t first,
                                      index_t n_columns, std::span<const double> weights,
                                      std::span<const index_t> categories,
                                      std::span<const index_t> sampled_rows,
                                      const BinParams& params) {
    const auto is_here = [=](index_t j) { return j >= first && j < first + n_columns; };
    if (std::ranges::none_of(categories, is_here))
        return find_bins_side_by_side(values, first, n_columns, weights, sampled_rows, params);
    std::vector<ColumnBins> bins;
    for (index_t j = first; j < first + n_columns; ++j)
        bins.push_back(is_in(categories, j) ? category_bins(values, j)
                                            : find_bins(values, j, weights, sampled_rows, params));
    return bins;
}

template <typename T>
std::vector<ColumnBins> find_all_bins(const StridedMatrix<T>& values,
                                      std::span<const double> weights,
                                      std::span<const index_t> categories, const BinParams& params,
                                      int n_threads) {
    const InPhase phase(Phase::binning);
    const std::vector<index_t> sampled_rows =
        sampled_rows_of(values.n_rows, values.n_columns, weights, categories, params);
    // Columns side by side share lines of memory; not so many that threads run out of work.
    const index_t width =
        std::clamp<index_t>(values.n_columns / (4 * std::max(n_threads, 1)), 1, 64);
    std::vector<ColumnBins> bins(static_cast<std::size_t>(values.n_columns));
    parallel_for((values.n_columns + width - 1) / width, n_threads, [&](index_t group) {
        const index_t first = group * width;
        const index_t n_columns = std::min(width, values.n_columns - first);
        std::ranges::move(
            bins_of_group(values, first, n_columns, weights, categories, sampled_rows, params),
            bins.begin() + first);
    });
    return bins;
}

template <typename T>
std::vector<ColumnBins> find_all_bins(const SparseColumns<T>& values,
                                      std::span<const double> weights,
                                      std::span<const index_t> categories, const BinParams& params,
                                      int n_threads) {
    const InPhase phase(Phase::binning);
    values.check_entries();
    const std::vector<index_t> sampled_rows =
        sampled_rows_of(values.n_rows, values.n_columns(), weights, categories, params);
    const auto bins_of = [&](index_t j) {
        const bool is_category = is_in(categories, j);
        const index_t n_zeros = values.n_rows - std::ssize(values.rows_of(j));
        if (!is_category && weights.empty() && std::ssize(sampled_rows) == values.n_rows)
            return find_sparse_bins(values.values_of(j), n_zeros, params);
        std::vector<T> dense(static_cast<std::size_t>(values.n_rows));
        values.copy_column(j, dense);
        const StridedMatrix<T> matrix{dense.data(), values.n_rows, 1, 1, values.n_rows};
        return is_category ? category_bins(matrix, 0)
                           : find_bins(matrix, 0, weights, sampled_rows, params);
    };
    std::vector<ColumnBins> bins(static_cast<std::size_t>(values.n_columns()));
    parallel_for(values.n_columns(), n_threads,
                 [&](index_t j) { bins[static_cast<std::size_t>(j)] = bins_of(j); });
    return bins;
}

template <typename T>
std::vector<ColumnBins> take_bins(const StridedMatrix<T>& values, const BinnedDataset& reference,
                                  std::span<const index_t> categories) {
    check(values.n_rows >= 1 && values.n_columns == reference.n_columns(),
          "Rows can take the bins of a dataset that has the same columns.");
    std::vector<ColumnBins> bins;
    for (index_t j = 0; j < values.n_columns; ++j) {
        const bool is_category = is_in(categories, j);
        check(is_category || !reference.bins(j).is_category,
              "A column of numbers cannot take the bins of categories.");
        bins.push_back(is_category ? category_bins(values, j) : reference.bins(j));
    }
    return bins;
}

int bytes_for(const std::vector<ColumnBins>& bins) {
    const auto fits = [](const ColumnBins& column) {
        return column.n_bins() <= max_bins_of_8_bits;
    };
    return std::ranges::all_of(bins, fits) ? 1 : 2;
}

}  // namespace

template <typename T>
BinnedDataset::BinnedDataset(const StridedMatrix<T>& values, std::span<const double> weights,
                             std::span<const index_t> categories, const BinParams& params,
                             int n_threads)
    : bins_(find_all_bins(values, weights, categories, params, n_threads)),
      matrix_(values.n_rows, values.n_columns, bytes_for(bins_)) {
    fill(values, n_threads);
}

template <typename T>
BinnedDataset::BinnedDataset(const StridedMatrix<T>& values, const BinnedDataset& reference,
                             std::span<const index_t> categories, int n_threads)
    : bins_(take_bins(values, reference, categories)),
      matrix_(values.n_rows, values.n_columns, bytes_for(bins_)) {
    fill(values, n_threads);
}

template <typename T>
BinnedDataset::BinnedDataset(const StridedMatrix<T>& values, std::vector<ColumnBins> bins,
                             int n_threads)
    : bins_(std::move(bins)), matrix_(values.n_rows, values.n_columns, bytes_for(bins_)) {
    check(values.n_rows >= 1 && values.n_columns == std::ssize(bins_),
          "Rows can take the bins of a dataset that has the same columns.");
    fill(values, n_threads);
}

template <typename Values>
void BinnedDataset::fill(const Values& values, int n_threads) {
    const InPhase phase(Phase::binning);
    using T = typename Values::value_type;
    if (matrix_.bytes_per_bin() == 1)
        fill_as<T, std::uint8_t>(values, n_threads);
    else
        fill_as<T, std::uint16_t>(values, n_threads);
}

// Blocks of rows rather than columns: a matrix by rows is then read from memory once.
template <typename T, typename Bin>
void BinnedDataset::fill_as(const StridedMatrix<T>& values, int n_threads) {
    const std::vector<BinSearch<T>> searches(bins_.begin(), bins_.end());
    std::vector<std::atomic<bool>> has_missing(bins_.size());
    const index_t n_blocks = (values.n_rows + rows_per_block - 1) / rows_per_block;
    parallel_for(n_blocks, n_threads, [&](index_t block) {
        T block_values[rows_per_block];
        std::uint16_t found[rows_per_block];
        const index_t begin = block * rows_per_block;
        const index_t n = std::min(rows_per_block, values.n_rows - begin);
        for (index_t j = 0; j < values.n_columns; ++j) {
            for (index_t i = 0; i < n; ++i) block_values[i] = values(begin + i, j);
            const auto column = static_cast<std::size_t>(j);
            searches[column].find(block_values, n, found);
            if (std::find(found, found + n, bins_[column].missing_bin()) != found + n)
                has_missing[column].store(true, std::memory_order_relaxed);
            Bin* bins = matrix_.column<Bin>(j) + begin;
            for (index_t i = 0; i < n; ++i) bins[i] = static_cast<Bin>(found[i]);
        }
    });
    for (std::size_t j = 0; j < bins_.size(); ++j) bins_[j].has_missing = has_missing[j];
}

template <typename T>
BinnedDataset::BinnedDataset(const SparseColumns<T>& values, std::span<const double> weights,
                             std::span<const index_t> categories, const BinParams& params,
                             int n_threads)
    : bins_(find_all_bins(values, weights, categories, params, n_threads)),
      matrix_(values.n_rows, values.starts, values.rows, bytes_for(bins_)) {
    fill(values, n_threads);
}

template <typename T, typename Bin>
void BinnedDataset::fill_as(const SparseColumns<T>& values, int n_threads) {
    parallel_for(values.n_columns(), n_threads, [&](index_t j) {
        ColumnBins& column = bins_[static_cast<std::size_t>(j)];
        const BinSearch<T> search(column);
        const std::span<const T> entries = values.values_of(j);
        std::vector<std::uint16_t> found(entries.size());
        std::uint16_t of_zero = 0;
        const T zero = 0;
        search.find(&zero, 1, &of_zero);
        search.find(entries.data(), std::ssize(entries), found.data());
        matrix_.set_entries<Bin>(j, of_zero, found);
        column.has_missing = std::ranges::find(found, column.missing_bin()) != found.end();
    });
}

const ScatteredColumns& BinnedDataset::scattered() const {
    const InPhase phase(Phase::binning);
    std::call_once(scattered_found_, [&] { scattered_.emplace(matrix_, bins_); });
    return *scattered_;
}

const std::uint8_t* BinnedDataset::rows_beside_scattered(std::span<const index_t> columns,
                                                         int n_threads) const {
    if (scattered().empty()) return matrix_.rows(n_threads);
    std::call_once(rows_made_, [&] {
        AlignedBuffer<std::uint8_t> rows(n_rows() * BinnedMatrix::stride_of(std::ssize(columns)));
        if (!columns.empty()) matrix_.copy_by_rows(columns, n_threads, rows.data());
        rows_ = std::move(rows);
    });
    return rows_->data();
}

template BinnedDataset::BinnedDataset(const StridedMatrix<float>&, std::span<const double>,
                                      std::span<const index_t>, const BinParams&, int);
template BinnedDataset::BinnedDataset(const StridedMatrix<double>&, std::span<const double>,
                                      std::span<const index_t>, const BinParams&, int);
template BinnedDataset::BinnedDataset(const StridedMatrix<float>&, const BinnedDataset&,
                                      std::span<const index_t>, int);
template BinnedDataset::BinnedDataset(const StridedMatrix<double>&, const BinnedDataset&,
                                      std::span<const index_t>, int);
template BinnedDataset::BinnedDataset(const StridedMatrix<float>&, std::vector<ColumnBins>, int);
template BinnedDataset::BinnedDataset(const StridedMatrix<double>&, std::vector<ColumnBins>, int);
template BinnedDataset::BinnedDataset(const SparseColumns<float>&, std::span<const double>,
                                      std::span<const index_t>, const BinParams&, int);
template BinnedDataset::BinnedDataset(const SparseColumns<double>&, std::span<const double>,
                                      std::span<const index_t>, const BinParams&, int);

}  // namespace nonet
