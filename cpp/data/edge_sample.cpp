#include "data/edge_sample.hpp"

#include <cmath>
#include <numeric>

#include "base/check.hpp"
#include "base/parallel.hpp"

namespace nonet {

EdgeSample::EdgeSample(index_t n_columns, const BinParams& params)
    : n_columns_(n_columns),
      params_(params),
      sample_(params),
      distinct_(static_cast<std::size_t>(n_columns)) {
    check(params.max_bins >= 2 && params.max_bins <= max_n_bins,
          "max_bins must lie between 2 and 65535.");
    check(params.n_sampled_rows >= params.max_bins,
          "Bins need a sample of at least max_bins rows.");
}

template <typename T>
void EdgeSample::add(const StridedMatrix<T>& values, std::span<const double> weights,
                     int n_threads) {
    check(values.n_columns == n_columns_, "Every block needs the same columns.");
    check(weights.empty() || std::ssize(weights) == values.n_rows,
          "Base weights must hold one number per row.");
    check(n_rows_ == 0 || has_weights_ == !weights.empty(),
          "Either all blocks have base weights or none.");
    has_weights_ = !weights.empty();
    constexpr index_t rows_at_once = 1 << 14;
    for (index_t begin = 0; begin < values.n_rows; begin += rows_at_once) {
        const index_t n = std::min(rows_at_once, values.n_rows - begin);
        const auto of_part = weights.empty() ? weights
                                             : weights.subspan(static_cast<std::size_t>(begin),
                                                               static_cast<std::size_t>(n));
        sample_.add(n_rows_ + begin, n, of_part, [&](index_t i) {
            for (index_t j = 0; j < n_columns_; ++j)
                values_.push_back(static_cast<double>(values(begin + i, j)));
            if (has_weights_) weights_.push_back(of_part[static_cast<std::size_t>(i)]);
        });
        drop_values();
    }
    parallel_for(n_columns_, n_threads, [&](index_t j) { add_distinct(values, weights, j); });
    n_rows_ += values.n_rows;
}

template <typename T>
void EdgeSample::add_distinct(const StridedMatrix<T>& values, std::span<const double> weights,
                              index_t column) {
    Distinct& seen = distinct_[static_cast<std::size_t>(column)];
    for (index_t row = 0; row < values.n_rows; ++row) {
        if (seen.are_too_many && seen.has_missing) return;
        const auto value = static_cast<double>(values(row, column));
        if (std::isnan(value))
            seen.has_missing = true;
        else if (!seen.are_too_many &&
                 (weights.empty() || weights[static_cast<std::size_t>(row)] > 0) &&
                 seen.values.insert(value + 0.0).second &&  // -0 becomes 0
                 std::ssize(seen.values) > params_.max_bins) {
            seen.are_too_many = true;
            seen.values.clear();
        }
    }
}

// Values of rows that have left the sample make room once they are as many as those in it.
void EdgeSample::drop_values() {
    const auto width = static_cast<std::size_t>(n_columns_);
    const auto drawn = sample_.drawn();
    if (values_.size() <= 2 * width * drawn.size()) return;
    std::vector<double> kept;
    std::vector<double> kept_weights;
    kept.reserve(drawn.size() * width);
    for (const RowSample::Drawn& one : drawn) {
        const auto slot = static_cast<std::size_t>(one.slot);
        const auto first = values_.begin() + static_cast<std::ptrdiff_t>(slot * width);
        kept.insert(kept.end(), first, first + n_columns_);
        if (has_weights_) kept_weights.push_back(weights_[slot]);
    }
    values_ = std::move(kept);
    weights_ = std::move(kept_weights);
    sample_.renumber_slots();
}

std::vector<ColumnBins> EdgeSample::find(int n_threads) const {
    check(sample_.n_seen() > 0, "A binned dataset needs at least one row of positive weight.");
    const std::vector<RowSample::Drawn> sample = sample_.in_order();
    std::vector<double> values;
    std::vector<double> weights;
    for (const RowSample::Drawn& one : sample) {
        const auto first = values_.begin() + one.slot * n_columns_;
        values.insert(values.end(), first, first + n_columns_);
        if (has_weights_) weights.push_back(weights_[static_cast<std::size_t>(one.slot)]);
    }
    const StridedMatrix<double> matrix{values.data(), std::ssize(sample), n_columns_, n_columns_,
                                       1};
    std::vector<index_t> rows(sample.size());
    std::iota(rows.begin(), rows.end(), index_t{0});
    std::vector<ColumnBins> bins(distinct_.size());
    parallel_for(n_columns_, n_threads, [&](index_t j) {
        const Distinct& seen = distinct_[static_cast<std::size_t>(j)];
        ColumnBins& column = bins[static_cast<std::size_t>(j)];
        column = seen.are_too_many || sample_.is_complete()
                     ? find_bins(matrix, j, weights, rows, params_)
                     : bins_of_each({seen.values.begin(), seen.values.end()});
        column.has_missing = seen.has_missing;
    });
    return bins;
}

template void EdgeSample::add(const StridedMatrix<float>&, std::span<const double>, int);
template void EdgeSample::add(const StridedMatrix<double>&, std::span<const double>, int);

}  // namespace nonet
