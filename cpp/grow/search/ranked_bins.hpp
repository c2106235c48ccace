// How the absolute error counts: a bin holds its rows, not their sum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "grow/criteria/absolute_errors.hpp"
#include "grow/histogram/histogram.hpp"
#include "grow/search/present_bins.hpp"

namespace nonet {

template <>
class BinCounter<AbsoluteErrors> {
public:
    using Cell = AbsoluteErrors::Cell;
    struct Part {};
    using Row = AbsoluteErrors::Row;

    BinCounter(const AbsoluteErrors& criterion, index_t n_bins)
        : ranking_(criterion), starts_(static_cast<std::size_t>(n_bins)) {}

    // The result is valid until the next call.
    template <typename Bin>
    PresentBins<AbsoluteErrors> count(const Bin* bins, index_t n_bins,
                                      std::span<const std::uint32_t> rows, const Row* added) {
        ranking_.rank({added, rows.size()});
        ranked_.resize(rows.size());
        bins_.clear();
        cells_.clear();
        if (n_bins <= max_bins_per_row * std::ssize(rows))
            count_by_bin(bins, n_bins, rows, added);
        else
            sort_by_bin(bins, rows, added);
        return {bins_.data(), std::ssize(bins_), cells_.data(), 1, true};
    }

    // No node has a histogram to look through.
    PresentBins<AbsoluteErrors> look_through(const Cell*, index_t) {
        return {nullptr, 0, nullptr, 1, true};
    }

private:
    static constexpr index_t max_bins_per_row = 4;

    template <typename Bin>
    void count_by_bin(const Bin* bins, index_t n_bins, std::span<const std::uint32_t> rows,
                      const Row* added) {
        std::fill_n(starts_.begin(), n_bins, 0U);
        for (const std::uint32_t row : rows) ++starts_[bins[row]];
        std::uint32_t start = 0;
        for (std::uint32_t bin = 0; bin < n_bins; ++bin) {
            const std::uint32_t n = std::exchange(starts_[bin], start);
            if (n > 0) add_bin(bin, start, n);
            start += n;
        }
        for (std::size_t i = 0; i < rows.size(); ++i)
            ranked_[starts_[bins[rows[i]]]++] = {added[i], ranking_.positions(i)};
    }

    template <typename Bin>
    void sort_by_bin(const Bin* bins, std::span<const std::uint32_t> rows, const Row* added) {
        order_.resize(rows.size());  // bin above the position among the rows
        for (std::size_t i = 0; i < rows.size(); ++i)
            order_[i] = static_cast<std::uint64_t>(bins[rows[i]]) << 32 | i;
        std::ranges::sort(order_);
        for (std::uint32_t i = 0; i < order_.size(); ++i) {
            const auto position = static_cast<std::size_t>(order_[i] & 0xffff'ffff);
            const auto bin = static_cast<std::uint32_t>(order_[i] >> 32);
            ranked_[i] = {added[position], ranking_.positions(position)};
            if (bins_.empty() || bins_.back() != bin)
                add_bin(bin, i, 1);
            else
                ++cells_.back().end;
        }
    }

    void add_bin(std::uint32_t bin, std::uint32_t start, std::uint32_t n) {
        bins_.push_back(bin);
        cells_.push_back({ranked_.data() + start, ranked_.data() + start + n, &ranking_.ranks()});
    }

    AbsoluteErrors::Ranking ranking_;
    std::vector<std::uint32_t> starts_;  // of all bins of the column among the rows
    std::vector<std::uint64_t> order_;
    std::vector<AbsoluteErrors::RankedRow> ranked_;  // bin after bin
    std::vector<std::uint32_t> bins_;
    std::vector<Cell> cells_;
};

// Rows in bins have no difference that is cheaper than counting: there are none.
template <>
class Histograms<AbsoluteErrors> {
public:
    using Cell = AbsoluteErrors::Cell;
    struct Part {};
    static constexpr bool exist = false;
    static constexpr std::int32_t none = -1;

    Histograms(BufferPool&, const BinnedDataset&, std::span<const index_t>, const AbsoluteErrors&,
               bool) {}
    static bool is_worth(index_t) noexcept { return false; }
    static Cell* cells(std::int32_t) noexcept { return nullptr; }
    static void give_back(std::int32_t&) noexcept {}
};

}  // namespace nonet
