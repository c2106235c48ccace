#include "grow/criteria/outputs_criterion.hpp"

#include "grow/criteria/impurities.hpp"

namespace nonet {
namespace {

// Long sums have more bits than the double that a gradient was.
constexpr double double_rounding = 8 * std::numeric_limits<double>::epsilon();

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

template <OutputLoss Loss, typename Number>
OutputsCriterion<Loss, Number>::OutputsCriterion(const Targets& targets,
                                                 std::span<const std::uint32_t> rows)
    : width_(static_cast<std::size_t>(targets.n_outputs) + 1),
      row_bits_(static_cast<int>(std::bit_width(rows.size()))),
      table_(rows.size() * width_) {
    const double total = total_weight(targets, rows);
    write_weights(targets, rows, total);
    for (std::size_t k = 0; k + 1 < width_; ++k) {
        const double centre = Loss::is_centred ? mean_of(targets, rows, k, total) : 0.0;
        if (k == 0) first_centre_ = centre;
        write_output(targets, rows, k, centre);
    }
}

template <OutputLoss Loss, typename Number>
void OutputsCriterion<Loss, Number>::write_weights(const Targets& targets,
                                                   std::span<const std::uint32_t> rows,
                                                   double total) {
    const auto bits = BasicFixedPoint<Number>::above_rows(total, row_bits_);
    weight_unit_ = bits.unit();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto [count, weight] = targets.times(rows[i]);
        keeps_light_rows_ &= weight >= min_units_per_row * weight_unit_;
        table_[i * width_ + width_ - 1] = (bits(weight) * count) << row_bits_ | 1;
    }
}

template <OutputLoss Loss, typename Number>
void OutputsCriterion<Loss, Number>::write_output(const Targets& targets,
                                                  std::span<const std::uint32_t> rows,
                                                  std::size_t k, double centre) {
    const BasicFixedPoint<Number> bits(total_distance(targets, rows, k, centre),
                                       BasicFixedPoint<Number>::exact_bits);
    gradient_units_.push_back(bits.unit());
    LightTerms light(min_units_per_row * bits.unit());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto [count, weight] = targets.times(rows[i]);
        const double gradient = weight * (targets.value(rows[i], k) - centre);
        light.look_at(gradient);
        table_[i * width_ + k] = bits(gradient) * count;
    }
    keeps_light_rows_ &= light.are_rare(std::ssize(rows), max_light_fraction);
}

template <OutputLoss Loss, typename Number>
void OutputsCriterion<Loss, Number>::write_rows(Row* out, int) const {
    for (std::size_t i = 0; i < table_.size(); i += width_) *out++ = {table_.data() + i, width_};
}

template <OutputLoss Loss, typename Number>
bool OutputsCriterion<Loss, Number>::is_pure(const Sums& sums,
                                             std::span<const Row> rows) const noexcept {
    for (std::size_t k = 0; k + 1 < width_; ++k) {
        const double mean = ratio(gradient_of(sums.cells(), k), weight(sums));
        const double rounding = 2 * (gradient_units_[k] + std::abs(mean) * weight_unit_);
        const bool is_equal = std::ranges::all_of(rows, [&](const Row& row) {
            const double gradient = gradient_of(row.cells, k);
            const double tolerance = std::max(rounding, double_rounding * std::abs(gradient));
            return std::abs(gradient - mean * weight_of(row.cells)) <= tolerance;
        });
        if (!is_equal) return false;
    }
    return true;
}

#define NONET_OUTPUTS(name, Impurity)                                 \
    template class OutputsCriterion<Impurity::Outputs, std::int64_t>; \
    template class OutputsCriterion<Impurity::Outputs, int128_t>;
NONET_NUMBER_IMPURITIES(NONET_OUTPUTS)
#undef NONET_OUTPUTS
template class OutputsCriterion<Deviances<false>, std::int64_t>;
template class OutputsCriterion<Deviances<false>, int128_t>;

}  // namespace nonet
