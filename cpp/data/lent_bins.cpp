#include "data/lent_bins.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/check.hpp"
#include "base/parallel.hpp"

namespace nonet {
namespace {

constexpr index_t rows_per_block = 1 << 14;

// The largest number that a bin of the column may have.
index_t last_bin(const ColumnBins& bins) {
    return bins.has_missing ? bins.missing_bin() : bins.n_bins() - 1;
}

template <typename Bin>
index_t first_bad(const BinnedDataset& dataset, index_t column, index_t begin, index_t end) {
    const Bin* bins = dataset.matrix().column<Bin>(column);
    const index_t last = last_bin(dataset.bins(column));
    Bin most = 0;
    for (index_t row = begin; row < end; ++row) most = std::max(most, bins[row]);
    if (static_cast<index_t>(most) <= last) return end;
    return std::find_if(bins + begin, bins + end, [=](Bin bin) { return bin > last; }) - bins;
}

index_t first_unequal(const BinnedDataset& dataset, index_t column, const std::uint8_t* by_row,
                      index_t begin, index_t end) {
    const auto* bins = dataset.matrix().column<std::uint8_t>(column);
    const index_t stride = dataset.matrix().row_stride();
    for (index_t row = begin; row < end; ++row)
        if (bins[row] != by_row[row * stride + column]) return row;
    return end;
}

index_t first_bad_of_block(const BinnedDataset& dataset, index_t begin, index_t end) {
    const bool is_short = dataset.matrix().bytes_per_bin() == 1;
    const std::uint8_t* by_row = is_short ? dataset.matrix().rows(1) : nullptr;
    index_t bad = end;
    for (index_t j = 0; j < dataset.n_columns(); ++j) {
        bad = is_short ? first_bad<std::uint8_t>(dataset, j, begin, bad)
                       : first_bad<std::uint16_t>(dataset, j, begin, bad);
        if (is_short) bad = first_unequal(dataset, j, by_row, begin, bad);
    }
    return bad;
}

template <typename Bin>
void gather_column(const BinnedDataset& dataset, index_t j, std::span<const std::int64_t> rows,
                   std::uint8_t* columns, ColumnBins& bins) {
    const Bin* from = dataset.matrix().column<Bin>(j);
    Bin* to = reinterpret_cast<Bin*>(columns) + j * std::ssize(rows);
    const auto missing = static_cast<Bin>(bins.missing_bin());
    bins.has_missing = false;
    index_t n_codes = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        to[i] = from[rows[i]];
        if (to[i] == missing)
            bins.has_missing = true;
        else
            n_codes = std::max(n_codes, static_cast<index_t>(to[i]) + 1);
    }
    if (!bins.is_category || n_codes == bins.n_bins()) return;
    const auto now_missing = static_cast<Bin>(n_codes);
    std::replace(to, to + rows.size(), missing, now_missing);
    bins.minimum.resize(static_cast<std::size_t>(n_codes));
    bins.maximum = bins.minimum;
}

}  // namespace

index_t find_bad_row(const BinnedDataset& dataset, int n_threads) {
    std::atomic<index_t> bad = dataset.n_rows();
    parallel_blocks(
        dataset.n_rows(), rows_per_block, n_threads, [&](index_t, index_t begin, index_t end) {
            const index_t found = first_bad_of_block(dataset, begin, end);
            index_t known = bad.load();
            while (found < end && found < known && !bad.compare_exchange_weak(known, found)) {
            }
        });
    return bad == dataset.n_rows() ? -1 : bad.load();
}

std::vector<ColumnBins> gather_rows(const BinnedDataset& dataset,
                                    std::span<const std::int64_t> rows, std::uint8_t* columns,
                                    std::uint8_t* by_row, int n_threads) {
    check(!dataset.matrix().is_sparse(), "Rows of sparse bins are not gathered.");
    const index_t n_rows = dataset.n_rows();
    check(std::ranges::all_of(rows, [=](std::int64_t row) { return row >= 0 && row < n_rows; }),
          "Rows must be rows of the dataset.");
    std::vector<ColumnBins> bins;
    for (index_t j = 0; j < dataset.n_columns(); ++j) bins.push_back(dataset.bins(j));
    const bool is_short = dataset.matrix().bytes_per_bin() == 1;
    parallel_for(dataset.n_columns(), n_threads, [&](index_t j) {
        ColumnBins& its_bins = bins[static_cast<std::size_t>(j)];
        if (is_short)
            gather_column<std::uint8_t>(dataset, j, rows, columns, its_bins);
        else
            gather_column<std::uint16_t>(dataset, j, rows, columns, its_bins);
    });
    if (!is_short) return bins;
    const BinnedMatrix gathered(std::ssize(rows), dataset.n_columns(), 1, columns, nullptr);
    std::vector<index_t> all;
    for (index_t j = 0; j < dataset.n_columns(); ++j) all.push_back(j);
    gathered.copy_by_rows(all, n_threads, by_row);
    return bins;
}

}  // namespace nonet
