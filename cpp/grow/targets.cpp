#include "grow/targets.hpp"

#include <cmath>
#include <string>

#include "base/check.hpp"

namespace nonet {
namespace {

void check_lengths(const Targets& targets, index_t n_rows) {
    const auto fits = [n_rows](auto numbers) {
        return numbers.empty() || std::ssize(numbers) == n_rows;
    };
    check(fits(targets.classes) && fits(targets.hessians) &&
              (targets.values.empty() || std::ssize(targets.values) == n_rows * targets.n_outputs),
          "Targets must hold one number for each row of the dataset.");
    check(fits(targets.counts) && fits(targets.weights),
          "Counts and weights must hold one number for each row of the dataset.");
}

void check_row(const Targets& targets, index_t row) {
    const auto i = static_cast<std::size_t>(row);
    const auto place = [row] { return " in row " + std::to_string(row) + "."; };
    check(targets.classes.empty() ||
              (targets.classes[i] >= 0 && targets.classes[i] < targets.n_classes),
          [&] { return "Classes must lie between 0 and n_classes - 1, which fails" + place(); });
    for (index_t k = 0; k < targets.n_outputs && !targets.values.empty(); ++k)
        check(std::isfinite(targets.value(row, static_cast<std::size_t>(k))),
              [&] { return "Targets must be finite, which fails" + place(); });
    check(targets.hessians.empty() ||
              (std::isfinite(targets.hessians[i]) && targets.hessians[i] >= 0),
          [&] { return "Hessians must be finite and not negative, which fails" + place(); });
}

}  // namespace

std::vector<std::uint32_t> rows_in_bag(const Targets& targets, index_t n_rows) {
    check_lengths(targets, n_rows);
    std::vector<std::uint32_t> rows;
    rows.reserve(static_cast<std::size_t>(n_rows));
    for (index_t row = 0; row < n_rows; ++row) {
        const double weight = targets.weight(row);
        check(weight >= 0 && std::isfinite(weight), [row] {
            return "Weights must be finite and not negative, which fails in row " +
                   std::to_string(row) + ".";
        });
        if (weight * targets.count(row) == 0) continue;
        check_row(targets, row);
        rows.push_back(static_cast<std::uint32_t>(row));
    }
    check(!rows.empty(), "A tree needs at least one row of positive weight.");
    return rows;
}

}  // namespace nonet
