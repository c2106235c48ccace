#include "tree/predict/bin_leaves.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <vector>

#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "base/parallel.hpp"
#include "tree/predict/leaf_order.hpp"

namespace nonet {
namespace {

constexpr index_t rows_per_task = 1 << 14;
constexpr index_t rows_per_block = 512;  // its bins and leaves stay in the nearest cache
constexpr index_t leaves_per_plane = 8;
// A leaf has to fit a byte; beyond, a walk evaluates far fewer splits than the tree has.
constexpr index_t max_masked_leaves = 256;
constexpr index_t walks_at_once = 8;
constexpr index_t rows_masked_per_walk = 2;  // in the time of one walk, for trees of 31 leaves
constexpr std::uint32_t no_bin = std::numeric_limits<std::uint32_t>::max();

// A split as a comparison of bins. Bins that are counted from `start` on, around the end of their
// type, go left up to `last_left`: a missing bin that goes left is where counting starts.
template <typename Bin>
struct BinSplit {
    std::uint32_t column = 0;
    const Bin* bins = nullptr;  // of all rows in the column
    Bin start = 0;
    Bin last_left = 0;
    std::uint32_t unsure = no_bin;       // the bin that the threshold divides
    std::vector<std::uint8_t> category;  // of a split by categories: all ones for bins that go left
    std::int32_t left = -1;              // the left child; a leaf has none

    bool goes_left(Bin bin) const noexcept {
        return category.empty() ? static_cast<Bin>(bin - start) <= last_left : category[bin] != 0;
    }
};

template <typename Bin>
void set_threshold(const TreeNode& node, const ColumnBins& bins, BinSplit<Bin>& split) {
    const auto next = std::ranges::upper_bound(bins.edges, node.threshold);
    const bool all_left = node.threshold == std::numeric_limits<double>::infinity();
    const index_t n_left = all_left ? bins.n_bins() : next - bins.edges.begin();
    const bool on_edge = next != bins.edges.begin() && next[-1] == node.threshold;
    if (!all_left && !on_edge) split.unsure = static_cast<std::uint32_t>(n_left);
    split.start = static_cast<Bin>(node.missing_left() ? bins.missing_bin() : 0);
    // Where no bin is sure to go left, the first one is not sure, and may be said to.
    split.last_left = static_cast<Bin>(std::max<index_t>(n_left, 1) - 1 - split.start);
}

template <typename Bin>
BinSplit<Bin> split_of(const Tree& tree, const TreeNode& node, const BinnedDataset& dataset) {
    BinSplit<Bin> split;
    if (node.is_leaf()) return split;
    split.column = node.column_index();
    split.left = node.left;
    const ColumnBins& bins = dataset.bins(split.column);
    if (!node.is_category_split()) {
        set_threshold(node, bins, split);
        return split;
    }
    for (index_t code = 0; code < bins.n_bins(); ++code)
        split.category.push_back(tree.goes_left(node, static_cast<double>(code)) ? 255 : 0);
    split.category.push_back(node.missing_left() ? 255 : 0);
    return split;
}

// All ones for rows that go left.
template <typename Bin>
NONET_INLINE void predict(const Bin* bins, index_t n, Bin start, Bin last_left,
                          std::uint8_t* lefts) {
    for (index_t i = 0; i < n; ++i)
        lefts[i] = static_cast<Bin>(bins[i] - start) <= last_left ? 255 : 0;
}
NONET_CLONES void predict_bins(const std::uint8_t* bins, index_t n, std::uint8_t start,
                               std::uint8_t last_left, std::uint8_t* lefts) {
    predict(bins, n, start, last_left, lefts);
}
NONET_CLONES void predict_bins(const std::uint16_t* bins, index_t n, std::uint16_t start,
                               std::uint16_t last_left, std::uint8_t* lefts) {
    predict(bins, n, start, last_left, lefts);
}

// Rows that go right lose the leaves that are not kept.
NONET_CLONES void drop_leaves(const std::uint8_t* lefts, index_t n, std::uint8_t kept,
                              std::uint8_t* plane) {
    for (index_t i = 0; i < n; ++i) plane[i] &= static_cast<std::uint8_t>(lefts[i] | kept);
}

// The lowest leaf that is left, from the leaves of one plane; rows that have none there keep what
// planes above have said.
NONET_CLONES void take_lowest(const std::uint8_t* plane, index_t n, std::uint8_t first,
                              std::uint8_t* leaves) {
    for (index_t i = 0; i < n; ++i) {
        const auto lowest = static_cast<std::uint8_t>(plane[i] & -plane[i]);
        const int position =
            ((lowest & 0xAA) != 0) + 2 * ((lowest & 0xCC) != 0) + 4 * ((lowest & 0xF0) != 0);
        leaves[i] = plane[i] != 0 ? static_cast<std::uint8_t>(first + position) : leaves[i];
    }
}

template <typename Bin>
class BinTree {
public:
    BinTree(const Tree& tree, const BinnedDataset& dataset)
        : order_(tree), numbers_(tree.preorder()) {
        for (const TreeNode& node : tree.nodes()) {
            splits_.push_back(split_of<Bin>(tree, node, dataset));
            if (!node.is_leaf())
                splits_.back().bins = bins_of(splits_.back().column, dataset.matrix());
            is_sure_ = is_sure_ && splits_.back().unsure == no_bin;
        }
    }

    // Returns whether bins told the leaves of all rows. Masks cost the same for every row of a
    // block, a walk only for the rows whose leaf is not known.
    bool find(index_t begin, index_t end, std::int32_t* leaves) const {
        const auto n_open =
            std::count_if(leaves + begin, leaves + end, [](std::int32_t leaf) { return leaf < 0; });
        const bool by_masks = std::ssize(order_.nodes) <= max_masked_leaves &&
                              n_open * rows_masked_per_walk > end - begin;
        return by_masks ? find_by_masks(begin, end, leaves) : walk_open(begin, end, leaves);
    }

private:
    // Columns of a sparse matrix become dense, those that the tree splits.
    const Bin* bins_of(std::uint32_t column, const BinnedMatrix& matrix) {
        if (!matrix.is_sparse()) return matrix.template column<Bin>(column);
        const auto [found, is_new] = dense_.try_emplace(column);
        if (is_new) {
            found->second.resize(static_cast<std::size_t>(matrix.n_rows()));
            matrix.copy_column(column, found->second.data());
        }
        return found->second.data();
    }

    // As in leaf_masks.hpp, for eight leaves at a time.
    bool find_by_masks(index_t begin, index_t end, std::int32_t* leaves) const {
        const index_t n_planes =
            (std::ssize(order_.nodes) + leaves_per_plane - 1) / leaves_per_plane;
        std::vector<std::uint8_t> planes(static_cast<std::size_t>(n_planes * rows_per_block));
        bool all_told = true;
        for (index_t first = begin; first < end; first += rows_per_block) {
            const index_t n = std::min(rows_per_block, end - first);
            std::ranges::fill(planes, 255);
            predict_all(first, n, planes.data());
            std::uint8_t found[rows_per_block];
            for (index_t p = n_planes - 1; p >= 0; --p)
                take_lowest(planes.data() + p * rows_per_block, n,
                            static_cast<std::uint8_t>(p * leaves_per_plane), found);
            for (index_t i = 0; i < n; ++i) leaves[first + i] = number_of(order_.nodes[found[i]]);
            if (!is_sure_) all_told &= take_back_unsure(first, n, leaves + first);
        }
        return all_told;
    }

    void predict_all(index_t first, index_t n, std::uint8_t* planes) const {
        std::uint8_t lefts[rows_per_block];
        for (std::size_t i = 0; i < splits_.size(); ++i) {
            const BinSplit<Bin>& split = splits_[i];
            if (split.left < 0) continue;
            const Bin* bins = split.bins + first;
            if (split.category.empty())
                predict_bins(bins, n, split.start, split.last_left, lefts);
            else
                for (index_t row = 0; row < n; ++row) lefts[row] = split.category[bins[row]];
            drop_left_branch(lefts, n, order_.first[i],
                             order_.n_below[static_cast<std::size_t>(split.left)], planes);
        }
    }

    static void drop_left_branch(const std::uint8_t* lefts, index_t n, index_t first_leaf,
                                 index_t n_leaves, std::uint8_t* planes) {
        const index_t end_leaf = first_leaf + n_leaves;
        for (index_t p = first_leaf / leaves_per_plane; p * leaves_per_plane < end_leaf; ++p) {
            const index_t from = std::max<index_t>(first_leaf - p * leaves_per_plane, 0);
            const index_t to = std::min(end_leaf - p * leaves_per_plane, leaves_per_plane);
            const auto dropped = (1U << to) - (1U << from);
            drop_leaves(lefts, n, static_cast<std::uint8_t>(~dropped), planes + p * rows_per_block);
        }
    }

    // A row in a bin that any split is not sure about, whether it comes by or not.
    bool take_back_unsure(index_t first, index_t n, std::int32_t* leaves) const {
        bool all_told = true;
        for (const BinSplit<Bin>& split : splits_) {
            if (split.unsure == no_bin) continue;
            const Bin* bins = split.bins + first;
            for (index_t i = 0; i < n; ++i)
                if (bins[i] == split.unsure) {
                    leaves[i] = -1;
                    all_told = false;
                }
        }
        return all_told;
    }

    bool walk_open(index_t begin, index_t end, std::int32_t* leaves) const {
        bool all_told = true;
        index_t rows[walks_at_once];
        index_t n = 0;
        for (index_t row = begin; row < end; ++row) {
            if (leaves[row] >= 0) continue;
            rows[n++] = row;
            if (n < walks_at_once) continue;
            all_told &= walk(rows, n, leaves);
            n = 0;
        }
        return walk(rows, n, leaves) && all_told;
    }

    // Several rows side by side, as a single one waits for memory at every step.
    bool walk(const index_t* rows, index_t n, std::int32_t* leaves) const {
        bool all_told = true;
        std::int32_t at[walks_at_once] = {};
        bool is_sure[walks_at_once];
        std::ranges::fill(is_sure, true);
        for (bool moving = true; moving;) {
            moving = false;
            for (index_t i = 0; i < n; ++i) {
                const BinSplit<Bin>& split = splits_[static_cast<std::size_t>(at[i])];
                if (split.left < 0) continue;
                const Bin bin = split.bins[rows[i]];
                is_sure[i] &= bin != split.unsure;
                at[i] = split.left + (split.goes_left(bin) ? 0 : 1);
                moving = true;
            }
        }
        for (index_t i = 0; i < n; ++i) {
            leaves[rows[i]] = is_sure[i] ? number_of(at[i]) : -1;
            all_told &= is_sure[i];
        }
        return all_told;
    }

    std::int32_t number_of(std::int32_t node) const noexcept {
        return numbers_[static_cast<std::size_t>(node)];
    }

    LeafOrder order_;
    std::vector<std::int32_t> numbers_;  // in preorder
    std::vector<BinSplit<Bin>> splits_;
    bool is_sure_ = true;
    std::map<std::uint32_t, std::vector<Bin>> dense_;
};

template <typename Bin>
bool find_in(const Tree& tree, const BinnedDataset& dataset, int n_threads,
             std::span<std::int32_t> leaves) {
    const BinTree<Bin> bin_tree(tree, dataset);
    std::atomic<bool> all_told = true;
    parallel_blocks(std::ssize(leaves), rows_per_task, n_threads,
                    [&](index_t, index_t begin, index_t end) {
                        if (!bin_tree.find(begin, end, leaves.data())) all_told = false;
                    });
    return all_told;
}

}  // namespace

bool find_bin_leaves(const Tree& tree, const BinnedDataset& dataset, int n_threads,
                     std::span<std::int32_t> leaves) {
    check(tree.n_columns() == dataset.n_columns() && std::ssize(leaves) == dataset.n_rows(),
          "Leaves need a dataset of the tree's columns, and one entry for each of its rows.");
    return dataset.matrix().bytes_per_bin() == 1
               ? find_in<std::uint8_t>(tree, dataset, n_threads, leaves)
               : find_in<std::uint16_t>(tree, dataset, n_threads, leaves);
}

}  // namespace nonet
