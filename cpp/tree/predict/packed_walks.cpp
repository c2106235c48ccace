// Rows that walk through packed trees.
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "base/aligned.hpp"
#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "base/parallel.hpp"
#include "base/phases.hpp"
#include "tree/predict/packed_trees.hpp"

namespace nonet {
namespace {

constexpr index_t group_rows = 8;         // rows that walk side by side
constexpr index_t block_bytes = 1 << 18;  // of ranks: together with a tree in a second-level cache
constexpr index_t max_block_rows = 4096;
// Trees from so many nodes on do not stay in that cache. Many rows walk through them in the order
// of their branches, so that each branch is fetched once for many rows.
constexpr std::size_t min_nodes_in_order = 1 << 14;
constexpr std::size_t min_rows_in_order = 1024;
constexpr index_t block_bytes_in_order = 1 << 21;
constexpr index_t max_block_rows_in_order = 1 << 14;
constexpr int top_levels = 10;  // after so many, rows are sorted
constexpr int part_bits = 10;   // by so many of the upper bits of their nodes
constexpr std::size_t n_parts = std::size_t{1} << part_bits;

}  // namespace

// Rows as ranks, row after row. Where a number is missing, a row has two ranks a column: the lowest
// for nodes that send missing rows left, and the highest for those that send them right.
template <typename Code>
class PackedTrees::Block {
    struct Walker {
        std::uint32_t at;        // a node
        std::uint32_t position;  // among the rows to predict
    };

public:
    template <typename T>
    Block(const PackedTrees& trees, const StridedMatrix<T>& table, index_t first, index_t n_rows)
        : trees_(trees),
          first_row_(first),
          n_rows_(n_rows),
          has_missing_(some_missing(table, first, n_rows)),
          stride_((has_missing_ ? 2 : 1) * trees.n_columns_ + 1),
          codes_(n_rows * stride_) {
        for (index_t j = 0; j < trees.n_columns_; ++j) rank_column(table, j, first, n_rows);
        for (index_t r = 0; r < n_rows; ++r) codes_.data()[(r + 1) * stride_ - 1] = 0;
    }

    index_t first_row() const noexcept { return first_row_; }
    index_t n_rows() const noexcept { return n_rows_; }

    // Writes the indices of the values that the given rows of the block reach in a tree.
    void find_values(const PackedTree& tree, std::span<const std::uint32_t> rows,
                     std::uint32_t* positions) const {
        if (trees_.has_categories_)
            walk<true, true>(tree, rows, positions);
        else if (has_missing_)
            walk<true, false>(tree, rows, positions);
        else
            walk<false, false>(tree, rows, positions);
    }

private:
    template <typename T>
    static bool some_missing(const StridedMatrix<T>& table, index_t first, index_t n_rows) {
        for (index_t r = first; r < first + n_rows; ++r)
            for (index_t j = 0; j < table.n_columns; ++j)
                if (table(r, j) != table(r, j)) return true;
        return false;
    }

    template <typename T>
    void rank_column(const StridedMatrix<T>& table, index_t j, index_t first, index_t n_rows) {
        const Ranks& ranks = trees_.ranks_[static_cast<std::size_t>(j)];
        double numbers[ranked_together];
        std::uint32_t found[ranked_together];
        constexpr index_t together = ranked_together;
        for (index_t r = 0; r < n_rows; r += together) {
            const index_t n = std::min(together, n_rows - r);
            for (index_t i = 0; i < together; ++i)
                numbers[i] = i < n ? static_cast<double>(table(first + r + i, j)) : 0.0;
            if (ranks.is_category)
                find_categories(numbers, ranks.n_categories, found);
            else
                ranks.thresholds.find(numbers, found);
            for (index_t i = 0; i < n; ++i) {
                const bool is_missing = !ranks.is_category && numbers[i] != numbers[i];
                write(r + i, j, is_missing, found[i]);
            }
        }
    }

    static void find_categories(const double* numbers, std::uint32_t n_categories,
                                std::uint32_t* found) noexcept {
        for (std::size_t i = 0; i < ranked_together; ++i) {
            const bool is_known = numbers[i] >= 0 && numbers[i] < n_categories;
            found[i] = is_known ? static_cast<std::uint32_t>(numbers[i]) : n_categories;
        }
    }

    void write(index_t row, index_t column, bool is_missing, std::uint32_t rank) noexcept {
        Code* codes = codes_.data() + row * stride_;
        const auto code = is_missing ? missing : static_cast<Code>(rank);
        if (!has_missing_) {
            codes[column] = code;
            return;
        }
        codes[2 * column] = code;
        codes[2 * column + 1] = is_missing ? Code{0} : code;
    }

    // Rows that walk side by side.
    struct Group {
        std::uint64_t at[group_rows];  // nodes
        const Code* codes[group_rows];
    };

    template <bool has_missing, bool has_categories>
    std::uint64_t next(const PackedTree& tree, std::uint64_t at, const Code* codes) const noexcept {
        const std::uint64_t node = tree.nodes[at];
        const std::uint64_t column = node & mask(column_bits);
        const std::uint64_t left = node >> column_bits & mask(child_bits);
        const std::uint64_t rank = node >> rank_shift;
        const std::uint64_t missing_left = node >> missing_left_shift & 1;
        const std::uint64_t code =
            codes[has_missing && has_missing_ ? 2 * column + missing_left : column];
        const std::uint64_t above = rank < code;
        if constexpr (has_categories) {
            // All ones for a split of categories, so that both kinds take the same instructions.
            const std::uint64_t is_category = 0 - (node >> category_shift & 1);
            const std::uint64_t word = tree.set_words[is_category & (rank + code / 64)];
            const std::uint64_t outside = ~(word >> code % 64) & 1;
            return left + ((is_category & outside) | (~is_category & above));
        }
        return left + above;
    }

    // Returns whether a row has moved.
    template <bool has_missing, bool has_categories>
    NONET_INLINE bool step(const PackedTree& tree, Group& group) const noexcept {
        std::uint64_t moved = 0;
        for (std::size_t i = 0; i < group_rows; ++i) {
            const std::uint64_t at =
                next<has_missing, has_categories>(tree, group.at[i], group.codes[i]);
            moved |= at ^ group.at[i];
            group.at[i] = at;
        }
        return moved != 0;
    }

    // Rows of a large tree part at the top and go on in the order of the nodes they have come to:
    // those that follow each other walk through one branch, which lies together in memory.
    template <bool has_missing, bool has_categories>
    void walk(const PackedTree& tree, std::span<const std::uint32_t> rows,
              std::uint32_t* positions) const {
        std::vector<Walker> walkers(rows.size());
        for (std::uint32_t i = 0; i < rows.size(); ++i) walkers[i] = {0, i};
        if (tree.nodes.size() >= min_nodes_in_order && rows.size() >= min_rows_in_order)
            walkers = parted_at_top<has_missing, has_categories>(tree, rows, walkers);
        for_groups(rows, walkers, [&](Group& group, std::span<const Walker> walking) {
            do {
                step<has_missing, has_categories>(tree, group);
            } while (step<has_missing, has_categories>(tree, group));
            for (std::size_t i = 0; i < walking.size(); ++i)
                positions[walking[i].position] =
                    static_cast<std::uint32_t>(tree.nodes[group.at[i]] >> rank_shift);
        });
    }

    // The walkers some levels down, sorted by where they are; only roughly, which is enough.
    template <bool has_missing, bool has_categories>
    std::vector<Walker> parted_at_top(const PackedTree& tree, std::span<const std::uint32_t> rows,
                                      std::span<Walker> walkers) const {
        for_groups(rows, walkers, [&](Group& group, std::span<Walker> walking) {
            for (int level = 0; level < top_levels; ++level)
                step<has_missing, has_categories>(tree, group);
            for (std::size_t i = 0; i < walking.size(); ++i)
                walking[i].at = static_cast<std::uint32_t>(group.at[i]);
        });
        std::array<std::uint32_t, n_parts + 1> starts{};
        const int shift = static_cast<int>(std::bit_width(tree.nodes.size())) - part_bits;
        for (const Walker& walker : walkers) ++starts[(walker.at >> shift) + 1];
        std::partial_sum(starts.begin(), starts.end(), starts.begin());
        std::vector<Walker> sorted(walkers.size());
        for (const Walker& walker : walkers) sorted[starts[walker.at >> shift]++] = walker;
        return sorted;
    }

    // Calls use(group, its walkers); where a last group has fewer walkers, one of them walks for
    // the others too.
    template <typename Use>
    void for_groups(std::span<const std::uint32_t> rows, std::span<Walker> walkers,
                    const Use& use) const {
        for (std::size_t first = 0; first < walkers.size(); first += group_rows) {
            const auto walking =
                walkers.subspan(first, std::min<std::size_t>(group_rows, walkers.size() - first));
            Group group;
            for (std::size_t i = 0; i < group_rows; ++i) {
                const Walker& walker = walking[i < walking.size() ? i : 0];
                group.at[i] = walker.at;
                group.codes[i] = codes_of(rows[walker.position]);
            }
            use(group, walking);
        }
    }

    const Code* codes_of(std::uint32_t row) const noexcept { return codes_.data() + row * stride_; }

    static constexpr Code missing = std::numeric_limits<Code>::max();

    const PackedTrees& trees_;
    index_t first_row_;
    index_t n_rows_;
    bool has_missing_;
    index_t stride_;
    AlignedBuffer<Code> codes_;
};

PackedTrees::RankedRows::RankedRows() = default;
PackedTrees::RankedRows::~RankedRows() = default;
PackedTrees::RankedRows::RankedRows(RankedRows&&) noexcept = default;
PackedTrees::RankedRows& PackedTrees::RankedRows::operator=(RankedRows&&) noexcept = default;

template <typename T>
void PackedTrees::check_table(const StridedMatrix<T>& table) const {
    check(table.n_columns == n_columns_, "Rows must have as many columns as the trees.");
}

// As many blocks per thread as the maximum size of a block requires, all of one size.
index_t PackedTrees::rows_per_block(index_t n_rows, int n_threads) const noexcept {
    const index_t row_bytes = (n_columns_ + 1) * (needs_wide_codes() ? 4 : 2);
    const bool in_order = std::ranges::any_of(
        trees_, [](const PackedTree& tree) { return tree.nodes.size() >= min_nodes_in_order; });
    const index_t most =
        in_order
            ? std::clamp(block_bytes_in_order / row_bytes, 8 * group_rows, max_block_rows_in_order)
            : std::clamp(block_bytes / row_bytes, 8 * group_rows, max_block_rows);
    const index_t n_rounds = (n_rows + most * n_threads - 1) / (most * n_threads);
    const index_t n_blocks = std::max<index_t>(n_rounds * n_threads, 1);
    return std::max((n_rows + n_blocks - 1) / n_blocks, group_rows);
}

template <typename Code, typename T>
void PackedTrees::add_in_blocks(const StridedMatrix<T>& table, int n_threads, double* out) const {
    const index_t size = rows_per_block(table.n_rows, n_threads);
    std::vector<std::uint32_t> rows(static_cast<std::size_t>(size));
    std::iota(rows.begin(), rows.end(), 0U);
    parallel_for((table.n_rows + size - 1) / size, n_threads, [&](index_t b) {
        const index_t n_rows = std::min(size, table.n_rows - b * size);
        const Block<Code> block(*this, table, b * size, n_rows);
        std::vector<std::uint32_t> positions(static_cast<std::size_t>(n_rows));
        for (const PackedTree& tree : trees_) {
            block.find_values(tree, {rows.data(), positions.size()}, positions.data());
            double* sums = out + b * size * n_outputs_;
            for (const std::uint32_t position : positions) {
                const double* values = tree.values.data() + position * n_outputs_;
                for (index_t k = 0; k < n_outputs_; ++k) *sums++ += values[k];
            }
        }
    });
}

template <typename T>
void PackedTrees::add_predictions(const StridedMatrix<T>& table, int n_threads, double* out) const {
    check_table(table);
    const InPhase phase(Phase::prediction);
    if (needs_wide_codes()) return add_in_blocks<std::uint32_t>(table, n_threads, out);
    add_in_blocks<std::uint16_t>(table, n_threads, out);
}

template <typename Code, typename T>
void PackedTrees::rank_blocks(const StridedMatrix<T>& table, int n_threads,
                              std::vector<std::optional<Block<Code>>>& blocks) const {
    const index_t size = rows_per_block(table.n_rows, n_threads);
    blocks.resize(static_cast<std::size_t>((table.n_rows + size - 1) / size));
    parallel_for(std::ssize(blocks), n_threads, [&](index_t b) {
        const index_t n_rows = std::min(size, table.n_rows - b * size);
        blocks[static_cast<std::size_t>(b)].emplace(*this, table, b * size, n_rows);
    });
}

template <typename T>
PackedTrees::RankedRows PackedTrees::rank(const StridedMatrix<T>& table, int n_threads) const {
    check_table(table);
    RankedRows rows;
    rows.n_rows_ = table.n_rows;
    if (needs_wide_codes())
        rank_blocks(table, n_threads, rows.wide_);
    else
        rank_blocks(table, n_threads, rows.narrow_);
    return rows;
}

void PackedTrees::add_unseen(const RankedRows& rows, const SeenRows& seen, index_t first,
                             index_t last, int n_threads, double* out,
                             std::int32_t* coverage) const {
    check(seen.n_rows == rows.n_rows() && first >= 0 && first <= last && last <= n_trees(),
          "Rows seen must be those of the table, and trees those that there are.");
    const auto add = [&](const auto& blocks) {
        parallel_for(std::ssize(blocks), n_threads, [&](index_t b) {
            add_unseen_to_block(*blocks[static_cast<std::size_t>(b)], seen, first, last, out,
                                coverage);
        });
    };
    add(rows.narrow_);
    add(rows.wide_);
}

template <typename Code>
void PackedTrees::add_unseen_to_block(const Block<Code>& block, const SeenRows& seen, index_t first,
                                      index_t last, double* out, std::int32_t* coverage) const {
    std::vector<std::uint32_t> rows;
    std::vector<std::uint32_t> positions(static_cast<std::size_t>(block.n_rows()));
    out += block.first_row() * n_outputs_;
    coverage += block.first_row();
    for (index_t t = first; t < last; ++t) {
        const std::uint64_t* words = seen.of_tree(t - first);
        rows.clear();
        for (index_t r = 0; r < block.n_rows(); ++r) {
            const index_t row = block.first_row() + r;
            if ((words[row / 64] >> (row % 64) & 1U) == 0)
                rows.push_back(static_cast<std::uint32_t>(r));
        }
        const PackedTree& tree = trees_[static_cast<std::size_t>(t)];
        block.find_values(tree, rows, positions.data());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const double* values = tree.values.data() + positions[i] * n_outputs_;
            for (index_t k = 0; k < n_outputs_; ++k) out[rows[i] * n_outputs_ + k] += values[k];
            ++coverage[rows[i]];
        }
    }
}

template void PackedTrees::add_predictions(const StridedMatrix<float>&, int, double*) const;
template void PackedTrees::add_predictions(const StridedMatrix<double>&, int, double*) const;
template PackedTrees::RankedRows PackedTrees::rank(const StridedMatrix<float>&, int) const;
template PackedTrees::RankedRows PackedTrees::rank(const StridedMatrix<double>&, int) const;

}  // namespace nonet
