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
// Words of larger sets would be many, and are made anew for every table.
constexpr std::uint32_t max_categories = 1024;

template <typename T>
struct Vectors {
    using Numbers [[gnu::vector_size(vector_bytes)]] = T;
    using Masks [[gnu::vector_size(vector_bytes)]] = typename LeafMasks<T>::Mask;
    static constexpr index_t width = vector_bytes / index_t{sizeof(T)};
    static constexpr index_t group = width * n_vectors;
};

template <typename T>
using MaskedSplits = std::span<const typename LeafMasks<T>::MaskedSplit>;
template <typename T>
using MaskedSets = std::span<const typename LeafMasks<T>::MaskedSet>;

// What is the same for all groups of rows.
template <typename T>
struct Splits {
    MaskedSplits<T> missing_right;
    MaskedSplits<T> missing_left;
    MaskedSets<T> short_sets;
    MaskedSets<T> long_sets;
    const typename LeafMasks<T>::Mask* words;
};

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

// The bit of a row's code is the lowest of the shifted word.
template <typename T>
NONET_INLINE void predict_short_sets(const Splits<T>& splits, const T* columns,
                                     typename Vectors<T>::Masks (&leaves)[n_vectors]) {
    using Masks = typename Vectors<T>::Masks;
    for (const auto& split : splits.short_sets) {
        const T* column = columns + split.slot * ColumnBlock<T>::capacity;
        const Masks word = Masks{} + splits.words[split.first_word];
        for (int v = 0; v < n_vectors; ++v) {
            const Masks codes = *reinterpret_cast<const Masks*>(column + v * Vectors<T>::width);
            leaves[v] &= (Masks{} - ((word >> codes) & 1)) | split.leaves_if_right;
        }
    }
}

template <typename T>
NONET_INLINE void predict_long_sets(const Splits<T>& splits, const T* columns,
                                    typename Vectors<T>::Masks (&leaves)[n_vectors]) {
    using Mask = typename LeafMasks<T>::Mask;
    using Masks = typename Vectors<T>::Masks;
    constexpr Mask word_bits = 8 * sizeof(Mask);
    for (const auto& split : splits.long_sets) {
        const T* column = columns + split.slot * ColumnBlock<T>::capacity;
        const Mask* words = splits.words + split.first_word;
        for (int v = 0; v < n_vectors; ++v) {
            const Masks codes = *reinterpret_cast<const Masks*>(column + v * Vectors<T>::width);
            const Masks positions = codes / word_bits;
            Masks word;
            for (index_t i = 0; i < Vectors<T>::width; ++i) word[i] = words[positions[i]];
            leaves[v] &= (Masks{} - ((word >> (codes % word_bits)) & 1)) | split.leaves_if_right;
        }
    }
}

// Which leaves are left to one group of rows.
template <typename T>
NONET_INLINE void predict_all(const Splits<T>& splits, const T* columns,
                              typename LeafMasks<T>::Mask* out) {
    using Masks = typename Vectors<T>::Masks;
    Masks leaves[n_vectors];
    for (Masks& mask : leaves) mask = ~Masks{};
    predict<false, T>(splits.missing_right, columns, leaves);
    predict<true, T>(splits.missing_left, columns, leaves);
    predict_short_sets<T>(splits, columns, leaves);
    predict_long_sets<T>(splits, columns, leaves);
    for (int v = 0; v < n_vectors; ++v)
        *reinterpret_cast<Masks*>(out + v * Vectors<T>::width) = leaves[v];
}

NONET_CLONES void predict_group(const Splits<float>& splits, const float* columns,
                                std::uint32_t* out) {
    predict_all<float>(splits, columns, out);
}
NONET_CLONES void predict_group(const Splits<double>& splits, const double* columns,
                                std::uint64_t* out) {
    predict_all<double>(splits, columns, out);
}

// The maximum T that is not above the threshold: a number of type T is on the same side of both.
template <typename T>
T round_down(double threshold) {
    const T near = static_cast<T>(threshold);
    return near <= threshold ? near : std::nextafter(near, -std::numeric_limits<T>::infinity());
}

}  // namespace

void UsedColumns::note(const Tree& tree) {
    for (const TreeNode& node : tree.nodes()) {
        if (node.is_leaf()) continue;
        std::int32_t& slot = slots_[key_of(node)];
        if (slot < 0) {
            slot = static_cast<std::int32_t>(columns_.size());
            columns_.push_back({node.column_index(), node.is_category_split(), 0});
        }
        if (!node.is_category_split()) continue;
        std::uint32_t& n_categories = columns_[static_cast<std::size_t>(slot)].n_categories;
        n_categories =
            std::max(n_categories, tree.category_sets()[node.category_set()].n_categories);
    }
}

template <typename T>
bool LeafMasks<T>::fit(const Tree& tree) noexcept {
    if (tree.n_leaves() > index_t{word_bits}) return false;
    return !tree.has_category_splits() ||
           std::ranges::all_of(tree.nodes(), [&](const TreeNode& node) {
               return node.is_leaf() || !node.is_category_split() ||
                      tree.category_sets()[node.category_set()].n_categories <= max_categories;
           });
}

template <typename T>
LeafMasks<T>::LeafMasks(const Tree& tree, const UsedColumns& used) {
    LeafOrder order(tree);
    for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
        const TreeNode& node = tree.nodes()[i];
        if (node.is_leaf()) continue;
        const std::int32_t n_left = order.n_below[static_cast<std::size_t>(node.left)];
        const Mask left_branch = ((Mask{1} << n_left) - 1) << order.first[i];
        const auto leaves_if_right = static_cast<Mask>(~left_branch);
        if (node.is_category_split()) {
            add_set(tree, node, used, leaves_if_right);
            continue;
        }
        auto& splits = node.missing_left() ? missing_left_ : missing_right_;
        splits.push_back({round_down<T>(node.threshold), used.slot_of(node), leaves_if_right});
    }
    leaf_nodes_ = std::move(order.nodes);
}

// Codes behind those of the set are unknown to it, and go where missing rows go.
template <typename T>
void LeafMasks<T>::add_set(const Tree& tree, const TreeNode& node, const UsedColumns& used,
                           Mask leaves_if_right) {
    const std::int32_t slot = used.slot_of(node);
    const std::uint32_t last = used.columns()[static_cast<std::size_t>(slot)].n_categories;
    auto& sets = last < word_bits ? short_sets_ : long_sets_;
    sets.push_back({words_.size(), slot, leaves_if_right});
    words_.resize(words_.size() + last / word_bits + 1);
    for (std::uint32_t code = 0; code <= last; ++code)
        if (tree.goes_left(node, code))
            words_[sets.back().first_word + code / word_bits] |= Mask{1} << code % word_bits;
}

template <typename T>
void LeafMasks<T>::find_leaves(const ColumnBlock<T>& block, std::int32_t* leaves) const {
    constexpr index_t group = Vectors<T>::group;
    alignas(vector_bytes) Mask left[group];
    const Splits<T> splits{missing_right_, missing_left_, short_sets_, long_sets_, words_.data()};
    for (index_t first = 0; first < block.n_rows; first += group) {
        predict_group(splits, block.columns + first, left);
        const index_t n_rows = std::min(group, block.n_rows - first);
        for (index_t i = 0; i < n_rows; ++i)
            leaves[first + i] = leaf_nodes_[static_cast<std::size_t>(std::countr_zero(left[i]))];
    }
}

template class LeafMasks<float>;
template class LeafMasks<double>;

}  // namespace nonet
