#include "vote/votes.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/aligned.hpp"
#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "base/prefetch.hpp"
#include "vote/gather.hpp"

namespace nonet {
namespace {

// Counting compares a vector of codes with every class, which costs in proportion to the classes;
// beyond this many, adding up one code after another is faster.
constexpr index_t max_compared_classes = 48;

constexpr index_t tile_rows = 256;
constexpr index_t tile_members = 64;  // at most 255: a byte counts the votes of one tile
constexpr index_t vector_rows = 32;
constexpr std::uint8_t silent = 255;

typedef std::uint8_t Bytes __attribute__((vector_size(vector_rows)));

template <typename Code>
struct CodeLimit {
    explicit CodeLimit(index_t n_classes)
        : maximum(static_cast<Code>(
              std::min<std::int64_t>(n_classes - 1, std::numeric_limits<Code>::max()))) {}

    // One comparison for both ends: a negative code is large without its sign.
    bool names_no_class(Code code) const noexcept {
        using Unsigned = std::make_unsigned_t<Code>;
        return static_cast<Unsigned>(code) > static_cast<Unsigned>(maximum);
    }

    Code maximum;
};

// Codes of one tile as bytes, rows side by side.
struct ByteTile {
    ByteTile() { std::fill_n(bytes.data(), tile_members * tile_rows, silent); }

    AlignedBuffer<std::uint8_t> bytes{tile_members * tile_rows};
    index_t n_members = 0;

    std::uint8_t* member(index_t m) const noexcept { return bytes.data() + m * tile_rows; }
};

// Narrows codes to bytes; returns whether all of them are below the number of classes.
template <typename Code>
NONET_INLINE bool narrow_any(const Code* codes, index_t n_codes, CodeLimit<Code> limit,
                             std::uint8_t* __restrict bytes) {
    Code greatest = 0;
    for (index_t i = 0; i < n_codes; ++i) {
        greatest = std::max(greatest, codes[i]);
        bytes[i] = limit.names_no_class(codes[i]) ? silent : static_cast<std::uint8_t>(codes[i]);
    }
    return greatest <= limit.maximum;
}

// Where every code names a class, which is the rule, the low bytes suffice: truncate first, then
// see whether that was right.
template <typename Code>
NONET_INLINE bool narrow_run(const Code* codes, index_t n_codes, CodeLimit<Code> limit,
                             std::uint8_t* __restrict bytes) {
    std::make_unsigned_t<Code> bits = 0;
    for (index_t i = 0; i < n_codes; ++i) {
        bits = static_cast<std::make_unsigned_t<Code>>(
            bits | static_cast<std::make_unsigned_t<Code>>(codes[i]));
        bytes[i] = static_cast<std::uint8_t>(codes[i]);
    }
    std::uint8_t greatest = 0;
    for (index_t i = 0; i < n_codes; ++i) greatest = std::max(greatest, bytes[i]);
    const bool cut_nothing = bits <= std::numeric_limits<std::uint8_t>::max();
    if (cut_nothing && greatest <= static_cast<std::make_unsigned_t<Code>>(limit.maximum))
        return true;
    return narrow_any(codes, n_codes, limit, bytes);
}

NONET_CLONES bool narrow(const std::int8_t* codes, index_t n_codes, CodeLimit<std::int8_t> limit,
                         std::uint8_t* bytes) {
    return narrow_run(codes, n_codes, limit, bytes);
}
NONET_CLONES bool narrow(const std::uint8_t* codes, index_t n_codes, CodeLimit<std::uint8_t> limit,
                         std::uint8_t* bytes) {
    return narrow_run(codes, n_codes, limit, bytes);
}
NONET_CLONES bool narrow(const std::int16_t* codes, index_t n_codes, CodeLimit<std::int16_t> limit,
                         std::uint8_t* bytes) {
    return narrow_run(codes, n_codes, limit, bytes);
}
NONET_CLONES bool narrow(const std::int32_t* codes, index_t n_codes, CodeLimit<std::int32_t> limit,
                         std::uint8_t* bytes) {
    return narrow_run(codes, n_codes, limit, bytes);
}
NONET_CLONES bool narrow(const std::int64_t* codes, index_t n_codes, CodeLimit<std::int64_t> limit,
                         std::uint8_t* bytes) {
    return narrow_run(codes, n_codes, limit, bytes);
}

// Counts the votes for `n_classes` classes of one vector of rows in registers.
template <int n_classes>
NONET_INLINE void count_classes(const ByteTile& tile, index_t row, index_t first_class,
                                std::uint32_t* totals) {
    Bytes counts[n_classes] = {};
    for (index_t m = 0; m < tile.n_members; ++m) {
        const Bytes codes = *reinterpret_cast<const Bytes*>(tile.member(m) + row);
        for (int c = 0; c < n_classes; ++c)  // a true comparison is -1
            counts[c] -= static_cast<Bytes>(codes == static_cast<std::uint8_t>(first_class + c));
    }
    for (int c = 0; c < n_classes; ++c)
        for (index_t i = 0; i < vector_rows; ++i)
            totals[(first_class + c) * tile_rows + row + i] += counts[c][i];
}

// Five counters of 32 bytes fit the registers of the oldest machines, too.
constexpr int classes_together = 5;

NONET_CLONES void count_tile(const ByteTile& tile, index_t n_classes, std::uint32_t* totals) {
    for (index_t row = 0; row < tile_rows; row += vector_rows) {
        index_t c = 0;
        for (; c + classes_together <= n_classes; c += classes_together)
            count_classes<classes_together>(tile, row, c, totals);
        for (; c < n_classes; ++c) count_classes<1>(tile, row, c, totals);
    }
}

template <typename Code>
class VoteCount {
public:
    VoteCount(const Outputs<Code>& codes, MatrixView<double> support)
        : codes_(codes), support_(support), limit_(support.n_columns) {}

    bool operator()(index_t first_row, index_t last_row) const {
        ByteTile tile;
        const index_t n_totals = support_.n_columns * tile_rows;
        const AlignedBuffer<std::uint32_t> totals(n_totals);
        for (index_t row = first_row; row < last_row; row += tile_rows) {
            const index_t n_rows = std::min(tile_rows, last_row - row);
            std::fill_n(totals.data(), n_totals, 0U);
            for (index_t m = 0; m < codes_.n_members; m += tile_members) {
                tile.n_members = std::min(tile_members, codes_.n_members - m);
                if (!fill(tile, row, n_rows, m)) return false;
                count_tile(tile, support_.n_columns, totals.data());
            }
            write(totals.data(), row, n_rows);
        }
        return true;
    }

private:
    bool fill(const ByteTile& tile, index_t row, index_t n_rows, index_t first_member) const {
        return codes_.layout == Layout::member_major ? fill_runs(tile, row, n_rows, first_member)
                                                     : fill_apart(tile, row, n_rows, first_member);
    }

    bool fill_runs(const ByteTile& tile, index_t row, index_t n_rows, index_t first_member) const {
        bool named = true;
        for (index_t m = 0; m < tile.n_members; ++m) {
            const Code* run = codes_.at(row, first_member + m);
            named &= narrow(run, n_rows, limit_, tile.member(m));
            prefetch_run(run + n_rows, n_rows);
        }
        return named;
    }

    bool fill_apart(const ByteTile& tile, index_t row, index_t n_rows, index_t first_member) const {
        std::array<std::uint8_t, tile_rows * tile_members> bytes;
        bool named = true;
        for (index_t i = 0; i < n_rows; ++i)
            named &= narrow(codes_.at(row + i, first_member), tile.n_members, limit_,
                            bytes.data() + i * tile_members);
        transpose<std::uint8_t>({bytes.data(), tile_members}, {tile.member(0), tile_rows}, n_rows,
                                tile.n_members);
        return named;
    }

    void write(const std::uint32_t* totals, index_t row, index_t n_rows) const noexcept {
        for (index_t i = 0; i < n_rows; ++i) {
            double* support = support_.row(row + i);
            for (index_t c = 0; c < support_.n_columns; ++c) support[c] = totals[c * tile_rows + i];
        }
    }

    Outputs<Code> codes_;
    MatrixView<double> support_;
    CodeLimit<Code> limit_;
};

// Adds one code after another. Rows alternate, so that a sum is never needed in the step after the
// one that wrote it.
template <typename Code>
class WeightedVotes {
public:
    WeightedVotes(const Outputs<Code>& codes, std::span<const double> weights,
                  MatrixView<double> support)
        : codes_(codes), weights_(weights), support_(support), limit_(support.n_columns) {}

    bool operator()(index_t first_row, index_t last_row) const {
        const index_t n_together = rows_together();
        std::vector<double> sums(static_cast<std::size_t>(n_together * n_slots()));
        for (index_t row = first_row; row < last_row; row += n_together) {
            const index_t n_rows = std::min(n_together, last_row - row);
            std::fill(sums.begin(), sums.end(), 0.0);
            if (!add(row, n_rows, sums.data())) return false;
            for (index_t i = 0; i < n_rows; ++i)
                std::copy_n(sums.data() + i * n_slots() + 1, support_.n_columns,
                            support_.row(row + i));
        }
        return true;
    }

private:
    // Slot 0 takes the votes of members that abstain: cheaper than a check for each.
    index_t n_slots() const noexcept { return support_.n_columns + 1; }

    // As many rows as keep their sums in the first-level cache.
    index_t rows_together() const noexcept {
        constexpr index_t cached_sums = 2048;
        const index_t most = codes_.layout == Layout::member_major ? 256 : 16;
        return std::clamp<index_t>(cached_sums / n_slots(), 8, most);
    }

    bool add(index_t row, index_t n_rows, double* sums) const noexcept {
        const index_t stride = codes_.row_stride();
        Code greatest = 0;
        for (index_t m = 0; m < codes_.n_members; ++m) {
            const Code* codes = codes_.at(row, m);
            if (codes_.layout == Layout::member_major) prefetch_run(codes + n_rows, n_rows);
            const double weight = weights_[static_cast<std::size_t>(m)];
            for (index_t i = 0; i < n_rows; ++i) {
                const Code code = codes[i * stride];
                greatest = std::max(greatest, code);
                const index_t slot =
                    limit_.names_no_class(code) ? 0 : static_cast<index_t>(code) + 1;
                sums[i * n_slots() + slot] += weight;
            }
        }
        return greatest <= limit_.maximum;
    }

    Outputs<Code> codes_;
    std::span<const double> weights_;
    MatrixView<double> support_;
    CodeLimit<Code> limit_;
};

template <typename Count, typename Code>
bool count_in_parallel(const Count& count, const Outputs<Code>& codes, int n_threads) {
    std::atomic<bool> named{true};
    for_row_blocks(codes.n_rows, codes.n_members, n_threads, [&](index_t first, index_t last) {
        if (!count(first, last)) named = false;
    });
    return named;
}

}  // namespace

template <typename Code>
bool count_votes(const Outputs<Code>& codes, std::span<const double> weights, int n_threads,
                 MatrixView<double> support) {
    check(support.n_columns >= 1, "Votes need at least one class.");
    if (weights.empty() && support.n_columns <= max_compared_classes)
        return count_in_parallel(VoteCount<Code>(codes, support), codes, n_threads);
    const std::vector<double> ones(weights.empty() ? static_cast<std::size_t>(codes.n_members) : 0,
                                   1.0);
    const std::span<const double> all_weights = weights.empty() ? ones : weights;
    check(std::ssize(all_weights) == codes.n_members, "One weight per member is needed.");
    return count_in_parallel(WeightedVotes<Code>(codes, all_weights, support), codes, n_threads);
}

template bool count_votes(const Outputs<std::int8_t>&, std::span<const double>, int,
                          MatrixView<double>);
template bool count_votes(const Outputs<std::uint8_t>&, std::span<const double>, int,
                          MatrixView<double>);
template bool count_votes(const Outputs<std::int16_t>&, std::span<const double>, int,
                          MatrixView<double>);
template bool count_votes(const Outputs<std::int32_t>&, std::span<const double>, int,
                          MatrixView<double>);
template bool count_votes(const Outputs<std::int64_t>&, std::span<const double>, int,
                          MatrixView<double>);

}  // namespace nonet
