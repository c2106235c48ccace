// Candidate splits that are scored one by one, as they come: for criteria without a kernel that
// scores many at once (score_batch.hpp).
#pragma once

#include <array>
#include <limits>

#include "base/types.hpp"
#include "grow/criteria/score_batch.hpp"

namespace nonet {

template <typename Criterion>
class OneByOne {
public:
    static constexpr index_t capacity = 256;

    OneByOne(const Criterion& criterion, const ChildLimits& limits)
        : criterion_(criterion), limits_(limits), right_(criterion) {}

    template <typename Sums>
    void add(index_t position, Sums& left, const Sums& all) {
        right_.set_difference(all, left);
        scores_[static_cast<std::size_t>(position)] =
            is_allowed(left) && is_allowed(right_) ? score_children(left)
                                                   : -std::numeric_limits<double>::infinity();
    }
    template <typename Sums>
    const double* scores(index_t, const Sums&) const noexcept {
        return scores_.data();
    }

private:
    // A criterion may forbid children for a reason of its own, and may score two of them better
    // than one after the other.
    template <typename Sums>
    bool is_allowed(const Sums& child) const noexcept {
        if (static_cast<double>(criterion_.n_rows(child)) < limits_.min_rows) return false;
        if (!(criterion_.weight(child) >= limits_.min_weight)) return false;
        if constexpr (requires { criterion_.allows(child); }) return criterion_.allows(child);
        return true;
    }
    template <typename Sums>
    double score_children(Sums& left) {
        if constexpr (requires { criterion_.score_children(left, right_, limits_.extra_l2); })
            return criterion_.score_children(left, right_, limits_.extra_l2);
        else
            return criterion_.score(left) + criterion_.score(right_);
    }

    const Criterion& criterion_;
    ChildLimits limits_;
    typename Criterion::Sums right_;
    std::array<double, capacity> scores_;
};

}  // namespace nonet
