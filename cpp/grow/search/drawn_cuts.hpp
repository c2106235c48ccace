// The best of one drawn cut for each of some columns of a node, from bins that lie row by row: two
// looks at a row serve all columns.
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
#include "grow/search/cut_scores.hpp"
#include "grow/task/grow_params.hpp"

namespace nonet {

template <SplitCriterion Criterion>
class DrawnCuts {
public:
    using Sums = typename Criterion::Sums;
    using Row = typename Criterion::Row;

    DrawnCuts(const Criterion& criterion, const GrowParams& params, index_t stride)
        : params_(params),
          scores_(criterion, params, stride),
          least_(static_cast<std::size_t>(stride)),
          largest_(static_cast<std::size_t>(stride)),
          cuts_(static_cast<std::size_t>(stride)),
          draws_(static_cast<std::size_t>(stride)) {}

    // The first look: which bins the rows are in.
    void read(const NodeBins& node) {
        node_ = node;
        n_cuts_ = 0;
        find_bin_ranges(node, least_.data(), largest_.data());
    }

    bool is_constant(index_t column) const noexcept {
        return least_[static_cast<std::size_t>(column)] ==
               largest_[static_cast<std::size_t>(column)];
    }
    bool has_missing(index_t column, const ColumnBins& bins) const noexcept {
        return largest_[static_cast<std::size_t>(column)] == bins.missing_bin();
    }

    // Draws the cut of a column that is neither constant nor has missing values: left go the bins
    // whose values are all below the threshold, but at least the first and never the last.
    void draw(index_t column, const ColumnBins& bins, double share) {
        const std::uint32_t first = least_[static_cast<std::size_t>(column)];
        const std::uint32_t last = largest_[static_cast<std::size_t>(column)];
        cuts_[n_cuts_] = {column, first};
        draws_[n_cuts_++] = {bins.largest.data(), drawn_threshold(bins, first, last, share), last};
    }

    bool has_drawn() const noexcept { return n_cuts_ > 0; }

    // The second look: the best of the cuts drawn since the rows were read. `added` and `all` are
    // what the rows add and their sum, whose score is `parent_score`.
    Split best(const Row* added, const Sums& all, double parent_score, std::uint64_t node_key) {
        Split best;
        if (node_.n_rows == 2)
            keep_lowest_rank(node_key);
        else if (node_.n_rows <= most_rows_looked_up)
            look_up_bins();
        else
            find_bins();
        scores_.look(node_, cuts(), added, all);
        constexpr auto capacity = static_cast<std::size_t>(CutScores<Criterion>::Batch::capacity);
        for (std::size_t first = 0; first < n_cuts_; first += capacity) {
            const auto batch = cuts().subspan(first, std::min(capacity, n_cuts_ - first));
            keep_best(batch, scores_.of(batch, all), parent_score, node_key, best);
        }
        if (best.found()) best.threshold = threshold_of(best.column);
        return best;
    }

private:
    struct Draw {
        const double* largest;  // of the bins of its column
        double threshold;
        std::uint32_t last;  // of the bins that rows are in
    };

    std::span<const ColumnCut> cuts() const noexcept { return {cuts_.data(), n_cuts_}; }

    // Two rows are parted by every cut, all with the same gain.
    void keep_lowest_rank(std::uint64_t node_key) noexcept {
        std::size_t lowest = 0;
        std::uint64_t lowest_rank = tie_rank(params_, node_key, cuts_[0].column);
        for (std::size_t i = 1; i < n_cuts_; ++i) {
            const std::uint64_t rank = tie_rank(params_, node_key, cuts_[i].column);
            lowest = rank < lowest_rank ? i : lowest;
            lowest_rank = std::min(lowest_rank, rank);
        }
        cuts_[0] = cuts_[lowest];
        draws_[0] = draws_[lowest];
        n_cuts_ = 1;
    }

    // Few rows are in few bins: the last that goes left is one of theirs.
    void look_up_bins() noexcept {
        for (std::size_t i = 0; i < n_cuts_; ++i) {
            const auto& [largest, threshold, last] = draws_[i];
            auto& [column, last_left] = cuts_[i];
            for (index_t row = 0; row < node_.n_rows; ++row) {
                const std::uint32_t bin = node_.of(row)[column];
                const std::uint32_t goes_left =
                    ~is_below(threshold, largest[bin]) & (0U - (bin < last));
                last_left = std::max(last_left, bin & goes_left);
            }
        }
    }

    // All columns take the steps of their searches side by side: a single search waits for memory
    // at every step.
    void find_bins() noexcept {
        std::uint32_t widest = 0;
        for (std::size_t i = 0; i < n_cuts_; ++i)
            widest = std::max(widest, draws_[i].last - 1 - cuts_[i].last_left);
        for (std::uint32_t step = std::bit_floor(widest); step > 0; step /= 2)
            for (std::size_t i = 0; i < n_cuts_; ++i) {
                const auto& [largest, threshold, last] = draws_[i];
                std::uint32_t& here = cuts_[i].last_left;
                const std::uint32_t next = std::min(here + step, last - 1);
                here += (next - here) & ~is_below(threshold, largest[next]);
            }
    }

    // All bits or none, from the sign of the difference: compilers make a branch of a comparison,
    // and half of these branches would be foreseen wrongly.
    static std::uint32_t is_below(double one, double other) noexcept {
        return static_cast<std::uint32_t>(std::bit_cast<std::int64_t>(one - other) >> 63);
    }

    void keep_best(std::span<const ColumnCut> cuts, const double* scores, double parent_score,
                   std::uint64_t node_key, Split& best) const {
        for (std::size_t i = 0; i < cuts.size(); ++i) {
            const double gain = scores[i] - parent_score;
            if (gain < best.gain || !(scores[i] > none)) continue;
            const auto& [column, last_left] = cuts[i];
            const std::uint64_t rank = tie_rank(params_, node_key, column);
            if (gain == best.gain && rank > best.tie_rank) continue;
            best.gain = gain;
            best.tie_rank = rank;
            best.column = static_cast<std::uint32_t>(column);
            best.last_left_bin = last_left;
        }
    }

    double threshold_of(index_t column) const noexcept {
        const auto cut = std::ranges::find(cuts(), column, &ColumnCut::column);
        return draws_[static_cast<std::size_t>(cut - cuts().begin())].threshold;
    }

    static constexpr double none = -std::numeric_limits<double>::infinity();
    static constexpr index_t most_rows_looked_up = 8;  // as many as a search takes steps

    const GrowParams& params_;
    CutScores<Criterion> scores_;
    NodeBins node_{};
    std::vector<std::uint8_t> least_;
    std::vector<std::uint8_t> largest_;
    std::size_t n_cuts_ = 0;
    std::vector<ColumnCut> cuts_;
    std::vector<Draw> draws_;  // of each cut
};

}  // namespace nonet
