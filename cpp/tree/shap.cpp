#include "tree/shap.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/parallel.hpp"

namespace nonet {
namespace {

struct Turn {  // one split on the way to a leaf, and the side the leaf lies on
    const TreeNode* node;
    bool left;
};

// A column that the way to a leaf splits on, once however often it does.
struct Player {
    std::uint32_t column;
    double absent_share;  // of the weight that gets through the column's splits if it is absent
    std::vector<Turn> turns;
};

// The worth that one leaf adds to a coalition is a product over the players: 1 or 0 for a present
// player, as the row passes its splits or not, and its absent share for an absent one.
struct LeafGame {
    const double* values;
    std::vector<Player> players;
};

double share_of(const Tree& tree, index_t child, index_t parent) {
    const auto statistics = tree.statistics();
    const double whole = statistics[static_cast<std::size_t>(parent)].weight;
    return whole > 0 ? statistics[static_cast<std::size_t>(child)].weight / whole : 0.5;
}

Player& player_of(LeafGame& game, std::uint32_t column) {
    const auto found =
        std::find_if(game.players.begin(), game.players.end(),
                     [column](const Player& player) { return player.column == column; });
    if (found != game.players.end()) return *found;
    return game.players.emplace_back(Player{column, 1.0, {}});
}

LeafGame game_of(const Tree& tree, const std::vector<std::int32_t>& parents, index_t leaf) {
    LeafGame game{tree.leaf_values(tree.node(leaf)), {}};
    for (index_t child = leaf; child != 0;) {
        const index_t parent = parents[static_cast<std::size_t>(child)];
        const TreeNode& node = tree.node(parent);
        Player& player = player_of(game, node.column_index());
        player.absent_share *= share_of(tree, child, parent);
        player.turns.push_back({&node, child == node.left});
        child = parent;
    }
    return game;
}

// Sums over coalitions by their size: entry s holds the sum, over all coalitions of s of the
// players seen so far, of the product above times s! (n - s)! / (n + 1)! for n players seen.
class CoalitionSums {
public:
    explicit CoalitionSums(std::size_t max_players)
        : sums_(max_players + 1), absent_(max_players), present_(max_players) {}

    void clear() {
        n_ = 0;
        sums_[0] = 1.0;
    }

    void add(double absent, double present) {
        absent_[n_] = absent;
        present_[n_] = present;
        sums_[++n_] = 0.0;
        const double count = static_cast<double>(n_ + 1);
        for (std::size_t s = n_; s-- > 0;) {
            sums_[s + 1] += present * sums_[s] * static_cast<double>(s + 1) / count;
            sums_[s] *= absent * static_cast<double>(n_ - s) / count;
        }
    }

    // The Shapley weight sum over coalitions of all players but the given one. Takes the player out
    // of the polynomial again: from the top if it is present there, else all its terms are absent.
    double without(std::size_t player) const {
        const double absent = absent_[player];
        const double count = static_cast<double>(n_ + 1);
        double total = 0.0;
        if (present_[player] == 0.0) {
            for (std::size_t s = 0; s < n_; ++s)
                total += sums_[s] * count / static_cast<double>(n_ - s);
            return total / absent;
        }
        double carry = sums_[n_];
        for (std::size_t s = n_; s-- > 0;) {
            const double sum = carry * count / static_cast<double>(s + 1);
            total += sum;
            carry = sums_[s] - sum * absent * static_cast<double>(n_ - s) / count;
        }
        return total;
    }

private:
    std::size_t n_ = 0;
    std::vector<double> sums_;
    std::vector<double> absent_;
    std::vector<double> present_;
};

template <typename T>
class RowShap {
public:
    RowShap(const Tree& tree, const std::vector<LeafGame>& games, std::size_t max_players)
        : tree_(tree), games_(games), sums_(max_players), passes_(max_players) {}

    void add(const StridedMatrix<T>& table, index_t row, double* out) {
        for (const LeafGame& game : games_) {
            if (!enter_players(game, table, row)) continue;
            for (std::size_t i = 0; i < game.players.size(); ++i) share(game, i, out);
        }
    }

private:
    // False if some player lets nothing through, present or absent: the leaf adds nothing then.
    bool enter_players(const LeafGame& game, const StridedMatrix<T>& table, index_t row) {
        sums_.clear();
        for (std::size_t i = 0; i < game.players.size(); ++i) {
            const Player& player = game.players[i];
            const double x = table(row, player.column);
            passes_[i] =
                std::all_of(player.turns.begin(), player.turns.end(),
                            [&](const Turn& t) { return tree_.goes_left(*t.node, x) == t.left; })
                    ? 1.0
                    : 0.0;
            if (passes_[i] == 0.0 && player.absent_share == 0.0) return false;
            sums_.add(player.absent_share, passes_[i]);
        }
        return true;
    }

    void share(const LeafGame& game, std::size_t i, double* out) const {
        const Player& player = game.players[i];
        const double gain = sums_.without(i) * (passes_[i] - player.absent_share);
        double* shares = out + player.column * tree_.n_outputs();
        for (index_t k = 0; k < tree_.n_outputs(); ++k) shares[k] += gain * game.values[k];
    }

    const Tree& tree_;
    const std::vector<LeafGame>& games_;
    CoalitionSums sums_;
    std::vector<double> passes_;
};

std::vector<LeafGame> games_of(const Tree& tree) {
    const std::vector<std::int32_t> parents = tree.parents();
    std::vector<LeafGame> games;
    for (index_t i = 0; i < tree.n_nodes(); ++i)
        if (tree.node(i).is_leaf()) games.push_back(game_of(tree, parents, i));
    return games;
}

void check_weights(const Tree& tree) {
    check(tree.has_statistics(),
          "Shapley values read the weights of nodes, which this tree was made without.");
}

}  // namespace

template <typename T>
void add_shap_values(const Tree& tree, const StridedMatrix<T>& table, int n_threads, double* out) {
    check_weights(tree);
    check(tree.n_columns() == table.n_columns,
          "Shapley values need rows with as many columns as the tree.");
    const std::vector<LeafGame> games = games_of(tree);
    std::size_t max_players = 0;
    for (const LeafGame& game : games) max_players = std::max(max_players, game.players.size());
    constexpr index_t task_rows = 16;
    const index_t row_size = tree.n_columns() * tree.n_outputs();
    parallel_for((table.n_rows + task_rows - 1) / task_rows, n_threads, [&](index_t task) {
        RowShap<T> shap(tree, games, max_players);
        const index_t last = std::min(table.n_rows, (task + 1) * task_rows);
        for (index_t row = task * task_rows; row < last; ++row)
            shap.add(table, row, out + row * row_size);
    });
}

std::vector<double> mean_leaf_values(const Tree& tree) {
    check_weights(tree);
    const auto statistics = tree.statistics();
    std::vector<double> reach(statistics.size(), 1.0);
    std::vector<double> mean(static_cast<std::size_t>(tree.n_outputs()));
    for (index_t i = 0; i < tree.n_nodes(); ++i) {
        const TreeNode& node = tree.node(i);
        const double here = reach[static_cast<std::size_t>(i)];
        if (node.is_leaf()) {
            const double* values = tree.leaf_values(node);
            for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += here * values[k];
            continue;
        }
        for (const index_t child : {index_t{node.left}, node.left + index_t{1}})
            reach[static_cast<std::size_t>(child)] = here * share_of(tree, child, i);
    }
    return mean;
}

template void add_shap_values(const Tree&, const StridedMatrix<float>&, int, double*);
template void add_shap_values(const Tree&, const StridedMatrix<double>&, int, double*);

}  // namespace nonet
