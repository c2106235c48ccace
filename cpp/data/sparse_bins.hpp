// The bins of a column of mostly zeros: those of the rows that have an entry.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/types.hpp"

namespace nonet {

template <typename Bin>
struct SparseBins {
    std::span<const std::int32_t> rows;  // that have an entry, in order
    const Bin* bins;                     // theirs
    Bin of_zero;                         // that of all others

    Bin operator[](std::uint32_t row) const noexcept {
        const auto found = std::ranges::lower_bound(rows, static_cast<std::int32_t>(row));
        const bool has_entry = found != rows.end() && *found == static_cast<std::int32_t>(row);
        return has_entry ? bins[found - rows.begin()] : of_zero;
    }

    // Those of all rows.
    void copy(index_t n_rows, Bin* out) const noexcept {
        std::fill_n(out, n_rows, of_zero);
        for (std::size_t i = 0; i < rows.size(); ++i) out[rows[i]] = bins[i];
    }

    // Those of some rows, which come in order; returns how many are not in the bin of zero.
    index_t gather(std::span<const std::uint32_t> some, Bin* out) const noexcept {
        std::fill_n(out, some.size(), of_zero);
        return entries_per_search * some.size() < rows.size() ? gather_few(some, out)
                                                              : gather_many(some, out);
    }

private:
    static constexpr std::size_t entries_per_search = 8;

    index_t gather_few(std::span<const std::uint32_t> some, Bin* out) const noexcept {
        index_t n_others = 0;
        auto first = rows.begin();
        for (std::size_t i = 0; i < some.size(); ++i) {
            const auto row = static_cast<std::int32_t>(some[i]);
            first = std::lower_bound(first, rows.end(), row);
            if (first == rows.end()) break;
            if (*first == row) out[i] = bins[first - rows.begin()];
            n_others += out[i] != of_zero;
        }
        return n_others;
    }

    // Where entries are fewer than rows, it is them that are looked up.
    index_t gather_many(std::span<const std::uint32_t> some, Bin* out) const noexcept {
        index_t n_others = 0;
        auto first = some.begin();
        const bool is_long = some.size() > entries_per_search * rows.size();
        for (std::size_t i = 0; i < rows.size() && first != some.end(); ++i) {
            const auto row = static_cast<std::uint32_t>(rows[i]);
            if (is_long)
                first = std::lower_bound(first, some.end(), row);
            else
                while (first != some.end() && *first < row) ++first;
            if (first == some.end() || *first != row) continue;
            out[first - some.begin()] = bins[i];
            n_others += bins[i] != of_zero;
        }
        return n_others;
    }
};

}  // namespace nonet
