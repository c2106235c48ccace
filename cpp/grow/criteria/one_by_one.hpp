// Candidate splits that are scored one by one: for criteria without a kernel that scores many at
// once (score_batch.hpp).
#pragma once

#include <array>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/types.hpp"
#include "grow/criteria/score_batch.hpp"

namespace nonet {

template <typename Criterion>
class OneByOne {
public:
    using Sums = typename Criterion::Sums;
    static constexpr index_t capacity = 256;

    OneByOne(const Criterion& criterion, const ChildLimits& limits)
        : criterion_(criterion), limits_(limits), right_(criterion) {
        if constexpr (waits) lefts_.resize(capacity, right_);
    }

    void add(index_t position, Sums& left, const Sums& all) {
        const auto i = static_cast<std::size_t>(position);
        if constexpr (waits)
            lefts_[i] = left;
        else
            scores_[i] = score(left, all);
    }
    const double* scores(index_t n, const Sums& all) {
        if constexpr (waits)
            for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
                scores_[i] = score(lefts_[i], all);
        return scores_.data();
    }

private:
    // A candidate may be replaced before its score is needed: where sums are small, they wait.
    static constexpr bool waits = std::is_trivially_copyable_v<Sums>;
    struct Nothing {};

    double score(Sums& left, const Sums& all) {
        right_.set_difference(all, left);
        return is_allowed(left) && is_allowed(right_) ? score_children(left)
                                                      : -std::numeric_limits<double>::infinity();
    }
    // A criterion may forbid children for a reason of its own, and may score two of them better
    // than one after the other.
    bool is_allowed(const Sums& child) const noexcept {
        if (static_cast<double>(criterion_.n_rows(child)) < limits_.min_rows) return false;
        if (!(criterion_.weight(child) >= limits_.min_weight)) return false;
        if constexpr (requires { criterion_.allows(child); }) return criterion_.allows(child);
        return true;
    }
    double score_children(Sums& left) {
        if constexpr (requires { criterion_.score_children(left, right_, limits_.extra_l2); })
            return criterion_.score_children(left, right_, limits_.extra_l2);
        else
            return criterion_.score(left) + criterion_.score(right_);
    }

    const Criterion& criterion_;
    ChildLimits limits_;
    Sums right_;
    std::conditional_t<waits, std::vector<Sums>, Nothing> lefts_;
    std::array<double, capacity> scores_;
};

}  // namespace nonet
