#include "grow/task/targets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "base/parallel.hpp"
#include "base/phases.hpp"

namespace nonet {
namespace {

void check_lengths(const Targets& targets, index_t n_rows) {
    const auto fits = [n_rows](auto numbers) {
        return numbers.empty() || std::ssize(numbers) == n_rows;
    };
    const auto fits_outputs = [&](auto numbers) {
        return numbers.empty() || std::ssize(numbers) == n_rows * targets.n_outputs;
    };
    check(fits(targets.classes) && fits_outputs(targets.hessians) && fits_outputs(targets.values),
          "Targets must hold one number for each row of the dataset.");
    check(fits(targets.counts) && fits(targets.weights),
          "Counts and weights must hold one number for each row of the dataset.");
}

void check_row(const Targets& targets, index_t row) {
    const auto i = static_cast<std::size_t>(row);
    const auto position = [row] { return " in row " + std::to_string(row) + "."; };
    check(targets.classes.empty() ||
              (targets.classes[i] >= 0 && targets.classes[i] < targets.n_classes),
          [&] { return "Classes must lie between 0 and n_classes - 1, which fails" + position(); });
    for (index_t k = 0; k < targets.n_outputs && !targets.values.empty(); ++k)
        check(std::isfinite(targets.value(row, static_cast<std::size_t>(k))),
              [&] { return "Targets must be finite, which fails" + position(); });
    for (index_t k = 0; k < targets.n_outputs && !targets.hessians.empty(); ++k) {
        const double hessian = targets.hessian(row, static_cast<std::size_t>(k));
        check(std::isfinite(hessian) && hessian >= 0,
              [&] { return "Hessians must be finite and not negative, which fails" + position(); });
    }
}

void check_weight(double weight, index_t row) {
    check(weight >= 0 && std::isfinite(weight), [row] {
        return "Weights must be finite and not negative, which fails in row " +
               std::to_string(row) + ".";
    });
}

// NaN is within no bounds.
NONET_CLONES bool are_within(const double* numbers, index_t n, double lowest, double highest) {
    index_t n_within = 0;
    for (index_t i = 0; i < n; ++i) n_within += (numbers[i] >= lowest) & (numbers[i] <= highest);
    return n_within == n;
}

bool are_classes(std::span<const std::int32_t> classes, index_t n_classes) {
    return std::ranges::all_of(classes, [=](std::int32_t k) { return k >= 0 && k < n_classes; });
}

// Whether all numbers are fit, in the bag or not: one quick loop for each kind of them.
bool are_all_fit(const Targets& targets, index_t begin, index_t end) {
    constexpr double most = std::numeric_limits<double>::max();
    const auto fit = [&](std::span<const double> numbers, index_t width, double lowest) {
        return numbers.empty() ||
               are_within(numbers.data() + begin * width, (end - begin) * width, lowest, most);
    };
    const auto n = static_cast<std::size_t>(end - begin);
    return fit(targets.values, targets.n_outputs, -most) &&
           fit(targets.hessians, targets.n_outputs, 0) && fit(targets.weights, 1, 0) &&
           (targets.classes.empty() ||
            are_classes(targets.classes.subspan(static_cast<std::size_t>(begin), n),
                        targets.n_classes));
}

bool is_in_bag(const Targets& targets, index_t row) {
    return targets.count(row) > 0 && targets.weight(row) > 0;
}

void check_rows(const Targets& targets, index_t begin, index_t end) {
    for (index_t row = begin; row < end; ++row) {
        check_weight(targets.weight(row), row);
        if (is_in_bag(targets, row)) check_row(targets, row);
    }
}

// Checks rows begin, ..., end - 1 and writes those of positive weight; returns how many they are.
// A row out of the bag is written as well, but at the position of the next one: who is drawn at
// random is not to be guessed by a branch.
index_t write_rows(const Targets& targets, index_t begin, index_t end, std::uint32_t* rows) {
    if (!are_all_fit(targets, begin, end)) check_rows(targets, begin, end);
    if (!targets.has_weights()) {
        std::iota(rows, rows + (end - begin), static_cast<std::uint32_t>(begin));
        return end - begin;
    }
    index_t n = 0;
    for (index_t row = begin; row < end; ++row) {
        rows[n] = static_cast<std::uint32_t>(row);
        n += is_in_bag(targets, row) ? 1 : 0;
    }
    return n;
}

}  // namespace

WeightRange weight_range(const Targets& targets, std::span<const std::uint32_t> rows) noexcept {
    if (!targets.has_weights()) return {1, 1, static_cast<double>(rows.size())};
    WeightRange range;
    for (const std::uint32_t row : rows) {
        const auto [count, weight] = targets.times(row);
        range.add(weight, count);
    }
    return range;
}

index_t write_rows_in_bag(const Targets& targets, index_t n_rows, int n_threads,
                          std::uint32_t* rows) {
    check_lengths(targets, n_rows);
    const InPhase phase(Phase::rows);
    constexpr index_t rows_per_block = 1 << 14;
    std::vector<index_t> written(static_cast<std::size_t>(n_rows / rows_per_block + 1));
    parallel_blocks(n_rows, rows_per_block, n_threads, [&](index_t b, index_t begin, index_t end) {
        written[static_cast<std::size_t>(b)] = write_rows(targets, begin, end, rows + begin);
    });
    index_t n = 0;
    for (std::size_t b = 0; b < written.size(); n += written[b++]) {
        const index_t begin = static_cast<index_t>(b) * rows_per_block;
        if (n < begin) std::copy_n(rows + begin, written[b], rows + n);
    }
    check(n > 0, "A tree needs at least one row of positive weight.");
    return n;
}

}  // namespace nonet
