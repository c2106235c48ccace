#include "grow/tree_of_part.hpp"

#include <algorithm>
#include <numeric>

#include "base/check.hpp"
#include "base/parallel.hpp"
#include "grow/criteria/moment_criterion.hpp"
#include "grow/criteria/newton.hpp"
#include "grow/histogram/histogram.hpp"
#include "grow/node/row_partition.hpp"

namespace nonet {
namespace {

std::vector<index_t> columns_of(const BinnedDataset& dataset, const GrowParams& params) {
    if (!params.columns.empty()) return params.columns;
    std::vector<index_t> all(static_cast<std::size_t>(dataset.n_columns()));
    std::iota(all.begin(), all.end(), index_t{0});
    return all;
}

std::vector<std::uint32_t> all_in_bag(const Targets& targets, index_t n_rows, int n_threads) {
    const auto has_weight = [&](double weight) { return weight > 0; };
    if (!targets.weights.empty() && std::ranges::none_of(targets.weights, has_weight)) return {};
    std::vector<std::uint32_t> rows(static_cast<std::size_t>(n_rows));
    rows.resize(
        static_cast<std::size_t>(write_rows_in_bag(targets, n_rows, n_threads, rows.data())));
    return rows;
}

}  // namespace

index_t count_cells(const BinnedDataset& dataset, const GrowParams& params) {
    index_t n = 0;
    for (const index_t column : columns_of(dataset, params)) n += dataset.bins(column).n_bins() + 1;
    return n;
}

struct TreeOfPart::Measured {
    Measured(const BinnedDataset& dataset, const Targets& targets_, int n_threads)
        : targets(targets_),
          rows(all_in_bag(targets, dataset.n_rows(), n_threads)),
          moments(targets, rows, n_threads) {}

    Targets targets;
    std::vector<std::uint32_t> rows;
    Moments<Newton> moments;
};

// The rows of the part, written and partitioned.
class TreeOfPart::Rows {
public:
    virtual ~Rows() = default;
    virtual void count(index_t node, MomentCell* out) = 0;
    virtual void split(const SplitOrder& order) = 0;
    virtual std::span<const std::uint32_t> rows(index_t node) const = 0;
};

namespace {

template <typename RowsOfKind>
class WrittenRows final : public TreeOfPart::Rows {
public:
    using Criterion = MomentCriterion<Newton, RowsOfKind>;

    WrittenRows(BufferPool& pool, const BinnedDataset& dataset, const GrowParams& params,
                const Moments<Newton>& moments, std::span<std::uint32_t> rows, int n_threads)
        : dataset_(dataset),
          n_threads_(n_threads),
          columns_(columns_of(dataset, params)),
          criterion_(params, moments),
          partition_(pool, rows),
          histograms_(pool, dataset, params.columns, criterion_, true),
          nodes_{partition_.all()} {
        criterion_.write_rows(partition_.added(partition_.all()).data(), n_threads);
        histograms_.prepare(n_threads);
        histogram_ = histograms_.take();
    }

    std::span<const std::uint32_t> rows(index_t node) const override {
        return partition_.rows(range(node));
    }

    void split(const SplitOrder& order) override {
        const auto right = static_cast<std::size_t>(order.left + 1);
        if (nodes_.size() <= right) nodes_.resize(right + 1);
        const auto [left_rows, right_rows] = partition_.part(
            range(order.node),
            dataset_.matrix().column<std::uint8_t>(static_cast<index_t>(order.split.column)),
            order.split, n_threads_);
        nodes_[right - 1] = left_rows;
        nodes_[right] = right_rows;
    }

    void count(index_t node, MomentCell* out) override {
        const auto rows = partition_.rows(range(node));
        const auto added = partition_.added(range(node));
        count_all(rows, added);
        const MomentCell* cells = histograms_.cells(histogram_);
        histograms_.add_up(cells, {0, histograms_.n_positions()}, total_);
        for (const index_t column : columns_) out = copy_column(cells, column, out);
    }

private:
    RowRange range(index_t node) const { return nodes_[static_cast<std::size_t>(node)]; }

    void count_all(std::span<const std::uint32_t> rows,
                   std::span<const typename Criterion::Row> added) {
        const ColumnRange all{0, histograms_.n_positions()};
        const auto n_rows = std::ssize(rows);
        if (histograms_.work().is_shared_by_rows(n_rows, n_threads_)) {
            auto parts = histograms_.count_by_rows(histogram_, rows, added.data(), n_threads_);
            histograms_.join(parts, all);
            histograms_.give_back(parts);
            return;
        }
        histograms_.set_total(histogram_, added);
        const index_t n_parts = histograms_.work().n_column_parts(n_rows, 0, n_threads_);
        parallel_for(n_parts, n_threads_, [&](index_t p) {
            histograms_.count(histogram_, histograms_.work().column_part(p, n_parts, n_rows), rows,
                              added.data());
        });
    }

    MomentCell* copy_column(const MomentCell* cells, index_t column, MomentCell* out) {
        const index_t n_bins = dataset_.bins(column).n_bins() + 1;
        const ScatteredColumn* scattered = histograms_.scattered_column(column);
        if (!scattered) return std::copy_n(histograms_.cells_of(cells, column), n_bins, out);
        histograms_.listed().complete(cells, *scattered, total_, others_, complete_);
        return std::copy_n(complete_.data(), n_bins, out);
    }

    const BinnedDataset& dataset_;
    int n_threads_;
    std::vector<index_t> columns_;
    Criterion criterion_;
    RowPartition<typename Criterion::Row> partition_;
    Histograms<Criterion> histograms_;
    std::int32_t histogram_ = 0;
    std::vector<RowRange> nodes_;
    std::vector<MomentCell> total_, others_, complete_;
};

}  // namespace

TreeOfPart::TreeOfPart(BufferPool& pool, const BinnedDataset& dataset, const Targets& targets,
                       const GrowParams& params, int n_threads)
    : pool_(pool), dataset_(dataset), params_(params), n_threads_(n_threads) {
    check(dataset.matrix().bytes_per_bin() == 1 && !dataset.matrix().is_sparse(),
          "Trees on partitions need dense columns of at most 255 bins.");
    check(!targets.values.empty() && targets.n_outputs == 1 && !targets.hessians.empty(),
          "Trees on partitions need a gradient and a hessian for every row.");
    measured_ = std::make_unique<Measured>(dataset, targets, n_threads);
}

TreeOfPart::~TreeOfPart() = default;

const MomentSizes& TreeOfPart::sizes() const noexcept { return measured_->moments.sizes(); }

MomentTotals TreeOfPart::totals(const MomentSizes& all) const {
    return measured_->moments.totals_among(all);
}

LightRows TreeOfPart::count_light(MomentKind kind, const MeasuredMoments& all) const {
    return with_moment_kind(kind, [&]<typename RowsOfKind>(RowsOfKind) {
        return measured_->moments.template count_light_rows<RowsOfKind>(all);
    });
}

void TreeOfPart::start(MomentKind kind, const MeasuredMoments& all) {
    measured_->moments.take_measured(all);
    rows_.reset();
    with_moment_kind(kind, [&]<typename RowsOfKind>(RowsOfKind) {
        rows_ = std::make_unique<WrittenRows<RowsOfKind>>(
            pool_, dataset_, params_, measured_->moments, measured_->rows, n_threads_);
    });
}

void TreeOfPart::count_root(std::span<MomentCell> cells) {
    check(rows_ != nullptr, "A tree is started before it is counted.");
    check(std::ssize(cells) == count_cells(dataset_, params_),
          "A histogram needs a cell for every bin of the tree's columns.");
    rows_->count(0, cells.data());
}

void TreeOfPart::split(std::span<const SplitOrder> orders, std::span<MomentCell> cells) {
    check(rows_ != nullptr, "A tree is started before it is split.");
    const index_t n_cells = count_cells(dataset_, params_);
    MomentCell* out = cells.data();
    for (const SplitOrder& order : orders) {
        rows_->split(order);
        if (order.counted == SplitOrder::Counted::none) continue;
        check(out + n_cells <= cells.data() + cells.size(),
              "Every child that is counted needs room for its histogram.");
        rows_->count(order.counted_node(), out);
        out += n_cells;
    }
}

void TreeOfPart::sum_leaves(std::span<const std::int32_t> leaf_of_node,
                            std::span<double> sums) const {
    const NewtonValues values(measured_->targets, params_, MomentParts(measured_->moments.sizes()));
    constexpr index_t size = NewtonValues::summary_size();
    static_assert(size == leaf_sums);
    for (std::size_t node = 0; node < leaf_of_node.size(); ++node) {
        if (leaf_of_node[node] < 0) continue;
        double summary[size] = {};
        values.sum_rows(rows_->rows(static_cast<index_t>(node)), summary);
        double* whole = sums.data() + leaf_of_node[node] * size;
        NewtonValues::join(whole, summary, whole);
    }
}

void TreeOfPart::find_leaves(std::span<const std::int32_t> leaf_of_node,
                             std::span<std::int32_t> leaves) const {
    std::ranges::fill(leaves, -1);
    for (std::size_t node = 0; node < leaf_of_node.size(); ++node)
        if (leaf_of_node[node] >= 0)
            for (const std::uint32_t row : rows_->rows(static_cast<index_t>(node)))
                leaves[row] = leaf_of_node[node];
}

}  // namespace nonet
