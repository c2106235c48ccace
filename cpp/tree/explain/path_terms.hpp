// A tree made ready to be explained: for every node, what entering it does to the worth of a leaf.
//
// Words. A coalition is a set of columns; the worth of a leaf to it is a product over the columns
// ("players") that the way to the leaf splits on: for a present one 1 or 0, as the row passes its
// splits or not, and for an absent one its share, the part of the cover that gets through. If every
// column is present with the same probability q, the expected worth is the product of the terms
//     t = q [the row passes] + (1 - q) share,
// a polynomial in q, and Owen's formula gives Shapley values as integrals over it: that of column i
// is the integral of (passes - share) / t_i times the product. With enough points of Gauss and
// Legendre the integral is exact, and all that a node changes (a factor of the product, a
// derivative (passes - share) / t) is one small table a node, the same for all rows.
//
// G. Owen, "Multilinear extensions of games", Management Science 18, 1972; the telescoping over
// nodes is that of P. Yu et al., "Linear TreeShap", NeurIPS 2022.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "tree/explain/cover.hpp"
#include "tree/tree.hpp"

namespace nonet {

class PathTerms {
public:
    // How a row relates to a node. The first split on a column that it fails is the one that
    // counts.
    enum Turn : std::uint8_t { passes, fails_here, failed_before };
    static constexpr index_t lanes = 4;  // of a quad of points

    PathTerms(const Tree& tree, Cover cover);

    const Tree& tree() const noexcept { return *tree_; }
    index_t n_quads() const noexcept { return n_quads_; }
    index_t n_bytes() const noexcept { return 8 * tree_->n_nodes() * lanes * n_quads_ * 6; }

    // The nearest node above that is entered by a split on the same column; the root if none is.
    std::int32_t above(index_t node) const noexcept {
        return above_[static_cast<std::size_t>(node)];
    }
    // Column of the split by which a node is entered.
    std::uint32_t column(index_t node) const noexcept {
        return column_[static_cast<std::size_t>(node)];
    }
    // The last nodes on the way to this one that are entered by each of the other columns.
    std::span<const std::int32_t> other_players(index_t node) const noexcept {
        const auto i = static_cast<std::size_t>(node);
        return {players_.data() + starts_[i], players_.data() + starts_[i + 1] - 1};
    }

    // Of a row that passes, or fails here first: rows that failed before only lose cover.
    const double* factor(index_t node, Turn turn) const noexcept {
        return table(factors_, node, turn);
    }
    double fraction(index_t node) const noexcept {
        return fractions_[static_cast<std::size_t>(node)];
    }
    // The difference of the derivative from that of the node above, times the weights of the
    // points.
    const double* gain(index_t node, Turn turn) const noexcept { return table(gains_, node, turn); }
    const double* slope(index_t node, bool row_passes) const noexcept {
        return table(slopes_, node, row_passes ? passes : fails_here);
    }

private:
    const double* table(const AlignedBuffer<double>& numbers, index_t node,
                        Turn turn) const noexcept {
        return numbers.data() + (2 * node + turn) * lanes * n_quads_;
    }
    void find_players();
    void fill();

    const Tree* tree_;
    std::vector<double> fractions_;
    std::vector<std::int32_t> above_;
    std::vector<std::uint32_t> column_;
    std::vector<std::int32_t> players_;  // of all nodes, each one's own node last
    std::vector<std::size_t> starts_;
    index_t n_quads_;
    AlignedBuffer<double> factors_;
    AlignedBuffer<double> gains_;
    AlignedBuffer<double> slopes_;
};

}  // namespace nonet
