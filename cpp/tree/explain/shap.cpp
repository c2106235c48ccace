#include "tree/explain/shap.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "base/parallel.hpp"
#include "tree/explain/path_terms.hpp"

namespace nonet {
namespace {

using Quad [[gnu::vector_size(32)]] = double;
static_assert(sizeof(Quad) == sizeof(double) * PathTerms::lanes);

NONET_INLINE const Quad* quads(const double* numbers) {
    return reinterpret_cast<const Quad*>(numbers);
}
NONET_INLINE double total(const Quad& quad) { return (quad[0] + quad[1]) + (quad[2] + quad[3]); }

// The state of one row while one tree is explained.
class Walk {
public:
    explicit Walk(std::span<const PathTerms> trees) {
        index_t n_nodes = 0;
        index_t n_ways = 0;
        index_t n_sums = 0;
        for (const PathTerms& terms : trees) {
            const index_t size = terms.tree().n_nodes() * terms.n_quads() * PathTerms::lanes;
            n_nodes = std::max(n_nodes, terms.tree().n_nodes());
            n_ways = std::max(n_ways, size);
            n_sums = std::max(n_sums, size * terms.tree().n_outputs());
        }
        turns.resize(static_cast<std::size_t>(n_nodes));
        ways_ = AlignedBuffer<double>(n_ways);
        sums_ = AlignedBuffer<double>(n_sums);
    }

    Quad* ways() noexcept { return reinterpret_cast<Quad*>(ways_.data()); }
    Quad* sums() noexcept { return reinterpret_cast<Quad*>(sums_.data()); }

    std::vector<PathTerms::Turn> turns;  // one per node

private:
    AlignedBuffer<double> ways_{0};  // the product of terms on the way to a node, (n_nodes, points)
    AlignedBuffer<double> sums_{0};  // of values times ways of the leaves below, (.., outputs, ..)
};

// Both children of a node: how the row relates to them, and the products of terms up to them.
template <typename Count>
NONET_INLINE void enter(const PathTerms& terms, index_t node, bool goes_left, Count n_quads,
                        Walk& walk) {
    const index_t left = terms.tree().node(node).left;
    const Quad* before = walk.ways() + node * n_quads;
    for (const index_t child : {left, left + 1}) {
        Quad* way = walk.ways() + child * n_quads;
        const auto above = walk.turns[static_cast<std::size_t>(terms.above(child))];
        auto& turn = walk.turns[static_cast<std::size_t>(child)];
        if (above != PathTerms::passes) {
            turn = PathTerms::failed_before;
            for (index_t p = 0; p < n_quads; ++p) way[p] = before[p] * terms.fraction(child);
            continue;
        }
        turn = goes_left == (child == left) ? PathTerms::passes : PathTerms::fails_here;
        const Quad* factor = quads(terms.factor(child, turn));
        for (index_t p = 0; p < n_quads; ++p) way[p] = before[p] * factor[p];
    }
}

// Walks down to all leaves, then up again, handing each child's sums to `settle`.
template <typename T, typename Count, typename Settle>
NONET_INLINE void explain_row(const PathTerms& terms, const StridedMatrix<T>& table, index_t row,
                              Count n_quads, Walk& walk, const Settle& settle) {
    const Tree& tree = terms.tree();
    const index_t n_outputs = tree.n_outputs();
    walk.turns[0] = PathTerms::passes;
    for (index_t p = 0; p < n_quads; ++p) walk.ways()[p] = Quad{1, 1, 1, 1};
    for (index_t i = 0; i < tree.n_nodes(); ++i) {
        const TreeNode& node = tree.node(i);
        if (!node.is_leaf()) {
            enter(terms, i, tree.goes_left(node, table(row, node.column_index())), n_quads, walk);
            continue;
        }
        const double* values = tree.leaf_values(node);
        for (index_t k = 0; k < n_outputs; ++k)
            for (index_t p = 0; p < n_quads; ++p)
                walk.sums()[(i * n_outputs + k) * n_quads + p] =
                    values[k] * walk.ways()[i * n_quads + p];
    }
    for (index_t i = tree.n_nodes() - 1; i >= 0; --i) {
        const TreeNode& node = tree.node(i);
        if (node.is_leaf()) continue;
        settle(index_t{node.left});
        settle(node.left + index_t{1});
        const Quad* below = walk.sums() + node.left * n_outputs * n_quads;
        for (index_t p = 0; p < n_outputs * n_quads; ++p)
            walk.sums()[i * n_outputs * n_quads + p] = below[p] + below[n_outputs * n_quads + p];
    }
}

// Shapley values of a row, each still spread over a quad: (n_columns, n_outputs).
template <typename T, typename Count>
NONET_INLINE void add_values(const PathTerms& terms, const StridedMatrix<T>& table, index_t row,
                             Count n_quads, Walk& walk, Quad* out) {
    const index_t n_outputs = terms.tree().n_outputs();
    explain_row(terms, table, row, n_quads, walk,
                [&](index_t child) __attribute__((always_inline)) {
                    const PathTerms::Turn turn = walk.turns[static_cast<std::size_t>(child)];
                    if (turn == PathTerms::failed_before) return;
                    const Quad* gain = quads(terms.gain(child, turn));
                    const Quad* sums = walk.sums() + child * n_outputs * n_quads;
                    Quad* fractions = out + terms.column(child) * n_outputs;
                    for (index_t k = 0; k < n_outputs; ++k) {
                        Quad fraction = sums[k * n_quads] * gain[0];
                        for (index_t p = 1; p < n_quads; ++p)
                            fraction += sums[k * n_quads + p] * gain[p];
                        fractions[k] += fraction;
                    }
                });
}

// Interactions of a row, (n_columns, n_columns, n_outputs). A pair of columns is settled where the
// deeper of their nodes is left; what pairs take is taken from the diagonal.
template <typename T, typename Count>
NONET_INLINE void add_pairs(const PathTerms& terms, const StridedMatrix<T>& table, index_t row,
                            Count n_quads, Walk& walk, double* out) {
    const index_t n_outputs = terms.tree().n_outputs();
    const auto cell = [&](index_t a, index_t b) {
        return out + (a * terms.tree().n_columns() + b) * n_outputs;
    };
    explain_row(terms, table, row, n_quads, walk,
                [&](index_t child) __attribute__((always_inline)) {
                    const PathTerms::Turn turn = walk.turns[static_cast<std::size_t>(child)];
                    if (turn == PathTerms::failed_before) return;
                    const Quad* gain = quads(terms.gain(child, turn));
                    const index_t own = terms.column(child);
                    for (index_t k = 0; k < n_outputs; ++k) {
                        const Quad* sums = walk.sums() + (child * n_outputs + k) * n_quads;
                        Quad whole = sums[0] * gain[0];
                        for (index_t p = 1; p < n_quads; ++p) whole += sums[p] * gain[p];
                        double left = total(whole);
                        for (const std::int32_t player : terms.other_players(child)) {
                            const bool row_passes =
                                walk.turns[static_cast<std::size_t>(player)] == PathTerms::passes;
                            const Quad* slope = quads(terms.slope(player, row_passes));
                            Quad both = sums[0] * gain[0] * slope[0];
                            for (index_t p = 1; p < n_quads; ++p)
                                both += sums[p] * gain[p] * slope[p];
                            const double half = total(both) / 2;
                            const index_t other = terms.column(player);
                            cell(own, other)[k] += half;
                            cell(other, own)[k] += half;
                            cell(other, other)[k] -= half;
                            left -= half;
                        }
                        cell(own, own)[k] += left;
                    }
                });
}

// Calls use with the number of quads, known to the compiler if it is small.
template <typename Use>
NONET_INLINE void with_count(index_t n_quads, const Use& use) {
    if (n_quads == 1)
        use(std::integral_constant<index_t, 1>{});
    else if (n_quads == 2)
        use(std::integral_constant<index_t, 2>{});
    else
        use(n_quads);
}

template <typename T>
NONET_INLINE void explain_rows(std::span<const PathTerms> trees, const StridedMatrix<T>& table,
                               index_t begin, index_t end, Quad* fractions) {
    Walk walk(trees);
    const index_t row_size = table.n_columns * trees[0].tree().n_outputs();
    for (const PathTerms& terms : trees)
        with_count(terms.n_quads(), [&](auto n_quads) __attribute__((always_inline)) {
            for (index_t row = begin; row < end; ++row)
                add_values(terms, table, row, n_quads, walk, fractions + (row - begin) * row_size);
        });
}

template <typename T>
NONET_INLINE void pair_rows(std::span<const PathTerms> trees, const StridedMatrix<T>& table,
                            index_t begin, index_t end, double* out) {
    Walk walk(trees);
    const index_t row_size = table.n_columns * table.n_columns * trees[0].tree().n_outputs();
    for (const PathTerms& terms : trees)
        with_count(terms.n_quads(), [&](auto n_quads) __attribute__((always_inline)) {
            for (index_t row = begin; row < end; ++row)
                add_pairs(terms, table, row, n_quads, walk, out + row * row_size);
        });
}

NONET_GCC_CLONES void explain(std::span<const PathTerms> trees, const StridedMatrix<float>& table,
                              index_t begin, index_t end, Quad* fractions) {
    explain_rows(trees, table, begin, end, fractions);
}
NONET_GCC_CLONES void explain(std::span<const PathTerms> trees, const StridedMatrix<double>& table,
                              index_t begin, index_t end, Quad* fractions) {
    explain_rows(trees, table, begin, end, fractions);
}
NONET_GCC_CLONES void explain_pairs(std::span<const PathTerms> trees,
                                    const StridedMatrix<float>& table, index_t begin, index_t end,
                                    double* out) {
    pair_rows(trees, table, begin, end, out);
}
NONET_GCC_CLONES void explain_pairs(std::span<const PathTerms> trees,
                                    const StridedMatrix<double>& table, index_t begin, index_t end,
                                    double* out) {
    pair_rows(trees, table, begin, end, out);
}

// Some trees made ready at a time: their tables are a hundred times larger than they are.
template <typename Use>
void each_batch(std::span<const Tree* const> trees, index_t n_columns, Cover cover,
                const Use& use) {
    constexpr index_t bytes_per_batch = 1 << 22;
    std::vector<PathTerms> batch;
    index_t n_bytes = 0;
    for (const Tree* tree : trees) {
        check(tree->n_columns() == n_columns && tree->n_outputs() == trees[0]->n_outputs(),
              "Shapley values need rows with as many columns as the trees, which share outputs.");
        n_bytes += batch.emplace_back(*tree, cover).n_bytes();
        if (n_bytes < bytes_per_batch) continue;
        use(std::span<const PathTerms>(batch));
        batch.clear();
        n_bytes = 0;
    }
    if (!batch.empty()) use(std::span<const PathTerms>(batch));
}

constexpr index_t rows_per_task = 16;

}  // namespace

template <typename T>
void add_shap_values(std::span<const Tree* const> trees, const StridedMatrix<T>& table, Cover cover,
                     int n_threads, double* out) {
    each_batch(trees, table.n_columns, cover, [&](std::span<const PathTerms> batch) {
        const index_t row_size = table.n_columns * trees[0]->n_outputs();
        const auto explain_some = [&](index_t, index_t begin, index_t end) {
            const index_t size = (end - begin) * row_size;
            const AlignedBuffer<double> fractions(size * PathTerms::lanes);
            std::fill_n(fractions.data(), size * PathTerms::lanes, 0.0);
            Quad* spread = reinterpret_cast<Quad*>(fractions.data());
            explain(batch, table, begin, end, spread);
            for (index_t i = 0; i < size; ++i) out[begin * row_size + i] += total(spread[i]);
        };
        parallel_blocks(table.n_rows, rows_per_task, n_threads, explain_some);
    });
}

template <typename T>
void add_shap_interactions(std::span<const Tree* const> trees, const StridedMatrix<T>& table,
                           Cover cover, int n_threads, double* out) {
    each_batch(trees, table.n_columns, cover, [&](std::span<const PathTerms> batch) {
        parallel_blocks(table.n_rows, rows_per_task, n_threads,
                        [&](index_t, index_t begin, index_t end) {
                            explain_pairs(batch, table, begin, end, out);
                        });
    });
}

template void add_shap_values(std::span<const Tree* const>, const StridedMatrix<float>&, Cover, int,
                              double*);
template void add_shap_values(std::span<const Tree* const>, const StridedMatrix<double>&, Cover,
                              int, double*);
template void add_shap_interactions(std::span<const Tree* const>, const StridedMatrix<float>&,
                                    Cover, int, double*);
template void add_shap_interactions(std::span<const Tree* const>, const StridedMatrix<double>&,
                                    Cover, int, double*);

}  // namespace nonet
