#include "data/bin_edges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/check.hpp"
#include "base/sorted_values.hpp"
#include "data/row_sample.hpp"

namespace nonet {
namespace {

struct WeightedValue {
    double value;
    double weight;
};

bool has_weight(std::span<const double> weights, index_t row) {
    return weights.empty() || weights[static_cast<std::size_t>(row)] > 0;
}

// Distinct values of the column over all rows, or nothing as soon as they are too many.
template <typename T>
std::optional<std::vector<BitsOf<T>>> few_distinct(const StridedMatrix<T>& values, index_t column,
                                                   std::span<const double> weights,
                                                   index_t max_bins) {
    std::unordered_set<BitsOf<T>> seen;
    for (index_t row = 0; row < values.n_rows; ++row) {
        const T value = values(row, column);
        if (std::isnan(value) || !has_weight(weights, row)) continue;
        if (seen.insert(ordered_bits(value)).second && std::ssize(seen) > max_bins)
            return std::nullopt;
    }
    return std::vector<BitsOf<T>>(seen.begin(), seen.end());
}

template <typename T>
std::vector<BitsOf<T>> sorted_bits(const StridedMatrix<T>& values, index_t column,
                                   std::span<const index_t> rows) {
    std::vector<BitsOf<T>> bits;
    bits.reserve(rows.size());
    for (const index_t row : rows)
        if (const T value = values(row, column); !std::isnan(value))
            bits.push_back(ordered_bits(value));
    radix_sort(bits);
    return bits;
}

template <typename T>
std::vector<WeightedValue> distinct_values(const std::vector<BitsOf<T>>& sorted) {
    std::vector<WeightedValue> distinct;
    for (std::size_t i = 0; i < sorted.size();) {
        std::size_t end = i + 1;
        while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
        distinct.push_back(
            {static_cast<double>(value_of_bits<T>(sorted[i])), static_cast<double>(end - i)});
        i = end;
    }
    return distinct;
}

// The distinct values of a column that has few of them, as indicators do, without sorting.
template <typename T>
class FewValues {
public:
    // The most common value so far is counted in a register.
    void add(const StridedMatrix<T>& values, index_t column,
             std::span<const index_t> rows) noexcept {
        double n_common = 0;
        for (const index_t row : rows) {
            const T value = values(row, column);
            if (value == common_)
                ++n_common;
            else if (!std::isnan(value))
                add(value);
        }
        counts_[position_of_common_] += n_common;
        const auto most = std::ranges::max_element(counts_);
        position_of_common_ = static_cast<std::size_t>(most - counts_.begin());
        if (n_ > 0) common_ = value_of_bits<T>(keys_[position_of_common_]);
    }
    bool are_too_many() const noexcept { return are_too_many_; }
    std::vector<WeightedValue> sorted() const {
        std::vector<std::pair<BitsOf<T>, double>> pairs;
        for (std::size_t k = 0; k < n_; ++k) pairs.emplace_back(keys_[k], counts_[k]);
        std::ranges::sort(pairs);
        std::vector<WeightedValue> distinct;
        for (const auto& [key, count] : pairs)
            distinct.push_back({static_cast<double>(value_of_bits<T>(key)), count});
        return distinct;
    }

private:
    void add(T value) noexcept {
        const BitsOf<T> key = ordered_bits(value);
        std::size_t k = 0;
        while (k < n_ && keys_[k] != key) ++k;
        if (k == max_values) {
            are_too_many_ = true;
            return;
        }
        if (k == n_) keys_[n_++] = key;
        ++counts_[k];
    }

    static constexpr std::size_t max_values = 8;
    std::array<BitsOf<T>, max_values> keys_{};
    std::array<double, max_values> counts_{};
    std::size_t n_ = 0;
    T common_ = std::numeric_limits<T>::quiet_NaN();  // none yet: equal to no value
    std::size_t position_of_common_ = 0;
    bool are_too_many_ = false;
};

// A block of rows at a time: a column of too many values is left at the end of the first.
template <typename T>
std::vector<FewValues<T>> count_few_values(const StridedMatrix<T>& values, index_t first_column,
                                           index_t n_columns, std::span<const index_t> rows) {
    constexpr std::size_t rows_per_block = 64;
    std::vector<FewValues<T>> few(static_cast<std::size_t>(n_columns));
    for (std::size_t begin = 0; begin < rows.size(); begin += rows_per_block) {
        const auto block = rows.subspan(begin, std::min(rows_per_block, rows.size() - begin));
        for (index_t c = 0; c < n_columns; ++c) {
            FewValues<T>& column = few[static_cast<std::size_t>(c)];
            if (!column.are_too_many()) column.add(values, first_column + c, block);
        }
    }
    return few;
}

template <typename T>
std::vector<WeightedValue> distinct_weighted(const StridedMatrix<T>& values, index_t column,
                                             std::span<const double> weights,
                                             std::span<const index_t> rows) {
    // Equal values in the order of the rows, in which their weights are summed.
    std::vector<std::pair<double, std::size_t>> sorted;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (const T value = values(rows[i], column); !std::isnan(value))
            sorted.emplace_back(static_cast<double>(value) + 0.0, i);
    std::ranges::sort(sorted);
    std::vector<WeightedValue> distinct;
    for (const auto& [value, i] : sorted) {
        const double weight = weights[static_cast<std::size_t>(rows[i])];
        if (!distinct.empty() && distinct.back().value == value)
            distinct.back().weight += weight;
        else
            distinct.push_back({value, weight});
    }
    return distinct;
}

ColumnBins bins_between(const std::vector<WeightedValue>& distinct,
                        const std::vector<std::size_t>& firsts) {
    ColumnBins bins;
    for (std::size_t b = 0; b < firsts.size(); ++b) {
        const std::size_t end = b + 1 < firsts.size() ? firsts[b + 1] : distinct.size();
        bins.minimum.push_back(distinct[firsts[b]].value);
        bins.maximum.push_back(distinct[end - 1].value);
        if (b > 0) bins.edges.push_back(midway(bins.maximum[b - 1], bins.minimum[b]));
    }
    return bins;
}

ColumnBins one_bin_per_value(const std::vector<WeightedValue>& distinct) {
    std::vector<std::size_t> firsts(distinct.size());
    for (std::size_t i = 0; i < firsts.size(); ++i) firsts[i] = i;
    return bins_between(distinct, firsts);
}

// Bins are filled from below. A bin aims at an equal fraction of the weight that is left, so that a
// value heavier than this fraction leaves room for the others; it ends before a value that would
// take it further above its share than it is below.
ColumnBins bins_of_equal_weight(const std::vector<WeightedValue>& distinct, index_t max_bins) {
    double rest = 0;
    for (const WeightedValue& value : distinct) rest += value.weight;
    std::vector<std::size_t> firsts = {0};
    double filled = 0;
    for (std::size_t i = 0; i < distinct.size(); ++i) {
        const double fraction =
            (rest + filled) / static_cast<double>(max_bins + 1 - std::ssize(firsts));
        const double with_next = filled + distinct[i].weight;
        if (filled > 0 && with_next - fraction > fraction - filled &&
            std::ssize(firsts) < max_bins) {
            firsts.push_back(i);
            filled = 0;
        }
        filled += distinct[i].weight;
        rest -= distinct[i].weight;
    }
    return bins_between(distinct, firsts);
}

ColumnBins bins_of_values(const std::vector<WeightedValue>& distinct, index_t max_bins) {
    return std::ssize(distinct) <= max_bins ? one_bin_per_value(distinct)
                                            : bins_of_equal_weight(distinct, max_bins);
}

}  // namespace

double midway(double lower, double upper) noexcept {
    const double middle = lower / 2 + upper / 2;
    return middle >= lower && middle < upper ? middle : lower;
}

std::vector<index_t> rows_to_sample(index_t n_rows, std::span<const double> weights,
                                    const BinParams& params) {
    std::vector<index_t> rows;
    if (n_rows <= params.n_sampled_rows) {
        for (index_t row = 0; row < n_rows; ++row)
            if (has_weight(weights, row)) rows.push_back(row);
        return rows;
    }
    RowSample sample(params);
    sample.add(0, n_rows, weights, [](index_t) {});
    for (const RowSample::Drawn& drawn : sample.in_order()) rows.push_back(drawn.row);
    return rows;
}

ColumnBins bins_of_each(std::vector<double> values) {
    std::ranges::sort(values);
    std::vector<WeightedValue> distinct;
    for (const double value : values) distinct.push_back({value, 1});
    return one_bin_per_value(distinct);
}

ColumnBins bins_of_codes(index_t n_codes) {
    ColumnBins bins;
    bins.is_category = true;
    for (index_t code = 0; code < n_codes; ++code)
        bins.minimum.push_back(static_cast<double>(code));
    bins.maximum = bins.minimum;
    return bins;
}

template <typename T>
ColumnBins find_bins(const StridedMatrix<T>& values, index_t column,
                     std::span<const double> weights, std::span<const index_t> sampled_rows,
                     const BinParams& params) {
    const bool is_sample = std::ssize(sampled_rows) == params.n_sampled_rows;
    if (is_sample)  // which may miss rare values
        if (auto few = few_distinct(values, column, weights, params.max_bins)) {
            radix_sort(*few);
            return one_bin_per_value(distinct_values<T>(*few));
        }
    const std::vector<WeightedValue> distinct =
        weights.empty() ? distinct_values<T>(sorted_bits(values, column, sampled_rows))
                        : distinct_weighted(values, column, weights, sampled_rows);
    return bins_of_values(distinct, params.max_bins);
}

template <typename T>
std::vector<ColumnBins> find_bins_side_by_side(const StridedMatrix<T>& values, index_t first_column,
                                               index_t n_columns, std::span<const double> weights,
                                               std::span<const index_t> sampled_rows,
                                               const BinParams& params) {
    const bool counts = weights.empty() && std::ssize(sampled_rows) < params.n_sampled_rows;
    std::vector<FewValues<T>> few;
    if (counts) few = count_few_values(values, first_column, n_columns, sampled_rows);
    std::vector<ColumnBins> bins;
    for (index_t c = 0; c < n_columns; ++c) {
        const auto position = static_cast<std::size_t>(c);
        bins.push_back(counts && !few[position].are_too_many()
                           ? bins_of_values(few[position].sorted(), params.max_bins)
                           : find_bins(values, first_column + c, weights, sampled_rows, params));
    }
    return bins;
}

template <typename T>
ColumnBins find_sparse_bins(std::span<const T> entries, index_t n_zeros, const BinParams& params) {
    std::vector<BitsOf<T>> bits;
    bits.reserve(entries.size());
    for (const T value : entries)
        if (!std::isnan(value)) bits.push_back(ordered_bits(value));
    radix_sort(bits);
    std::vector<WeightedValue> distinct = distinct_values<T>(bits);
    if (n_zeros == 0) return bins_of_values(distinct, params.max_bins);
    const auto zero = std::ranges::lower_bound(distinct, 0.0, {}, &WeightedValue::value);
    if (zero != distinct.end() && zero->value == 0)
        zero->weight += static_cast<double>(n_zeros);
    else
        distinct.insert(zero, {0.0, static_cast<double>(n_zeros)});
    return bins_of_values(distinct, params.max_bins);
}

template <typename T>
ColumnBins category_bins(const StridedMatrix<T>& values, index_t column) {
    double maximum = -1;
    for (index_t row = 0; row < values.n_rows; ++row) {
        const auto code = static_cast<double>(values(row, column));
        if (!(code >= 0)) continue;
        check(code < static_cast<double>(max_n_bins) && code == std::floor(code), [&] {
            return "Codes of category column " + std::to_string(column) +
                   " must be whole numbers below " + std::to_string(max_n_bins) + ", got " +
                   std::to_string(code) + " in row " + std::to_string(row) + ".";
        });
        maximum = std::max(maximum, code);
    }
    return bins_of_codes(static_cast<index_t>(maximum) + 1);
}

template ColumnBins find_bins(const StridedMatrix<float>&, index_t, std::span<const double>,
                              std::span<const index_t>, const BinParams&);
template ColumnBins find_bins(const StridedMatrix<double>&, index_t, std::span<const double>,
                              std::span<const index_t>, const BinParams&);
template std::vector<ColumnBins> find_bins_side_by_side(const StridedMatrix<float>&, index_t,
                                                        index_t, std::span<const double>,
                                                        std::span<const index_t>, const BinParams&);
template std::vector<ColumnBins> find_bins_side_by_side(const StridedMatrix<double>&, index_t,
                                                        index_t, std::span<const double>,
                                                        std::span<const index_t>, const BinParams&);
template ColumnBins find_sparse_bins(std::span<const float>, index_t, const BinParams&);
template ColumnBins find_sparse_bins(std::span<const double>, index_t, const BinParams&);
template ColumnBins category_bins(const StridedMatrix<float>&, index_t);
template ColumnBins category_bins(const StridedMatrix<double>&, index_t);

}  // namespace nonet
