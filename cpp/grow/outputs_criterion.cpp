#include "grow/outputs_criterion.hpp"

namespace nonet {
namespace {

double total_weight(const Targets& targets, std::span<const std::uint32_t> rows) {
    double total = 0;
    for (const std::uint32_t row : rows) total += targets.weight(row) * targets.count(row);
    return total;
}

double mean_of(const Targets& targets, std::span<const std::uint32_t> rows, std::size_t output,
               double total) {
    double sum = 0;
    for (const std::uint32_t row : rows)
        sum += targets.weight(row) * targets.count(row) * targets.value(row, output);
    return sum / total;
}

double total_distance(const Targets& targets, std::span<const std::uint32_t> rows,
                      std::size_t output, double centre) {
    double sum = 0;
    for (const std::uint32_t row : rows)
        sum += targets.weight(row) * targets.count(row) *
               std::abs(targets.value(row, output) - centre);
    return sum;
}

}  // namespace

template <typename Loss>
OutputsCriterion<Loss>::OutputsCriterion(const Targets& targets,
                                         std::span<const std::uint32_t> rows)
    : width_(static_cast<std::size_t>(targets.n_outputs) + 1),
      row_bits_(static_cast<int>(std::bit_width(rows.size()))),
      table_(rows.size() * width_) {
    const double total = total_weight(targets, rows);
    const FixedPoint weight_bits(total, std::min(63 - row_bits_, FixedPoint::exact_bits));
    weight_unit_ = weight_bits.unit();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto [count, weight] = targets.times(rows[i]);
        table_[i * width_ + width_ - 1] = (weight_bits(weight) * count) << row_bits_ | 1;
    }
    for (std::size_t k = 0; k + 1 < width_; ++k) {
        const double centre = Loss::is_centred ? mean_of(targets, rows, k, total) : 0.0;
        const FixedPoint bits(total_distance(targets, rows, k, centre), FixedPoint::exact_bits);
        gradient_units_.push_back(bits.unit());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto [count, weight] = targets.times(rows[i]);
            table_[i * width_ + k] = bits(weight * (targets.value(rows[i], k) - centre)) * count;
        }
    }
}

template <typename Loss>
void OutputsCriterion<Loss>::write_rows(Row* out, int) const {
    for (std::size_t i = 0; i < table_.size(); i += width_) *out++ = {table_.data() + i, width_};
}

template <typename Loss>
bool OutputsCriterion<Loss>::is_pure(const Sums& sums, std::span<const Row> rows) const noexcept {
    for (std::size_t k = 0; k + 1 < width_; ++k) {
        const double mean = gradient_of(sums.cells(), k) / weight(sums);
        const double tolerance = 2 * (gradient_units_[k] + std::abs(mean) * weight_unit_);
        const bool is_equal = std::ranges::all_of(rows, [&](const Row& row) {
            return std::abs(gradient_of(row.cells, k) - mean * weight_of(row.cells)) <= tolerance;
        });
        if (!is_equal) return false;
    }
    return true;
}

template class OutputsCriterion<SquaredErrors>;
template class OutputsCriterion<Deviances<true>>;
template class OutputsCriterion<Deviances<false>>;

}  // namespace nonet
