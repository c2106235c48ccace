// Bin edges of rows that come in blocks, the same as those of the whole table in memory.
//
// Kept are the values of the sampled rows (row_sample.hpp), and the distinct values of each column
// as long as there are no more than bins.
#pragma once

#include <span>
#include <unordered_set>
#include <vector>

#include "data/bin_edges.hpp"
#include "data/row_sample.hpp"

namespace nonet {

class EdgeSample {
public:
    // Columns of numbers.
    EdgeSample(index_t n_columns, const BinParams& params);

    // The next rows, and their base weights (none: all equal, in every block).
    template <typename T>
    void add(const StridedMatrix<T>& values, std::span<const double> weights, int n_threads);

    index_t n_rows() const noexcept { return n_rows_; }
    std::vector<ColumnBins> find(int n_threads) const;

private:
    struct Distinct {
        std::unordered_set<double> values;
        bool are_too_many = false;
        bool has_missing = false;
    };

    template <typename T>
    void add_distinct(const StridedMatrix<T>& values, std::span<const double> weights,
                      index_t column);
    void drop_values();

    index_t n_columns_;
    BinParams params_;
    RowSample sample_;
    index_t n_rows_ = 0;
    bool has_weights_ = false;
    std::vector<double> values_;   // of the rows accepted, by slot
    std::vector<double> weights_;  // the same; none: all equal
    std::vector<Distinct> distinct_;
};

}  // namespace nonet
