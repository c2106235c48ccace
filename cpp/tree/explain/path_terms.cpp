#include "tree/explain/path_terms.hpp"

#include <algorithm>

#include "tree/explain/gauss_legendre.hpp"

namespace nonet {
namespace {

struct Entry {  // a node, for one point q
    double fraction;
    bool row_passes;

    double term(double q) const { return (row_passes ? q : 0.0) + (1 - q) * fraction; }
    // A term of 0 makes the leaves below worth nothing whatever its derivative is.
    double slope(double q) const {
        return term(q) > 0 ? ((row_passes ? 1.0 : 0.0) - fraction) / term(q) : 0.0;
    }
};

// n points are exact for products of 2n terms, of which the integrands have one less.
index_t quads_for(index_t n_players) {
    return std::max<index_t>(1, (n_players + 2 * PathTerms::lanes - 1) / (2 * PathTerms::lanes));
}

}  // namespace

PathTerms::PathTerms(const Tree& tree, Cover cover)
    : tree_(&tree),
      fractions_(cover_fractions(tree, cover)),
      above_(fractions_.size()),
      column_(fractions_.size()),
      factors_(0),
      gains_(0),
      slopes_(0) {
    find_players();
    std::size_t most = 0;
    for (std::size_t i = 0; i + 1 < starts_.size(); ++i)
        most = std::max(most, starts_[i + 1] - starts_[i]);
    n_quads_ = quads_for(static_cast<index_t>(most));
    const index_t size = 2 * tree.n_nodes() * lanes * n_quads_;
    factors_ = AlignedBuffer<double>(size);
    gains_ = AlignedBuffer<double>(size);
    slopes_ = AlignedBuffer<double>(size);
    fill();
}

// Parents come before their children, and so do their players.
void PathTerms::find_players() {
    const std::vector<std::int32_t> parents = tree_->parents();
    starts_ = {0};
    for (std::size_t i = 0; i < parents.size(); ++i) {
        if (i > 0) {
            const auto parent = static_cast<std::size_t>(parents[i]);
            column_[i] = tree_->node(parents[i]).column_index();
            for (std::size_t at = starts_[parent]; parent > 0 && at < starts_[parent + 1]; ++at) {
                const std::int32_t player = players_[at];
                if (column_[static_cast<std::size_t>(player)] == column_[i])
                    above_[i] = player;
                else
                    players_.push_back(player);
            }
        }
        players_.push_back(static_cast<std::int32_t>(i));
        starts_.push_back(players_.size());
    }
}

void PathTerms::fill() {
    const Quadrature rule = gauss_legendre(static_cast<int>(lanes * n_quads_));
    std::vector<double> through(fractions_.size(),
                                1.0);  // fractions multiplied over a column's splits
    for (std::size_t i = 1; i < fractions_.size(); ++i) {
        const double before = through[static_cast<std::size_t>(above_[i])];
        through[i] = before * fractions_[i];
        const Entry above{before, true};
        for (const Turn turn : {passes, fails_here}) {
            const Entry here{through[i], turn == passes};
            const std::size_t position = (2 * i + turn) * rule.points.size();
            for (std::size_t p = 0; p < rule.points.size(); ++p) {
                const double q = rule.points[p];
                const double gain = here.slope(q) - above.slope(q);
                factors_.data()[position + p] = here.term(q) / above.term(q);
                gains_.data()[position + p] = here.term(q) > 0 ? rule.weights[p] * gain : 0.0;
                slopes_.data()[position + p] = here.slope(q);
            }
        }
    }
}

}  // namespace nonet
