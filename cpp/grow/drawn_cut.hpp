// One threshold of a column, drawn between the least and the largest value of a node: the rows are
// looked at twice, and no bin but the first and the last has to be known.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "data/bin_edges.hpp"
#include "grow/grow_params.hpp"

namespace nonet {

template <typename Bin>
class DrawnCut {
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

    bool is_constant() const noexcept { return first_ == last_; }
    bool has_missing(const ColumnBins& column) const noexcept {
        return dataset_bin(last_) == column.missing_bin();
    }

    // The last bin that goes left, for a threshold drawn uniformly: one whose values are all below
    // it, but at least the first and never the last of all.
    std::uint32_t draw(const ColumnBins& column, RandomStream& random) noexcept {
        const double low = column.least[dataset_bin(first_)];
        threshold_ = low + random.uniform() * (column.largest[dataset_bin(last_)] - low);
        const auto edge = std::ranges::lower_bound(column.edges, threshold_);
        const auto bin = static_cast<std::uint32_t>(edge - column.edges.begin());
        const bool is_below = column.largest[bin] <= threshold_;
        return std::clamp(bin_here(bin, is_below), first_, last_ - 1);
    }
    double threshold() const noexcept { return threshold_; }

    // Adds up the rows that go left. Both sides are added to, which is cheaper than a branch that
    // cannot be foretold.
    template <typename Sums, typename Row>
    void sum_sides(std::uint32_t last_left, const Row* added, Sums& left, Sums& right) noexcept {
        left.clear();
        Sums* sides[2] = {&right, &left};
        for (std::size_t i = 0; i < bins_.size(); ++i)
            sides[bins_[i] <= last_left]->add_row(added[i]);
    }

    // The bins of the dataset next to the cut that rows are in.
    struct Neighbours {
        std::uint32_t below;
        std::uint32_t above;
    };
    static Neighbours neighbours(const Bin* bins, const std::uint32_t* of_dataset,
                                 std::span<const std::uint32_t> rows, std::uint32_t last_left) {
        std::uint32_t below = 0;
        std::uint32_t above = std::numeric_limits<std::uint32_t>::max();
        for (const std::uint32_t row : rows) {
            const std::uint32_t bin = bins[row];
            if (bin <= last_left)
                below = std::max(below, bin);
            else
                above = std::min(above, bin);
        }
        if (of_dataset == nullptr) return {below, above};
        return {of_dataset[below], of_dataset[above]};
    }

private:
    std::uint32_t dataset_bin(std::uint32_t bin) const noexcept {
        return of_dataset_ == nullptr ? bin : of_dataset_[bin];
    }
    // The last bin here up to one of the dataset, which itself counts only if it is below.
    std::uint32_t bin_here(std::uint32_t bin, bool is_below) const noexcept {
        if (of_dataset_ == nullptr) return bin + is_below - (bin + is_below > 0);
        const std::uint32_t* end = of_dataset_ + last_ + 1;
        const auto behind = is_below ? std::upper_bound(of_dataset_, end, bin)
                                     : std::lower_bound(of_dataset_, end, bin);
        return static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(behind - of_dataset_, 1)) - 1;
    }

    const std::uint32_t* of_dataset_ = nullptr;
    std::vector<Bin> bins_;
    std::uint32_t first_ = 0;
    std::uint32_t last_ = 0;
    double threshold_ = 0;
};

}  // namespace nonet
