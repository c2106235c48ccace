// The columns a tree, or a branch of one, is grown on.
//
// A branch with few of the rows gets columns of its own: its rows side by side, and the bins that
// are present numbered without gaps. All a deep node touches then lies in the nearest caches,
// however many rows and bins the dataset has.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "data/binned_dataset.hpp"

namespace nonet {

// The bins of some rows in a column: bins[rows[i]] is that of row i.
template <typename Bin>
struct NodeColumn {
    const Bin* bins;
    std::span<const std::uint32_t> rows;
};

// Memory of a node's bins in a sparse column.
template <typename Bin>
struct GatheredBins {
    std::vector<Bin> bins;
    std::vector<std::uint32_t> numbers;  // 0, 1, ...
    index_t n_others = 0;                // rows that are not in the bin of zero
};

template <typename Bin>
class BranchColumns {
public:
    explicit BranchColumns(const BinnedDataset& dataset) : dataset_(dataset) {}

    // The given rows of other columns; row i here is rows[i] there.
    BranchColumns(const BranchColumns& other, std::span<const std::uint32_t> rows)
        : dataset_(other.dataset_),
          n_rows_(std::ssize(rows)),
          bins_(rows.size() * static_cast<std::size_t>(dataset_.n_columns())),
          bins_there_(static_cast<std::size_t>(dataset_.n_columns())) {
        for (index_t j = 0; j < dataset_.n_columns(); ++j) copy_column(other, rows, j);
    }

    const BinnedDataset& dataset() const noexcept { return dataset_; }
    const ColumnBins& column_bins(index_t j) const noexcept { return dataset_.bins(j); }

    const Bin* column(index_t j) const noexcept {
        return is_dataset() ? dataset_.matrix().template column<Bin>(j)
                            : bins_.data() + j * n_rows_;
    }
    bool is_sparse() const noexcept { return dataset_.matrix().is_sparse(); }
    // In place of `column`, sparse or not; the rows come in order.
    NodeColumn<Bin> node_column(index_t j, std::span<const std::uint32_t> rows,
                                GatheredBins<Bin>& gathered) const {
        if (!is_sparse()) return {column(j), rows};
        for (std::size_t i = gathered.numbers.size(); i < rows.size(); ++i)
            gathered.numbers.push_back(static_cast<std::uint32_t>(i));
        gathered.bins.resize(rows.size());
        gathered.n_others =
            dataset_.matrix().template sparse_column<Bin>(j).gather(rows, gathered.bins.data());
        return {gathered.bins.data(), std::span(gathered.numbers).first(rows.size())};
    }
    // Bins of the column, the missing one included.
    index_t n_bins(index_t j) const noexcept {
        return is_dataset() ? dataset_.bins(j).n_bins() + 1 : std::ssize(bins_there(j));
    }
    // Bins of the dataset by those here; none: they are the same.
    const std::uint32_t* dataset_bins(index_t j) const noexcept {
        return is_dataset() ? nullptr : bins_there(j).data();
    }

private:
    bool is_dataset() const noexcept { return bins_there_.empty(); }
    const std::vector<std::uint32_t>& bins_there(index_t j) const noexcept {
        return bins_there_[static_cast<std::size_t>(j)];
    }

    void copy_column(const BranchColumns& other, std::span<const std::uint32_t> rows, index_t j) {
        const Bin* there = other.column(j);
        std::vector<std::uint64_t> present(static_cast<std::size_t>(other.n_bins(j) / 64 + 1));
        for (const std::uint32_t row : rows)
            present[there[row] / 64] |= std::uint64_t{1} << (there[row] % 64);
        const std::vector<std::uint32_t> first = number_bins(other, j, present);
        Bin* here = bins_.data() + j * n_rows_;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Bin bin = there[rows[i]];
            const std::uint64_t lower = present[bin / 64] & ((std::uint64_t{1} << (bin % 64)) - 1);
            here[i] = static_cast<Bin>(first[bin / 64] +
                                       static_cast<std::uint32_t>(std::popcount(lower)));
        }
    }

    // Number of the first present bin of each word.
    std::vector<std::uint32_t> number_bins(const BranchColumns& other, index_t j,
                                           const std::vector<std::uint64_t>& present) {
        std::vector<std::uint32_t> first(present.size());
        std::vector<std::uint32_t>& bins = bins_there_[static_cast<std::size_t>(j)];
        const std::uint32_t* of_dataset = other.dataset_bins(j);
        for (std::size_t w = 0; w < present.size(); ++w) {
            first[w] = static_cast<std::uint32_t>(bins.size());
            for (std::uint64_t word = present[w]; word != 0; word &= word - 1) {
                const auto bin = static_cast<std::uint32_t>(
                    64 * w + static_cast<std::size_t>(std::countr_zero(word)));
                bins.push_back(of_dataset == nullptr ? bin : of_dataset[bin]);
            }
        }
        return first;
    }

    const BinnedDataset& dataset_;
    index_t n_rows_ = 0;
    std::vector<Bin> bins_;                               // column after column
    std::vector<std::vector<std::uint32_t>> bins_there_;  // of the dataset, for each column
};

}  // namespace nonet
