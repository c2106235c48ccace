// Histograms of all columns of a tree at once, for one node, from bins of 8 bits by rows.
//
// A node of many rows has its histogram counted or, if its sibling's is there, taken as the
// parent's less the sibling's. Cells are whole numbers: both ways give the same. Of columns in
// which most rows share a bin, that bin is not counted: `complete` gives it what the others leave
// of the node's total.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <span>
#include <type_traits>
#include <vector>

#include "base/parallel.hpp"
#include "data/binned_dataset.hpp"
#include "grow/histogram/counted_bins.hpp"
#include "grow/histogram/histogram_part.hpp"
#include "grow/histogram/histogram_pool.hpp"
#include "grow/histogram/moment_rows.hpp"

namespace nonet {

// Columns that lie side by side, and blocks of them, by their positions in a histogram.
struct ColumnRange {
    index_t begin;
    index_t end;

    index_t size() const noexcept { return end - begin; }
    bool contains(index_t position) const noexcept { return position >= begin && position < end; }
};

template <typename Criterion>
class Histograms {
public:
    using Cell = typename Criterion::Cell;
    using Row = typename Criterion::Row;
    using Part = HistogramPart<Cell, Row>;
    static constexpr bool exist = true;
    static constexpr std::int32_t none = HistogramPool<Cell>::none;
    static constexpr index_t bins_per_column =
        256;  // all that 8 bits can hold: offsets need no table

    // Not for bins of 16 bits, nor where a node looks at few of the columns.
    Histograms(BufferPool& pool, const BinnedDataset& dataset, std::span<const index_t> columns,
               const Criterion& criterion, bool takes_most_columns)
        : buffers_(pool),
          is_used_(dataset.matrix().bytes_per_bin() == 1 && takes_most_columns),
          bins_(pool, dataset, columns, is_used_),
          width_(criterion.width()),
          starts_(find_starts(dataset)),
          has_equal_steps_(starts_.back() == bins_.n_by_row() * cells_per_column()),
          min_rows_(bins_.n_by_row() > 0 ? min_rows_per_width * width_ : min_rows_listed()),
          has_plain_lists_(bins_.scattered() && bins_.scattered()->are_all_plain()),
          rows_per_part_(find_rows_per_part()),
          pool_(pool, first_cell(bins_.n_positions()) + width_) {}

    // Smaller nodes are cheaper to search column by column.
    bool is_worth(index_t n_rows) const noexcept { return is_used_ && n_rows >= min_rows_; }
    // Whether a parent's histogram becomes that of one child without the other's being counted:
    // few rows touch few cells where all cells are listed, and a child that is not split needs
    // none.
    bool can_take_away(index_t n_rows, bool can_split) const noexcept {
        return are_all_listed() && !(can_split && is_worth(n_rows));
    }

    // Must come before the first count; all threads do it together.
    void prepare(int n_threads) { bins_.prepare(n_threads); }
    // One that is not counted yet; none: there is no memory for more.
    std::int32_t take() { return pool_.take(); }
    void give_back(std::int32_t& histogram) { pool_.give_back(histogram); }

    // Whether threads share the rows of a node, each with a histogram of its own, which are added
    // up in the end. Where fewer rows have columns enough for all threads, these share the columns.
    bool is_shared_by_rows(index_t n_rows, int n_threads) const noexcept {
        const bool are_many = n_rows >= rows_shared_always;
        const bool have_columns = n_shared() >= good_columns_per_part * n_threads;
        return (are_many || !have_columns) && n_row_parts(n_rows, n_threads) > 1;
    }
    // How many threads are worth their time: a block of lists is one thread's, and takes so little
    // of it that each needs two.
    int n_threads_for(index_t n_rows, int n_threads) const noexcept {
        if (!are_all_listed() || is_shared_by_rows(n_rows, n_threads)) return n_threads;
        return static_cast<int>(std::clamp<index_t>(n_positions() / 2, 1, n_threads));
    }
    // Counts rows in parts, the first of which is the histogram itself; `join` adds them up.
    std::deque<Part> count_by_rows(std::int32_t histogram, std::span<const std::uint32_t> rows,
                                   const Row* added, int n_threads) {
        std::deque<Part> parts;
        parts.emplace_back(histogram, pool_.cells(histogram));
        while (std::ssize(parts) < n_row_parts(std::ssize(rows), n_threads)) {
            const std::int32_t part = pool_.take();
            if (part == none) break;
            parts.emplace_back(part, pool_.cells(part));
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
        if (has_lists()) set_total(histogram, parts);
        return parts;
    }
    // The cells of these columns become the sums of all parts.
    void join(std::deque<Part>& parts, ColumnRange columns) {
        const index_t first = first_cell(columns.begin);
        const index_t end = first_cell(columns.end);
        Cell* cells = parts.front().cells;
        if (!parts.front().has_cells) std::fill(cells + first, cells + end, Cell{});
        for (Part& part : parts) {
            if (part.has_cells && part.cells != cells)
                for (index_t i = first; i < end; ++i) cells[i] += part.cells[i];
            if constexpr (has_words)
                if (const index_t end_words = std::min(end, starts_.back());
                    part.words && first < end_words)
                    move_packed_sums(
                        part.words->all().subspan(static_cast<std::size_t>(first),
                                                  static_cast<std::size_t>(end_words - first)),
                        Criterion::Packing::layout, cells + first);
        }
    }
    void give_back(std::deque<Part>& parts) {
        for (std::size_t p = 1; p < parts.size(); ++p) pool_.give_back(parts[p].histogram);
    }

    // Roughly how many additions a tree makes that splits so many nodes: its rows are partitioned,
    // and on average counted twice; nodes of few rows have no histogram.
    index_t work_of_tree(index_t n_rows, index_t n_splits) const noexcept {
        constexpr index_t work_per_row = 64;
        const index_t n_nodes = std::min(n_splits, n_rows / std::max<index_t>(min_rows_, 1) + 1);
        return n_rows * work_per_row + 2 * work_before(n_positions(), n_rows) +
               (n_nodes - 2) * work_before(n_positions(), 0);
    }

    // Into how many parts the columns of a node are divided: those that are counted so many rows
    // each, or added up from parts, and searched. A part is worth waking a thread; to count few
    // columns takes as long as to count some more. A block of columns is as good as several.
    index_t n_column_parts(index_t n_rows, std::size_t n_row_parts, index_t most) const noexcept {
        const index_t columns = n_row_parts > 0 ? 1 : min_columns_per_part;
        const index_t n_counted = n_row_parts > 0 ? 0 : n_rows;
        const index_t work =
            work_before(n_positions(), n_counted) +
            work_per_added_cell * static_cast<index_t>(n_row_parts) * n_cells() / width();
        return std::clamp<index_t>(std::min(n_shared() / columns, work / min_work_per_part), 1,
                                   most);
    }
    // Parts that take about as long for a node whose smaller child has so many rows.
    ColumnRange column_part(index_t part, index_t n_parts, index_t n_rows) const noexcept {
        return {position_after(part, n_parts, n_rows), position_after(part + 1, n_parts, n_rows)};
    }

    void count(std::int32_t histogram, ColumnRange columns, std::span<const std::uint32_t> rows,
               const Row* added) {
        Cell* cells = pool_.cells(histogram);
        std::fill(cells + first_cell(columns.begin), cells + first_cell(columns.end), Cell{});
        const ColumnRange by_row = {std::min(columns.begin, bins_.n_by_row()),
                                    std::min(columns.end, bins_.n_by_row())};
        if (by_row.size() > 0) count_by_row(cells, by_row, rows, added);
        add_listed(columns, rows, added, cells);
    }
    // The total of rows that are counted column by column.
    void set_total(std::int32_t histogram, std::span<const Row> added) {
        if (!has_lists()) return;
        Cell* total = pool_.cells(histogram) + n_cells();
        std::fill_n(total, width(), Cell{});
        for (const Row& row : added) Criterion::add_row(total, row);
    }
    void take_away_total(std::int32_t histogram, std::span<const Row> added) {
        std::vector<Cell> taken(static_cast<std::size_t>(width()), Cell{});
        for (const Row& row : added) Criterion::add_row(taken.data(), row);
        Cell* total = pool_.cells(histogram) + n_cells();
        for (const Cell& cell : taken) *total++ -= cell;
    }
    // That of the sibling; cells are subtracted column by column.
    void subtract_total(std::int32_t parent, std::int32_t child) {
        if (!has_lists()) return;
        Cell* from = pool_.cells(parent) + n_cells();
        const Cell* total = pool_.cells(child) + n_cells();
        for (index_t w = 0; w < width(); ++w) from[w] -= total[w];
    }
    // The histogram without the given rows; see can_take_away.
    void take_away(std::int32_t histogram, ColumnRange columns, std::span<const std::uint32_t> rows,
                   const Row* added) {
        each_listed(columns, rows, added, pool_.cells(histogram),
                    [](Cell& cell, const Cell& row) { cell -= row; });
    }

    // The sibling's histogram, in the memory of the parent's.
    void subtract(std::int32_t parent, std::int32_t child, ColumnRange columns) {
        Cell* from = pool_.cells(parent);
        const Cell* cells = pool_.cells(child);
        const index_t end = first_cell(columns.end);
        for (index_t i = first_cell(columns.begin); i < end; ++i) from[i] -= cells[i];
    }

    // Of all columns, by their indices; none: there is no histogram.
    Cell* cells(std::int32_t histogram) {
        return histogram == none ? nullptr : pool_.cells(histogram);
    }
    index_t position_of(index_t column) const noexcept { return bins_.position_of(column); }
    // Of a column that is kept by rows.
    const Cell* cells_of(const Cell* histogram, index_t column) const noexcept {
        return histogram + first_cell(position_of(column));
    }
    // None: the column is kept by rows.
    const ScatteredColumn* scattered_column(index_t column) const noexcept {
        return bins_.scattered_column(column);
    }
    // Its cells, without that of the common bin.
    const Cell* listed_cells(const Cell* histogram, const ScatteredColumn& column) const noexcept {
        return histogram + first_cell(bins_.n_by_row()) + column.first_cell * width();
    }
    // The cells of its bins and of an empty one, into `complete`; the common one is what the others
    // leave of `total`, and `others` is their sum.
    void complete(const Cell* histogram, const ScatteredColumn& column,
                  const std::vector<Cell>& total, std::vector<Cell>& others,
                  std::vector<Cell>& complete) const {
        const Cell* cells = listed_cells(histogram, column);
        const Cell* after_common = cells + column.common * width();
        const Cell* end = cells + column.n_cells() * width();
        complete.assign(cells, after_common);
        complete.insert(complete.end(), total.begin(), total.end());
        complete.insert(complete.end(), after_common, end);
        complete.insert(complete.end(), static_cast<std::size_t>(width()), Cell{});
        others.assign(static_cast<std::size_t>(width()), Cell{});
        while (cells != end)
            for (index_t w = 0; w < width(); ++w) others[static_cast<std::size_t>(w)] += *cells++;
        Cell* common = complete.data() + column.common * width();
        for (index_t w = 0; w < width(); ++w) common[w] -= others[static_cast<std::size_t>(w)];
    }
    // Whether all columns in this range are listed, and numbers of which none is missing.
    bool are_all_plain(ColumnRange columns) const noexcept {
        return columns.begin >= bins_.n_by_row() && has_plain_lists_;
    }
    // Calls look_at(column, its cells without that of the common bin) for listed columns.
    template <typename LookAt>
    void each_listed_column(const Cell* histogram, ColumnRange columns,
                            const LookAt& look_at) const {
        const Cell* cells = histogram + first_cell(bins_.n_by_row());
        for (index_t p = std::max(columns.begin, bins_.n_by_row()); p < columns.end; ++p)
            for (const ScatteredColumn& column :
                 bins_.scattered()->columns_of(p - bins_.n_by_row()))
                look_at(column, cells + column.first_cell * width());
    }
    // How many of the rows list a cell of each column, added to `n_listed`.
    void count_listed(std::span<const std::uint32_t> rows,
                      std::span<std::uint32_t> n_listed) const noexcept {
        const std::span<const std::uint32_t> columns = bins_.scattered()->columns_of_cells();
        for (index_t b = 0; b < std::ssize(bins_.scattered()->blocks()); ++b)
            for (const std::uint32_t row : rows)
                for (const std::uint32_t cell : bins_.scattered()->cells_of(b, row))
                    ++n_listed[columns[cell]];
    }
    // Whether there is nothing but lists.
    bool are_all_listed() const noexcept { return is_used_ && bins_.n_by_row() == 0; }

    // The sum of all rows of a node, into `width` cells: that of any column kept by rows.
    void add_up(const Cell* histogram, ColumnRange columns, std::vector<Cell>& total) const {
        total.assign(static_cast<std::size_t>(width()), Cell{});
        if (columns.begin >= bins_.n_by_row()) {
            std::copy_n(histogram + n_cells(), width(), total.begin());
            return;
        }
        const Cell* cell = histogram + first_cell(columns.begin);
        const Cell* end = histogram + first_cell(columns.begin + 1) - cells_between;
        while (cell < end)
            for (Cell& sum : total) sum += *cell++;
    }
    index_t n_positions() const noexcept { return bins_.n_positions(); }

private:
    static constexpr index_t min_rows_per_width = 128;
    static constexpr index_t cells_between = 4;
    static constexpr index_t rows_shared_always = 1 << 15;
    static constexpr index_t tasks_per_part = 4;
    static constexpr index_t min_rows_per_task = 512;
    static constexpr index_t min_columns_per_part = 4;
    static constexpr index_t good_columns_per_part = 8;
    static constexpr index_t min_work_per_part = 1 << 14;
    static constexpr index_t work_per_added_cell = 2;
    static constexpr index_t columns_per_block = 8;  // that a block is as good as
    static constexpr index_t columns_per_word = 8;
    static constexpr index_t work_per_listed = 4;
    // Rows are prefetched twice: early for the large cache, and again just before they are read,
    // because the small cache is full of sums and would not keep them for long.
    static constexpr std::size_t rows_far_ahead = 48;
    static constexpr std::size_t rows_ahead = 6;
    static constexpr bool has_words = requires { Criterion::Packing::rows_per_block; };
    static_assert(std::endian::native == std::endian::little, "bins are read in words of eight");
    static constexpr index_t max_rows_per_task = [] {
        if constexpr (has_words)
            return static_cast<index_t>(Criterion::Packing::rows_per_block);
        else
            return index_t{1} << 12;
    }();

    // To gather a column takes the time of some dozens of rows, beside its own.
    index_t min_rows_listed() const noexcept {
        constexpr index_t rows_per_gathered = 50;
        const auto n_columns =
            static_cast<index_t>(bins_.scattered() ? std::ssize(bins_.scattered()->columns()) : 0);
        if (n_columns == 0) return 0;
        const index_t cells_of_a_column = bins_.scattered()->n_cells() / n_columns + 1;
        return std::max<index_t>(2 * cells_of_a_column - rows_per_gathered, 1);
    }

    bool has_lists() const noexcept { return bins_.n_positions() > bins_.n_by_row(); }
    // Of all columns; the total comes behind them.
    index_t n_cells() const noexcept { return first_cell(bins_.n_positions()); }

    // So many that to clear a histogram and to add it to another takes a third of the time of
    // counting them.
    index_t find_rows_per_part() const {
        constexpr index_t min_rows = 1024;
        constexpr index_t work_per_cell = 12;
        const index_t n_listed = has_lists() ? bins_.scattered()->n_listed_per_row() : 0;
        const index_t work_per_row = bins_.n_by_row() + work_per_listed * n_listed + 1;
        return std::max(min_rows, work_per_cell * n_cells() / width_ / work_per_row);
    }
    index_t n_row_parts(index_t n_rows, int n_threads) const noexcept {
        return std::min<index_t>(n_rows / rows_per_part_, n_threads);
    }

    // What threads share: columns, with several for each block.
    index_t n_shared() const noexcept {
        return bins_.n_by_row() + (bins_.n_positions() - bins_.n_by_row()) * columns_per_block;
    }
    // The first position whose columns before it take this fraction of the time of all.
    index_t position_after(index_t part, index_t n_parts, index_t n_rows) const noexcept {
        const index_t wanted = work_before(n_positions(), n_rows) * part / n_parts;
        index_t low = 0, high = n_positions();
        while (low < high) {
            const index_t middle = (low + high) / 2;
            if (work_before(middle, n_rows) < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
    // Rows are counted; cells are cleared, subtracted and searched in two children, which takes
    // some eight times as long for each.
    index_t work_before(index_t position, index_t n_rows) const noexcept {
        constexpr index_t work_per_cell = 8;
        const index_t n_by_row = std::min(position, bins_.n_by_row());
        const index_t n_columns = n_by_row + (position - n_by_row) * columns_per_block;
        return n_columns * n_rows + work_per_cell * first_cell(position) / width();
    }
    index_t first_cell(index_t position) const noexcept {
        const index_t n_by_row = bins_.n_by_row();
        if (position <= n_by_row) return starts_[static_cast<std::size_t>(position)];
        const auto& block =
            bins_.scattered()->blocks()[static_cast<std::size_t>(position - n_by_row - 1)];
        return starts_.back() + (block.first_cell + block.n_cells) * width();
    }

    // Columns begin a few cells beyond a power of two: where many have few bins, their cells would
    // otherwise compete for a few sets of the small cache.
    static constexpr index_t cells_per_column_of(index_t width) noexcept {
        return bins_per_column * width + cells_between;
    }
    index_t cells_per_column() const noexcept { return cells_per_column_of(width()); }

    // Where the cells of each column begin, and the last ones end. Columns of many bins have room
    // for all that 8 bits can hold, so that their offsets need no table; where most have few, each
    // has room for its own, because to clear, subtract and search empty cells takes longer than to
    // look up offsets.
    std::vector<index_t> find_starts(const BinnedDataset& dataset) const {
        const std::vector<index_t> columns = bins_.columns_by_row();
        std::vector<index_t> starts = {0};
        for (const index_t column : columns)
            starts.push_back(starts.back() + (dataset.bins(column).n_bins() + 1) * width() +
                             cells_between);
        if (2 * starts.back() < bins_.n_by_row() * cells_per_column()) return starts;
        for (index_t p = 0; p < std::ssize(starts); ++p)
            starts[static_cast<std::size_t>(p)] = p * cells_per_column();
        return starts;
    }

    struct AddWords {
        void operator()(Row* column, std::uint64_t bin, const Row& row) const noexcept {
            column[bin] += row;
        }
    };
    struct AddCells {
        index_t width;

        void operator()(Cell* column, std::uint64_t bin, const Row& row) const noexcept {
            Criterion::add_row(column + static_cast<index_t>(bin) * width, row);
        }
    };

    // Rows that come as words are added up as words, a block of them at a time, which takes half of
    // the memory traffic; the sums of a block are then unpacked into cells.
    void count_by_row(Cell* cells, ColumnRange columns, std::span<const std::uint32_t> rows,
                      const Row* added) {
        const index_t n_cells = first_cell(columns.end) - first_cell(columns.begin);
        cells += first_cell(columns.begin);
        if constexpr (has_words) {
            const PooledBuffer<Row> words(buffers_, n_cells);
            std::ranges::fill(words.all(), Row{});
            with_columns(words.data(), columns, [&](const auto& sums) {
                each_block(rows.size(), Criterion::Packing::rows_per_block,
                           [&](std::size_t begin, std::size_t end) {
                               add_rows(sums, columns, rows, added, begin, end, AddWords{});
                               move_packed_sums(words.all(), Criterion::Packing::layout, cells);
                           });
            });
        } else {
            with_columns(cells, columns, [&](const auto& sums) {
                each_block(rows.size(), 1 << 16, [&](std::size_t begin, std::size_t end) {
                    add_rows(sums, columns, rows, added, begin, end, AddCells{width()});
                });
            });
        }
    }

    // Rows begin, ..., end - 1 in all columns, at most as many as words hold.
    void count_rows(Part& part, std::span<const std::uint32_t> rows, const Row* added,
                    std::size_t begin, std::size_t end) {
        const ColumnRange by_row = {0, bins_.n_by_row()};
        if (!has_words || has_lists()) ensure_cells(part);
        if constexpr (has_words) {
            if (by_row.size() > 0) {
                Row* words = words_for(part, end - begin);
                with_columns(words, by_row, [&](const auto& sums) {
                    add_rows(sums, by_row, rows, added, begin, end, AddWords{});
                });
            }
        } else if (by_row.size() > 0) {
            with_columns(part.cells, by_row, [&](const auto& sums) {
                add_rows(sums, by_row, rows, added, begin, end, AddCells{width()});
            });
        }
        if (!has_lists()) return;
        const auto block = rows.subspan(begin, end - begin);
        add_listed({by_row.end, n_positions()}, block, added + begin, part.cells);
        part.total.resize(static_cast<std::size_t>(width()), Cell{});
        for (std::size_t i = begin; i < end; ++i) Criterion::add_row(part.total.data(), added[i]);
    }
    void ensure_cells(Part& part) const {
        if (!part.has_cells) std::fill_n(part.cells, n_cells(), Cell{});
        part.has_cells = true;
    }
    // With room for so many rows more.
    Row* words_for(Part& part, std::size_t n_rows) {
        if (!part.words) {
            part.words.emplace(buffers_, starts_.back());
            std::ranges::fill(part.words->all(), Row{});
        } else if (part.n_rows_in_words + n_rows > Criterion::Packing::rows_per_block) {
            ensure_cells(part);
            move_packed_sums(part.words->all(), Criterion::Packing::layout, part.cells);
            part.n_rows_in_words = 0;
        }
        part.n_rows_in_words += n_rows;
        return part.words->data();
    }
    void set_total(std::int32_t histogram, const std::deque<Part>& parts) {
        Cell* total = pool_.cells(histogram) + n_cells();
        std::fill_n(total, width(), Cell{});
        for (const Part& part : parts)
            for (std::size_t w = 0; w < part.total.size(); ++w) total[w] += part.total[w];
    }

    // The sums of columns that all have as many cells, or of columns that each have their own. How
    // many is a constant wherever the width is one: no register holds it, whoever inlines the loop.
    template <typename Sum>
    struct EqualColumns {
        Sum* first;
        index_t width;

        Sum* operator()(index_t word, index_t j) const noexcept {
            constexpr index_t fixed = Criterion::fixed_width;
            const index_t step = cells_per_column_of(fixed > 0 ? fixed : width);
            return first + word * columns_per_word * step + j * step;
        }
    };
    template <typename Sum>
    struct UnequalColumns {
        Sum* const* firsts;

        Sum* operator()(index_t word, index_t j) const noexcept {
            return firsts[word * columns_per_word + j];
        }
    };
    template <typename Sum, typename Use>
    void with_columns(Sum* sums, ColumnRange columns, const Use& use) const {
        if (has_equal_steps_) return use(EqualColumns<Sum>{sums, width_});
        std::vector<Sum*> firsts;
        for (index_t p = columns.begin; p < columns.end; ++p)
            firsts.push_back(sums + first_cell(p) - first_cell(columns.begin));
        use(UnequalColumns<Sum>{firsts.data()});
    }

    // Calls change(cell, what the row adds to it) for all cells that rows list in these columns.
    template <typename Change>
    void each_listed(ColumnRange columns, std::span<const std::uint32_t> rows, const Row* added,
                     Cell* cells, const Change& change) const {
        const index_t n_by_row = bins_.n_by_row();
        cells += starts_.back();
        for (index_t p = std::max(columns.begin, n_by_row); p < columns.end; ++p) {
            const auto& block = bins_.scattered()->blocks()[static_cast<std::size_t>(p - n_by_row)];
            each_block(rows.size(), 1 << 16, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                    change_listed(block, rows[i], added[i], cells, change);
            });
        }
    }
    void add_listed(ColumnRange columns, std::span<const std::uint32_t> rows, const Row* added,
                    Cell* cells) const {
        each_listed(columns, rows, added, cells, [](Cell& cell, const Cell& row) { cell += row; });
    }
    template <typename Change>
    void change_listed(const ScatteredColumns::Block& block, std::uint32_t row, const Row& added,
                       Cell* cells, const Change& change) const {
        const std::uint32_t* listed = block.cells.data();
        const std::uint32_t end = block.starts.data()[row + 1];
        if constexpr (Criterion::fixed_width == 1) {
            Cell one{};
            Criterion::add_row(&one, added);
            for (std::uint32_t k = block.starts.data()[row]; k < end; ++k)
                change(cells[listed[k]], one);
        } else {
            thread_local std::vector<Cell> all;
            all.assign(static_cast<std::size_t>(width()), Cell{});
            Criterion::add_row(all.data(), added);
            for (std::uint32_t k = block.starts.data()[row]; k < end; ++k)
                for (index_t w = 0; w < width(); ++w)
                    change(cells[static_cast<index_t>(listed[k]) * width() + w],
                           all[static_cast<std::size_t>(w)]);
        }
    }

    template <typename Count>
    static void each_block(std::size_t n_rows, std::size_t rows_per_block, const Count& count) {
        for (std::size_t begin = 0; begin < n_rows; begin += rows_per_block) {
            count(begin, std::min(begin + rows_per_block, n_rows));
            check_interrupt();
        }
    }

    // Calls add(sums of the column, bin, added[i]) for rows begin, ..., end - 1 and all columns.
    // Rows of few words of bins have a loop each whose steps the compiler lays out one by one.
    template <typename Sums, typename Add>
    void add_rows(const Sums& sums, ColumnRange columns, std::span<const std::uint32_t> rows,
                  const Row* added, std::size_t begin, std::size_t end,
                  const Add& add) const noexcept {
        const index_t n_words = columns.size() / columns_per_word;
        const index_t n_single = columns.size() % columns_per_word;
        const std::uint8_t* bins = bins_.rows() + columns.begin;
        const auto add_as = [&](auto words) {
            add_rows_of(words, n_single, bins, rows.subspan(begin), end - begin, added + begin,
                        sums, add);
        };
        if constexpr (has_words) {
            switch (n_words) {
                case 1:
                    return add_as(std::integral_constant<index_t, 1>{});
                case 2:
                    return add_as(std::integral_constant<index_t, 2>{});
                case 3:
                    return add_as(std::integral_constant<index_t, 3>{});
                case 4:
                    return add_as(std::integral_constant<index_t, 4>{});
                case 5:
                    return add_as(std::integral_constant<index_t, 5>{});
                case 6:
                    return add_as(std::integral_constant<index_t, 6>{});
                default:
                    break;
            }
        }
        add_as(n_words);
    }

    // Of the first n_rows of the rows; the others are those that come next.
    template <typename NumberOfWords, typename Sums, typename Add>
    void add_rows_of(NumberOfWords n_words, index_t n_single, const std::uint8_t* bins,
                     std::span<const std::uint32_t> rows, std::size_t n_rows, const Row* added,
                     const Sums sums, const Add& add) const noexcept {
        const index_t stride = bins_.row_stride();
        const std::uint32_t* numbers = rows.data();
        const auto add_row = [=](std::size_t i) {
            const std::uint8_t* row_bins = bins + static_cast<index_t>(numbers[i]) * stride;
            const Row row = added[i];  // in a register: sums may not be told apart from it
            for (index_t w = 0; w < n_words; ++w, row_bins += columns_per_word) {
                std::uint64_t word;
                std::memcpy(&word, row_bins, sizeof word);
                for (index_t j = 0; j < columns_per_word; ++j, word >>= 8)
                    add(sums(w, j), word & 255, row);
            }
            for (index_t j = 0; j < n_single; ++j) add(sums(n_words, j), row_bins[j], row);
        };
        const std::size_t n_followed = rows.size() - std::min(rows.size(), rows_far_ahead);
        std::size_t i = 0;
        for (; i < std::min(n_rows, n_followed); ++i) {
            request<2>(bins + static_cast<index_t>(numbers[i + rows_far_ahead]) * stride, n_words);
            request<3>(bins + static_cast<index_t>(numbers[i + rows_ahead]) * stride, n_words);
            add_row(i);
        }
        for (; i < n_rows; ++i) add_row(i);
    }

    // Into the nearest cache (3) or the one behind it (2).
    template <int cache, typename NumberOfWords>
    static void request(const std::uint8_t* row_bins, NumberOfWords n_words) noexcept {
        constexpr index_t words_per_line = 8;
        __builtin_prefetch(row_bins, 0, cache);
        for (index_t w = words_per_line; w < n_words; w += words_per_line)
            __builtin_prefetch(row_bins + 8 * w, 0, cache);
    }

    index_t width() const noexcept {
        return Criterion::fixed_width > 0 ? Criterion::fixed_width : width_;
    }

    BufferPool& buffers_;
    bool is_used_;
    CountedBins bins_;
    index_t width_;
    std::vector<index_t> starts_;
    bool has_equal_steps_;
    index_t min_rows_;
    bool has_plain_lists_;
    index_t rows_per_part_;
    HistogramPool<Cell> pool_;
};

}  // namespace nonet
