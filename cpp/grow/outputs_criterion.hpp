// Several outputs: the mean over outputs of their squared errors or Poisson deviances.
//
// The entropy of classes is the deviance of their indicators, as their Gini impurity is the squared
// error of these: several targets of classes are grown on indicators side by side.
//
// See class_criterion.hpp for what a criterion is, and moment_criterion.hpp for the fixed point. A
// bin has one cell for the gradient of each output, and a last one for weight and number of rows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "grow/fixed_point.hpp"
#include "grow/score_batch.hpp"
#include "grow/targets.hpp"

namespace nonet {

struct SquaredErrors {
    static constexpr bool is_centred = true;
    static double score(double sum, double weight) noexcept { return sum * sum / weight; }
    static bool allows(double) noexcept { return true; }
};

// Half the deviance is the sum of S log(S / W), up to what all splits share. A rate of 0 is none;
// the share of a class may well be 0.
template <bool are_rates>
struct Deviances {
    static constexpr bool is_centred = false;
    static double score(double sum, double weight) noexcept {
        return sum > 0 ? sum * std::log(sum / weight) : 0.0;
    }
    static bool allows(double sum) noexcept { return !are_rates || sum > 0; }
};

template <typename Loss>
class OutputsCriterion {
public:
    using Cell = std::int64_t;
    struct Row {
        const Cell* cells;
        std::size_t width;
    };

    class Sums {
    public:
        explicit Sums(const OutputsCriterion& criterion) : cells_(criterion.width_) {}
        void clear() noexcept { std::ranges::fill(cells_, 0); }
        void add(const Cell* cells) noexcept {
            for (std::size_t k = 0; k < cells_.size(); ++k) cells_[k] += cells[k];
        }
        void add_rows(std::span<const Row> rows) noexcept {
            for (const Row& row : rows) add(row.cells);
        }
        void add_row_if(bool is_in, const Row& row) noexcept {
            if (is_in) add(row.cells);
        }
        void set_sum(const Sums& one, const Sums& other) noexcept {
            for (std::size_t k = 0; k < cells_.size(); ++k)
                cells_[k] = one.cells_[k] + other.cells_[k];
        }
        void set_difference(const Sums& all, const Sums& part) noexcept {
            for (std::size_t k = 0; k < cells_.size(); ++k)
                cells_[k] = all.cells_[k] - part.cells_[k];
        }

    private:
        friend OutputsCriterion;
        std::vector<Cell> cells_;
    };

    class Batch {
    public:
        static constexpr index_t capacity = 64;

        Batch(const OutputsCriterion& criterion, const ChildLimits& limits)
            : criterion_(criterion), limits_(limits), right_(criterion) {}

        void add(index_t place, const Sums& left, const Sums& all) noexcept {
            right_.set_difference(all, left);
            scores_[static_cast<std::size_t>(place)] =
                is_allowed(left) && is_allowed(right_)
                    ? criterion_.score(left) + criterion_.score(right_)
                    : -std::numeric_limits<double>::infinity();
        }
        const double* scores(index_t, const Sums&) const noexcept { return scores_.data(); }

    private:
        bool is_allowed(const Sums& child) const noexcept {
            return static_cast<double>(criterion_.n_rows(child)) >= limits_.min_rows &&
                   criterion_.weight(child) >= limits_.min_weight && criterion_.allows(child);
        }

        const OutputsCriterion& criterion_;
        ChildLimits limits_;
        Sums right_;
        std::array<double, capacity> scores_;
    };

    OutputsCriterion(const Targets& targets, std::span<const std::uint32_t> rows);

    static constexpr bool splits_need_gain = false;
    static constexpr index_t fixed_width = 0;
    index_t width() const noexcept { return static_cast<index_t>(width_); }
    void write_rows(Row* out, int n_threads) const;

    static void add_row(Cell* cells, const Row& row) noexcept {
        for (std::size_t k = 0; k < row.width; ++k) cells[k] += row.cells[k];
    }
    static bool is_empty(Cell cell) noexcept { return cell == 0; }

    index_t n_rows(const Sums& sums) const noexcept {
        return sums.cells_.back() & ((std::int64_t{1} << row_bits_) - 1);
    }
    double weight(const Sums& sums) const noexcept { return weight_of(sums.cells_.data()); }
    double score(const Sums& sums) const noexcept {
        double sum = 0;
        for (std::size_t k = 0; k + 1 < width_; ++k)
            sum += Loss::score(gradient_of(sums.cells_.data(), k), weight(sums));
        return sum / static_cast<double>(width_ - 1);
    }
    bool allows(const Sums& child) const noexcept {
        bool all = true;
        for (std::size_t k = 0; k + 1 < width_; ++k)
            all &= Loss::allows(gradient_of(child.cells_.data(), k));
        return all;
    }
    bool is_pure(const Sums& sums, std::span<const Row> rows) const noexcept;

    // Monotone constraints are for one output: the distance of the first from its mean.
    double answer(const Sums& sums) const noexcept {
        return gradient_of(sums.cells_.data(), 0) / weight(sums);
    }

    // Categories in the order of the means of an output; all outputs are tried.
    index_t n_category_orders() const noexcept { return width() - 1; }
    double category_key(const Cell* cells, index_t order, const Sums& all,
                        double smoothing) const noexcept {
        const auto k = static_cast<std::size_t>(order);
        const double mean = gradient_of(all.cells_.data(), k) / weight(all);
        return (gradient_of(cells, k) + smoothing * mean) / (weight_of(cells) + smoothing);
    }

private:
    double gradient_of(const Cell* cells, std::size_t k) const noexcept {
        return static_cast<double>(cells[k]) * gradient_units_[k];
    }
    double weight_of(const Cell* cells) const noexcept {
        return static_cast<double>(cells[width_ - 1] >> row_bits_) * weight_unit_;
    }

    std::size_t width_;
    int row_bits_;
    std::vector<double> gradient_units_;
    double weight_unit_ = 1;
    std::vector<Cell> table_;  // cells of all rows, one after another
};

}  // namespace nonet
