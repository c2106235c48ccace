// How rows store their gradient and hessian, and how these add up.
//
// Cells of histograms have two words: the gradient; then the hessian above the number of rows. One
// vector addition serves both. Rows are either such cells, which keep 52 bits of the sum of all
// gradients, or packed into one word of 64 bits, which halves the memory that histograms touch
// while they are counted.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

#include "base/parted_terms.hpp"
#include "base/types.hpp"
#include "grow/task/fixed_point.hpp"
#include "grow/task/targets.hpp"

namespace nonet {

using MomentCell [[gnu::vector_size(16)]] = std::int64_t;

// Sizes of the gradients and hessians of the rows of a tree: extremes and whole numbers, which do
// not depend on the order of rows.
struct MomentSizes {
    double max_gradient = 0;  // of absolute values
    double min_hessian = std::numeric_limits<double>::infinity();
    double max_hessian = 0;
    double lightest = std::numeric_limits<double>::infinity();  // of the weights
    double heaviest = 0;
    index_t n_rows = 0;
    index_t n_times = 0;  // each row as often as it counts

    void add(double gradient, double hessian, double weight, std::int64_t count) noexcept {
        max_gradient = std::max(max_gradient, gradient);
        min_hessian = std::min(min_hessian, hessian);
        max_hessian = std::max(max_hessian, hessian);
        lightest = std::min(lightest, weight);
        heaviest = std::max(heaviest, weight);
        ++n_rows;
        n_times += count;
    }
    void join(const MomentSizes& other) noexcept {
        max_gradient = std::max(max_gradient, other.max_gradient);
        min_hessian = std::min(min_hessian, other.min_hessian);
        max_hessian = std::max(max_hessian, other.max_hessian);
        lightest = std::min(lightest, other.lightest);
        heaviest = std::max(heaviest, other.heaviest);
        n_rows += other.n_rows;
        n_times += other.n_times;
    }
    bool has_one_hessian() const noexcept { return min_hessian == max_hessian; }
    bool all_once() const noexcept { return n_times == n_rows; }
};

// How rows are rounded, term by term, for sums of their sizes and of leaves that have no order.
struct MomentParts {
    PartedTerms gradients;
    PartedTerms hessians;
    PartedTerms weights;

    MomentParts() = default;
    explicit MomentParts(const MomentSizes& sizes) noexcept
        : gradients(sizes.max_gradient, sizes.n_times),
          hessians(sizes.max_hessian, sizes.n_times),
          weights(sizes.heaviest, sizes.n_times) {}
};

// Sums of the sizes, to the precision of high parts; rows that are packed by the largest of them
// need none.
struct MomentTotals {
    double gradient = 0;
    double hessian = 0;
    double weight = 0;

    void add(double one_gradient, double one_hessian, double one_weight, double count,
             const MomentParts& parts) noexcept {
        gradient += count * parts.gradients.high(one_gradient);
        hessian += count * parts.hessians.high(one_hessian);
        weight += count * parts.weights.high(one_weight);
    }
    void join(const MomentTotals& other) noexcept {
        gradient += other.gradient;
        hessian += other.hessian;
        weight += other.weight;
    }
};

struct MeasuredMoments {
    MomentSizes sizes;
    MomentTotals totals;  // of rows that need them
};

struct WideRows {
    using Row = MomentCell;
    static constexpr bool rounds_hessians = true;
    static constexpr bool needs_totals = true;
    static constexpr double min_units = min_units_per_row;
    static constexpr double max_light_gradients = max_light_fraction;
    // Rows of a class that is certain have hessians near 0, and gain nothing.
    static constexpr double max_light_hessians = 0.01;

    // The lightest row counts: a node may hold nothing but such rows.
    static bool keep_weights(double lightest, double total, index_t n_rows) noexcept {
        return lightest >= min_units * FixedPoint::above_rows(total, row_bits(n_rows)).unit();
    }
    static bool keep_weights(const WeightRange& weights, index_t n_rows) noexcept {
        return keep_weights(weights.lightest, weights.sum, n_rows);
    }
    static bool fit(const MeasuredMoments& rows) noexcept {
        return keep_weights(rows.sizes.lightest, rows.totals.weight, rows.sizes.n_rows);
    }

    static FixedPoint gradient_bits(const MeasuredMoments& rows) noexcept {
        return {rows.totals.gradient, FixedPoint::exact_bits};
    }
    static FixedPoint hessian_bits(const MeasuredMoments& rows) noexcept {
        return FixedPoint::above_rows(rows.totals.hessian, row_bits(rows.sizes.n_rows));
    }
    static double hessian_unit(const MeasuredMoments& rows) noexcept {
        return hessian_bits(rows).unit();
    }
    static int row_bits(index_t n_rows) noexcept {
        return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n_rows)));
    }
    // `count` equal rows in one.
    static Row row(std::int64_t gradient, std::int64_t hessian, std::int64_t count,
                   int row_bits) noexcept {
        return Row{gradient * count, (hessian * count) << row_bits | 1};
    }
    static const MomentCell& cell(const Row& row) noexcept { return row; }
};

// Where the fields of packed rows are.
struct PackedLayout {
    int hessian_shift;
    std::uint64_t hessian_mask;
    int gradient_shift;

    static constexpr int count_bits = 12;
    static constexpr std::uint64_t count_mask = (1 << count_bits) - 1;
    static constexpr int cell_row_bits = 25;  // of the second word of a cell
};

// Adds packed sums to as many cells, and clears them.
void move_packed_sums(std::span<std::uint64_t> sums, const PackedLayout& layout, MomentCell* cells);

// Packed rows: the number of rows, 12 bits; the hessian, 12 more bits than a row's; above them the
// gradient with its sign. Words of 4,095 rows add up without a carry from field to field. Where all
// hessians are one number (bits_per_hessian = 0), the number of rows gives their sum as well.
//
// A row's gradient has 14 bits of the maximum gradient (or 39 where hessians need none), a row's
// hessian 13 of the maximum hessian. That decides about splits only: the values of nodes are
// computed from the rows in double precision.
template <int bits_per_hessian>
struct PackedRows {
    using Row = std::uint64_t;
    static constexpr bool rounds_hessians = bits_per_hessian > 0;  // otherwise they are counted
    static constexpr bool needs_totals = bits_per_hessian == 0;

    static constexpr int count_bits = PackedLayout::count_bits;
    static constexpr std::size_t rows_per_block = PackedLayout::count_mask;
    static constexpr int hessian_width = bits_per_hessian > 0 ? bits_per_hessian + count_bits : 0;
    static constexpr PackedLayout layout =
        bits_per_hessian > 0 ? PackedLayout{count_bits, (std::uint64_t{1} << hessian_width) - 1,
                                            count_bits + hessian_width}
                             : PackedLayout{0, PackedLayout::count_mask, count_bits};
    static constexpr int bits_per_gradient = 63 - layout.gradient_shift - count_bits;
    static constexpr index_t max_rows = (index_t{1} << PackedLayout::cell_row_bits) - 1;
    static_assert(bits_per_hessian + 2 * PackedLayout::cell_row_bits <= 63);

    // Gradients of a loss cross 0, and a gradient near 0 is as good as one of 0; a small hessian
    // means that all is small around that row, except gains.
    static constexpr double min_units = 16;
    static constexpr double max_light_gradients = bits_per_hessian > 0 ? 0.1 : 0.01;
    static constexpr double max_light_hessians = 0.01;
    static constexpr double max_weight_ratio = 64;

    static bool fit(const MeasuredMoments& rows) noexcept {
        const MomentSizes& sizes = rows.sizes;
        const bool has_hessians = bits_per_hessian > 0 || sizes.has_one_hessian();
        return has_hessians && sizes.max_hessian > 0 && sizes.all_once() &&
               sizes.n_rows <= max_rows && sizes.lightest * max_weight_ratio >= sizes.heaviest;
    }

    // Of the bits given to FixedPoint, one is for rounding, which a word has room for. Rows with
    // hessians are too few for the bits of a sum to matter.
    static FixedPoint gradient_bits(const MeasuredMoments& rows) noexcept {
        const FixedPoint of_row(rows.sizes.max_gradient, bits_per_gradient + 1);
        if constexpr (!needs_totals) return of_row;
        const FixedPoint of_sum(rows.totals.gradient, FixedPoint::exact_bits);
        return of_row.unit() > of_sum.unit() ? of_row : of_sum;
    }
    static FixedPoint hessian_bits(const MeasuredMoments& rows) noexcept {
        return {rows.sizes.max_hessian, bits_per_hessian + 1};
    }
    static double hessian_unit(const MeasuredMoments& rows) noexcept {
        return bits_per_hessian > 0 ? hessian_bits(rows).unit() : rows.sizes.max_hessian;
    }
    static int row_bits(index_t) noexcept { return PackedLayout::cell_row_bits; }

    static Row row(std::int64_t gradient, std::int64_t hessian, std::int64_t, int) noexcept {
        const auto packed = static_cast<std::uint64_t>(gradient) << layout.gradient_shift | 1;
        if constexpr (bits_per_hessian == 0) return packed;
        return packed | static_cast<std::uint64_t>(hessian) << count_bits;
    }
    static MomentCell cell(Row sum) noexcept {
        const std::uint64_t hessian = sum >> layout.hessian_shift & layout.hessian_mask;
        const std::uint64_t n_rows = sum & PackedLayout::count_mask;
        return MomentCell{
            static_cast<std::int64_t>(sum) >> layout.gradient_shift,
            static_cast<std::int64_t>(hessian << PackedLayout::cell_row_bits | n_rows)};
    }
};

}  // namespace nonet
