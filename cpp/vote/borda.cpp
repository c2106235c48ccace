#include "vote/borda.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "base/aligned.hpp"
#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "vote/nan_check.hpp"

namespace nonet {
namespace {

// Comparing all pairs of classes runs on vectors of rows and beats sorting up to about this many.
constexpr index_t max_paired_classes = 64;
constexpr index_t tile_rows = 32;

// Scores of one member: one tile row per class, with rows of data side by side.
template <typename T>
NONET_INLINE void give_points(const T* scores, index_t n_classes, T tie_points,
                              T* __restrict points) {
    for (index_t a = 0; a < n_classes; ++a) {
        T gained[tile_rows] = {};
        for (index_t b = 0; b < n_classes; ++b) {
            if (b == a) continue;
            for (index_t i = 0; i < tile_rows; ++i) {
                const T ours = scores[a * tile_rows + i];
                const T theirs = scores[b * tile_rows + i];
                gained[i] += ours > theirs ? T{1} : (ours == theirs ? tie_points : T{0});
            }
        }
        std::copy_n(gained, tile_rows, points + a * tile_rows);
    }
}

NONET_CLONES void points_by_pairs(const float* scores, index_t n_classes, float tie_points,
                                  float* points) {
    give_points(scores, n_classes, tie_points, points);
}

NONET_CLONES void points_by_pairs(const double* scores, index_t n_classes, double tie_points,
                                  double* points) {
    give_points(scores, n_classes, tie_points, points);
}

// Equal scores share a run of the sorted order; all of the run beat what comes before it.
template <typename T>
void points_by_sorting(const T* scores, index_t row, T tie_points, std::vector<index_t>& order,
                       T* points) {
    const auto score = [&](index_t c) { return scores[c * tile_rows + row]; };
    std::iota(order.begin(), order.end(), index_t{0});
    std::sort(order.begin(), order.end(),
              [&](index_t a, index_t b) { return score(a) < score(b); });
    for (auto run = order.begin(); run != order.end();) {
        const auto end =
            std::find_if(run, order.end(), [&](index_t c) { return score(c) != score(*run); });
        const auto n_below = static_cast<T>(run - order.begin());
        const auto n_equals = static_cast<T>(end - run - 1);
        for (; run != end; ++run) points[*run * tile_rows + row] = n_below + tie_points * n_equals;
    }
}

template <typename T>
class Borda {
public:
    Borda(const Outputs<T>& scores, std::span<const double> weights, double tie_points,
          MatrixView<double> support)
        : scores_(scores),
          weights_(weights),
          tie_points_(static_cast<T>(tie_points)),
          support_(support) {}

    bool operator()(index_t first_row, index_t last_row) const {
        const index_t tile_size = scores_.n_classes * tile_rows;
        const AlignedBuffer<T> scores(tile_size);
        const AlignedBuffer<T> points(tile_size);
        const AlignedBuffer<double> sums(tile_size);
        std::fill_n(scores.data(), tile_size, T{0});
        for (index_t row = first_row; row < last_row; row += tile_rows) {
            const index_t n_rows = std::min(tile_rows, last_row - row);
            std::fill_n(sums.data(), tile_size, 0.0);
            for (index_t m = 0; m < scores_.n_members; ++m) {
                if (!fill(scores.data(), row, n_rows, m)) return false;
                rank(scores.data(), points.data(), n_rows);
                const double weight = weights_[static_cast<std::size_t>(m)];
                for (index_t i = 0; i < tile_size; ++i)
                    sums.data()[i] += weight * static_cast<double>(points.data()[i]);
            }
            write(sums.data(), row, n_rows);
        }
        return true;
    }

private:
    bool fill(T* tile, index_t row, index_t n_rows, index_t member) const noexcept {
        for (index_t i = 0; i < n_rows; ++i) {
            const T* scores = scores_.at(row + i, member);
            for (index_t c = 0; c < scores_.n_classes; ++c) tile[c * tile_rows + i] = scores[c];
        }
        return all_numbers(tile, scores_.n_classes * tile_rows);
    }

    void rank(const T* scores, T* points, index_t n_rows) const {
        if (scores_.n_classes <= max_paired_classes)
            return points_by_pairs(scores, scores_.n_classes, tie_points_, points);
        std::fill_n(points, scores_.n_classes * tile_rows, T{0});
        std::vector<index_t> order(static_cast<std::size_t>(scores_.n_classes));
        for (index_t i = 0; i < n_rows; ++i)
            points_by_sorting(scores, i, tie_points_, order, points);
    }

    void write(const double* sums, index_t row, index_t n_rows) const noexcept {
        for (index_t i = 0; i < n_rows; ++i)
            for (index_t c = 0; c < scores_.n_classes; ++c)
                support_.row(row + i)[c] = sums[c * tile_rows + i];
    }

    Outputs<T> scores_;
    std::span<const double> weights_;
    T tie_points_;
    MatrixView<double> support_;
};

}  // namespace

template <typename T>
bool borda_counts(const Outputs<T>& scores, std::span<const double> weights, double tie_points,
                  int n_threads, MatrixView<double> support) {
    check(std::ssize(weights) == scores.n_members, "One weight per member is needed.");
    const Borda<T> borda(scores, weights, tie_points, support);
    std::atomic<bool> numbers{true};
    for_row_blocks(scores.n_rows, scores.n_members * scores.n_classes, n_threads,
                   [&](index_t first, index_t last) {
                       if (!borda(first, last)) numbers = false;
                   });
    return numbers;
}

template bool borda_counts(const Outputs<float>&, std::span<const double>, double, int,
                           MatrixView<double>);
template bool borda_counts(const Outputs<double>&, std::span<const double>, double, int,
                           MatrixView<double>);

}  // namespace nonet
