#include "vote/argmax.hpp"

#include <algorithm>
#include <atomic>
#include <type_traits>

#include "base/check.hpp"
#include "base/dispatch.hpp"
#include "vote/nan_check.hpp"
#include "vote/outputs.hpp"

namespace nonet {
namespace {

constexpr index_t rows_together = 64;

// Column by column over many rows: within one row each comparison would wait for the one before.
template <typename Winner, typename T>
NONET_INLINE void find_winners(const T* support, index_t n_rows, index_t n_columns,
                               std::int64_t* winners) {
    T best[rows_together];
    Winner winner[rows_together] = {};  // as wide as the support, for the sake of vectors
    for (index_t i = 0; i < n_rows; ++i) best[i] = support[i * n_columns];
    for (index_t c = 1; c < n_columns; ++c)
        for (index_t i = 0; i < n_rows; ++i) {
            const T challenger = support[i * n_columns + c];
            winner[i] = challenger > best[i] ? static_cast<Winner>(c) : winner[i];
            best[i] = challenger > best[i] ? challenger : best[i];
        }
    for (index_t i = 0; i < n_rows; ++i) winners[i] = winner[i];
}

NONET_CLONES void find(const float* support, index_t n_rows, index_t n_columns,
                       std::int64_t* winners) {
    find_winners<std::int32_t>(support, n_rows, n_columns, winners);
}

NONET_CLONES void find(const double* support, index_t n_rows, index_t n_columns,
                       std::int64_t* winners) {
    find_winners<std::int64_t>(support, n_rows, n_columns, winners);
}

}  // namespace

template <typename T>
bool argmax_rows(MatrixView<const T> support, int n_threads, std::int64_t* winners) {
    check(support.n_columns >= 1, "A maximum support needs at least one column.");
    std::atomic<bool> numbers{true};
    for_row_blocks(support.n_rows, support.n_columns, n_threads, [&](index_t first, index_t last) {
        if (!all_numbers(support.row(first), (last - first) * support.n_columns)) numbers = false;
        for (index_t row = first; row < last; row += rows_together)
            find(support.row(row), std::min(rows_together, last - row), support.n_columns,
                 winners + row);
    });
    return numbers;
}

template bool argmax_rows(MatrixView<const float>, int, std::int64_t*);
template bool argmax_rows(MatrixView<const double>, int, std::int64_t*);

}  // namespace nonet
