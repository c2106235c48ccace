// Columns in which most rows share a bin: histograms of lists against naive sums, trees of sparse
// matrices against those of dense ones.
#include <span>
#include <vector>

#include "base/random.hpp"
#include "data/binned_dataset.hpp"
#include "grow/grow_tree.hpp"
#include "testing.hpp"
#include "tree/bytes/bytes.hpp"

namespace nonet {
namespace {

// Two columns of many values, then indicators of a category with 20 levels, then columns of a few
// numbers among zeros.
struct RareValues {
    static constexpr index_t n_rows = 3000;
    static constexpr index_t n_columns = 32;
    std::vector<double> values = std::vector<double>(n_rows * n_columns);
    std::vector<double> gradients = std::vector<double>(n_rows);
    std::vector<double> hessians = std::vector<double>(n_rows, 0.25);

    RareValues() {
        RandomStream random(7, StreamUse::binned_rows, {});
        for (index_t i = 0; i < n_rows; ++i) {
            double* row = values.data() + i * n_columns;
            row[0] = random.uniform();
            row[1] = random.uniform();
            row[2 + random.below(20)] = 1;
            for (index_t j = 22; j < n_columns; ++j)
                if (random.below(12) == 0) row[j] = static_cast<double>(random.below(5)) - 2;
            gradients[static_cast<std::size_t>(i)] =
                row[3] + row[25] - row[0] + random.uniform() - 0.5;
        }
    }
    StridedMatrix<double> table() const { return {values.data(), n_rows, n_columns, n_columns, 1}; }
    Targets targets() const {
        Targets all;
        all.values = gradients;
        all.hessians = hessians;
        return all;
    }
};

struct Compressed {
    std::vector<std::int64_t> starts = {0};
    std::vector<std::int32_t> rows;
    std::vector<double> values;

    explicit Compressed(const RareValues& example) {
        for (index_t j = 0; j < RareValues::n_columns; ++j) {
            for (index_t i = 0; i < RareValues::n_rows; ++i)
                if (const double value = example.table()(i, j); value != 0) {
                    rows.push_back(static_cast<std::int32_t>(i));
                    values.push_back(value);
                }
            starts.push_back(std::ssize(rows));
        }
    }
    SparseColumns<double> columns() const { return {starts, rows, values, RareValues::n_rows}; }
};

// What rows list, counted cell by cell, against the bins of the columns.
void check_lists(const BinnedDataset& dataset, const ScatteredColumns& scattered) {
    std::vector<index_t> counted(static_cast<std::size_t>(scattered.n_cells()));
    for (index_t b = 0; b < std::ssize(scattered.blocks()); ++b)
        for (index_t row = 0; row < dataset.n_rows(); ++row)
            for (const std::uint32_t cell : scattered.cells_of(b, row)) ++counted[cell];
    for (const ScatteredColumn& column : scattered.columns()) {
        std::vector<std::uint8_t> bins(static_cast<std::size_t>(dataset.n_rows()));
        dataset.matrix().copy_column(column.column, bins.data());
        for (std::uint32_t bin = 0; bin < column.n_bins; ++bin) {
            if (bin == column.common) continue;
            EXPECT(counted[column.cell(bin)] == std::ranges::count(bins, bin));
            EXPECT(scattered.columns_of_cells()[column.cell(bin)] == column.column);
        }
    }
}

}  // namespace

NONET_TEST(rows_list_all_bins_but_the_common_one) {
    const RareValues example;
    const Compressed compressed(example);
    const BinnedDataset dense(example.table(), {}, {}, {}, 2);
    const BinnedDataset sparse(compressed.columns(), {}, {}, {}, 2);
    EXPECT(std::ssize(dense.scattered().columns()) == RareValues::n_columns - 2);
    EXPECT(std::ssize(sparse.scattered().columns()) == RareValues::n_columns);
    check_lists(dense, dense.scattered());
    check_lists(sparse, sparse.scattered());
    const std::vector<index_t> some = {1, 4, 5, 23, 31};
    const ScatteredColumns own(sparse.scattered(), some);
    EXPECT(std::ssize(own.columns()) == std::ssize(some));
    check_lists(sparse, own);
}

NONET_TEST(sparse_columns_give_the_trees_of_dense_ones) {
    const RareValues example;
    const Compressed compressed(example);
    const BinnedDataset dense(example.table(), {}, {}, {}, 2);
    const BinnedDataset sparse(compressed.columns(), {}, {}, {}, 2);
    GrowParams params;
    for (const index_t max_leaves : {index_t{15}, GrowParams::unlimited})
        for (const index_t min_rows : {1, 20}) {
            params.max_leaf_nodes = max_leaves;
            params.min_rows_leaf = min_rows;
            for (const CriterionName criterion : {"newton", "squared_error", "absolute_error"}) {
                const auto expected =
                    to_bytes(grow_tree(dense, criterion, example.targets(), params, 1));
                for (const int n_threads : {1, 2, 3})
                    EXPECT(to_bytes(grow_tree(sparse, criterion, example.targets(), params,
                                              n_threads)) == expected);
            }
        }
}

NONET_TEST(columns_of_few_values_have_the_bins_of_sorted_ones) {
    const RareValues example;
    const Compressed compressed(example);
    const BinnedDataset dense(example.table(), {}, {}, {}, 2);
    const BinnedDataset sparse(compressed.columns(), {}, {}, {}, 2);
    for (index_t j = 0; j < RareValues::n_columns; ++j) {
        EXPECT(dense.bins(j).edges == sparse.bins(j).edges);
        EXPECT(dense.bins(j).minimum == sparse.bins(j).minimum);
        EXPECT(dense.bins(j).maximum == sparse.bins(j).maximum);
    }
}

// Nodes look at few of the columns: their entries are gathered by rows or by columns.
NONET_TEST(trees_on_some_columns_of_a_split_are_the_same_on_sparse_columns) {
    const RareValues example;
    const Compressed compressed(example);
    const BinnedDataset dense(example.table(), {}, {}, {}, 2);
    const BinnedDataset sparse(compressed.columns(), {}, {}, {}, 2);
    Targets targets = example.targets();
    std::vector<std::int32_t> classes;
    for (const double gradient : example.gradients)
        classes.push_back(gradient < -0.5 ? 0 : gradient < 0 ? 1 : 2);
    targets.classes = classes;
    targets.n_classes = 3;
    GrowParams params;
    for (const index_t n_columns : {1, 4, 20})
        for (const ThresholdDraw draw : {ThresholdDraw::all, ThresholdDraw::uniform}) {
            params.columns_per_split = n_columns;
            params.threshold_draw = draw;
            params.threshold_policy = ThresholdPolicy::midway;
            for (const CriterionName criterion : {"gini", "entropy", "squared_error"}) {
                const auto expected = to_bytes(grow_tree(dense, criterion, targets, params, 1));
                for (const int n_threads : {1, 3})
                    EXPECT(to_bytes(grow_tree(sparse, criterion, targets, params, n_threads)) ==
                           expected);
            }
        }
}

NONET_TEST(sparse_columns_whose_rows_are_not_in_order_are_refused) {
    const RareValues example;
    Compressed compressed(example);
    std::swap(compressed.rows[0], compressed.rows[1]);
    EXPECT_THROWS(std::invalid_argument, BinnedDataset(compressed.columns(), {}, {}, {}, 1));
}

}  // namespace nonet
