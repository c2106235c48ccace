// Medians of the nodes of a grown tree. See criteria/node_values.hpp; medians of children do not
// determine that of their parent, so that every node is summed up from its rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "grow/criteria/node_values.hpp"
#include "grow/criteria/rank_sums.hpp"
#include "grow/finish_tree.hpp"
#include "grow/node/growing_node.hpp"
#include "grow/task/targets.hpp"

namespace nonet {

// Summary: weight; then for each output its median and the sum of the distances from it. Values:
// the medians; where two targets share the middle, halfway between them. Impurity: the mean
// distance, averaged over outputs.
class MedianValues {
public:
    explicit MedianValues(const Targets& targets) : targets_(targets) {}

    index_t n_outputs() const noexcept { return targets_.n_outputs; }
    index_t summary_size() const noexcept { return 1 + 2 * targets_.n_outputs; }

    void sum_rows(std::span<const std::uint32_t> rows, double* summary) const {
        for (const std::uint32_t row : rows) summary[0] += weight_of(row);
        for (index_t k = 0; k < n_outputs(); ++k) sum_output(rows, k, summary);
    }
    NodeMeasures describe(const double* summary, double* out) const noexcept {
        return describe_middles(summary, n_outputs(), out);
    }
    static void clip(const PredictionBounds& bounds, double* out) noexcept {
        out[0] = bounds.clipped(out[0]);
    }

private:
    using Weighted = std::pair<double, double>;  // target and weight

    void sum_output(std::span<const std::uint32_t> rows, index_t k, double* summary) const {
        std::vector<Weighted> sorted;
        for (const std::uint32_t row : rows)
            sorted.emplace_back(targets_.value(row, static_cast<std::size_t>(k)), weight_of(row));
        std::ranges::sort(sorted);
        const double middle = median(sorted, summary[0]);
        double distances = 0;
        for (const auto& [target, weight] : sorted) distances += weight * std::abs(target - middle);
        summary[1 + 2 * k] = middle;
        summary[2 + 2 * k] = distances;
    }
    // In fixed point: a sum of doubles would miss by its rounding that two targets share the
    // middle.
    static double median(const std::vector<Weighted>& sorted, double total) noexcept {
        const WideFixedPoint bits(total);
        WideInteger all = 0;
        for (const Weighted& row : sorted) all += bits.positive(row.second);
        WideInteger below = 0;
        for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
            below += bits.positive(sorted[i].second);
            if (2 * below > all) return sorted[i].first;
            if (2 * below == all) return sorted[i].first / 2 + sorted[i + 1].first / 2;
        }
        return sorted.back().first;
    }
    double weight_of(std::uint32_t row) const noexcept {
        return targets_.weight(row) * targets_.count(row);
    }

    const Targets& targets_;
};

// Rows of inner nodes have moved on with their children: they are put side by side once more.
template <typename Row>
void summarise(const GrownNodes& nodes, const MedianValues& values,
               const RowPartition<Row>& partition, const LeafRuns& leaf_runs, double* summaries) {
    std::vector<std::uint32_t> rows(static_cast<std::size_t>(partition.n_rows()));
    leaf_runs.each([&](index_t p) {
        const RowRange piece = leaf_runs.pieces()[static_cast<std::size_t>(p)].rows;
        std::ranges::copy(partition.rows(piece), rows.begin() + piece.begin);
    });
    const index_t size = values.summary_size();
    std::fill_n(summaries, std::ssize(nodes) * size, 0.0);
    parallel_for(std::ssize(nodes), leaf_runs.n_threads(), [&](index_t i) {
        const RowRange range = nodes[static_cast<std::size_t>(i)].rows;
        values.sum_rows({rows.data() + range.begin, static_cast<std::size_t>(range.size())},
                        summaries + i * size);
    });
}

}  // namespace nonet
