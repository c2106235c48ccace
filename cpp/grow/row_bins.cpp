#include "grow/row_bins.hpp"

#include <algorithm>
#include <cstring>

#include "base/dispatch.hpp"

namespace nonet {
namespace {

// So many columns of 8 bits at a time; what is left of a row comes in pieces of eight.
constexpr index_t wide = 32;
constexpr index_t narrow = 8;

template <index_t width>
struct Bytes {
    using Vector [[gnu::vector_size(width)]] = std::uint8_t;

    // Vectors are handed over in memory: how a register is returned depends on the machine.
    NONET_INLINE static void load(const std::uint8_t* from, Vector& bytes) noexcept {
        std::memcpy(&bytes, from, sizeof bytes);
    }
    NONET_INLINE static void store(const Vector& bytes, std::uint8_t* to) noexcept {
        std::memcpy(to, &bytes, sizeof bytes);
    }
};

template <index_t width>
NONET_INLINE void find_ranges_of(const RowBins& bins, std::span<const std::uint32_t> rows,
                                 index_t column, std::uint8_t* least, std::uint8_t* largest) {
    using Vector = typename Bytes<width>::Vector;
    Vector low;
    Bytes<width>::load(bins.of_row(rows[0]) + column, low);
    Vector high = low;
    for (const std::uint32_t row : rows) {
        Vector here;
        Bytes<width>::load(bins.of_row(row) + column, here);
        low = here < low ? here : low;
        high = here > high ? here : high;
    }
    Bytes<width>::store(low, least + column);
    Bytes<width>::store(high, largest + column);
}

// Counts of 8 bits are good for so many rows.
constexpr std::size_t most_counted = 255;

template <index_t width>
NONET_INLINE void add_counts(const typename Bytes<width>::Vector& counted, std::uint32_t* counts) {
    for (index_t c = 0; c < width; ++c) counts[c] += counted[c];
}

// Two labels are counted in registers: all rows, and those of the second label.
template <index_t width>
NONET_INLINE void count_two_labels(const RowBins& bins, std::span<const std::uint32_t> rows,
                                   const Labels& labels, index_t column,
                                   const std::uint8_t* last_left, std::uint32_t* counts) {
    using Vector = typename Bytes<width>::Vector;
    Vector last;
    Bytes<width>::load(last_left + column, last);
    for (std::size_t begin = 0; begin < rows.size(); begin += most_counted) {
        const std::size_t end = std::min(begin + most_counted, rows.size());
        Vector all{};
        Vector second{};
        for (std::size_t i = begin; i < end; ++i) {
            Vector here;
            Bytes<width>::load(bins.of_row(rows[i]) + column, here);
            const auto goes_left = (Vector)(here <= last);
            all -= goes_left;
            second += goes_left & static_cast<std::uint8_t>(labels[i]);
        }
        add_counts<width>(all - second, counts + column);
        add_counts<width>(second, counts + bins.stride + column);
    }
}

template <index_t width>
NONET_INLINE void count_many_labels(const RowBins& bins, std::span<const std::uint32_t> rows,
                                    const Labels& labels, index_t n_labels, index_t column,
                                    const std::uint8_t* last_left, std::uint32_t* counts) {
    using Vector = typename Bytes<width>::Vector;
    Vector last;
    Bytes<width>::load(last_left + column, last);
    Vector counted[most_labels_counted];
    for (std::size_t begin = 0; begin < rows.size(); begin += most_counted) {
        const std::size_t end = std::min(begin + most_counted, rows.size());
        for (index_t k = 0; k < n_labels; ++k) counted[k] = Vector{};
        for (std::size_t i = begin; i < end; ++i) {
            Vector here;
            Bytes<width>::load(bins.of_row(rows[i]) + column, here);
            counted[labels[i]] -= (Vector)(here <= last);
        }
        for (index_t k = 0; k < n_labels; ++k)
            add_counts<width>(counted[k], counts + k * bins.stride + column);
    }
}

template <index_t width>
NONET_INLINE void count_labels_of(const RowBins& bins, std::span<const std::uint32_t> rows,
                                  const Labels& labels, index_t n_labels, index_t column,
                                  const std::uint8_t* last_left, std::uint32_t* counts) {
    if (n_labels == 2)
        count_two_labels<width>(bins, rows, labels, column, last_left, counts);
    else
        count_many_labels<width>(bins, rows, labels, n_labels, column, last_left, counts);
}

}  // namespace

NONET_CLONES void find_bin_ranges(const RowBins& bins, std::span<const std::uint32_t> rows,
                                  std::uint8_t* least, std::uint8_t* largest) {
    index_t column = 0;
    for (; column + wide <= bins.stride; column += wide)
        find_ranges_of<wide>(bins, rows, column, least, largest);
    for (; column < bins.stride; column += narrow)
        find_ranges_of<narrow>(bins, rows, column, least, largest);
}

// The columns beside the wanted one come for nothing.
NONET_CLONES CutNeighbours find_cut_neighbours(const RowBins& bins,
                                               std::span<const std::uint32_t> rows, index_t column,
                                               std::uint32_t last_left) {
    using Vector = Bytes<narrow>::Vector;
    const index_t first = column / narrow * narrow;
    const Vector last = Vector{} + static_cast<std::uint8_t>(last_left);
    Vector below{};
    Vector above = ~Vector{};
    for (const std::uint32_t row : rows) {
        Vector here;
        Bytes<narrow>::load(bins.of_row(row) + first, here);
        const auto is_left = (Vector)(here <= last);
        const Vector left = here & is_left;
        const Vector right = here | is_left;
        below = left > below ? left : below;
        above = right < above ? right : above;
    }
    return {below[column - first], above[column - first]};
}

NONET_CLONES void count_labels_left(const RowBins& bins, std::span<const std::uint32_t> rows,
                                    const Labels& labels, index_t n_labels,
                                    const std::uint8_t* last_left, std::uint32_t* counts) {
    std::fill_n(counts, n_labels * bins.stride, 0U);
    index_t column = 0;
    for (; column + wide <= bins.stride; column += wide)
        count_labels_of<wide>(bins, rows, labels, n_labels, column, last_left, counts);
    for (; column < bins.stride; column += narrow)
        count_labels_of<narrow>(bins, rows, labels, n_labels, column, last_left, counts);
}

}  // namespace nonet
