// Several outputs: the mean over outputs of their squared errors or Poisson deviances.
//
// The entropy of classes is the deviance of their indicators, as their Gini impurity is the squared
// error of these: several targets of classes are grown on indicators side by side.
//
// See criterion.hpp for what a criterion is, and moment_criterion.hpp for the fixed point. A
// bin has one cell for the gradient of each output, and a last one for weight and number of rows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "grow/criteria/impurity.hpp"
#include "grow/criteria/one_by_one.hpp"
#include "grow/criteria/wide_sums.hpp"
#include "grow/task/fixed_point.hpp"
#include "grow/task/targets.hpp"

namespace nonet {

template <OutputLoss Loss, typename Number>
class OutputsCriterion {
public:
    using Cell = Number;
    using Row = WideRow<Number>;
    using Batch = OneByOne<OutputsCriterion>;

    struct Sums : WideSums<Number> {
        explicit Sums(const OutputsCriterion& criterion) : WideSums<Number>(criterion.width_) {}
    };

    OutputsCriterion(const Targets& targets, std::span<const std::uint32_t> rows);

    // Whether the cells have bits enough for all rows: too few take longer numbers.
    bool keeps_light_rows() const noexcept { return keeps_light_rows_; }

    static constexpr bool splits_need_gain = false;
    static constexpr index_t fixed_width = 0;
    index_t width() const noexcept { return static_cast<index_t>(width_); }
    void write_rows(Row* out, int n_threads) const;

    static void add_row(Cell* cells, const Row& row) noexcept { add_wide_row(cells, row); }
    static bool is_empty(Cell cell) noexcept { return cell == 0; }

    index_t n_rows(const Sums& sums) const noexcept {
        return static_cast<index_t>(sums.last() & ((Number{1} << row_bits_) - 1));
    }
    double weight(const Sums& sums) const noexcept { return weight_of(sums.cells()); }
    double score(const Sums& sums) const noexcept {
        double sum = 0;
        for (std::size_t k = 0; k + 1 < width_; ++k)
            sum += Loss::score(gradient_of(sums.cells(), k), weight(sums));
        return sum / static_cast<double>(width_ - 1);
    }
    double score_children(const Sums& left, const Sums& right, double) const noexcept {
        double sum = 0;
        for (std::size_t k = 0; k + 1 < width_; ++k)
            sum += Loss::score_children(gradient_of(left.cells(), k), weight(left),
                                        gradient_of(right.cells(), k), weight(right));
        return sum / static_cast<double>(width_ - 1);
    }
    bool allows(const Sums& child) const noexcept {
        bool all = true;
        for (std::size_t k = 0; k + 1 < width_; ++k)
            all &= Loss::allows(gradient_of(child.cells(), k));
        return all;
    }
    bool is_pure(const Sums& sums, std::span<const Row> rows) const noexcept;

    // Monotone constraints are for one output.
    double prediction(const Sums& sums) const noexcept {
        return first_centre_ + ratio(gradient_of(sums.cells(), 0), weight(sums));
    }

    // Categories in the order of the means of an output; all outputs are tried.
    index_t n_category_orders() const noexcept { return width() - 1; }
    double category_key(const Cell* cells, index_t order, const Sums& all,
                        double smoothing) const noexcept {
        const auto k = static_cast<std::size_t>(order);
        const double mean = ratio(gradient_of(all.cells(), k), weight(all));
        return ratio(gradient_of(cells, k) + smoothing * mean, weight_of(cells) + smoothing);
    }

private:
    double gradient_of(const Cell* cells, std::size_t k) const noexcept {
        return static_cast<double>(cells[k]) * gradient_units_[k];
    }
    double weight_of(const Cell* cells) const noexcept {
        return static_cast<double>(cells[width_ - 1] >> row_bits_) * weight_unit_;
    }

    // The weights of the rows, then the gradients of an output.
    void write_weights(const Targets& targets, std::span<const std::uint32_t> rows, double total);
    void write_output(const Targets& targets, std::span<const std::uint32_t> rows, std::size_t k,
                      double centre);

    std::size_t width_;
    int row_bits_;
    std::vector<double> gradient_units_;
    double weight_unit_ = 1;
    double first_centre_ = 0;
    bool keeps_light_rows_ = true;
    std::vector<Cell> table_;  // cells of all rows, one after another
};

}  // namespace nonet
