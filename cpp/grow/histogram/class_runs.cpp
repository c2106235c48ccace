#include "grow/histogram/class_runs.hpp"

#include <algorithm>

#include "base/dispatch.hpp"
#include "grow/histogram/byte_vectors.hpp"

namespace nonet {
namespace {

// through[i * width + c]: how many of the rows 0, ..., i go left in column c.
template <index_t width>
NONET_INLINE void count_through(const std::uint8_t* bins, index_t stride, index_t n_rows,
                                const std::uint8_t* last_left, std::uint8_t* through) {
    using Vector = typename Bytes<width>::Vector;
    Vector last;
    Bytes<width>::load(last_left, last);
    Vector counted{};
    for (index_t i = 0; i < n_rows; ++i) {
        Vector here;
        Bytes<width>::load(bins + i * stride, here);
        counted -= (Vector)(here <= last);
        Bytes<width>::store(counted, through + i * width);
    }
}

// Rows of a run are the difference of two counts: no loop ends with a run, whose length no
// processor predicts.
template <index_t width>
NONET_INLINE void square_runs(std::span<const ClassRun> runs, const std::uint8_t* through,
                              index_t step, index_t column, const SquaresLeft& sums) {
    using Vector = typename Bytes<width>::Vector;
    using Words = typename Bytes<width>::Words;
    Vector before{};
    Words squares{};
    Words products{};
    const std::uint8_t* last_row = through - step;
    for (const ClassRun& run : runs) {
        last_row += run.n_rows * step;
        Vector counted;
        Bytes<width>::load(last_row, counted);
        const Words of_run = __builtin_convertvector(counted - before, Words);
        squares += of_run * of_run;
        products += of_run * static_cast<std::uint16_t>(run.n_rows);
        before = counted;
    }
    Bytes<width>::store(before, sums.n_rows + column);
    std::memcpy(sums.squares + column, &squares, sizeof squares);
    std::memcpy(sums.products + column, &products, sizeof products);
}

template <index_t width>
NONET_INLINE void sum_few_of(const NodeBins& node, std::span<const ClassRun> runs, index_t column,
                             const std::uint8_t* last_left, std::uint8_t* memory,
                             const SquaresLeft& sums) {
    count_through<width>(node.bins.bins + column, node.bins.stride, node.n_rows, last_left + column,
                         memory);
    // Words of these pieces fill a register of 256 bits.
    constexpr index_t piece = width < half_wide ? width : half_wide;
    for (index_t first = 0; first < width; first += piece)
        square_runs<piece>(runs, memory + first, width, column + first, sums);
}

constexpr index_t max_counted = 255;  // in 8 bits

template <index_t width>
NONET_INLINE void sum_runs_of(const NodeBins& node, std::span<const ClassRun> runs, index_t column,
                              const std::uint8_t* last_left, const RunSumsLeft& sums) {
    using Vector = typename Bytes<width>::Vector;
    Vector last;
    Bytes<width>::load(last_left + column, last);
    std::uint64_t all[width] = {};
    std::uint64_t squares[width] = {};
    std::uint64_t products[width] = {};
    const std::uint8_t* bins = node.bins.bins + column;
    for (const ClassRun& run : runs) {
        std::uint32_t of_run[width] = {};
        for (index_t n_rest = run.n_rows; n_rest > 0; n_rest -= max_counted) {
            Vector counted{};
            for (index_t i = std::min(n_rest, max_counted); i > 0; --i, bins += node.bins.stride) {
                Vector here;
                Bytes<width>::load(bins, here);
                counted -= (Vector)(here <= last);
            }
            for (index_t c = 0; c < width; ++c) of_run[c] += counted[c];
        }
        for (index_t c = 0; c < width; ++c) {
            const std::uint64_t n_left = of_run[c];
            all[c] += n_left;
            squares[c] += n_left * n_left;
            products[c] += n_left * run.n_rows;
        }
    }
    std::copy_n(all, width, sums.n_rows + column);
    std::copy_n(squares, width, sums.squares + column);
    std::copy_n(products, width, sums.products + column);
}

}  // namespace

NONET_CLONES void sum_few_left(const NodeBins& node, std::span<const ClassRun> runs,
                               const std::uint8_t* last_left, std::uint8_t* memory,
                               const SquaresLeft& sums) {
    index_t column = 0;
    for (; column + wide <= node.bins.stride; column += wide)
        sum_few_of<wide>(node, runs, column, last_left, memory, sums);
    for (; column + half_wide <= node.bins.stride; column += half_wide)
        sum_few_of<half_wide>(node, runs, column, last_left, memory, sums);
    for (; column < node.bins.stride; column += narrow)
        sum_few_of<narrow>(node, runs, column, last_left, memory, sums);
}

NONET_CLONES void sum_runs_left(const NodeBins& node, std::span<const ClassRun> runs,
                                const std::uint8_t* last_left, const RunSumsLeft& sums) {
    index_t column = 0;
    for (; column + wide <= node.bins.stride; column += wide)
        sum_runs_of<wide>(node, runs, column, last_left, sums);
    for (; column + half_wide <= node.bins.stride; column += half_wide)
        sum_runs_of<half_wide>(node, runs, column, last_left, sums);
    for (; column < node.bins.stride; column += narrow)
        sum_runs_of<narrow>(node, runs, column, last_left, sums);
}

}  // namespace nonet
