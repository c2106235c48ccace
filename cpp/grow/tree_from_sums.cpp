#include "grow/tree_from_sums.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/parallel.hpp"
#include "grow/children.hpp"
#include "grow/criteria/moment_criterion.hpp"
#include "grow/criteria/newton.hpp"
#include "grow/finish_tree.hpp"
#include "grow/frontier.hpp"
#include "grow/search/node_search.hpp"

namespace nonet {

std::vector<MomentKind> moment_kinds(const MomentSizes& all, const BinnedDataset& dataset,
                                     const GrowParams& params) {
    std::vector<MomentKind> kinds;
    const MeasuredMoments measured{all, {}};  // packed rows fit by their sizes alone
    if (may_pack(all.n_rows, dataset, params)) {
        if (PackedRows<0>::fit(measured)) kinds.push_back(MomentKind::counted);
        if (PackedRows<13>::fit(measured)) kinds.push_back(MomentKind::packed);
    }
    kinds.push_back(MomentKind::wide);
    return kinds;
}

bool needs_totals(MomentKind kind) {
    return with_moment_kind(kind, []<typename Rows>(Rows) { return Rows::needs_totals; });
}

bool fits(MomentKind kind, const MeasuredMoments& all, const LightRows& light) {
    return with_moment_kind(kind, [&]<typename Rows>(Rows) {
        return Rows::fit(all) && Moments<Newton>::keep_units<Rows>(all.sizes, light);
    });
}

// Nodes have the numbers by which partitions know them.
class TreeFromSums::Growth {
public:
    virtual ~Growth() = default;
    virtual void take_root(std::span<const MomentCell> cells) = 0;
    virtual std::vector<SplitOrder> next(index_t max_rows) = 0;
    virtual void take(std::span<const MomentCell> cells) = 0;
    virtual std::vector<SplitOrder> last() const = 0;
    virtual std::vector<std::int32_t> leaf_of_node() const = 0;
    virtual index_t n_leaves() const = 0;
    virtual Tree finish(std::span<const double> sums, std::span<std::int32_t> preorder) const = 0;
};

namespace {

template <typename Rows>
class GrowthOf final : public TreeFromSums::Growth {
public:
    using Criterion = MomentCriterion<Newton, Rows>;
    using Sums = typename Criterion::Sums;
    using Counted = SplitOrder::Counted;

    GrowthOf(const BinnedDataset& dataset, const GrowParams& params, const MeasuredMoments& all,
             int n_threads)
        : dataset_(dataset),
          params_(params),
          n_threads_(n_threads),
          moments_({}, {}, 1),
          criterion_(params_, with_measured(all)),
          columns_(dataset),
          sampler_(params_, dataset.n_columns()),
          histograms_(pool_, dataset, params_.columns, criterion_, true),
          search_(columns_, criterion_, params_, sampler_, histograms_),
          frontier_(is_best_first()),
          grown_(PoolAllocator<GrownNode>(pool_)) {
        tree_columns_ = params_.columns;
        for (index_t j = 0; j < dataset.n_columns() && params_.columns.empty(); ++j)
            tree_columns_.push_back(j);
        n_cells_ = count_cells(dataset, params_);
    }

    void take_root(std::span<const MomentCell> cells) override {
        check(std::ssize(cells) == n_cells_, "The histogram of the root has other bins.");
        Node root;
        root.open.groups = sampler_.interactions().at_root();
        read(root.open, cells.data());
        root.open.rows = {0, criterion_.n_rows(sums_of(root.open)), 0};
        search(root.open);
        nodes_.push_back(std::move(root));
        grown_.push_back({nodes_[0].open.rows, nodes_[0].open.bounds});
        numbers_ = {0};
        note(nodes_[0]);
        open(nodes_[0]);
    }

    std::vector<SplitOrder> next(index_t max_rows) override {
        advance();
        orders_.clear();
        Frontier likely = frontier_;
        std::vector<index_t> numbers = numbers_;
        index_t n_leaves = n_leaves_;
        index_t n_rows = 0;
        while (!likely.empty() && ++n_leaves < params_.max_leaf_nodes) {
            const OpenNode node = likely.take();
            const index_t number = numbers[static_cast<std::size_t>(node.position)];
            if (at(number).is_split()) {
                for (const index_t child : {at(number).left + 1, at(number).left})
                    if (at(child).is_open) add_to(likely, numbers, child);
                continue;
            }
            const auto [left, right] = children_rows(at(number).open);
            n_rows += std::min(left, right);
            if (!orders_.empty() && (n_rows > max_rows || std::ssize(orders_) >= max_orders)) break;
            orders_.push_back(split(number, left, right));
        }
        return orders_;
    }

    void take(std::span<const MomentCell> cells) override {
        const MomentCell* from = cells.data();
        std::vector<index_t> searched;
        for (const SplitOrder& order : orders_) {
            if (order.counted == Counted::none) {
                histograms_.give_back(at(order.node).open.histogram);
                continue;
            }
            check(from + n_cells_ <= cells.data() + cells.size(),
                  "Every child that is counted has a histogram.");
            take_children(order, from);
            from += n_cells_;
            for (const index_t child : {order.left, order.left + 1})
                if (can_split(at(child).open)) searched.push_back(child);
        }
        parallel_for(std::ssize(searched), n_threads_,
                     [&](index_t i) { search(at(searched[static_cast<std::size_t>(i)]).open); });
        for (const SplitOrder& order : orders_)
            for (const index_t child : {order.left, order.left + 1}) note(at(child));
        orders_.clear();
    }

    std::vector<SplitOrder> last() const override { return last_; }

    std::vector<std::int32_t> leaf_of_node() const override {
        std::vector<std::int32_t> leaf_of_node(nodes_.size(), -1);
        std::int32_t leaf = 0;
        for (std::size_t position = 0; position < grown_.size(); ++position)
            if (grown_[position].is_leaf()) name_leaf(numbers_[position], leaf++, leaf_of_node);
        return leaf_of_node;
    }

    index_t n_leaves() const override { return n_leaves_; }

    Tree finish(std::span<const double> sums, std::span<std::int32_t> preorder) const override {
        const Targets none;
        const NewtonValues values(none, params_, {});
        constexpr index_t size = NewtonValues::summary_size();
        check(std::ssize(sums) == size * n_leaves_ && std::ssize(preorder) == n_leaves_,
              "A tree needs the sums of all leaves.");
        std::vector<double> summaries(grown_.size() * size);
        std::vector<index_t> leaves;
        for (index_t i = 0; i < std::ssize(grown_); ++i)
            if (grown_[static_cast<std::size_t>(i)].is_leaf()) {
                std::copy_n(sums.data() + std::ssize(leaves) * size, size,
                            summaries.data() + i * size);
                leaves.push_back(i);
            }
        join_children(grown_, values, summaries.data());
        std::vector<index_t> positions(grown_.size());
        Tree tree = TreeWriter(grown_, values, summaries.data(), dataset_, positions).write();
        const std::vector<std::int32_t> numbers = tree.preorder();
        for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
            preorder[leaf] = numbers[static_cast<std::size_t>(
                positions[static_cast<std::size_t>(leaves[leaf])])];
        return tree;
    }

private:
    static constexpr index_t max_orders = 64;  // histograms that partitions send at a time

    struct Node {
        OpenNode open;
        index_t left = -1;
        bool is_open = false;  // there is a split that is worth it

        bool is_split() const noexcept { return left >= 0; }
    };

    const Moments<Newton>& with_measured(const MeasuredMoments& all) {
        moments_.take_measured(all);
        return moments_;
    }
    bool is_best_first() const noexcept { return params_.max_leaf_nodes != GrowParams::unlimited; }
    Node& at(index_t number) { return nodes_[static_cast<std::size_t>(number)]; }
    bool can_split(const OpenNode& node) const noexcept {
        return nonet::can_split(params_, node.rows.size(), node.depth);
    }

    // ---- The tree itself: nodes in the order in which a Grower splits them
    // -----------------------

    // Splits nodes as long as it is known which comes next, and what its children are like.
    void advance() {
        while (!frontier_.empty() && n_leaves_ < params_.max_leaf_nodes) {
            OpenNode node = frontier_.take();
            const index_t number = numbers_[static_cast<std::size_t>(node.position)];
            if (!at(number).is_split()) {
                if (n_leaves_ + 1 < params_.max_leaf_nodes) return frontier_.add(std::move(node));
                const auto [left, right] = children_rows(at(number).open);
                last_.push_back(split(number, left, right, false));
            }
            grow_children(at(number).open, number);
        }
    }
    void grow_children(const OpenNode& parent, index_t number) {
        const index_t left_number = at(number).left;
        OpenNode& left = at(left_number).open;
        OpenNode& right = at(left_number + 1).open;
        add_children(grown_, parent, left, right);
        numbers_.push_back(left_number);
        numbers_.push_back(left_number + 1);
        ++n_leaves_;
        open(at(left_number + 1));
        open(at(left_number));
    }
    void open(const Node& node) {
        if (node.is_open) frontier_.add(OpenNode(node.open));
    }
    void add_to(Frontier& likely, std::vector<index_t>& numbers, index_t number) {
        OpenNode node = at(number).open;
        node.position = std::ssize(numbers);
        numbers.push_back(number);
        likely.add(std::move(node));
    }
    // Also of nodes that were split although the tree does not need it.
    void name_leaf(index_t number, std::int32_t leaf,
                   std::vector<std::int32_t>& leaf_of_node) const {
        const Node& node = nodes_[static_cast<std::size_t>(number)];
        if (!node.is_split()) {
            leaf_of_node[static_cast<std::size_t>(number)] = leaf;
            return;
        }
        name_leaf(node.left, leaf, leaf_of_node);
        name_leaf(node.left + 1, leaf, leaf_of_node);
    }

    // ---- Nodes, whether the tree needs them or not
    // -----------------------------------------------

    SplitOrder split(index_t number, index_t n_left, index_t n_right, bool counts = true) {
        SplitOrder order;
        order.node = number;
        order.left = std::ssize(nodes_);
        send_unseen_missing(at(number).open.split, n_left, n_right);
        order.split = at(number).open.split;
        const auto [left, right] = children_of(at(number).open, {{0, n_left, 0}, {0, n_right, 0}},
                                               sampler_.interactions());
        at(number).left = order.left;
        nodes_.push_back({left});
        nodes_.push_back({right});
        if (counts && (can_split(left) || can_split(right)))
            order.counted = n_left <= n_right ? Counted::left : Counted::right;
        return order;
    }

    void take_children(const SplitOrder& order, const MomentCell* cells) {
        const bool is_left = order.counted == Counted::left;
        OpenNode& small = at(order.counted_node()).open;
        OpenNode& large = at(order.left + (is_left ? 1 : 0)).open;
        large.histogram = std::exchange(at(order.node).open.histogram, no_histogram);
        read(small, cells);
        histograms_.subtract(large.histogram, small.histogram, all_columns());
    }
    void note(Node& node) {
        node.is_open = is_worth_it<Criterion>(node.open.split, params_, 1.0);
        if (!node.is_open) histograms_.give_back(node.open.histogram);
    }
    void read(OpenNode& node, const MomentCell* cells) {
        node.histogram = histograms_.take();
        check(node.histogram != no_histogram,
              "The histograms of the open nodes of a tree on partitions take more than 256 MB; "
              "limit max_leaf_nodes, max_depth or max_bins.");
        histograms_.count(node.histogram, all_columns(), {}, nullptr);  // clears it
        MomentCell* histogram = histograms_.cells(node.histogram);
        for (const index_t column : tree_columns_) {
            const index_t n_bins = dataset_.bins(column).n_bins() + 1;
            MomentCell* to = histogram + (histograms_.cells_of(histogram, column) - histogram);
            std::copy_n(cells, n_bins, to);
            cells += n_bins;
        }
    }
    ColumnRange all_columns() const noexcept { return {0, histograms_.n_positions()}; }
    Sums sums_of(const OpenNode& node) {
        std::vector<MomentCell> total;
        histograms_.add_up(histograms_.cells(node.histogram), all_columns(), total);
        Sums all(criterion_);
        all.add(total.data());
        return all;
    }
    void search(OpenNode& node) {
        if (!can_split(node)) return;
        Sums all = sums_of(node);
        node.split = search_.best(node, {}, nullptr, all, 1);
    }
    // The number of rows that a split sends left, and right.
    std::pair<index_t, index_t> children_rows(const OpenNode& node) {
        const MomentCell* cells = histograms_.cells(node.histogram);
        const auto column = static_cast<index_t>(node.split.column);
        const MomentCell* of_column = histograms_.cells_of(cells, column);
        Sums left(criterion_);
        const auto n_bins = static_cast<std::uint32_t>(dataset_.bins(column).n_bins() + 1);
        for (std::uint32_t bin = 0; bin < n_bins; ++bin)
            if (node.split.goes_left(bin)) left.add(of_column + bin);
        const index_t n_left = criterion_.n_rows(left);
        return {n_left, node.rows.size() - n_left};
    }

    static constexpr std::int32_t no_histogram = Histograms<Criterion>::none;

    BufferPool pool_;
    const BinnedDataset& dataset_;
    GrowParams params_;
    int n_threads_;
    Moments<Newton> moments_;
    Criterion criterion_;
    BranchColumns<std::uint8_t> columns_;
    ColumnSampler sampler_;
    Histograms<Criterion> histograms_;
    NodeSearch<Criterion, std::uint8_t> search_;
    std::vector<index_t> tree_columns_;
    index_t n_cells_ = 0;

    std::vector<Node> nodes_;         // by number
    std::vector<SplitOrder> orders_;  // that wait for histograms
    std::vector<SplitOrder> last_;

    Frontier frontier_;             // of the tree itself
    GrownNodes grown_;              // its nodes, by position
    std::vector<index_t> numbers_;  // of these nodes
    index_t n_leaves_ = 1;
};

}  // namespace

TreeFromSums::TreeFromSums(const BinnedDataset& dataset, const GrowParams& params, MomentKind kind,
                           const MeasuredMoments& all, int n_threads) {
    with_moment_kind(kind, [&]<typename Rows>(Rows) {
        growth_ = std::make_unique<GrowthOf<Rows>>(dataset, params, all, n_threads);
    });
}
TreeFromSums::~TreeFromSums() = default;

void TreeFromSums::take_root(std::span<const MomentCell> cells) { growth_->take_root(cells); }
std::vector<SplitOrder> TreeFromSums::next(index_t max_rows) { return growth_->next(max_rows); }
void TreeFromSums::take(std::span<const MomentCell> cells) { growth_->take(cells); }
std::vector<SplitOrder> TreeFromSums::last() const { return growth_->last(); }
std::vector<std::int32_t> TreeFromSums::leaf_of_node() const { return growth_->leaf_of_node(); }
index_t TreeFromSums::n_leaves() const { return growth_->n_leaves(); }
Tree TreeFromSums::finish(std::span<const double> sums, std::span<std::int32_t> preorder) const {
    return growth_->finish(sums, preorder);
}

}  // namespace nonet
