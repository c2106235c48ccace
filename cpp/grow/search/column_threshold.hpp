// One threshold of a column, drawn between the minimum and the maximum value of a node: the rows
// are looked at twice, and no bin but the first and the last has to be known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "data/bin_edges.hpp"
#include "grow/histogram/row_bins.hpp"
#include "grow/sampling/column_sampler.hpp"
#include "grow/search/node_entries.hpp"
#include "grow/task/grow_params.hpp"

namespace nonet {

// Between the minimum value of the first bin and the maximum of the last; `fraction` is the draw.
inline double drawn_threshold(const ColumnBins& column, std::uint32_t first, std::uint32_t last,
                              double fraction) noexcept {
    const double low = column.minimum[first];
    return low + fraction * (column.maximum[last] - low);
}

// A threshold, and the last bin that goes left of it.
struct RandomThreshold {
    double threshold;
    std::uint32_t last_left;
};

// Splits the bins first, ..., last: left go those whose values are all below the threshold, but
// always the first and never the last. `fraction` is the draw; `dataset_bin` names bins of the
// column.
template <typename Bin, typename DatasetBin>
RandomThreshold draw_threshold(const ColumnBins& column, std::uint32_t first, std::uint32_t last,
                               double fraction, const DatasetBin& dataset_bin) noexcept {
    const double threshold =
        drawn_threshold(column, dataset_bin(first), dataset_bin(last), fraction);
    // Steps whose number depends on the bins' number of bits alone, and never on where rows are.
    constexpr int bits = std::numeric_limits<Bin>::digits;
    for (std::uint32_t step = 1U << (bits - 1); step > 0; step /= 2) {
        const std::uint32_t next = std::min(first + step, last - 1);
        first = column.maximum[dataset_bin(next)] <= threshold ? next : first;
    }
    return {threshold, first};
}

template <typename Bin>
class ColumnThreshold {
public:
    // The rows' bins of the column; `of_dataset` gives those of the dataset, none: the same.
    void read(const Bin* bins, const std::uint32_t* of_dataset,
              std::span<const std::uint32_t> rows) {
        of_dataset_ = of_dataset;
        bins_.resize(rows.size());
        Bin first = bins[rows[0]];
        Bin last = first;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Bin bin = bins[rows[i]];
            bins_[i] = bin;
            first = std::min(first, bin);
            last = std::max(last, bin);
        }
        first_ = first;
        last_ = last;
    }

    // The same from the entries of a sparse column; all other rows are in the bin of zero.
    void read_entries(std::span<const NodeEntry> entries, std::uint32_t of_zero, index_t n_rows) {
        of_dataset_ = nullptr;
        const bool has_zeros = std::ssize(entries) < n_rows;
        first_ = last_ = has_zeros ? of_zero : entries.front().bin;
        for (const NodeEntry& entry : entries) {
            first_ = std::min(first_, entry.bin);
            last_ = std::max(last_, entry.bin);
        }
    }

    bool is_constant() const noexcept { return first_ == last_; }
    bool has_missing(const ColumnBins& column) const noexcept {
        return dataset_bin(last_) == column.missing_bin();
    }

    RandomThreshold draw(const ColumnBins& column, double fraction) const noexcept {
        return draw_threshold<Bin>(column, first_, last_, fraction,
                                   [this](std::uint32_t bin) { return dataset_bin(bin); });
    }

    template <typename Sums, typename Row>
    void sum_left(std::uint32_t last_left, const Row* added, Sums& left) const noexcept {
        left.clear();
        for (std::size_t i = 0; i < bins_.size(); ++i)
            left.add_row_if(bins_[i] <= last_left, added[i]);
    }

    // Where the bin of zero goes left, the sum is what goes right, taken away from `all`.
    template <typename Sums, typename Row>
    static void sum_left_entries(std::span<const NodeEntry> entries, std::uint32_t of_zero,
                                 std::uint32_t last_left, const Row* added, const Sums& all,
                                 Sums& right, Sums& left) noexcept {
        const bool takes_zeros = of_zero <= last_left;
        Sums& some = takes_zeros ? right : left;
        some.clear();
        for (const auto [position, bin] : entries)
            some.add_row_if((bin <= last_left) != takes_zeros, added[position]);
        if (takes_zeros) left.set_difference(all, right);
    }

private:
    std::uint32_t dataset_bin(std::uint32_t bin) const noexcept {
        return of_dataset_ == nullptr ? bin : of_dataset_[bin];
    }

    const std::uint32_t* of_dataset_ = nullptr;
    std::vector<Bin> bins_;
    std::uint32_t first_ = 0;
    std::uint32_t last_ = 0;
};

template <typename Bin>
ThresholdNeighbours find_threshold_neighbours(const Bin* bins, std::span<const std::uint32_t> rows,
                                              std::uint32_t last_left) noexcept {
    std::uint32_t below = 0;
    std::uint32_t above = std::numeric_limits<std::uint32_t>::max();
    index_t n_left = 0;
    for (const std::uint32_t row : rows) {
        const std::uint32_t bin = bins[row];
        const std::uint32_t is_left = 0U - (bin <= last_left);  // all bits or none
        below = std::max(below, bin & is_left);
        above = std::min(above, bin | is_left);
        n_left += bin <= last_left;
    }
    return {below, above, n_left};
}

}  // namespace nonet
