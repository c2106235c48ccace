#include "grow/histogram/row_bins.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/dispatch.hpp"
#include "grow/histogram/byte_vectors.hpp"

namespace nonet {
namespace {

// Bytes that become words do so in pieces whose words fill a register of 256 bits: compilers take
// larger ones apart byte by byte.
constexpr index_t widened_to_16_bits = 16;
constexpr index_t widened_to_64_bits = 4;

// Where the i-th row of a node has its bins.
struct InOrder {
    RowBins bins;
    NONET_INLINE const std::uint8_t* operator[](index_t i) const noexcept {
        return bins.bins + i * bins.stride;
    }
};
struct ByNumber {
    RowBins bins;
    const std::uint32_t* rows;
    NONET_INLINE const std::uint8_t* operator[](index_t i) const noexcept {
        return bins.of_row(rows[i]);
    }
};

template <index_t width, typename Rows>
NONET_INLINE void find_ranges_of(const Rows& rows, index_t n_rows, index_t column,
                                 std::uint8_t* minimum, std::uint8_t* maximum) {
    using Vector = typename Bytes<width>::Vector;
    Vector low;
    Bytes<width>::load(rows[0] + column, low);
    Vector high = low;
    for (index_t i = 1; i < n_rows; ++i) {
        Vector here;
        Bytes<width>::load(rows[i] + column, here);
        low = here < low ? here : low;
        high = here > high ? here : high;
    }
    Bytes<width>::store(low, minimum + column);
    Bytes<width>::store(high, maximum + column);
}

// Which positions to compare, and to exchange if they are in the wrong order, one pair after
// another: Batcher's odd-even merge sort, which takes the same steps whatever it sorts.
class SortingNetwork {
public:
    constexpr SortingNetwork() = default;
    constexpr explicit SortingNetwork(int n) {
        for (int run = 1; run < n; run *= 2)
            for (int apart = run; apart >= 1; apart /= 2)
                for (int first = apart % run; first + apart < n; first += 2 * apart)
                    for (int i = first; i < std::min(first + apart, n - apart); ++i)
                        if (i / (2 * run) == (i + apart) / (2 * run))
                            pairs_[n_pairs_++] = {static_cast<std::uint8_t>(i),
                                                  static_cast<std::uint8_t>(i + apart)};
    }

    struct Pair {
        std::uint8_t low;
        std::uint8_t high;
    };
    const Pair* begin() const noexcept { return pairs_.data(); }
    const Pair* end() const noexcept { return pairs_.data() + n_pairs_; }

private:
    std::array<Pair, 160> pairs_{};
    std::size_t n_pairs_ = 0;
};

constexpr auto networks = [] {
    std::array<SortingNetwork, max_rows_sorted + 1> all{};
    for (int n = 2; n <= max_rows_sorted; ++n) all[static_cast<std::size_t>(n)] = SortingNetwork(n);
    return all;
}();

template <index_t width, typename Rows>
NONET_INLINE void sort_bins_of(const Rows& rows, index_t n_rows, index_t column,
                               std::uint16_t* sorted) {
    using Words = typename Bytes<width>::Words;
    Words keys[max_rows_sorted];
    for (index_t i = 0; i < n_rows; ++i) {
        typename Bytes<width>::Vector here;
        Bytes<width>::load(rows[i] + column, here);
        keys[i] = __builtin_convertvector(here, Words) << sorted_position_bits |
                  static_cast<std::uint16_t>(i);
    }
    for (const auto [low, high] : networks[static_cast<std::size_t>(n_rows)]) {
        const Words one = keys[low];
        const Words other = keys[high];
        keys[low] = one < other ? one : other;
        keys[high] = one < other ? other : one;
    }
    for (index_t i = 0; i < n_rows; ++i)
        std::memcpy(sorted + i * rows.bins.stride + column, &keys[i], sizeof(Words));
}

// Counts of 8 bits are good for so many rows.
constexpr index_t max_counted = 255;

template <index_t width>
NONET_INLINE void add_counts(const typename Bytes<width>::Vector& counted, std::uint32_t* counts) {
    for (index_t c = 0; c < width; ++c) counts[c] += counted[c];
}

// Two labels are counted in registers: all rows, and those of the second label.
template <index_t width, typename Rows>
NONET_INLINE void count_two_labels(const Rows& rows, index_t n_rows, const Labels& labels,
                                   index_t column, const std::uint8_t* last_left,
                                   std::uint32_t* counts) {
    using Vector = typename Bytes<width>::Vector;
    Vector last;
    Bytes<width>::load(last_left + column, last);
    for (index_t begin = 0; begin < n_rows; begin += max_counted) {
        const index_t end = std::min(begin + max_counted, n_rows);
        Vector all{};
        Vector second{};
        for (index_t i = begin; i < end; ++i) {
            Vector here;
            Bytes<width>::load(rows[i] + column, here);
            const auto goes_left = (Vector)(here <= last);
            all -= goes_left;
            second += goes_left & static_cast<std::uint8_t>(labels[i]);
        }
        add_counts<width>(all - second, counts + column);
        add_counts<width>(second, counts + rows.bins.stride + column);
    }
}

template <index_t width, typename Rows>
NONET_INLINE void count_many_labels(const Rows& rows, index_t n_rows, const Labels& labels,
                                    index_t n_labels, index_t column, const std::uint8_t* last_left,
                                    std::uint32_t* counts) {
    using Vector = typename Bytes<width>::Vector;
    Vector last;
    Bytes<width>::load(last_left + column, last);
    Vector counted[max_labels_counted];
    for (index_t begin = 0; begin < n_rows; begin += max_counted) {
        const index_t end = std::min(begin + max_counted, n_rows);
        for (index_t k = 0; k < n_labels; ++k) counted[k] = Vector{};
        for (index_t i = begin; i < end; ++i) {
            Vector here;
            Bytes<width>::load(rows[i] + column, here);
            counted[labels[i]] -= (Vector)(here <= last);
        }
        for (index_t k = 0; k < n_labels; ++k)
            add_counts<width>(counted[k], counts + k * rows.bins.stride + column);
    }
}

template <index_t width, typename Rows>
NONET_INLINE void count_labels_of(const Rows& rows, index_t n_rows, const Labels& labels,
                                  index_t n_labels, index_t column, const std::uint8_t* last_left,
                                  std::uint32_t* counts) {
    if (n_labels == 2)
        count_two_labels<width>(rows, n_rows, labels, column, last_left, counts);
    else
        count_many_labels<width>(rows, n_rows, labels, n_labels, column, last_left, counts);
}

// The rows of a label are counted in 8 bits; a row that joins l others of its label makes their
// square larger by 2 l + 1.
template <index_t width, typename Rows>
NONET_INLINE void sum_squares_of(const Rows& rows, index_t n_rows, const Labels& labels,
                                 std::span<const std::uint16_t> totals, index_t column,
                                 const std::uint8_t* last_left, const SquaresLeft& sums) {
    using Vector = typename Bytes<width>::Vector;
    using Signed = typename Bytes<width>::Signed;
    using Words = typename Bytes<width>::Words;
    using SignedWords = typename Bytes<width>::SignedWords;
    Vector last;
    Bytes<width>::load(last_left + column, last);
    Vector counted[max_labels_counted];
    if (n_rows < std::ssize(totals))
        for (index_t i = 0; i < n_rows; ++i) counted[labels[i]] = Vector{};
    else
        for (std::size_t k = 0; k < totals.size(); ++k) counted[k] = Vector{};
    Vector all{};
    Words squares{};
    Words products{};
    for (index_t i = 0; i < n_rows; ++i) {
        Vector here;
        Bytes<width>::load(rows[i] + column, here);
        const auto is_left = (Vector)(here <= last);
        const auto is_left_word = (Words) __builtin_convertvector((Signed)is_left, SignedWords);
        Vector& of_label = counted[labels[i]];
        const Words n_of_label = __builtin_convertvector(of_label, Words);
        squares += (n_of_label + n_of_label + std::uint16_t{1}) & is_left_word;
        products += is_left_word & totals[labels[i]];
        of_label -= is_left;
        all -= is_left;
    }
    Bytes<width>::store(all, sums.n_rows + column);
    std::memcpy(sums.squares + column, &squares, sizeof squares);
    std::memcpy(sums.products + column, &products, sizeof products);
}

// Two pieces at a time.
template <typename Rows>
NONET_INLINE void sum_moments_of(const Rows& rows, index_t n_rows, const MomentCell* added,
                                 index_t column, const std::uint8_t* last_left, std::int64_t* first,
                                 std::int64_t* second) {
    constexpr index_t width = widened_to_64_bits;
    constexpr index_t n_pieces = narrow / width;
    using Vector = Bytes<width>::Vector;
    using Words [[gnu::vector_size(8 * width)]] = std::int64_t;
    Vector last[n_pieces];
    Words firsts[n_pieces] = {};
    Words seconds[n_pieces] = {};
    std::memcpy(last, last_left + column, sizeof last);
    for (index_t i = 0; i < n_rows; ++i) {
        Vector here[n_pieces];
        std::memcpy(here, rows[i] + column, sizeof here);
        for (index_t piece = 0; piece < n_pieces; ++piece) {
            const auto is_left = (Bytes<width>::Signed)(here[piece] <= last[piece]);
            const Words is_left_word = __builtin_convertvector(is_left, Words);
            firsts[piece] += is_left_word & added[i][0];
            seconds[piece] += is_left_word & added[i][1];
        }
    }
    std::memcpy(first + column, firsts, sizeof firsts);
    std::memcpy(second + column, seconds, sizeof seconds);
}

template <typename Rows>
NONET_INLINE void find_ranges(const Rows& rows, index_t n_rows, std::uint8_t* minimum,
                              std::uint8_t* maximum) {
    index_t column = 0;
    for (; column + wide <= rows.bins.stride; column += wide)
        find_ranges_of<wide>(rows, n_rows, column, minimum, maximum);
    for (; column + half_wide <= rows.bins.stride; column += half_wide)
        find_ranges_of<half_wide>(rows, n_rows, column, minimum, maximum);
    for (; column < rows.bins.stride; column += narrow)
        find_ranges_of<narrow>(rows, n_rows, column, minimum, maximum);
}

template <typename Rows>
NONET_INLINE void sort_columns(const Rows& rows, index_t n_rows, std::uint16_t* sorted) {
    index_t column = 0;
    for (; column + widened_to_16_bits <= rows.bins.stride; column += widened_to_16_bits)
        sort_bins_of<widened_to_16_bits>(rows, n_rows, column, sorted);
    for (; column < rows.bins.stride; column += narrow)
        sort_bins_of<narrow>(rows, n_rows, column, sorted);
}

template <typename Rows>
NONET_INLINE void count_labels(const Rows& rows, index_t n_rows, const Labels& labels,
                               index_t n_labels, const std::uint8_t* last_left,
                               std::uint32_t* counts) {
    std::fill_n(counts, n_labels * rows.bins.stride, 0U);
    index_t column = 0;
    for (; column + wide <= rows.bins.stride; column += wide)
        count_labels_of<wide>(rows, n_rows, labels, n_labels, column, last_left, counts);
    for (; column + half_wide <= rows.bins.stride; column += half_wide)
        count_labels_of<half_wide>(rows, n_rows, labels, n_labels, column, last_left, counts);
    for (; column < rows.bins.stride; column += narrow)
        count_labels_of<narrow>(rows, n_rows, labels, n_labels, column, last_left, counts);
}

template <typename Rows>
NONET_INLINE void sum_squares(const Rows& rows, index_t n_rows, const Labels& labels,
                              std::span<const std::uint16_t> totals, const std::uint8_t* last_left,
                              const SquaresLeft& sums) {
    index_t column = 0;
    for (; column + widened_to_16_bits <= rows.bins.stride; column += widened_to_16_bits)
        sum_squares_of<widened_to_16_bits>(rows, n_rows, labels, totals, column, last_left, sums);
    for (; column < rows.bins.stride; column += narrow)
        sum_squares_of<narrow>(rows, n_rows, labels, totals, column, last_left, sums);
}

template <typename Rows>
NONET_INLINE void sum_moments(const Rows& rows, index_t n_rows, const MomentCell* added,
                              const std::uint8_t* last_left, std::int64_t* first,
                              std::int64_t* second) {
    for (index_t column = 0; column < rows.bins.stride; column += narrow)
        sum_moments_of(rows, n_rows, added, column, last_left, first, second);
}

// The columns beside the wanted one come for nothing.
template <typename Rows>
NONET_INLINE ThresholdNeighbours neighbours(const Rows& rows, index_t n_rows, index_t column,
                                            std::uint32_t last_left) {
    using Vector = Bytes<narrow>::Vector;
    const index_t first = column / narrow * narrow;
    const Vector last = Vector{} + static_cast<std::uint8_t>(last_left);
    Vector below{};
    Vector above = ~Vector{};
    index_t n_left = 0;
    for (index_t i = 0; i < n_rows; ++i) {
        Vector here;
        Bytes<narrow>::load(rows[i] + first, here);
        n_left += rows[i][column] <= last_left;
        const auto is_left = (Vector)(here <= last);
        const Vector left = here & is_left;
        const Vector right = here | is_left;
        below = left > below ? left : below;
        above = right < above ? right : above;
    }
    return {below[column - first], above[column - first], n_left};
}

template <index_t width>
NONET_INLINE void copy_piece(const std::uint8_t* from, std::uint8_t* to) noexcept {
    typename Bytes<width>::Vector piece;
    Bytes<width>::load(from, piece);
    Bytes<width>::store(piece, to);
}

// Rows are written in pieces as large as those in which they are read next: a read of what several
// writes have just put there waits for all of them.
NONET_INLINE void copy_row(const std::uint8_t* from, std::uint8_t* to, index_t stride) noexcept {
    index_t column = 0;
    for (; column + wide <= stride; column += wide) copy_piece<wide>(from + column, to + column);
    for (; column + half_wide <= stride; column += half_wide)
        copy_piece<half_wide>(from + column, to + column);
    for (; column < stride; column += narrow) std::memcpy(to + column, from + column, narrow);
}

NONET_INLINE void part(const std::uint8_t* bins, index_t stride, index_t n_rows, index_t column,
                       std::uint32_t last_left, index_t n_left, std::uint8_t* to,
                       std::uint32_t* positions) noexcept {
    std::uint32_t left = 0;
    auto right = static_cast<std::uint32_t>(n_left);
    for (index_t i = 0; i < n_rows; ++i, bins += stride) {
        const std::uint32_t is_left = bins[column] <= last_left;
        const std::uint32_t position = right + ((left - right) & (0U - is_left));
        left += is_left;
        right += 1 - is_left;
        positions[i] = position;
        copy_row(bins, to + static_cast<index_t>(position) * stride, stride);
    }
}

}  // namespace

NONET_CLONES void copy_bins(const RowBins& bins, std::span<const std::uint32_t> rows,
                            std::uint8_t* to) {
    const ByNumber from{bins, rows.data()};
    for (index_t i = 0; i < std::ssize(rows); ++i)
        copy_row(from[i], to + i * from.bins.stride, from.bins.stride);
}

NONET_CLONES void split_bins(const RowBins& bins, index_t n_rows, index_t column,
                             std::uint32_t last_left, index_t n_left, std::uint8_t* to,
                             std::uint32_t* positions) {
    // Known to the compiler, a row is one register or two.
    if (bins.stride == wide)
        part(bins.bins, wide, n_rows, column, last_left, n_left, to, positions);
    else if (bins.stride == half_wide)
        part(bins.bins, half_wide, n_rows, column, last_left, n_left, to, positions);
    else if (bins.stride == 2 * wide)
        part(bins.bins, 2 * wide, n_rows, column, last_left, n_left, to, positions);
    else
        part(bins.bins, bins.stride, n_rows, column, last_left, n_left, to, positions);
}

NONET_CLONES void find_bin_ranges(const NodeBins& node, std::uint8_t* minimum,
                                  std::uint8_t* maximum) {
    if (node.rows == nullptr)
        find_ranges(InOrder{node.bins}, node.n_rows, minimum, maximum);
    else
        find_ranges(ByNumber{node.bins, node.rows}, node.n_rows, minimum, maximum);
}

NONET_CLONES void sort_bins(const NodeBins& node, std::uint16_t* sorted) {
    if (node.rows == nullptr)
        sort_columns(InOrder{node.bins}, node.n_rows, sorted);
    else
        sort_columns(ByNumber{node.bins, node.rows}, node.n_rows, sorted);
}

NONET_CLONES ThresholdNeighbours find_threshold_neighbours(const NodeBins& node, index_t column,
                                                           std::uint32_t last_left) {
    if (node.rows == nullptr) return neighbours(InOrder{node.bins}, node.n_rows, column, last_left);
    return neighbours(ByNumber{node.bins, node.rows}, node.n_rows, column, last_left);
}

NONET_CLONES void count_labels_left(const NodeBins& node, const Labels& labels, index_t n_labels,
                                    const std::uint8_t* last_left, std::uint32_t* counts) {
    if (node.rows == nullptr)
        count_labels(InOrder{node.bins}, node.n_rows, labels, n_labels, last_left, counts);
    else
        count_labels(ByNumber{node.bins, node.rows}, node.n_rows, labels, n_labels, last_left,
                     counts);
}

NONET_CLONES void sum_squares_left(const NodeBins& node, const Labels& labels,
                                   std::span<const std::uint16_t> totals,
                                   const std::uint8_t* last_left, const SquaresLeft& sums) {
    if (node.rows == nullptr)
        sum_squares(InOrder{node.bins}, node.n_rows, labels, totals, last_left, sums);
    else
        sum_squares(ByNumber{node.bins, node.rows}, node.n_rows, labels, totals, last_left, sums);
}

NONET_CLONES void sum_moments_left(const NodeBins& node, const MomentCell* added,
                                   const std::uint8_t* last_left, std::int64_t* first,
                                   std::int64_t* second) {
    if (node.rows == nullptr)
        sum_moments(InOrder{node.bins}, node.n_rows, added, last_left, first, second);
    else
        sum_moments(ByNumber{node.bins, node.rows}, node.n_rows, added, last_left, first, second);
}

}  // namespace nonet
