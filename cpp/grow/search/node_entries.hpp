// What the rows of a node have outside the bins of zero, in some columns of a sparse table.
//
// A node of a forest looks at few of the columns. Its rows' lists (scattered_columns.hpp) are read
// once for all of them; a node of many rows looks its rows up in the entries of each column, where
// that is less to read. Columns then cost what their entries cost, however many rows the node has.
// Bins of 8 bits.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "data/binned_dataset.hpp"
#include "grow/sampling/column_sampler.hpp"

namespace nonet {

struct NodeEntry {
    std::uint32_t position;  // among the rows of the node
    std::uint32_t bin;
};

class NodeEntries {
public:
    // Of the columns at positions begin, ..., end - 1 of an order.
    void gather(const BinnedDataset& dataset, ColumnSampler::Order& order, index_t begin,
                index_t end, std::span<const std::uint32_t> rows) {
        begin_ = begin;
        end_ = end;
        found_.clear();
        const ScatteredColumns& lists = dataset.scattered();
        index_t n_entries = 0;
        for (index_t i = begin; i < end; ++i)
            n_entries += lists.columns()[static_cast<std::size_t>(order[i])].n_listed;
        const index_t n_listed = std::ssize(rows) * lists.n_listed() / dataset.n_rows();
        if (n_listed <= reads_per_entry * n_entries + std::ssize(rows))
            find_by_rows(lists, order, rows);
        else
            find_by_columns(dataset.matrix(), order, rows);
        sort_by_column();
    }

    bool cover(index_t position) const noexcept { return position >= begin_ && position < end_; }
    std::span<const NodeEntry> at(index_t position) const noexcept {
        const auto slot = static_cast<std::size_t>(position - begin_);
        return {entries_.data() + ends_[slot], ends_[slot + 1] - ends_[slot]};
    }

private:
    static constexpr index_t reads_per_entry = 2;  // its row, and the position of that
    struct Found {
        std::uint32_t slot;
        NodeEntry entry;
    };

    void find_by_rows(const ScatteredColumns& lists, ColumnSampler::Order& order,
                      std::span<const std::uint32_t> rows) {
        slots_.resize(lists.columns().size());
        for (index_t i = begin_; i < end_; ++i)
            slots_[static_cast<std::size_t>(order[i])] = static_cast<std::uint32_t>(i - begin_ + 1);
        const std::uint32_t* columns = lists.columns_of_cells().data();
        for (index_t b = 0; b < std::ssize(lists.blocks()); ++b)
            for (std::size_t i = 0; i < rows.size(); ++i)
                for (const std::uint32_t cell : lists.cells_of(b, rows[i]))
                    if (const std::uint32_t slot = slots_[columns[cell]]; slot > 0) {
                        const std::uint32_t bin = lists.columns()[columns[cell]].bin(cell);
                        found_.push_back({slot - 1, {static_cast<std::uint32_t>(i), bin}});
                    }
        for (index_t i = begin_; i < end_; ++i) slots_[static_cast<std::size_t>(order[i])] = 0;
    }

    // Positions of rows that are not in the node are those of earlier nodes: what is found there
    // is another row.
    void find_by_columns(const BinnedMatrix& matrix, ColumnSampler::Order& order,
                         std::span<const std::uint32_t> rows) {
        positions_.resize(static_cast<std::size_t>(matrix.n_rows()));
        for (std::size_t i = 0; i < rows.size(); ++i)
            positions_[rows[i]] = static_cast<std::uint32_t>(i);
        for (index_t i = begin_; i < end_; ++i) {
            const auto column = matrix.sparse_column<std::uint8_t>(order[i]);
            for (std::size_t k = 0; k < column.rows.size(); ++k) {
                const auto row = static_cast<std::uint32_t>(column.rows[k]);
                const std::uint32_t position = positions_[row];
                if (position < rows.size() && rows[position] == row &&
                    column.bins[k] != column.of_zero)
                    found_.push_back(
                        {static_cast<std::uint32_t>(i - begin_), {position, column.bins[k]}});
            }
        }
    }

    void sort_by_column() {
        ends_.assign(static_cast<std::size_t>(end_ - begin_ + 1), 0);
        for (const Found& one : found_) ++ends_[one.slot];
        std::uint32_t sum = 0;
        for (std::uint32_t& end : ends_) sum += std::exchange(end, sum);
        entries_.resize(found_.size());
        for (const Found& one : found_) entries_[ends_[one.slot]++] = one.entry;
        for (std::size_t slot = ends_.size() - 1; slot > 0; --slot) ends_[slot] = ends_[slot - 1];
        ends_[0] = 0;
    }

    index_t begin_ = 0;
    index_t end_ = 0;
    std::vector<Found> found_;
    std::vector<NodeEntry> entries_;        // column after column
    std::vector<std::uint32_t> ends_;       // those of slot s are ends_[s], ..., ends_[s + 1] - 1
    std::vector<std::uint32_t> slots_;      // by column, 0 between two calls: not looked at
    std::vector<std::uint32_t> positions_;  // by row
};

}  // namespace nonet
