// The best of one random threshold per column, for some columns of a node, from bins that lie row
// by row: two looks at a row serve all columns.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "data/bin_edges.hpp"
#include "grow/criteria/criterion.hpp"
#include "grow/histogram/row_bins.hpp"
#include "grow/node/split.hpp"
#include "grow/sampling/column_sampler.hpp"
#include "grow/search/threshold_scores.hpp"
#include "grow/task/grow_params.hpp"

namespace nonet {

// `Scores` adds up the rows left of the thresholds: ThresholdScores, or RunScores.
template <typename Scores>
class RandomThresholds {
public:
    using Rows = typename Scores::Rows;

    template <SplitCriterion Criterion>
    RandomThresholds(const Criterion& criterion, const GrowParams& params, index_t stride)
        : params_(params),
          scores_(criterion, params, stride),
          minimum_(static_cast<std::size_t>(stride)),
          maximum_(static_cast<std::size_t>(stride)),
          thresholds_(static_cast<std::size_t>(stride)),
          draws_(static_cast<std::size_t>(stride)) {}

    // The first look: which bins the rows are in.
    void read(const NodeBins& node) {
        node_ = node;
        n_thresholds_ = 0;
        find_bin_ranges(node, minimum_.data(), maximum_.data());
    }

    bool is_constant(index_t column) const noexcept {
        return minimum_[static_cast<std::size_t>(column)] ==
               maximum_[static_cast<std::size_t>(column)];
    }
    bool has_missing(index_t column, const ColumnBins& bins) const noexcept {
        return maximum_[static_cast<std::size_t>(column)] == bins.missing_bin();
    }

    // Draws the cut of a column that is neither constant nor has missing values: left go the bins
    // whose values are all below the threshold, but at least the first and never the last.
    void draw(index_t column, const ColumnBins& bins, double fraction) {
        const std::uint32_t first = minimum_[static_cast<std::size_t>(column)];
        const std::uint32_t last = maximum_[static_cast<std::size_t>(column)];
        thresholds_[n_thresholds_] = {column, first};
        draws_[n_thresholds_++] = {bins.maximum.data(),
                                   drawn_threshold(bins, first, last, fraction), last};
    }

    bool has_drawn() const noexcept { return n_thresholds_ > 0; }

    // The second look: the best of the thresholds drawn since the rows were read. The rows are what
    // `Scores` needs of them, and have the score `parent_score`.
    Split best(const Rows& rows, double parent_score, std::uint64_t node_key) {
        Split best;
        if (node_.n_rows == 2)
            keep_lowest_rank(node_key);
        else if (node_.n_rows <= max_rows_looked_up)
            look_up_bins();
        else
            find_bins();
        scores_.look(node_, thresholds(), rows);
        constexpr auto capacity = static_cast<std::size_t>(Scores::Batch::capacity);
        for (std::size_t first = 0; first < n_thresholds_; first += capacity) {
            const auto batch =
                thresholds().subspan(first, std::min(capacity, n_thresholds_ - first));
            keep_best(batch, scores_.of(batch, rows), parent_score, node_key, best);
        }
        if (best.found()) best.threshold = threshold_of(best.column);
        return best;
    }

private:
    struct Draw {
        const double* maximum;  // of the bins of its column
        double threshold;
        std::uint32_t last;  // of the bins that rows are in
    };

    std::span<const ColumnThresholdSum> thresholds() const noexcept {
        return {thresholds_.data(), n_thresholds_};
    }

    // Every threshold splits two rows, with the same gain.
    void keep_lowest_rank(std::uint64_t node_key) noexcept {
        std::size_t lowest = 0;
        std::uint64_t lowest_rank = tie_rank(params_, node_key, thresholds_[0].column);
        for (std::size_t i = 1; i < n_thresholds_; ++i) {
            const std::uint64_t rank = tie_rank(params_, node_key, thresholds_[i].column);
            lowest = rank < lowest_rank ? i : lowest;
            lowest_rank = std::min(lowest_rank, rank);
        }
        thresholds_[0] = thresholds_[lowest];
        draws_[0] = draws_[lowest];
        n_thresholds_ = 1;
    }

    // Few rows are in few bins: the last that goes left is one of theirs.
    void look_up_bins() noexcept {
        for (std::size_t i = 0; i < n_thresholds_; ++i) {
            const auto& [maximum, threshold, last] = draws_[i];
            auto& [column, last_left] = thresholds_[i];
            for (index_t row = 0; row < node_.n_rows; ++row) {
                const std::uint32_t bin = node_.of(row)[column];
                const std::uint32_t goes_left =
                    ~is_below(threshold, maximum[bin]) & (0U - (bin < last));
                last_left = std::max(last_left, bin & goes_left);
            }
        }
    }

    // All columns take the steps of their searches side by side: a single search waits for memory
    // at every step.
    void find_bins() noexcept {
        std::uint32_t widest = 0;
        for (std::size_t i = 0; i < n_thresholds_; ++i)
            widest = std::max(widest, draws_[i].last - 1 - thresholds_[i].last_left);
        for (std::uint32_t step = std::bit_floor(widest); step > 0; step /= 2)
            for (std::size_t i = 0; i < n_thresholds_; ++i) {
                const auto& [maximum, threshold, last] = draws_[i];
                std::uint32_t& here = thresholds_[i].last_left;
                const std::uint32_t next = std::min(here + step, last - 1);
                here += (next - here) & ~is_below(threshold, maximum[next]);
            }
    }

    // All bits or none, from the sign of the difference: compilers make a branch of a comparison,
    // and half of these branches would be mispredicted.
    static std::uint32_t is_below(double one, double other) noexcept {
        return static_cast<std::uint32_t>(std::bit_cast<std::int64_t>(one - other) >> 63);
    }

    void keep_best(std::span<const ColumnThresholdSum> thresholds, const double* scores,
                   double parent_score, std::uint64_t node_key, Split& best) const {
        for (std::size_t i = 0; i < thresholds.size(); ++i) {
            const double gain = scores[i] - parent_score;
            if (gain < best.gain || !(scores[i] > none)) continue;
            const auto& [column, last_left] = thresholds[i];
            const std::uint64_t rank = tie_rank(params_, node_key, column);
            if (gain == best.gain && rank > best.tie_rank) continue;
            best.gain = gain;
            best.tie_rank = rank;
            best.column = static_cast<std::uint32_t>(column);
            best.last_left_bin = last_left;
        }
    }

    double threshold_of(index_t column) const noexcept {
        const auto threshold = std::ranges::find(thresholds(), column, &ColumnThresholdSum::column);
        return draws_[static_cast<std::size_t>(threshold - thresholds().begin())].threshold;
    }

    static constexpr double none = -std::numeric_limits<double>::infinity();
    static constexpr index_t max_rows_looked_up = 8;  // as many as a search takes steps

    const GrowParams& params_;
    Scores scores_;
    NodeBins node_{};
    std::vector<std::uint8_t> minimum_;
    std::vector<std::uint8_t> maximum_;
    std::size_t n_thresholds_ = 0;
    std::vector<ColumnThresholdSum> thresholds_;
    std::vector<Draw> draws_;  // of each cut
};

}  // namespace nonet
