// Ranks of numbers among sorted thresholds, many at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace nonet {

constexpr std::size_t ranked_together = 16;

// Cells of equal width part the way from the first threshold to the last. What is in a lower cell
// is lower, so that a number has to be compared with the thresholds of its own cell only.
class ThresholdRanks {
public:
    ThresholdRanks() : ThresholdRanks(std::vector<double>{}) {}

    // Thresholds have to be sorted; the last may be infinite.
    explicit ThresholdRanks(std::vector<double> thresholds)
        : n_thresholds_(thresholds.size()), thresholds_(std::move(thresholds)) {
        set_cells();
        std::uint32_t most = 0;
        for (std::size_t cell = 0; cell + 1 < starts_.size(); ++cell)
            most = std::max(most, starts_[cell + 1] - starts_[cell]);
        window_ = std::bit_ceil(most + 1);
        // Who looks beyond a cell finds what is not lower, also at the end.
        thresholds_.resize(n_thresholds_ + window_, std::numeric_limits<double>::infinity());
    }

    std::size_t size() const noexcept { return n_thresholds_; }

    // How many of the thresholds are below each of the numbers; of NaN: any number of them. All
    // take the same steps side by side: a single search waits for memory at every step.
    template <std::size_t n>
    void find(const double (&numbers)[n], std::uint32_t (&ranks)[n]) const noexcept {
        const double* thresholds = thresholds_.data();
        for (std::size_t i = 0; i < n; ++i) ranks[i] = starts_[cell_of(numbers[i])];
        for (std::uint32_t half = window_ / 2; half >= 1; half /= 2)
            for (std::size_t i = 0; i < n; ++i)
                ranks[i] += half & (0U - (thresholds[ranks[i] + half - 1] < numbers[i]));
    }

private:
    static constexpr std::size_t max_cells = 1 << 12;

    void set_cells() {
        const std::size_t n_cells = std::clamp<std::size_t>(n_thresholds_, 1, max_cells);
        const auto finite_end = std::ranges::find_if_not(
            thresholds_, [](double threshold) { return std::isfinite(threshold); });
        if (finite_end != thresholds_.begin()) {
            first_ = thresholds_.front();
            last_cell_ = static_cast<double>(n_cells - 1);
            const double range = *(finite_end - 1) - first_;
            if (range > 0) cells_per_unit_ = last_cell_ / range;
        }
        starts_.assign(n_cells + 1, 0);
        for (const double threshold : thresholds_) ++starts_[cell_of(threshold) + 1];
        for (std::size_t cell = 0; cell < n_cells; ++cell) starts_[cell + 1] += starts_[cell];
    }

    // Never falls as the number grows, which is all that is required.
    std::size_t cell_of(double number) const noexcept {
        double position = (number - first_) * cells_per_unit_;
        position = position > 0 ? position : 0;  // also if it is NaN
        return static_cast<std::uint32_t>(position < last_cell_ ? position : last_cell_);
    }

    std::size_t n_thresholds_;
    std::vector<double> thresholds_;
    std::vector<std::uint32_t> starts_;  // of the cells, among the thresholds
    std::uint32_t window_ = 1;
    double first_ = 0;
    double cells_per_unit_ = 0;
    double last_cell_ = 0;
};

}  // namespace nonet
