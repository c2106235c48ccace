// What single threads have counted of a node's rows, and how it becomes one histogram.
//
// Threads take blocks of rows one after another, and each adds them to memory of its own: cells are
// whole numbers, so that it does not matter which thread has counted which rows. Packed rows are
// added up as words, which become cells when they are full; a part of few rows has no cells.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "base/buffer_pool.hpp"
#include "base/parallel.hpp"
#include "grow/histogram/added_rows.hpp"
#include "grow/histogram/histogram_layout.hpp"
#include "grow/histogram/histogram_pool.hpp"
#include "grow/histogram/listed_cells.hpp"

namespace nonet {

template <typename Cell, typename Row>
struct HistogramPart {
    HistogramPart(std::int32_t histogram_, Cell* cells_) noexcept
        : histogram(histogram_), cells(cells_) {}

    std::int32_t histogram;
    Cell* cells;
    bool has_cells = false;  // otherwise nobody has cleared them
    std::optional<PooledBuffer<Row>> words;
    std::size_t n_rows_in_words = 0;
    std::vector<Cell> total;  // of the rows of this part, where columns are listed
};

template <typename Criterion>
class HistogramParts {
public:
    using Cell = typename Criterion::Cell;
    using Row = typename Criterion::Row;
    using Part = HistogramPart<Cell, Row>;

    HistogramParts(BufferPool& pool, const HistogramLayout& layout,
                   const AddedRows<Criterion>& by_row, const ListedCells<Criterion>& listed)
        : buffers_(pool), layout_(layout), by_row_(by_row), listed_(listed) {}

    // Counts rows in at most so many parts. The first of them is the histogram itself; the others
    // are borrowed from the pool, as far as it has any.
    std::deque<Part> count(std::int32_t histogram, HistogramPool<Cell>& pool,
                           std::span<const std::uint32_t> rows, const Row* added,
                           index_t n_parts) const {
        std::deque<Part> parts;
        parts.emplace_back(histogram, pool.cells(histogram));
        while (std::ssize(parts) < n_parts) {
            const std::int32_t part = pool.take();
            if (part == HistogramPool<Cell>::none) break;
            parts.emplace_back(part, pool.cells(part));
        }
        const index_t rows_per_task =
            std::clamp<index_t>(std::ssize(rows) / (tasks_per_part * std::ssize(parts)),
                                min_rows_per_task, max_rows_per_task);
        parallel_blocks(std::ssize(rows), rows_per_task, static_cast<int>(parts.size()),
                        [&](index_t, index_t begin, index_t end) {
                            count_rows(parts[static_cast<std::size_t>(current_seat())], rows, added,
                                       static_cast<std::size_t>(begin),
                                       static_cast<std::size_t>(end));
                        });
        if (layout_.has_lists()) set_total(parts);
        return parts;
    }

    // The cells of these columns become the sums of all parts.
    void join(std::deque<Part>& parts, ColumnRange columns) const {
        const index_t first = layout_.first_cell(columns.begin);
        const index_t end = layout_.first_cell(columns.end);
        Cell* cells = parts.front().cells;
        if (!parts.front().has_cells) std::fill(cells + first, cells + end, Cell{});
        for (Part& part : parts) {
            if (part.has_cells && part.cells != cells)
                for (index_t i = first; i < end; ++i) cells[i] += part.cells[i];
            if constexpr (has_words)
                if (const index_t end_words = std::min(end, layout_.first_listed());
                    part.words && first < end_words)
                    move_packed_sums(
                        part.words->all().subspan(static_cast<std::size_t>(first),
                                                  static_cast<std::size_t>(end_words - first)),
                        Criterion::Packing::layout, cells + first);
        }
    }

private:
    static constexpr bool has_words = AddedRows<Criterion>::has_words;
    static constexpr index_t tasks_per_part = 4;
    static constexpr index_t min_rows_per_task = 512;
    static constexpr index_t max_rows_per_task = [] {
        if constexpr (has_words)
            return static_cast<index_t>(Criterion::Packing::rows_per_block);
        else
            return index_t{1} << 12;
    }();

    // Rows begin, ..., end - 1 in all columns, at most as many as words hold.
    void count_rows(Part& part, std::span<const std::uint32_t> rows, const Row* added,
                    std::size_t begin, std::size_t end) const {
        if (!has_words || layout_.has_lists()) ensure_cells(part);
        if (layout_.n_by_row() > 0) {
            if constexpr (has_words)
                by_row_.add_block(words_for(part, end - begin), rows, added, begin, end);
            else
                by_row_.add_block(part.cells, rows, added, begin, end);
        }
        if (!layout_.has_lists()) return;
        const auto block = rows.subspan(begin, end - begin);
        listed_.add(part.cells, {layout_.n_by_row(), layout_.n_positions()}, block, added + begin);
        part.total.resize(static_cast<std::size_t>(layout_.width()), Cell{});
        for (std::size_t i = begin; i < end; ++i) Criterion::add_row(part.total.data(), added[i]);
    }
    void ensure_cells(Part& part) const {
        if (!part.has_cells) std::fill_n(part.cells, layout_.n_cells(), Cell{});
        part.has_cells = true;
    }
    // With room for so many rows more.
    Row* words_for(Part& part, std::size_t n_rows) const {
        if (!part.words) {
            part.words.emplace(buffers_, layout_.first_listed());
            std::ranges::fill(part.words->all(), Row{});
        } else if (part.n_rows_in_words + n_rows > Criterion::Packing::rows_per_block) {
            ensure_cells(part);
            move_packed_sums(part.words->all(), Criterion::Packing::layout, part.cells);
            part.n_rows_in_words = 0;
        }
        part.n_rows_in_words += n_rows;
        return part.words->data();
    }
    void set_total(const std::deque<Part>& parts) const {
        Cell* total = parts.front().cells + layout_.n_cells();
        std::fill_n(total, layout_.width(), Cell{});
        for (const Part& part : parts)
            for (std::size_t w = 0; w < part.total.size(); ++w) total[w] += part.total[w];
    }

    BufferPool& buffers_;
    const HistogramLayout& layout_;
    const AddedRows<Criterion>& by_row_;
    const ListedCells<Criterion>& listed_;
};

}  // namespace nonet
