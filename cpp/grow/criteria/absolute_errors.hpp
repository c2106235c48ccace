// Absolute error: the distances of targets from their median, the mean over outputs.
//
// See criterion.hpp for what a criterion is. Medians do not add up: a set of rows is kept by the
// ranks of its targets, and the gain of a split is computed from these (rank_sums.hpp). As the two
// sides of a split must be ranked within their node, no row can be added on its own. A node of n
// rows costs n log(n) steps a column. Weights and moments are in fixed point: sums, and with them
// splits, do not depend on the order of rows.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "grow/criteria/one_by_one.hpp"
#include "grow/criteria/rank_sums.hpp"
#include "grow/task/targets.hpp"

namespace nonet {

class AbsoluteErrors {
public:
    struct Entry {
        WideInteger moment;
        std::uint32_t rank;  // among the distinct targets of the output
    };
    struct Row {
        const Entry* entries;  // one an output
        WideInteger weight;
    };
    // Ranks that are present in a node, in order, for each output.
    using NodeRanks = std::vector<std::vector<std::uint32_t>>;
    struct RankedRow {
        Row row;
        const std::uint32_t* positions;  // of its ranks among those of the node, one an output
    };
    // The rows of a bin.
    struct Cell {
        const RankedRow* begin;
        const RankedRow* end;
        const NodeRanks* ranks;
    };

    // Finds the ranks of a node's rows; good until the next call.
    class Ranking {
    public:
        explicit Ranking(const AbsoluteErrors& criterion)
            : criterion_(criterion), ranks_(criterion.outputs_.size()) {}
        void rank(std::span<const Row> rows);
        const NodeRanks& ranks() const noexcept { return ranks_; }
        const std::uint32_t* positions(std::size_t i) const noexcept {
            return positions_.data() + i * ranks_.size();
        }

    private:
        // By the table where the node has not many fewer rows than there are ranks.
        static constexpr std::size_t max_ranks_per_row = 16;

        void collect(std::span<const Row> rows, std::size_t output);
        void collect_by_table(std::span<const Row> rows, std::size_t output);

        const AbsoluteErrors& criterion_;
        NodeRanks ranks_;
        std::vector<std::uint32_t> positions_;
        std::vector<std::uint32_t> table_;  // positions of all ranks of an output
    };

    class Sums {
    public:
        explicit Sums(const AbsoluteErrors& criterion);
        Sums(const Sums&) = delete;
        Sums& operator=(const Sums&) = delete;

        void clear() noexcept;
        void add(const Cell* cell);
        void add_rows(std::span<const Row> rows);
        void set_sum(const Sums& one, const Sums& other) noexcept;
        void set_difference(const Sums& all, const Sums& part) noexcept;

    private:
        friend AbsoluteErrors;
        void start(const NodeRanks& ranks);
        void insert(const Row& row, const std::uint32_t* positions) noexcept;
        void rank_waiting();
        RankSumsMix of_output(std::size_t output) const noexcept;

        // Own rows, and those of others that they are to be joined with or taken from.
        struct Term {
            const Sums* sums;
            int times;
        };
        void set_terms(const Sums& one, const Sums& other, int times) noexcept;

        std::vector<RankSums> own_;  // one an output
        index_t own_rows_ = 0;
        WideInteger own_weight_ = 0;
        const NodeRanks* own_ranks_ = nullptr;
        std::array<Term, 3> terms_{};
        std::size_t n_terms_ = 0;
        std::vector<Row> waiting_;  // of a node that is not ranked yet
        Ranking ranking_;
    };

    using Batch = OneByOne<AbsoluteErrors>;

    AbsoluteErrors(const Targets& targets, std::span<const std::uint32_t> rows);

    static constexpr bool splits_need_gain = false;
    static constexpr index_t width() noexcept { return 1; }
    void write_rows(Row* out, int n_threads) const;

    static bool is_empty(const Cell& cell) noexcept { return cell.begin == cell.end; }

    index_t n_rows(const Sums& sums) const noexcept;
    double weight(const Sums& sums) const noexcept;
    double score(Sums& sums) const;
    bool is_pure(const Sums& sums, std::span<const Row> rows) const noexcept;

    // Monotone constraints are for one output: its median.
    double prediction(const Sums& sums) const noexcept { return median(sums, 0); }

    // Categories in the order of the medians of an output; all outputs are tried. The best cut of
    // this order need not be the best of all sets, as it is for means.
    index_t n_category_orders() const noexcept { return static_cast<index_t>(outputs_.size()); }
    double category_key(const Cell* cell, index_t order, const Sums& all, double smoothing) const;

private:
    struct Output {
        std::vector<double> targets;  // distinct ones, in order, less the centre
        double centre;
        double moment_unit;
    };

    void rank_output(const Targets& targets, std::span<const std::uint32_t> rows, std::size_t k);
    double error(const Sums& sums, std::size_t output) const noexcept;
    double median(const Sums& sums, std::size_t output) const noexcept;

    double weight_unit_ = 1;
    std::vector<Output> outputs_;
    std::vector<Entry> entries_;  // of all rows, one after another
    std::vector<WideInteger> weights_;
};

}  // namespace nonet
