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

#include "base/types.hpp"
#include "grow/task/fixed_point.hpp"
#include "grow/task/targets.hpp"

namespace nonet {

using MomentCell [[gnu::vector_size(16)]] = std::int64_t;

// Sizes of the gradients and hessians of the rows of a tree.
struct MomentSizes {
    double gradient_sum = 0;  // of absolute values
    double max_gradient = 0;
    double hessian_sum = 0;
    double min_hessian = std::numeric_limits<double>::infinity();
    double max_hessian = 0;
    index_t n_rows = 0;
    bool all_once = true;  // every row counts once
    WeightRange weights;

    void add(double gradient, double hessian, std::int64_t count) noexcept {
        const auto times = static_cast<double>(count);
        gradient_sum += times * gradient;
        hessian_sum += times * hessian;
        max_gradient = std::max(max_gradient, gradient);
        min_hessian = std::min(min_hessian, hessian);
        max_hessian = std::max(max_hessian, hessian);
        all_once &= count == 1;
        ++n_rows;
    }
    void join(const MomentSizes& other) noexcept {
        gradient_sum += other.gradient_sum;
        hessian_sum += other.hessian_sum;
        max_gradient = std::max(max_gradient, other.max_gradient);
        min_hessian = std::min(min_hessian, other.min_hessian);
        max_hessian = std::max(max_hessian, other.max_hessian);
        all_once = all_once && other.all_once;
        n_rows += other.n_rows;
        weights.join(other.weights);
    }
    bool has_one_hessian() const noexcept { return min_hessian == max_hessian; }
};

struct WideRows {
    using Row = MomentCell;
    static constexpr bool rounds_hessians = true;
    static constexpr double min_units = min_units_per_row;
    static constexpr double max_light_gradients = max_light_fraction;
    // Rows of a class that is certain have hessians near 0, and gain nothing.
    static constexpr double max_light_hessians = 0.01;

    // The lightest row counts: a node may hold nothing but such rows.
    static bool keep_weights(const WeightRange& weights, index_t n_rows) noexcept {
        const auto bits = FixedPoint::above_rows(weights.sum, row_bits(n_rows));
        return weights.lightest >= min_units * bits.unit();
    }
    static bool fit(const MomentSizes& sizes) noexcept {
        return keep_weights(sizes.weights, sizes.n_rows);
    }

    static FixedPoint gradient_bits(const MomentSizes& sizes) noexcept {
        return {sizes.gradient_sum, FixedPoint::exact_bits};
    }
    static FixedPoint hessian_bits(const MomentSizes& sizes) noexcept {
        return FixedPoint::above_rows(sizes.hessian_sum, row_bits(sizes.n_rows));
    }
    static double hessian_unit(const MomentSizes& sizes) noexcept {
        return hessian_bits(sizes).unit();
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

    static bool fit(const MomentSizes& sizes) noexcept {
        const bool has_hessians = bits_per_hessian > 0 || sizes.has_one_hessian();
        return has_hessians && sizes.max_hessian > 0 && sizes.all_once &&
               sizes.n_rows <= max_rows &&
               sizes.weights.lightest * max_weight_ratio >= sizes.weights.heaviest;
    }

    // Of the bits given to FixedPoint, one is for rounding, which a word has room for.
    static FixedPoint gradient_bits(const MomentSizes& sizes) noexcept {
        const FixedPoint of_row(sizes.max_gradient, bits_per_gradient + 1);
        const FixedPoint of_sum(sizes.gradient_sum, FixedPoint::exact_bits);
        return of_row.unit() > of_sum.unit() ? of_row : of_sum;
    }
    static FixedPoint hessian_bits(const MomentSizes& sizes) noexcept {
        return {sizes.max_hessian, bits_per_hessian + 1};
    }
    static double hessian_unit(const MomentSizes& sizes) noexcept {
        return bits_per_hessian > 0 ? hessian_bits(sizes).unit() : sizes.max_hessian;
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
