// Which rows, and which columns, the trees of a forest see: a pure function of (seed, tree), so
// that nothing needs to be stored and any thread makes the same draws.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace nonet {

// Strata, such as classes, that each contribute a fixed number of rows to every bag. Views of the
// caller's arrays.
struct Strata {
    std::span<const std::uint32_t> rows;  // all rows, those of a stratum side by side
    std::span<const std::int64_t> ends;   // where each stratum ends in `rows`
    std::span<const std::int64_t> draws;  // rows that each sends
};

// What a draw rule may read: views of the caller's arrays, empty where there is nothing to read.
struct BagPlan {
    std::string_view rule = "rows";  // one of the table in bags.cpp
    index_t n_rows = 0;
    index_t n_draws = 0;                   // rows, or groups; 0: nothing is drawn, each row once
    std::span<const std::int32_t> groups;  // group of each row
    index_t n_groups = 0;
    // Running sums of the rows' weights, in each stratum from 0; none: all are as likely.
    std::span<const double> probabilities;
    Strata strata;

    bool draws() const noexcept { return n_draws > 0; }
};

// Throws if the plan cannot be carried out.
void check_bags(const BagPlan& plan);

// How often a tree sees each row.
void draw_counts(const BagPlan& plan, std::uint64_t seed, std::uint64_t tree,
                 std::span<std::uint32_t> counts);

// Goes through the rows and takes each with the probability that exactly n_wanted are taken in the
// end, by uniform numbers of the caller (selection sampling: Fan, Muller and Rezucha, 1962).
void sample_rows(std::span<const double> uniforms, index_t n_wanted,
                 std::span<std::uint32_t> counts);

// Columns of a tree, in order.
std::vector<index_t> draw_columns(index_t n_columns, index_t n_wanted, std::uint64_t seed,
                                  std::uint64_t tree);

}  // namespace nonet
