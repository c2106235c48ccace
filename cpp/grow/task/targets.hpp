// What the rows of a tree should be told apart by.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "base/types.hpp"

namespace nonet {

// Views of the caller's arrays, one entry a row of the dataset. A row stands for as many rows as
// its count (a bootstrap; 0 = out of bag) and each of these has its weight.
struct Targets {
    std::span<const std::int32_t> classes;  // for classification: 0, ..., n_classes - 1
    index_t n_classes = 0;
    std::span<const double> values;    // for regression: targets, row by row; for Newton: gradients
    index_t n_outputs = 1;             // targets a row
    std::span<const double> hessians;  // for Newton: as many as values
    std::span<const std::uint32_t> counts;  // none: 1 each
    std::span<const double> weights;        // none: 1 each

    double value(index_t row, std::size_t output) const noexcept {
        return values[static_cast<std::size_t>(row * n_outputs) + output];
    }
    double hessian(index_t row, std::size_t output) const noexcept {
        return hessians[static_cast<std::size_t>(row * n_outputs) + output];
    }
    double count(index_t row) const noexcept {
        return counts.empty() ? 1.0 : counts[static_cast<std::size_t>(row)];
    }
    double weight(index_t row) const noexcept {
        return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(row)];
    }
    // How often the row is there and with which weight: a whole weight is a number of rows.
    struct Times {
        std::int64_t count;
        double weight;
    };
    Times times(index_t row) const noexcept {
        const double all = weight(row) * count(row);
        constexpr double most = 1 << 30;
        if (all <= most) {  // a cast instead of floor, which old machines have to call
            const auto whole = static_cast<std::int64_t>(all);
            if (static_cast<double>(whole) == all) return {whole, 1.0};
        }
        return {static_cast<std::int64_t>(count(row)), weight(row)};
    }
    bool has_weights() const noexcept { return !counts.empty() || !weights.empty(); }
};

// The sum of term(row) over rows, in four lanes: additions wait for one another, lanes do not.
template <typename Number = double, typename Term>
Number sum_over(std::span<const std::uint32_t> rows, const Term& term) noexcept {
    Number lanes[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= rows.size(); i += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) lanes[lane] += term(rows[i + lane]);
    for (; i < rows.size(); ++i) lanes[0] += term(rows[i]);
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

// How far apart the weights of rows are.
struct WeightRange {
    double lightest = std::numeric_limits<double>::infinity();
    double heaviest = 0;
    double sum = 0;

    void add(double weight, std::int64_t count) noexcept {
        lightest = std::min(lightest, weight);
        heaviest = std::max(heaviest, weight);
        sum += weight * static_cast<double>(count);
    }
    void join(const WeightRange& other) noexcept {
        lightest = std::min(lightest, other.lightest);
        heaviest = std::max(heaviest, other.heaviest);
        sum += other.sum;
    }
};

WeightRange weight_range(const Targets& targets, std::span<const std::uint32_t> rows) noexcept;

// Writes the rows of positive weight, in order, and returns how many there are; `rows` has room for
// n_rows. Throws if a number is unfit or no row is left.
index_t write_rows_in_bag(const Targets& targets, index_t n_rows, int n_threads,
                          std::uint32_t* rows);

}  // namespace nonet
