// What leaving each row out does to a statistic, summed over the rows without storing it.
//
// A gap is the statistic without a row less the statistic of all rows. Rows are summed in blocks of
// fixed size, and the blocks in their order: any number of threads gives equal bits.
#pragma once

#include <array>
#include <span>

#include "base/types.hpp"

namespace nonet {

// A mean in two parts, so that rows far from zero keep their digits when it is taken from them.
struct Centre {
    double base;
    double rest;
};

struct GapSums {
    double total;
    double squares;
};

// The statistic of all rows, and its gaps.
struct Gaps {
    double estimate;
    GapSums sums;
};

// The mean, and the sum of squares about it.
struct Spread {
    Centre mean;
    double squares;
};

using Column = std::span<const double>;

Spread spread_of(Column x, int n_threads);

// Gaps that are a polynomial of the row's distance from the mean, lowest power first.
GapSums polynomial_gaps(Column x, Centre mean, Column coefficients, int n_threads);

// Gaps of a root whose square has the gaps constant + quadratic * distance^2.
GapSums root_gaps(Column x, Centre mean, double constant, double quadratic, double root,
                  int n_threads);

// The correlation; not a number if, perhaps without some row, one of the columns hardly varies.
Gaps correlation_gaps(Column x, Column y, int n_threads);

// mean(y) / mean(x); not a number if, perhaps without some row, the sum of x nearly vanishes.
Gaps ratio_gaps(Column y, Column x, int n_threads);

}  // namespace nonet
