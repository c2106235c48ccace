// Weights and weighted targets of a set of rows, by the ranks of their targets.
//
// A row comes or goes, and the middle of the weight is found, in log(ranks) steps: entry i of a
// Fenwick tree (1994) sums up as many ranks below it as the lowest set bit of i.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/types.hpp"

namespace nonet {

// Weights that differ by a factor of 10^12 keep all of their bits in sums of so many.
__extension__ using WideInteger = __int128;

// Numbers as whole multiples of a power of two: their sums are exact and do not depend on order.
class WideFixedPoint {
public:
    // Of terms whose absolute values add up to `total`.
    explicit WideFixedPoint(double total) noexcept {
        int exponent = 0;
        if (total > 0) std::frexp(total, &exponent);  // total < 2**exponent
        // Sums are doubled and subtracted, which takes two bits, and rounding takes one. Tiny
        // totals stop short of an infinite scale.
        constexpr int bits = 124;
        scale_ = std::ldexp(1.0, std::min(bits - exponent, 1000));
    }

    WideInteger operator()(double value) const noexcept {
        return static_cast<WideInteger>(std::nearbyint(value * scale_));
    }
    // What is above 0 stays there.
    WideInteger positive(double value) const noexcept {
        return std::max((*this)(value), WideInteger{1});
    }
    double unit() const noexcept { return 1 / scale_; }

private:
    double scale_;
};

struct RankSum {
    WideInteger weight = 0;
    WideInteger moment = 0;  // sum of weight * target

    void add(const RankSum& other, std::int64_t times) noexcept {
        weight += times * other.weight;
        moment += times * other.moment;
    }
};

class RankSums {
public:
    void reset(std::size_t n_ranks) {
        tree_.assign(n_ranks + 1, {});
        total_ = {};
    }
    void clear() noexcept {
        tree_.clear();
        total_ = {};
    }
    bool has_ranks() const noexcept { return !tree_.empty(); }

    void add(std::uint32_t rank, const RankSum& row) noexcept {
        total_.add(row, 1);
        for (std::size_t i = rank + std::size_t{1}; i < tree_.size(); i += i & (~i + 1))
            tree_[i].add(row, 1);
    }

    const RankSum& total() const noexcept { return total_; }
    const RankSum& entry(std::size_t i) const noexcept { return tree_[i]; }

private:
    std::vector<RankSum> tree_;  // entry 0 is not used
    RankSum total_;
};

// The sum or difference of up to three sets, which is never stored: it is computed entry by entry.
class RankSumsMix {
public:
    void add(const RankSums& sums, std::int64_t times) noexcept {
        if (sums.has_ranks()) terms_[n_terms_++] = {&sums, times};
    }

    RankSum total() const noexcept {
        return sum_of([](const RankSums& sums) { return sums.total(); });
    }

    // The first rank at which at least half of the weight (`beyond`: more than half) is reached,
    // and the sums of the ranks below it; the first rank of all where there is no weight.
    struct Middle {
        std::uint32_t rank;
        RankSum below;
    };
    Middle middle(std::size_t n_ranks, bool beyond) const noexcept {
        const WideInteger all = total().weight;
        if (all <= 0) return {0, {}};
        const WideInteger half = all + (beyond ? 1 : 0);  // twice, to stay whole
        std::size_t position = 0;
        RankSum below;
        for (std::size_t step = std::bit_floor(n_ranks); step > 0; step /= 2) {
            if (position + step > n_ranks) continue;
            RankSum next =
                sum_of([&](const RankSums& sums) { return sums.entry(position + step); });
            next.add(below, 1);
            if (2 * next.weight >= half) continue;
            position += step;
            below = next;
        }
        return {static_cast<std::uint32_t>(position), below};
    }

private:
    struct Term {
        const RankSums* sums;
        std::int64_t times;
    };

    template <typename Part>
    RankSum sum_of(const Part& part) const noexcept {
        RankSum sum;
        for (std::size_t i = 0; i < n_terms_; ++i) sum.add(part(*terms_[i].sums), terms_[i].times);
        return sum;
    }

    std::array<Term, 3> terms_{};
    std::size_t n_terms_ = 0;
};

}  // namespace nonet
