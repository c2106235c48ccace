#include "grow/criteria/vector_newton.hpp"

#include <cmath>

#include "grow/histogram/moment_rows.hpp"

namespace nonet {

template <typename Number>
VectorNewton<Number>::VectorNewton(const GrowParams& params, const Targets& targets,
                                   std::span<const std::uint32_t> rows)
    : loss_(params),
      n_scores_(static_cast<std::size_t>(targets.n_outputs)),
      width_(2 * n_scores_ + 1),
      table_(rows.size() * width_),
      keeps_light_rows_(WideRows::keep_weights(weight_range(targets, rows), std::ssize(rows))) {
    const auto write = [&](std::size_t position, const auto& term_of) {
        double total = 0;
        for (const std::uint32_t row : rows)
            total += targets.weight(row) * targets.count(row) * std::abs(term_of(row));
        const BasicFixedPoint<Number> bits(total, BasicFixedPoint<Number>::exact_bits);
        units_.push_back(bits.unit());
        LightTerms light(min_units_per_row * bits.unit());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            // Rounded first, then counted: a row counted twice is two rows.
            const auto [count, weight] = targets.times(rows[i]);
            const double term = weight * term_of(rows[i]);
            light.look_at(term);
            table_[i * width_ + position] = bits(term) * count;
        }
        keeps_light_rows_ &= light.are_rare(std::ssize(rows), WideRows::max_light_hessians);
    };
    for (std::size_t k = 0; k < n_scores_; ++k)
        write(k, [&](std::uint32_t row) { return targets.value(row, k); });
    for (std::size_t k = 0; k < n_scores_; ++k)
        write(n_scores_ + k, [&](std::uint32_t row) { return targets.hessian(row, k); });
    for (std::size_t i = 0; i < rows.size(); ++i) table_[i * width_ + width_ - 1] = 1;
}

template class VectorNewton<std::int64_t>;
template class VectorNewton<int128_t>;

}  // namespace nonet
