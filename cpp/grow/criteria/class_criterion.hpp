// Classes: how mixed those of a node are, by an impurity such as Gini's or the entropy.
//
// See criterion.hpp for what a criterion is.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "base/parallel.hpp"
#include "grow/criteria/gini_scores.hpp"
#include "grow/criteria/impurity.hpp"
#include "grow/criteria/one_by_one.hpp"
#include "grow/criteria/score_batch.hpp"
#include "grow/histogram/row_bins.hpp"
#include "grow/task/fixed_point.hpp"
#include "grow/task/targets.hpp"

namespace nonet {

// Three kinds of cells, one for each class and bin:
// - 32 bits hold a whole weight, which is the number of rows where all weights are 1;
// - 64 bits hold a weight in fixed point above the number of rows;
// - 128 bits do so where weights are too many orders of magnitude apart for 64.
// n_fixed = 2 lets the compiler keep two classes in registers; 0 is any number of classes.
template <ClassImpurity Impurity, typename CellType, int n_fixed>
class ClassCriterion {
public:
    using Cell = CellType;
    using Sum = std::conditional_t<sizeof(Cell) == 16, uint128_t, std::uint64_t>;
    struct Row {
        Cell weight;
        std::uint32_t label;
    };
    template <typename Number>
    using OneAClass = std::conditional_t<n_fixed == 0, std::vector<Number>,
                                         std::array<Number, static_cast<std::size_t>(n_fixed)>>;

    class Sums {
    public:
        explicit Sums(const ClassCriterion& criterion) {
            if constexpr (n_fixed == 0) {
                cells_.resize(criterion.n_classes_);
                weights_.resize(criterion.n_classes_);
            }
            clear();
        }
        void clear() noexcept {
            for (Sum& cell : cells_) cell = 0;
        }
        void add(const Cell* cells) noexcept {
            for (std::size_t k = 0; k < cells_.size(); ++k) cells_[k] += cells[k];
        }
        void add_rows(std::span<const Row> rows) noexcept {
            if constexpr (n_fixed == 2) {  // no label becomes an address
                Sum all = 0;
                Sum second = 0;
                for (const Row& row : rows) {
                    all += row.weight;
                    second += row.weight & (Sum{0} - row.label);
                }
                cells_[0] += all - second;
                cells_[1] += second;
            } else {
                for (const Row& row : rows) cells_[row.label] += row.weight;
            }
        }
        void add_row_if(bool is_in, const Row& row) noexcept {
            cells_[row.label] += row.weight & (Sum{0} - is_in);
        }
        // Rows of weight 1, counts[k * stride] of class k.
        void set_counts(const std::uint32_t* counts, index_t stride) noexcept {
            for (Sum& cell : cells_) {
                cell = *counts;
                counts += stride;
            }
        }
        void set_sum(const Sums& one, const Sums& other) noexcept {
            for (std::size_t k = 0; k < cells_.size(); ++k)
                cells_[k] = one.cells_[k] + other.cells_[k];
        }
        void set_difference(const Sums& all, const Sums& part) noexcept {
            for (std::size_t k = 0; k < cells_.size(); ++k)
                cells_[k] = all.cells_[k] - part.cells_[k];
        }

        const OneAClass<Sum>& cells() const noexcept { return cells_; }

    private:
        friend ClassCriterion;
        OneAClass<Sum> cells_{};
        OneAClass<double> weights_{};  // scratch of score
    };

    // Two classes whose weights are squared wait here until there are enough to score them
    // together.
    class TwoClasses {
    public:
        static constexpr index_t capacity = 256;

        TwoClasses(const ClassCriterion& criterion, const ChildLimits& limits)
            : criterion_(criterion), limits_(limits) {}

        void add(index_t position, const Sums& left, const Sums&) noexcept {
            const auto i = static_cast<std::size_t>(position);
            first_[i] = static_cast<std::int64_t>(left.cells_[0]);
            second_[i] = static_cast<std::int64_t>(left.cells_[1]);
        }
        const double* scores(index_t n, const Sums& all) noexcept {
            score_two_classes(first_.data(), second_.data(),
                              static_cast<std::int64_t>(all.cells_[0]),
                              static_cast<std::int64_t>(all.cells_[1]),
                              {criterion_.row_bits_, criterion_.unit_}, limits_, n, scores_.data());
            return scores_.data();
        }

    private:
        const ClassCriterion& criterion_;
        ChildLimits limits_;
        std::array<std::int64_t, capacity> first_;
        std::array<std::int64_t, capacity> second_;
        std::array<double, capacity> scores_;
    };

    // Whole numbers of rows of many classes are scored by their squares.
    static constexpr bool has_squares =
        n_fixed == 0 && sizeof(Cell) == 4 && Impurity::is_sum_of_squares;
    static constexpr bool has_two_squares =
        n_fixed == 2 && sizeof(Cell) <= 8 && Impurity::is_sum_of_squares;
    using Batch = std::conditional_t<
        has_squares, ClassSquares,
        std::conditional_t<has_two_squares, TwoClasses, OneByOne<ClassCriterion>>>;

    ClassCriterion(const Targets& targets, std::span<const std::uint32_t> rows)
        : targets_(targets), rows_(rows), n_classes_(static_cast<std::size_t>(targets.n_classes)) {
        if constexpr (!has_whole_weights) {
            row_bits_ = static_cast<int>(std::bit_width(rows.size()));
            const double total = sum_over(
                rows, [&](std::uint32_t row) { return targets.weight(row) * targets.count(row); });
            fixed_ = Fixed::above_rows(total, row_bits_);
            unit_ = fixed_.unit();
        }
    }

    static constexpr bool splits_need_gain = false;
    static constexpr bool parts_any_pair = true;
    static constexpr bool has_whole_weights = sizeof(Cell) == 4;
    static constexpr index_t fixed_width = n_fixed;  // 0: known only when running

    index_t width() const noexcept { return static_cast<index_t>(n_classes_); }
    // Whether sums are numbers of rows, each of weight 1.
    bool counts_rows() const noexcept { return sizeof(Cell) == 4 && !targets_.has_weights(); }
    static Labels labels(const Row* rows) noexcept {
        return {&rows->label, sizeof(Row) / sizeof(rows->label)};
    }
    // In the order of the rows that were given.
    void write_rows(Row* out, int n_threads) const {
        parallel_blocks(std::ssize(rows_), 1 << 14, n_threads,
                        [&](index_t, index_t begin, index_t end) {
                            for (index_t i = begin; i < end; ++i)
                                out[i] = row_of(targets_, rows_[static_cast<std::size_t>(i)]);
                        });
    }

    // Two cells of 32 bits are one word, where the position of the label needs no address of its
    // own.
    static void add_row(Cell* cells, const Row& row) noexcept {
        if constexpr (n_fixed == 2 && sizeof(Cell) == 4) {
            std::uint64_t both;
            std::memcpy(&both, cells, sizeof both);
            both += static_cast<std::uint64_t>(row.weight) << (32 * row.label);
            std::memcpy(cells, &both, sizeof both);
        } else {
            cells[row.label] += row.weight;
        }
    }
    static bool is_empty(Cell cell) noexcept { return cell == 0; }

    index_t n_rows(const Sums& sums) const noexcept {
        Sum n = 0;
        for (const Sum cell : sums.cells_) n += rows_in(cell);
        return static_cast<index_t>(n);
    }
    double weight(const Sums& sums) const noexcept {
        Sum weight = 0;
        for (const Sum cell : sums.cells_) weight += cell >> row_bits_;
        return number(weight) * unit_;
    }
    double score(Sums& sums) const noexcept {
        Sum total = 0;
        for (std::size_t k = 0; k < sums.cells_.size(); ++k) {
            const Sum weight = sums.cells_[k] >> row_bits_;
            sums.weights_[k] = number(weight) * unit_;
            total += weight;
        }
        return Impurity::score(sums.weights_, number(total) * unit_);
    }
    // The score of the node plus the scaled gain.
    double score_children(Sums& left, Sums& right, double) const noexcept
        requires ScalesGain<Impurity>
    {
        const double children = score(left) + score(right);
        for (std::size_t k = 0; k < n_classes_; ++k) left.weights_[k] += right.weights_[k];
        const double weights[] = {weight(left), weight(right)};
        const double node = Impurity::score(left.weights_, weights[0] + weights[1]);
        return node + Impurity::scale_gain(children - node, weights[0], weights[1]);
    }
    // All rows have a positive weight.
    static bool are_alike(std::span<const Row> rows) noexcept {
        return std::ranges::all_of(
            rows, [label = rows.front().label](const Row& row) { return row.label == label; });
    }
    static bool is_pure(const Sums&, std::span<const Row> rows) noexcept { return are_alike(rows); }

    // What a monotone constraint applies to: the fraction of the second class.
    double prediction(const Sums& sums) const noexcept {
        return ratio(weight_of(sums.cells_[1]), weight(sums));
    }

    // Categories in the order of a class's share: for two classes the best cut of this order is the
    // best of all sets (Breiman et al., 1984, section 9.4); for more, all classes are tried.
    index_t n_category_orders() const noexcept { return n_classes_ == 2 ? 1 : width(); }
    double category_key(const Cell* cells, index_t order, const Sums& all,
                        double smoothing) const noexcept {
        const auto k = static_cast<std::size_t>(order);
        double total = 0;
        for (std::size_t j = 0; j < n_classes_; ++j) total += weight_of(cells[j]);
        const double fraction = ratio(weight_of(all.cells_[k]), weight(all));
        return ratio(weight_of(cells[k]) + smoothing * fraction, total + smoothing);
    }

private:
    using Fixed = BasicFixedPoint<std::conditional_t<sizeof(Cell) == 16, int128_t, std::int64_t>>;

    // Sums stay below 2^63, and machines have an instruction for signed words.
    static double number(Sum sum) noexcept {
        if constexpr (sizeof(Sum) == 16) return static_cast<double>(sum);
        return static_cast<double>(static_cast<std::int64_t>(sum));
    }
    double weight_of(Sum cell) const noexcept { return number(cell >> row_bits_) * unit_; }
    Sum rows_in(Sum cell) const noexcept {
        if constexpr (has_whole_weights) return cell;
        return cell & ((Sum{1} << row_bits_) - 1);
    }
    Row row_of(const Targets& targets, std::uint32_t row) const {
        const auto label = static_cast<std::uint32_t>(targets.classes[row]);
        if constexpr (sizeof(Cell) == 4)
            return {static_cast<Cell>(targets.weight(row) * targets.count(row)), label};
        // A row's weight is rounded first: a row counted twice is two equal rows.
        const auto [count, weight] = targets.times(row);
        const auto fixed = fixed_(weight) * count;
        return {static_cast<Cell>(fixed << row_bits_ | 1), label};
    }

    const Targets& targets_;
    std::span<const std::uint32_t> rows_;
    std::size_t n_classes_;
    int row_bits_ = 0;
    Fixed fixed_{0, 0};
    double unit_ = 1;
};

}  // namespace nonet
