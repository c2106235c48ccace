// The categories of a node in the order in which sets of them are tried.
//
// In the order of their mean targets, the best cut is the best of all sets (Fisher, 1958). Means of
// few rows are mostly noise, and a cut through an order of noise always looks good: categories
// without support stay out of the order. Missing rows are one more category.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/sorted_values.hpp"
#include "grow/criteria/criterion.hpp"
#include "grow/search/present_bins.hpp"
#include "grow/task/grow_params.hpp"

namespace nonet {

template <SplitCriterion Criterion>
class CategoryOrder {
public:
    using Sums = typename Criterion::Sums;

    CategoryOrder(const Criterion& criterion, const GrowParams& params)
        : criterion_(criterion), params_(params), category_(criterion) {}

    // Indices of the present bins that have support. Of equal keys the last category comes first,
    // as it does in scikit-learn where qsort merges.
    void sort(const PresentBins<Criterion>& present, const Sums& all, index_t key_number,
              double min_support, std::vector<index_t>& order) {
        keys_.clear();
        const double rows_per_weight =
            params_.weights_count_rows
                ? 1.0
                : static_cast<double>(criterion_.n_rows(all)) / criterion_.weight(all);
        for (index_t k = 0; k < present.n; ++k) {
            if (!has_support(present.cell(k), rows_per_weight, min_support)) continue;
            const double key = criterion_.category_key(present.cell(k), key_number, all,
                                                       params_.category_smoothing);
            keys_.emplace_back(ordered_bits(key), -k);
        }
        n_left_out_ = present.n - std::ssize(keys_);
        std::ranges::sort(keys_);
        order.resize(keys_.size());
        std::ranges::transform(keys_, order.begin(), [](const auto& key) { return -key.second; });
    }

    // How many categories had no support.
    index_t n_left_out() const noexcept { return n_left_out_; }

private:
    // Rows of equal weight must count as what they are, however their sum is rounded.
    static constexpr double rounding = 1e-9;

    bool has_support(const typename Criterion::Cell* cell, double rows_per_weight,
                     double min_support) {
        if (min_support <= 0) return true;
        category_.clear();
        category_.add(cell);
        return criterion_.weight(category_) * rows_per_weight >= min_support * (1 - rounding);
    }

    const Criterion& criterion_;
    const GrowParams& params_;
    Sums category_;
    index_t n_left_out_ = 0;
    std::vector<std::pair<std::uint64_t, index_t>> keys_;  // as bits, and minus who has them
};

}  // namespace nonet
