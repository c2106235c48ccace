#include "grow/vector_newton.hpp"

#include <cmath>

namespace nonet {

VectorNewton::VectorNewton(const GrowParams& params, const Targets& targets,
                           std::span<const std::uint32_t> rows)
    : loss_(params),
      n_scores_(static_cast<std::size_t>(targets.n_outputs)),
      width_(2 * n_scores_ + 1),
      table_(rows.size() * width_) {
    const auto write = [&](std::size_t place, const auto& slope_of) {
        double total = 0;
        for (const std::uint32_t row : rows)
            total += targets.weight(row) * targets.count(row) * std::abs(slope_of(row));
        const FixedPoint bits(total, FixedPoint::exact_bits);
        units_.push_back(bits.unit());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            // Rounded first, then counted: a row counted twice is two rows.
            const auto [count, weight] = targets.times(rows[i]);
            table_[i * width_ + place] = bits(weight * slope_of(rows[i])) * count;
        }
    };
    for (std::size_t k = 0; k < n_scores_; ++k)
        write(k, [&](std::uint32_t row) { return targets.value(row, k); });
    for (std::size_t k = 0; k < n_scores_; ++k)
        write(n_scores_ + k, [&](std::uint32_t row) { return targets.hessian(row, k); });
    for (std::size_t i = 0; i < rows.size(); ++i) table_[i * width_ + width_ - 1] = 1;
}

}  // namespace nonet
