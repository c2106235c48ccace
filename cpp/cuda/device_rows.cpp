#include "cuda/device_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <variant>

#include "base/check.hpp"
#include "base/parted_terms.hpp"
#include "cuda/device_memory.hpp"
#include "cuda/launches.hpp"

namespace nonet::cuda {
namespace {

// How a kind of rows is written and counted: units are powers of two, their inverses exact.
struct RowForm {
    MomentKind kind;
    double gradient_scale;
    double hessian_scale;
    int row_bits;
    PackedFields fields;
};

RowForm form_of(MomentKind kind, const MeasuredMoments& all) {
    return with_moment_kind(kind, [&]<typename Rows>(Rows) {
        RowForm form{kind,
                     1 / Rows::gradient_bits(all).unit(),
                     1 / Rows::hessian_bits(all).unit(),
                     Rows::row_bits(all.sizes.n_rows),
                     {}};
        if constexpr (requires { Rows::layout; })
            form.fields = {Rows::layout.hessian_shift, Rows::layout.hessian_mask,
                           Rows::layout.gradient_shift, PackedLayout::cell_row_bits};
        return form;
    });
}

Rounder rounder_of(const PartedTerms& terms) { return {terms.high_rounder(), terms.low_rounder()}; }

// Columns in groups whose cells fit into the memory of a block.
std::vector<ColumnGroup> groups_of(const std::vector<int>& starts, int max_cells) {
    const int n_columns = static_cast<int>(starts.size()) - 1;
    std::vector<ColumnGroup> groups;
    for (int begin = 0; begin < n_columns;) {
        int end = begin;
        while (end < n_columns) {
            const int next = std::min(end + columns_per_word, n_columns);
            if (end > begin && starts[next] - starts[begin] > max_cells) break;
            end = next;
        }
        groups.push_back({begin, end, starts[begin], starts[end] - starts[begin]});
        begin = end;
    }
    return groups;
}

class DeviceGroups {
public:
    explicit DeviceGroups(const std::vector<ColumnGroup>& groups)
        : groups_(std::span<const ColumnGroup>(groups)), n_(static_cast<int>(groups.size())) {
        for (const ColumnGroup& group : groups) most_cells_ = std::max(most_cells_, group.n_cells);
    }
    ColumnGroups view() const { return {groups_.data(), n_, most_cells_}; }

private:
    DeviceArray<ColumnGroup> groups_;
    int n_;
    int most_cells_ = 0;
};

// The rows of a tree in two buffers, with what they add to histograms.
template <typename RowWord>
struct RowBuffers {
    explicit RowBuffers(std::size_t n) {
        for (int side = 0; side < 2; ++side) {
            rows[side] = DeviceArray<std::uint32_t>(n);
            words[side] = DeviceArray<RowWord>(n);
        }
    }
    DeviceArray<std::uint32_t> rows[2];
    DeviceArray<RowWord> words[2];
};

struct NodeRows {
    index_t begin = 0;
    index_t end = 0;
    int side = 0;
};

}  // namespace

int n_devices() noexcept {
    int n = 0;
    return cudaGetDeviceCount(&n) == cudaSuccess ? n : 0;
}

struct DeviceRows::State {
    using Buffers = std::variant<std::monostate, RowBuffers<Word>, RowBuffers<WideWord>>;

    // A tree of the round; its memory is used again for that of the next round.
    struct TreeState {
        Buffers buffers;
        RowForm form;
        std::vector<NodeRows> nodes;
        std::vector<index_t> leaves;  // by their numbers: the nodes
    };

    State(const BinnedDataset& dataset, std::span<const double> targets,
          std::span<const std::int32_t> class_codes, std::span<const double> row_weights,
          std::span<const double> start, index_t n_trees)
        : n_rows(dataset.n_rows()),
          n_columns(static_cast<int>(dataset.n_columns())),
          stride((n_columns + 7) / 8 * 8),
          numbers(targets),
          classes(class_codes),
          weights(row_weights),
          scores(start),
          gradients(start.size()),
          hessians(start.size()),
          trees(static_cast<std::size_t>(n_trees)) {
        starts.push_back(0);
        for (int j = 0; j < n_columns; ++j)
            starts.push_back(starts.back() + static_cast<int>(dataset.bins(j).n_bins()) + 1);
        for (const ColumnGroup& group : groups_of(starts, max_wide_cells))
            check(group.n_cells <= max_wide_cells, "A group of columns has too many bins.");
        device_starts = DeviceArray<int>(std::span<const int>(starts));
        packed_groups = std::make_unique<DeviceGroups>(groups_of(starts, max_packed_cells));
        wide_groups = std::make_unique<DeviceGroups>(groups_of(starts, max_wide_cells));
        check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        copy_bins(dataset);
        write_bag(row_weights);
        small = DeviceArray<Word>(n_small);
    }
    ~State() { cudaStreamDestroy(stream); }

    void copy_bins(const BinnedDataset& dataset) {
        const auto n = static_cast<std::size_t>(n_rows);
        columns = DeviceArray<std::uint8_t>(n * static_cast<std::size_t>(n_columns));
        columns.upload({dataset.matrix().column<std::uint8_t>(0), columns.size()});
        by_row = DeviceArray<std::uint8_t>(n * static_cast<std::size_t>(stride));
        gather_rows(columns.data(), n_rows, n_columns, stride, by_row.data(), stream);
    }
    // Rows of positive weight.
    void write_bag(std::span<const double> row_weights) {
        std::vector<std::uint32_t> rows;
        rows.reserve(static_cast<std::size_t>(n_rows));
        for (index_t row = 0; row < n_rows; ++row)
            if (row_weights.empty() || row_weights[static_cast<std::size_t>(row)] > 0)
                rows.push_back(static_cast<std::uint32_t>(row));
        check(!rows.empty(), "A tree needs at least one row of positive weight.");
        bag = DeviceArray<std::uint32_t>(std::span<const std::uint32_t>(rows));
    }

    RowNumbers view(index_t tree) const {
        return {gradients.data() + tree * n_rows, hessians.data() + tree * n_rows, weights.data()};
    }
    RowList all() const { return {bag.data(), static_cast<index_t>(bag.size())}; }
    TreeState& at(index_t tree) { return trees[static_cast<std::size_t>(tree)]; }
    BinnedRows table() const { return {by_row.data(), stride, device_starts.data()}; }
    void wait() const {
        check_cuda(cudaStreamSynchronize(stream));
        check_cuda(cudaGetLastError());
    }
    template <typename T>
    void download(const T* from, std::span<T> to) const {
        check_cuda(
            cudaMemcpyAsync(to.data(), from, to.size_bytes(), cudaMemcpyDeviceToHost, stream));
        wait();
    }

    template <typename RowWord>
    void write(index_t tree) {
        TreeState& state = at(tree);
        if (!std::holds_alternative<RowBuffers<RowWord>>(state.buffers)) {
            state.buffers = std::monostate{};  // gives its memory back before more is taken
            state.buffers.template emplace<RowBuffers<RowWord>>(bag.size());
        }
        auto& buffers = std::get<RowBuffers<RowWord>>(state.buffers);
        check_cuda(cudaMemcpyAsync(buffers.rows[0].data(), bag.data(),
                                   bag.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice,
                                   stream));
        const auto& [kind, gradient_scale, hessian_scale, row_bits, fields] = state.form;
        RowWord* words = buffers.words[0].data();
        if constexpr (std::is_same_v<RowWord, Word>)
            write_packed(view(tree), all(), gradient_scale, hessian_scale, fields.gradient_shift,
                         fields.hessian_shift, words, stream);
        else
            write_wide(view(tree), all(), gradient_scale, hessian_scale, row_bits, words, stream);
    }

    // Calls use(buffers of the tree).
    template <typename Use>
    static void with_buffers(TreeState& state, const Use& use) {
        if (auto* packed = std::get_if<RowBuffers<Word>>(&state.buffers)) return use(*packed);
        auto* wide = std::get_if<RowBuffers<WideWord>>(&state.buffers);
        check(wide != nullptr, "A tree is started before it is split.");
        use(*wide);
    }
    RowList rows_of(TreeState& state, index_t node) {
        const NodeRows& range = state.nodes[static_cast<std::size_t>(node)];
        RowList list{};
        with_buffers(state, [&](auto& buffers) {
            list = {buffers.rows[range.side].data() + range.begin, range.end - range.begin};
        });
        return list;
    }

    // Cells of so many nodes, all 0.
    Word* cleared_cells(std::size_t n_nodes) {
        const std::size_t n = n_nodes * cells_of_a_node();
        if (n > cells.size()) {
            cells = {};  // gives its memory back before more is taken
            cells = DeviceArray<Word>(n);
        }
        check_cuda(cudaMemsetAsync(cells.data(), 0, n * sizeof(Word), stream));
        return cells.data();
    }
    std::size_t cells_of_a_node() const noexcept {
        return 2 * static_cast<std::size_t>(starts.back());
    }
    void count(TreeState& state, index_t node, Word* out) {
        const NodeRows& range = state.nodes[static_cast<std::size_t>(node)];
        if (range.end == range.begin) return;
        const RowList list = rows_of(state, node);
        if (auto* packed = std::get_if<RowBuffers<Word>>(&state.buffers))
            count_packed(table(), packed_groups->view(), list,
                         packed->words[range.side].data() + range.begin, state.form.fields, out,
                         stream);
        else
            count_wide(table(), wide_groups->view(), list,
                       std::get<RowBuffers<WideWord>>(state.buffers).words[range.side].data() +
                           range.begin,
                       out, stream);
    }
    void download_cells(std::span<std::int64_t> out) {
        check(out.size() <= cells.size(), "More cells are wanted than were counted.");
        Word* pinned = pinned_cells.data(out.size());
        download(static_cast<const Word*>(cells.data()), std::span<Word>(pinned, out.size()));
        std::memcpy(out.data(), pinned, out.size_bytes());
    }

    // Moves the rows of a node; how many went left is known after `wait`.
    void move(TreeState& state, const SplitOrder& order, Word* n_moved) {
        const NodeRows& range = state.nodes[static_cast<std::size_t>(order.node)];
        const index_t n = range.end - range.begin;
        if (n == 0) return;
        LeftBins left{};
        const auto column = static_cast<index_t>(order.split.column);
        const int n_bins =
            starts[static_cast<std::size_t>(column) + 1] - starts[static_cast<std::size_t>(column)];
        for (std::uint32_t bin = 0; bin < static_cast<std::uint32_t>(n_bins); ++bin)
            if (goes_left(order.split, bin)) left.bits[bin / 64] |= Word{1} << (bin % 64);
        with_buffers(state, [&](auto& buffers) {
            part_rows(columns.data() + column * n_rows, left,
                      {buffers.rows[range.side].data() + range.begin, n},
                      buffers.words[range.side].data() + range.begin, n_moved,
                      buffers.rows[1 - range.side].data() + range.begin,
                      buffers.words[1 - range.side].data() + range.begin, stream);
        });
    }
    static bool goes_left(const Split& split, std::uint32_t bin) {
        const bool is_known = !split.categories || bin / 64 < split.categories->left.size();
        return is_known ? split.goes_left(bin) : bin == split.missing_bin && split.missing_left;
    }
    void note_children(TreeState& state, const SplitOrder& order, index_t n_left) {
        const NodeRows range = state.nodes[static_cast<std::size_t>(order.node)];
        const auto left = static_cast<std::size_t>(order.left);
        if (state.nodes.size() < left + 2) state.nodes.resize(left + 2);
        const index_t middle = range.begin + n_left;
        state.nodes[left] = {range.begin, middle, 1 - range.side};
        state.nodes[left + 1] = {middle, range.end, 1 - range.side};
    }

    static constexpr std::size_t n_small = 1 << 10;  // words for what comes back from kernels

    index_t n_rows;
    int n_columns;
    index_t stride;
    std::vector<int> starts;
    DeviceArray<double> numbers;
    DeviceArray<std::int32_t> classes;
    DeviceArray<double> weights;
    DeviceArray<double> scores;
    DeviceArray<double> gradients;
    DeviceArray<double> hessians;
    DeviceArray<std::uint8_t> columns;
    DeviceArray<std::uint8_t> by_row;
    DeviceArray<std::uint32_t> bag;
    DeviceArray<int> device_starts;
    DeviceArray<Word> cells;
    PinnedArray<Word> pinned_cells;
    DeviceArray<double> leaf_sums;
    DeviceArray<Word> small;
    std::unique_ptr<DeviceGroups> packed_groups;
    std::unique_ptr<DeviceGroups> wide_groups;
    std::vector<TreeState> trees;
    cudaStream_t stream = nullptr;
};

DeviceRows::DeviceRows(const BinnedDataset& dataset, std::span<const double> targets,
                       std::span<const std::int32_t> classes, std::span<const double> weights,
                       std::span<const double> scores, index_t n_scores) {
    check(dataset.matrix().bytes_per_bin() == 1 && !dataset.matrix().is_sparse(),
          "A GPU needs dense columns of at most 255 bins.");
    state_ = std::make_unique<State>(dataset, targets, classes, weights, scores, n_scores);
}
DeviceRows::~DeviceRows() = default;

void DeviceRows::find_gradients(LossKind loss) {
    State& s = *state_;
    if (s.classes.size() > 0)
        fill_class_gradients(s.classes.data(), s.scores.data(), s.n_rows,
                             static_cast<int>(s.trees.size()), s.gradients.data(),
                             s.hessians.data(), s.stream);
    else
        fill_gradients(loss, s.numbers.data(), s.scores.data(), s.n_rows, s.gradients.data(),
                       s.hessians.data(), s.stream);
}

MomentSizes DeviceRows::sizes(index_t tree) const {
    State& s = *state_;
    SizeBits bits;
    auto* on_device = reinterpret_cast<SizeBits*>(s.small.data());
    check_cuda(cudaMemcpyAsync(on_device, &bits, sizeof bits, cudaMemcpyHostToDevice, s.stream));
    measure(s.view(tree), s.all(), on_device, s.stream);
    s.download(static_cast<const SizeBits*>(on_device), std::span<SizeBits>(&bits, 1));
    const auto number = [](Word word) { return std::bit_cast<double>(word); };
    return {number(bits.max_gradient),
            number(bits.min_hessian),
            number(bits.max_hessian),
            number(bits.lightest),
            number(bits.heaviest),
            s.all().n,
            static_cast<index_t>(bits.n_times)};
}

MomentTotals DeviceRows::totals(index_t tree, const MomentSizes& all) const {
    State& s = *state_;
    const MomentParts parts(all);
    double totals[3];
    auto* on_device = reinterpret_cast<double*>(s.small.data());
    s.small.clear(s.stream);
    add_totals(s.view(tree), s.all(), rounder_of(parts.gradients), rounder_of(parts.hessians),
               rounder_of(parts.weights), on_device, s.stream);
    s.download(static_cast<const double*>(on_device), std::span<double>(totals));
    return {totals[0], totals[1], totals[2]};
}

LightRows DeviceRows::count_light(index_t tree, MomentKind kind, const MeasuredMoments& all) const {
    State& s = *state_;
    return with_moment_kind(kind, [&]<typename Rows>(Rows) {
        const double gradient_limit = Rows::min_units * Rows::gradient_bits(all).unit();
        const double hessian_limit =
            Rows::rounds_hessians ? Rows::min_units * Rows::hessian_bits(all).unit() : 0;
        Word light[2];
        s.small.clear(s.stream);
        count_light_rows(s.view(tree), s.all(), gradient_limit, hessian_limit, s.small.data(),
                         s.stream);
        s.download(static_cast<const Word*>(s.small.data()), std::span<Word>(light));
        return LightRows{static_cast<index_t>(light[0]), static_cast<index_t>(light[1])};
    });
}

void DeviceRows::start(index_t tree, MomentKind kind, const MeasuredMoments& all,
                       std::span<std::int64_t> cells) {
    State& s = *state_;
    auto& state = s.at(tree);
    state.form = form_of(kind, all);
    state.nodes = {{0, s.all().n, 0}};
    state.leaves.clear();
    kind == MomentKind::wide ? s.write<WideWord>(tree) : s.write<Word>(tree);
    s.count(state, 0, s.cleared_cells(1));
    s.download_cells(cells);
}

void DeviceRows::split(index_t tree, std::span<const SplitOrder> orders,
                       std::span<std::int64_t> cells) {
    State& s = *state_;
    auto& state = s.at(tree);
    check(2 * orders.size() <= State::n_small, "These are too many splits at once.");
    s.small.clear(s.stream);
    for (std::size_t i = 0; i < orders.size(); ++i)
        s.move(state, orders[i], s.small.data() + 2 * i);
    std::vector<Word> n_moved(2 * orders.size());
    s.download(static_cast<const Word*>(s.small.data()), std::span<Word>(n_moved));
    for (std::size_t i = 0; i < orders.size(); ++i)
        s.note_children(state, orders[i], static_cast<index_t>(n_moved[2 * i]));
    if (cells.empty()) return;
    const std::size_t n_cells = s.cells_of_a_node();
    Word* out = s.cleared_cells(cells.size() / n_cells);
    for (const SplitOrder& order : orders) {
        if (order.counted == SplitOrder::Counted::none) continue;
        s.count(state, order.counted_node(), out);
        out += n_cells;
    }
    s.download_cells(cells);
}

void DeviceRows::sum_leaves(index_t tree, std::span<const std::int32_t> leaf_of_node,
                            const MomentSizes& all, std::span<double> sums) {
    State& s = *state_;
    auto& state = s.at(tree);
    const MomentParts parts(all);
    if (sums.size() > s.leaf_sums.size()) s.leaf_sums = DeviceArray<double>(2 * sums.size());
    s.leaf_sums.clear(s.stream);
    state.leaves.assign(leaf_of_node.begin(), leaf_of_node.end());
    for (index_t node = 0; node < std::ssize(leaf_of_node); ++node) {
        const std::int32_t leaf = leaf_of_node[static_cast<std::size_t>(node)];
        if (leaf >= 0)
            sum_leaf(s.view(tree), s.rows_of(state, node), rounder_of(parts.gradients),
                     rounder_of(parts.hessians), s.leaf_sums.data() + leaf * TreeOfPart::leaf_sums,
                     s.stream);
    }
    s.download(static_cast<const double*>(s.leaf_sums.data()), sums);
}

void DeviceRows::add(index_t tree, std::span<const double> values) {
    State& s = *state_;
    auto& state = s.at(tree);
    for (index_t node = 0; node < std::ssize(state.leaves); ++node) {
        const index_t leaf = state.leaves[static_cast<std::size_t>(node)];
        if (leaf >= 0)
            add_leaf_value(s.rows_of(state, node), values[static_cast<std::size_t>(leaf)],
                           s.scores.data() + tree * s.n_rows, s.stream);
    }
    s.wait();
}

void DeviceRows::copy_leaves(index_t tree, std::span<std::int32_t> leaves) const {
    State& s = *state_;
    auto& state = s.at(tree);
    DeviceArray<std::int32_t> on_device(leaves.size());
    check_cuda(cudaMemsetAsync(on_device.data(), 0xff, leaves.size_bytes(), s.stream));
    for (index_t node = 0; node < std::ssize(state.leaves); ++node) {
        const index_t leaf = state.leaves[static_cast<std::size_t>(node)];
        if (leaf >= 0)
            name_leaf(s.rows_of(state, node), static_cast<std::int32_t>(leaf), on_device.data(),
                      s.stream);
    }
    s.download(static_cast<const std::int32_t*>(on_device.data()), leaves);
}

void DeviceRows::copy_scores(std::span<double> scores) const {
    state_->download(static_cast<const double*>(state_->scores.data()), scores);
}

}  // namespace nonet::cuda
