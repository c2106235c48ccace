// One output: a row adds its gradient and its hessian (or weight), as of the squared error,
// Poisson's deviance or Newton's step.
//
// See criterion.hpp for what a criterion is and moment_rows.hpp for the rows. Wide rows have
// gradients in fixed point of 52 bits for the sum of all absolute values: the average one of n rows
// has 52 - log2(n) bits. Hessians share a word with the number of rows, and have what that leaves,
// at most 52 bits for their sum.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/phases.hpp"
#include "grow/criteria/impurity.hpp"
#include "grow/criteria/one_by_one.hpp"
#include "grow/criteria/score_batch.hpp"
#include "grow/histogram/moment_rows.hpp"
#include "grow/histogram/plain_moments.hpp"
#include "grow/task/grow_params.hpp"
#include "grow/task/targets.hpp"

namespace nonet {

constexpr index_t rows_per_moment_block = 1 << 14;

// The rows of a tree as gradients and hessians, measured once: their sizes determine how to write
// them.
template <MomentLoss Loss>
class Moments {
public:
    Moments(const Targets& targets, std::span<const std::uint32_t> rows, int n_threads)
        : targets_(targets),
          rows_(rows),
          n_threads_(n_threads),
          are_plain_(reads_hessians && !targets.has_weights() &&
                     rows.size() == targets.values.size()),
          centre_(Loss::centre(targets, rows)) {
        const InPhase phase(Phase::rows);
        rows_measured_.sizes = joined<MomentSizes>(
            [this](index_t begin, index_t end) { return sizes_of(begin, end); });
    }

    double centre() const noexcept { return centre_; }
    const MomentSizes& sizes() const noexcept { return rows_measured_.sizes; }
    const MeasuredMoments& measured() const noexcept { return rows_measured_; }

    // Whether rows of this kind can be written, and nearly all of them keep enough units.
    template <typename Rows>
    bool fit() {
        const InPhase phase(Phase::rows);
        if (Rows::needs_totals) find_totals();
        return Rows::fit(rows_measured_) &&
               keep_units<Rows>(sizes(), count_light_rows<Rows>(rows_measured_));
    }
    template <typename Rows>
    static bool keep_units(const MomentSizes& sizes, const LightRows& light) noexcept {
        return are_rare(light.n_gradients, sizes.n_rows, Rows::max_light_gradients) &&
               are_rare(light.n_hessians, sizes.n_rows, Rows::max_light_hessians);
    }

    // These rows may be a part of all, which were measured together. What they add to the totals of
    // all, which of them would have too few units, and how they are written then:
    MomentTotals totals_among(const MomentSizes& all) const {
        const MomentParts parts(all);
        return joined<MomentTotals>(
            [&](index_t begin, index_t end) { return totals_of(begin, end, parts); });
    }
    template <typename Rows>
    LightRows count_light_rows(const MeasuredMoments& all) const {
        const double gradient_limit = Rows::min_units * Rows::gradient_bits(all).unit();
        const double hessian_limit =
            Rows::rounds_hessians ? Rows::min_units * Rows::hessian_bits(all).unit() : 0;
        const auto [gradients, hessians] = light_terms(gradient_limit, hessian_limit);
        return {gradients.n(), hessians.n()};
    }
    void take_measured(const MeasuredMoments& all) noexcept { rows_measured_ = all; }

    template <typename Rows>
    void write(typename Rows::Row* out, int n_threads) const {
        const InPhase phase(Phase::rows);
        const FixedPoint gradient_bits = Rows::gradient_bits(rows_measured_);
        const FixedPoint hessian_bits = Rows::hessian_bits(rows_measured_);
        const int row_bits = Rows::row_bits(sizes().n_rows);
        parallel_blocks(std::ssize(rows_), rows_per_moment_block, n_threads,
                        [&](index_t, index_t begin, index_t end) {
                            if constexpr (std::is_same_v<Rows, PackedRows<13>>)
                                if (are_plain_)
                                    return pack_plain(plain(begin, end), gradient_bits,
                                                      hessian_bits, out + begin);
                            for (index_t i = begin; i < end; ++i) {
                                // Rounded first, then counted: a row counted twice is two rows.
                                const auto [g, h, count, weight] = moment(i);
                                out[i] =
                                    Rows::row(gradient_bits(g), hessian_bits(h), count, row_bits);
                            }
                        });
    }

private:
    static constexpr bool reads_hessians = requires { requires Loss::has_hessians; };

    struct Moment {
        double gradient;
        double hessian;
        std::int64_t count;
        double weight;
    };
    Moment moment(index_t i) const noexcept {
        const std::uint32_t row = rows_[static_cast<std::size_t>(i)];
        const double gradient = targets_.values[row] - centre_;
        const double hessian = Loss::hessian(targets_, row);
        if (!targets_.has_weights()) return {gradient, hessian, 1, 1};
        const auto [count, weight] = targets_.times(row);
        return {weight * gradient, weight * hessian, count, weight};
    }

    PlainMoments plain(index_t begin, index_t end) const noexcept {
        return PlainMoments{targets_.values, targets_.hessians}.block(begin, end);
    }

    // What of_block(begin, end) returns for blocks of rows, joined.
    template <typename Part, typename OfBlock>
    Part joined(const OfBlock& of_block) const {
        std::vector<Part> blocks(rows_.size() / rows_per_moment_block + 1);
        parallel_blocks(std::ssize(rows_), rows_per_moment_block, n_threads_,
                        [&](index_t block, index_t begin, index_t end) {
                            blocks[static_cast<std::size_t>(block)] = of_block(begin, end);
                        });
        Part all;
        for (const Part& block : blocks) all.join(block);
        return all;
    }

    MomentSizes sizes_of(index_t begin, index_t end) const noexcept {
        if (are_plain_) return measure_plain(plain(begin, end));
        MomentSizes sizes;
        for (index_t i = begin; i < end; ++i) {
            const auto [gradient, hessian, count, weight] = moment(i);
            sizes.add(std::abs(gradient), hessian, weight, count);
        }
        return sizes;
    }

    void find_totals() {
        if (rows_measured_.totals.weight > 0) return;
        rows_measured_.totals = totals_among(sizes());
    }
    MomentTotals totals_of(index_t begin, index_t end, const MomentParts& parts) const noexcept {
        if (are_plain_) return total_plain(plain(begin, end), parts);
        MomentTotals totals;
        for (index_t i = begin; i < end; ++i) {
            const auto [gradient, hessian, count, weight] = moment(i);
            totals.add(std::abs(gradient), hessian, weight, static_cast<double>(count), parts);
        }
        return totals;
    }

    // Gradients and hessians below these limits.
    std::pair<LightTerms, LightTerms> light_terms(double gradient_limit,
                                                  double hessian_limit) const {
        const std::pair none{LightTerms(gradient_limit), LightTerms(hessian_limit)};
        std::vector blocks(rows_.size() / rows_per_moment_block + 1, none);
        parallel_blocks(std::ssize(rows_), rows_per_moment_block, n_threads_,
                        [&](index_t block, index_t begin, index_t end) {
                            auto& [gradients, hessians] = blocks[static_cast<std::size_t>(block)];
                            if (are_plain_) {
                                const auto [n_gradients, n_hessians] =
                                    count_light(plain(begin, end), gradient_limit, hessian_limit);
                                gradients.add(n_gradients);
                                hessians.add(n_hessians);
                                return;
                            }
                            for (index_t i = begin; i < end; ++i) {
                                const Moment row = moment(i);
                                gradients.look_at(row.gradient);
                                hessians.look_at(row.hessian);
                            }
                        });
        auto all = none;
        for (const auto& [gradients, hessians] : blocks) {
            all.first.join(gradients);
            all.second.join(hessians);
        }
        return all;
    }

    const Targets& targets_;
    std::span<const std::uint32_t> rows_;
    int n_threads_;
    bool are_plain_;  // gradients and hessians of all rows, in order and each once
    double centre_;
    MeasuredMoments rows_measured_;
};

template <MomentLoss Loss, typename Rows = WideRows>
class MomentCriterion {
public:
    using Packing = Rows;
    using Cell = MomentCell;
    using Row = typename Rows::Row;

    class Sums {
    public:
        explicit Sums(const MomentCriterion&) {}
        void clear() noexcept { cell_ = Cell{}; }
        void add(const Cell* cell) noexcept { cell_ += *cell; }
        void add_rows(std::span<const Row> rows) noexcept {
            for (const Row& row : rows) cell_ += Rows::cell(row);
        }
        void add_row_if(bool is_in, const Row& row) noexcept {
            cell_ += Rows::cell(row) & -std::int64_t{is_in};
        }
        void set_moments(std::int64_t first, std::int64_t second) noexcept {
            cell_ = Cell{first, second};
        }
        void set_sum(const Sums& one, const Sums& other) noexcept {
            cell_ = one.cell_ + other.cell_;
        }
        void set_difference(const Sums& all, const Sums& part) noexcept {
            cell_ = all.cell_ - part.cell_;
        }

    private:
        friend MomentCriterion;
        Cell cell_{};
    };

    // Candidates wait here until there are enough to score them together.
    class WaitingMoments {
    public:
        static constexpr index_t capacity = 256;

        WaitingMoments(const MomentCriterion& criterion, const ChildLimits& limits)
            : criterion_(criterion), limits_(limits) {}

        void add(index_t position, const Sums& left, const Sums&) noexcept {
            const auto i = static_cast<std::size_t>(position);
            gradients_[i] = left.cell_[0];
            hessians_and_rows_[i] = left.cell_[1];
        }
        const double* scores(index_t n, const Sums& all) noexcept {
            score_moments(gradients_.data(), hessians_and_rows_.data(), all.cell_[0], all.cell_[1],
                          criterion_.scale(limits_.extra_l2), limits_, n, scores_.data());
            return scores_.data();
        }

    private:
        const MomentCriterion& criterion_;
        ChildLimits limits_;
        std::array<std::int64_t, capacity> gradients_;
        std::array<std::int64_t, capacity> hessians_and_rows_;
        std::array<double, capacity> scores_;
    };
    using Batch = std::conditional_t<Loss::is_quadratic, WaitingMoments, OneByOne<MomentCriterion>>;

    MomentCriterion(const GrowParams& params, const Moments<Loss>& moments)
        : loss_(params),
          moments_(moments),
          row_bits_(Rows::row_bits(moments.sizes().n_rows)),
          gradient_unit_(Rows::gradient_bits(moments.measured()).unit()),
          hessian_unit_(Rows::hessian_unit(moments.measured())) {}

    static constexpr bool splits_need_gain = !Loss::has_pure_nodes;
    static constexpr bool parts_any_pair = Loss::is_quadratic && !splits_need_gain;

    static constexpr index_t fixed_width = 1;
    static constexpr index_t width() noexcept { return 1; }
    void write_rows(Row* out, int n_threads) const {
        moments_.template write<Rows>(out, n_threads);
    }

    static void add_row(Cell* cell, const Row& row) noexcept { *cell += Rows::cell(row); }
    static const MomentCell* moments(const MomentCell* rows) noexcept { return rows; }
    static bool is_empty(const Cell& cell) noexcept { return cell[1] == 0; }

    index_t n_rows(const Sums& sums) const noexcept {
        return sums.cell_[1] & ((std::int64_t{1} << row_bits_) - 1);
    }
    double weight(const Sums& sums) const noexcept { return hessian_of(sums.cell_); }
    double score(const Sums& sums, double extra_l2 = 0) const noexcept {
        return loss_.node_score(gradient_of(sums.cell_), hessian_of(sums.cell_), extra_l2);
    }

    bool allows(const Sums& child) const noexcept
        requires(!Loss::is_quadratic)
    {
        return Loss::allows(gradient_of(child.cell_));
    }

    double prediction(const Sums& sums) const noexcept {
        return loss_.prediction(gradient_of(sums.cell_), hessian_of(sums.cell_), moments_.centre());
    }

    // Categories in the order of their means: the best cut of this order is the best of all sets.
    // Smoothing draws means towards that of the node, and Newton's steps towards 0.
    static constexpr index_t n_category_orders() noexcept { return 1; }
    double category_key(const Cell* cell, index_t, const Sums& all,
                        double smoothing) const noexcept {
        const double mean =
            Loss::has_pure_nodes ? ratio(gradient_of(all.cell_), hessian_of(all.cell_)) : 0.0;
        return ratio(gradient_of(*cell) + smoothing * mean, hessian_of(*cell) + smoothing);
    }

    // Whether all rows have the same target, to the precision of fixed point.
    bool is_pure(const Sums& sums, std::span<const Row> rows) const noexcept {
        if constexpr (!Loss::has_pure_nodes) return false;
        const double mean = ratio(gradient_of(sums.cell_), hessian_of(sums.cell_));
        const double rounding = Rows::rounds_hessians ? hessian_unit_ : 0.0;
        const double tolerance = 2 * (gradient_unit_ + std::abs(mean) * rounding);
        return std::ranges::all_of(rows, [&](const Row& row) {
            const Cell cell = Rows::cell(row);
            return std::abs(gradient_of(cell) - mean * hessian_of(cell)) <= tolerance;
        });
    }

private:
    MomentScale scale(double extra_l2) const noexcept {
        return {row_bits_,           gradient_unit_, hessian_unit_, loss_.l1,
                loss_.l2 + extra_l2, loss_.max_step, Loss::factor};
    }
    double gradient_of(const Cell& cell) const noexcept {
        return static_cast<double>(cell[0]) * gradient_unit_;
    }
    double hessian_of(const Cell& cell) const noexcept {
        return static_cast<double>(cell[1] >> row_bits_) * hessian_unit_;
    }

    Loss loss_;
    const Moments<Loss>& moments_;
    int row_bits_;
    double gradient_unit_;
    double hessian_unit_;
};

}  // namespace nonet
