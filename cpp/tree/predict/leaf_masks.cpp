#include "tree/predict/leaf_masks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "base/dispatch.hpp"
#include "tree/predict/leaf_order.hpp"

namespace nonet {
namespace {

// Four vectors of 64 bytes go through a split together; older machines make several of each.
constexpr index_t vector_bytes = 64;
constexpr int n_vectors = 4;

template <typename T>
struct Vectors {
    using Numbers [[gnu::vector_size(vector_bytes)]] = T;
    using Masks [[gnu::vector_size(vector_bytes)]] = typename LeafMasks<T>::Mask;
    static constexpr index_t width = vector_bytes / index_t{sizeof(T)};
    static constexpr index_t group = width * n_vectors;
};

template <typename T>
using MaskedSplits = std::span<const typename LeafMasks<T>::MaskedSplit>;

// No comparison holds for NaN: it does not stay left of "x <= t", but does where "x > t" fails.
template <bool missing_left, typename T>
NONET_INLINE void predict(MaskedSplits<T> splits, const T* columns,
                          typename Vectors<T>::Masks (&leaves)[n_vectors]) {
    using Numbers = typename Vectors<T>::Numbers;
    using Masks = typename Vectors<T>::Masks;
    const auto* const end = splits.data() + splits.size();
    for (const auto* next_split = splits.data(); next_split != end; ++next_split) {
        const auto& split = *next_split;
        const T* column = columns + split.slot * ColumnBlock<T>::capacity;
        for (int v = 0; v < n_vectors; ++v) {
            const Numbers x = *reinterpret_cast<const Numbers*>(column + v * Vectors<T>::width);
            const Masks stays = missing_left ? ~static_cast<Masks>(x > split.threshold)
                                             : static_cast<Masks>(x <= split.threshold);
            leaves[v] &= stays | split.leaves_if_right;
        }
    }
}

// Which leaves are left to one group of rows.
template <typename T>
NONET_INLINE void predict_all(MaskedSplits<T> missing_right, MaskedSplits<T> missing_left,
                              const T* columns, typename LeafMasks<T>::Mask* out) {
    using Masks = typename Vectors<T>::Masks;
    Masks leaves[n_vectors];
    for (Masks& mask : leaves) mask = ~Masks{};
    predict<false, T>(missing_right, columns, leaves);
    predict<true, T>(missing_left, columns, leaves);
    for (int v = 0; v < n_vectors; ++v)
        *reinterpret_cast<Masks*>(out + v * Vectors<T>::width) = leaves[v];
}

NONET_CLONES void predict_group(MaskedSplits<float> missing_right, MaskedSplits<float> missing_left,
                                const float* columns, std::uint32_t* out) {
    predict_all<float>(missing_right, missing_left, columns, out);
}
NONET_CLONES void predict_group(MaskedSplits<double> missing_right,
                                MaskedSplits<double> missing_left, const double* columns,
                                std::uint64_t* out) {
    predict_all<double>(missing_right, missing_left, columns, out);
}

// The maximum T that is not above the threshold: a number of type T is on the same side of both.
template <typename T>
T round_down(double threshold) {
    const T near = static_cast<T>(threshold);
    return near <= threshold ? near : std::nextafter(near, -std::numeric_limits<T>::infinity());
}

}  // namespace

template <typename T>
LeafMasks<T>::LeafMasks(const Tree& tree, UsedColumns& used) {
    LeafOrder order(tree);
    for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
        const TreeNode& node = tree.nodes()[i];
        if (node.is_leaf()) continue;
        const std::int32_t n_left = order.n_below[static_cast<std::size_t>(node.left)];
        const Mask left_branch = ((Mask{1} << n_left) - 1) << order.first[i];
        auto& splits = node.missing_left() ? missing_left_ : missing_right_;
        splits.push_back({round_down<T>(node.threshold), used.slot_of(node.column_index()),
                          static_cast<Mask>(~left_branch)});
    }
    leaf_nodes_ = std::move(order.nodes);
}

template <typename T>
void LeafMasks<T>::find_leaves(const ColumnBlock<T>& block, std::int32_t* leaves) const {
    constexpr index_t group = Vectors<T>::group;
    alignas(vector_bytes) Mask left[group];
    for (index_t first = 0; first < block.n_rows; first += group) {
        predict_group(missing_right_, missing_left_, block.columns + first, left);
        const index_t n_rows = std::min(group, block.n_rows - first);
        for (index_t i = 0; i < n_rows; ++i)
            leaves[first + i] = leaf_nodes_[static_cast<std::size_t>(std::countr_zero(left[i]))];
    }
}

template class LeafMasks<float>;
template class LeafMasks<double>;

}  // namespace nonet
