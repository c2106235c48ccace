// Newton's step for several scores at once: one tree whose leaves hold a step for each.
//
// A split gains the sum over scores of half of T(G)^2 / (H + l2). See criterion.hpp for what
// a criterion is, and moment_criterion.hpp for the fixed point. A bin has a cell for the gradient
// of each score, one for the hessian of each, and a last one for the number of rows.
#pragma once

#include <span>
#include <vector>

#include "grow/criteria/newton.hpp"
#include "grow/criteria/one_by_one.hpp"
#include "grow/criteria/wide_sums.hpp"
#include "grow/task/fixed_point.hpp"
#include "grow/task/targets.hpp"

namespace nonet {

template <typename Number>
class VectorNewton {
public:
    using Cell = Number;
    using Row = WideRow<Number>;
    using Batch = OneByOne<VectorNewton>;

    struct Sums : WideSums<Number> {
        explicit Sums(const VectorNewton& criterion) : WideSums<Number>(criterion.width_) {}
    };

    VectorNewton(const GrowParams& params, const Targets& targets,
                 std::span<const std::uint32_t> rows);

    // Whether the cells have bits enough for nearly all rows: too few take longer numbers.
    bool keeps_light_rows() const noexcept { return keeps_light_rows_; }

    static constexpr bool splits_need_gain = true;
    static constexpr index_t fixed_width = 0;
    index_t width() const noexcept { return static_cast<index_t>(width_); }
    void write_rows(Row* out, int) const {
        for (std::size_t i = 0; i < table_.size(); i += width_)
            *out++ = {table_.data() + i, width_};
    }

    static void add_row(Cell* cells, const Row& row) noexcept { add_wide_row(cells, row); }
    static bool is_empty(Cell cell) noexcept { return cell == 0; }
    static bool is_pure(const Sums&, std::span<const Row>) noexcept { return false; }

    static index_t n_rows(const Sums& sums) noexcept { return static_cast<index_t>(sums.last()); }
    // The mean over scores of the hessians.
    double weight(const Sums& sums) const noexcept {
        double sum = 0;
        for (std::size_t k = 0; k < n_scores_; ++k) sum += hessian_of(sums.cells(), k);
        return sum / static_cast<double>(n_scores_);
    }
    double score(const Sums& sums, double extra_l2 = 0) const noexcept {
        const Cell* cells = sums.cells();
        double sum = 0;
        for (std::size_t k = 0; k < n_scores_; ++k)
            sum += loss_.node_score(gradient_of(cells, k), hessian_of(cells, k), extra_l2);
        return sum;
    }
    double score_children(const Sums& left, const Sums& right, double extra_l2) const noexcept {
        double sum = 0;
        for (std::size_t k = 0; k < n_scores_; ++k)
            sum += loss_.score_children(gradient_of(left.cells(), k), hessian_of(left.cells(), k),
                                        gradient_of(right.cells(), k), hessian_of(right.cells(), k),
                                        extra_l2);
        return sum;
    }
    // Monotone constraints are for one score.
    double prediction(const Sums& sums) const noexcept {
        return loss_.prediction(gradient_of(sums.cells(), 0), hessian_of(sums.cells(), 0), 0.0);
    }

    // Categories in the order of the steps of a score; all scores are tried.
    index_t n_category_orders() const noexcept { return static_cast<index_t>(n_scores_); }
    double category_key(const Cell* cells, index_t order, const Sums&,
                        double smoothing) const noexcept {
        const auto k = static_cast<std::size_t>(order);
        return ratio(gradient_of(cells, k), hessian_of(cells, k) + smoothing);
    }

private:
    double gradient_of(const Cell* cells, std::size_t k) const noexcept {
        return static_cast<double>(cells[k]) * units_[k];
    }
    double hessian_of(const Cell* cells, std::size_t k) const noexcept {
        return static_cast<double>(cells[n_scores_ + k]) * units_[n_scores_ + k];
    }

    Newton loss_;
    std::size_t n_scores_;
    std::size_t width_;
    std::vector<double> units_;  // of gradients, then of hessians
    std::vector<Cell> table_;    // cells of all rows, one after another
    bool keeps_light_rows_ = true;
};

}  // namespace nonet
