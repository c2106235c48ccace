#include "resample/sums.hpp"

#include <array>

#include "base/check.hpp"
#include "resample/for_each_resample.hpp"

namespace nonet {
namespace {

// Several partial sums of one column, as one addition must wait for the last.
void add_column(const double* terms, std::span<const std::uint32_t> units, double* sum) {
    std::array<double, 4> partial{};
    std::size_t i = 0;
    for (; i + partial.size() <= units.size(); i += partial.size())
        for (std::size_t lane = 0; lane < partial.size(); ++lane)
            partial[lane] += terms[units[i + lane]];
    for (; i < units.size(); ++i) partial[0] += terms[units[i]];
    *sum += (partial[0] + partial[1]) + (partial[2] + partial[3]);
}

// A width known to the compiler keeps the sums in registers; even and odd draws have their own.
template <std::size_t width>
void add_columns(const double* terms, std::span<const std::uint32_t> units, double* sums) {
    std::array<double, width> even{}, odd{};
    std::size_t i = 0;
    for (; i + 2 <= units.size(); i += 2)
        for (std::size_t k = 0; k < width; ++k) {
            even[k] += terms[units[i] * width + k];
            odd[k] += terms[units[i + 1] * width + k];
        }
    for (; i < units.size(); ++i)
        for (std::size_t k = 0; k < width; ++k) even[k] += terms[units[i] * width + k];
    for (std::size_t k = 0; k < width; ++k) sums[k] += even[k] + odd[k];
}

void add_rows(MatrixView<const double> terms, std::span<const std::uint32_t> units, double* sums) {
    for (const std::uint32_t unit : units) {
        const double* row = terms.row(unit);
        for (index_t k = 0; k < terms.n_columns; ++k) sums[k] += row[k];
    }
}

void add_units(MatrixView<const double> terms, std::span<const std::uint32_t> units, double* sums) {
    switch (terms.n_columns) {
        case 1:
            return add_column(terms.data, units, sums);
        case 2:
            return add_columns<2>(terms.data, units, sums);
        case 3:
            return add_columns<3>(terms.data, units, sums);
        case 4:
            return add_columns<4>(terms.data, units, sums);
        case 5:
            return add_columns<5>(terms.data, units, sums);
        case 6:
            return add_columns<6>(terms.data, units, sums);
        default:
            return add_rows(terms, units, sums);
    }
}

}  // namespace

void add_resampled_sums(MatrixView<const double> terms, const Pool& pool, std::uint64_t seed,
                        std::uint64_t first, int n_threads, MatrixView<double> sums) {
    check(terms.n_rows == pool.n_units && terms.n_columns == sums.n_columns,
          "Terms must have one row per unit, and sums as many columns as terms.");
    for_each_resample(sums.n_rows, n_threads, [&](index_t b) {
        for_each_chunk(
            seed, first + static_cast<std::uint64_t>(b), pool,
            [&](std::span<const std::uint32_t> units) { add_units(terms, units, sums.row(b)); });
    });
}

}  // namespace nonet
