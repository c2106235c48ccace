#include "resample/products.hpp"

#include <vector>

#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "resample/for_each_resample.hpp"

namespace nonet {
namespace {

void count_units(std::uint64_t seed, std::uint64_t resample, const Pool& pool,
                 std::vector<std::uint32_t>& counts) {
    counts.assign(static_cast<std::size_t>(pool.n_units), 0);
    for_each_chunk(seed, resample, pool, [&](std::span<const std::uint32_t> units) {
        for (const std::uint32_t unit : units) ++counts[unit];
    });
}

NONET_CLONES void add_products(MatrixView<const double> columns, const std::uint32_t* counts,
                               double* sums) {
    for (index_t i = 0; i < columns.n_rows; ++i) {
        if (counts[i] == 0) continue;
        const double* z = columns.row(i);
        double* triangle = sums;
        for (index_t j = 0; j < columns.n_columns; triangle += ++j) {
            const double weighted = counts[i] * z[j];
            for (index_t k = 0; k <= j; ++k) triangle[k] += weighted * z[k];
        }
    }
}

}  // namespace

void add_resampled_products(MatrixView<const double> columns, const Pool& pool, std::uint64_t seed,
                            std::uint64_t first, int n_threads, MatrixView<double> sums) {
    const index_t width = columns.n_columns;
    check(columns.n_rows == pool.n_units && sums.n_columns == width * (width + 1) / 2,
          "Columns must have one row per unit, and sums one column per pair of columns.");
    for_each_resample(sums.n_rows, n_threads, [&](index_t b) {
        thread_local std::vector<std::uint32_t> counts;
        count_units(seed, first + static_cast<std::uint64_t>(b), pool, counts);
        add_products(columns, counts.data(), sums.row(b));
    });
}

}  // namespace nonet
