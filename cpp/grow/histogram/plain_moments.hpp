// Loops over the gradients and hessians of all rows, in order and each once: nothing but two
// streams of memory is read, in vector registers.
#pragma once

#include <cstdint>
#include <span>

#include "grow/histogram/moment_rows.hpp"
#include "grow/task/fixed_point.hpp"

namespace nonet {

// Rows begin, ..., end - 1 of a dataset.
struct PlainMoments {
    std::span<const double> gradients;
    std::span<const double> hessians;

    PlainMoments block(index_t begin, index_t end) const noexcept {
        const auto first = static_cast<std::size_t>(begin);
        const auto n = static_cast<std::size_t>(end - begin);
        return {gradients.subspan(first, n), hessians.subspan(first, n)};
    }
};

MomentSizes measure_plain(const PlainMoments& rows);
MomentTotals total_plain(const PlainMoments& rows, const MomentParts& parts);

// How many are below the limits, but not 0.
struct LightRows {
    index_t n_gradients;
    index_t n_hessians;
};
LightRows count_light(const PlainMoments& rows, double gradient_limit, double hessian_limit);

// Writes them as packed rows of 13 bits per hessian.
void pack_plain(const PlainMoments& rows, const FixedPoint& gradient_bits,
                const FixedPoint& hessian_bits, std::uint64_t* out);

}  // namespace nonet
