// Rows that lie class by class, row by row of bins: sums left of a threshold for all columns at
// once. The rows of a class are a run, so that one register counts them and no label is looked up.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.hpp"
#include "grow/histogram/row_bins.hpp"

namespace nonet {

// So many rows of a class, at least one.
struct ClassRun {
    std::uint32_t label;
    std::uint32_t n_rows;
};

// Bytes of memory that sum_few_left needs.
constexpr index_t few_left_bytes = max_rows_squared * 32;

// As sum_squares_left, for rows in order whose labels are those of the runs. No more rows than
// max_rows_squared.
void sum_few_left(const NodeBins& node, std::span<const ClassRun> runs,
                  const std::uint8_t* last_left, std::uint8_t* memory, const SquaresLeft& sums);

// The same for any number of rows.
struct RunSumsLeft {
    std::uint64_t* n_rows;
    std::uint64_t* squares;
    std::uint64_t* products;
};
void sum_runs_left(const NodeBins& node, std::span<const ClassRun> runs,
                   const std::uint8_t* last_left, const RunSumsLeft& sums);

}  // namespace nonet
