// The best of one drawn cut for each of some columns of a node, from bins that lie row by row: two
// looks at a row serve all columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/bin_edges.hpp"
#include "grow/column_sampler.hpp"
#include "grow/drawn_cut.hpp"
#include "grow/grow_params.hpp"
#include "grow/row_bins.hpp"
#include "grow/score_batch.hpp"
#include "grow/split.hpp"

namespace nonet {

template <typename Criterion>
class DrawnCuts {
public:
    using Sums = typename Criterion::Sums;
    using Row = typename Criterion::Row;

    DrawnCuts(const Criterion& criterion, const GrowParams& params)
        : criterion_(criterion),
          params_(params),
          batch_(criterion, {static_cast<double>(params.min_rows_leaf), params.min_weight_leaf}),
          left_(criterion) {}

    // The first look: which bins the rows are in.
    void read(const RowBins& bins, std::span<const std::uint32_t> rows) {
        const auto stride = static_cast<std::size_t>(bins.stride);
        bins_ = bins;
        rows_ = rows;
        least_.resize(stride);
        largest_.resize(stride);
        last_left_.resize(stride);
        candidates_.clear();
        find_bin_ranges(bins, rows, least_.data(), largest_.data());
    }

    bool is_constant(index_t column) const noexcept {
        return least_[static_cast<std::size_t>(column)] ==
               largest_[static_cast<std::size_t>(column)];
    }
    bool has_missing(index_t column, const ColumnBins& bins) const noexcept {
        return largest_[static_cast<std::size_t>(column)] == bins.missing_bin();
    }

    // Draws the cut of a column that is neither constant nor has missing values.
    void draw(index_t column, const ColumnBins& bins, double share) {
        const auto c = static_cast<std::size_t>(column);
        const Cut cut = draw_cut<std::uint8_t>(bins, least_[c], largest_[c], share,
                                               [](std::uint32_t bin) { return bin; });
        candidates_.push_back({column, cut});
        last_left_[c] = static_cast<std::uint8_t>(cut.last_left);
    }

    bool has_drawn() const noexcept { return !candidates_.empty(); }

    // The second look: the best of the cuts drawn since the rows were read. `added` and `all` are
    // what the rows add and their sum, whose score is `parent_score`.
    Split best(const Row* added, const Sums& all, double parent_score, std::uint64_t node_key) {
        Split best;
        const std::span<const Candidate> candidates(candidates_);
        if (can_count()) count(added);
        for (std::size_t first = 0; first < candidates.size(); first += Batch::capacity) {
            const auto batch = candidates.subspan(
                first, std::min<std::size_t>(Batch::capacity, candidates.size() - first));
            if (can_count())
                add_counts(batch, all);
            else
                add_sums(batch, added, all);
            keep_best(batch, all, parent_score, node_key, best);
        }
        return best;
    }

private:
    using Batch = typename Criterion::Batch;
    static constexpr bool has_labels = requires { Criterion::labels(nullptr); };
    struct Candidate {
        index_t column;
        Cut cut;
    };

    // Rows of weight 1 need only be counted; with more classes than rows that does not pay.
    bool can_count() const noexcept {
        if constexpr (has_labels)
            return criterion_.counts_rows() && criterion_.width() <= most_labels_counted &&
                   criterion_.width() <= std::ssize(rows_);
        return false;
    }
    void count(const Row* added) {
        if constexpr (has_labels) {
            counts_.resize(static_cast<std::size_t>(criterion_.width() * bins_.stride));
            count_labels_left(bins_, rows_, Criterion::labels(added), criterion_.width(),
                              last_left_.data(), counts_.data());
        }
    }
    void add_counts(std::span<const Candidate> candidates, const Sums& all) {
        if constexpr (has_labels)
            for (std::size_t i = 0; i < candidates.size(); ++i) {
                left_.set_counts(counts_.data() + candidates[i].column, bins_.stride);
                batch_.add(static_cast<index_t>(i), left_, all);
            }
    }

    void add_sums(std::span<const Candidate> candidates, const Row* added, const Sums& all) {
        lefts_.resize(std::max(lefts_.size(), candidates.size()), left_);
        for (std::size_t j = 0; j < candidates.size(); ++j) lefts_[j].clear();
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const std::uint8_t* bins = bins_.of_row(rows_[i]);
            const Row row = added[i];
            for (std::size_t j = 0; j < candidates.size(); ++j) {
                const auto& [column, cut] = candidates[j];
                lefts_[j].add_row_if(bins[column] <= cut.last_left, row);
            }
        }
        for (std::size_t j = 0; j < candidates.size(); ++j)
            batch_.add(static_cast<index_t>(j), lefts_[j], all);
    }

    void keep_best(std::span<const Candidate> candidates, const Sums& all, double parent_score,
                   std::uint64_t node_key, Split& best) {
        const double* scores = batch_.scores(std::ssize(candidates), all);
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const double gain = scores[i] - parent_score;
            if (gain < best.gain || !(scores[i] > none)) continue;
            const auto& [column, cut] = candidates[i];
            const std::uint64_t rank = tie_rank(params_, node_key, column);
            if (gain == best.gain && rank > best.tie_rank) continue;
            best.gain = gain;
            best.tie_rank = rank;
            best.column = static_cast<std::uint32_t>(column);
            best.last_left_bin = cut.last_left;
            best.threshold = cut.threshold;
        }
    }

    static constexpr double none = -std::numeric_limits<double>::infinity();

    const Criterion& criterion_;
    const GrowParams& params_;
    Batch batch_;
    Sums left_;
    RowBins bins_{};
    std::span<const std::uint32_t> rows_;
    std::vector<std::uint8_t> least_;
    std::vector<std::uint8_t> largest_;
    std::vector<std::uint8_t> last_left_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint32_t> counts_;
    std::vector<Sums> lefts_;
};

}  // namespace nonet
