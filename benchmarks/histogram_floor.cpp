// The least that histograms can cost: a bare loop that adds one 64-bit word for every (row, column)
// pair, with nothing around it. bench_engine.py compiles and runs it beside real fits.
//
// Bins of a row lie side by side and are read eight at a time; rows are taken in order, or one in
// eight by an index, as in a node deep in a tree, with the next rows prefetched in time: early for
// the large cache, and again just before they are read.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <random>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace {

constexpr std::size_t n_columns = 28;
constexpr std::size_t stride = 32;
constexpr std::size_t rows_far_ahead = 48;
constexpr std::size_t rows_ahead = 6;
constexpr std::size_t large_page = 1 << 21;

struct Free {
    void operator()(std::uint8_t* bins) const { std::free(bins); }
};

std::unique_ptr<std::uint8_t, Free> random_bins(std::size_t n_rows) {
    const std::size_t size = (n_rows * stride + large_page - 1) / large_page * large_page;
    std::unique_ptr<std::uint8_t, Free> bins(
        static_cast<std::uint8_t*>(std::aligned_alloc(large_page, size)));
#if defined(MADV_HUGEPAGE)
    madvise(bins.get(), size, MADV_HUGEPAGE);
#endif
    std::mt19937 random(1);
    for (std::size_t i = 0; i < size; ++i)
        bins.get()[i] = static_cast<std::uint8_t>(random() % 255);
    return bins;
}

void count(const std::uint8_t* bins, const std::vector<std::uint32_t>& rows,
           const std::vector<std::uint64_t>& added, std::uint64_t* sums) {
    const std::uint32_t* last = &rows.back();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        __builtin_prefetch(bins + *std::min(rows.data() + i + rows_far_ahead, last) * stride, 0, 2);
        __builtin_prefetch(bins + *std::min(rows.data() + i + rows_ahead, last) * stride, 0, 3);
        const std::uint8_t* row_bins = bins + rows[i] * stride;
        const std::uint64_t row = added[i];
        std::uint64_t* column = sums;
        for (std::size_t w = 0; w < n_columns / 8; ++w, row_bins += 8) {
            std::uint64_t word;
            std::memcpy(&word, row_bins, sizeof word);
            for (int j = 0; j < 8; ++j, word >>= 8, column += 256) column[word & 255] += row;
        }
        for (std::size_t j = 0; j < n_columns % 8; ++j, column += 256) column[row_bins[j]] += row;
    }
}

double min_ns_per_pair(const std::uint8_t* bins, const std::vector<std::uint32_t>& rows) {
    const std::vector<std::uint64_t> added(rows.size(), 1);
    std::vector<std::uint64_t> sums(n_columns * 256);
    double minimum = 1e300;
    for (int repeat = 0; repeat < 15; ++repeat) {
        const std::clock_t start = std::clock();
        for (int k = 0; k < 3; ++k) count(bins, rows, added, sums.data());
        minimum = std::min(minimum, static_cast<double>(std::clock() - start));
    }
    return minimum / CLOCKS_PER_SEC * 1e9 / 3 / static_cast<double>(rows.size() * n_columns);
}

}  // namespace

int main(int, char** arguments) {
    const auto n_rows = static_cast<std::size_t>(std::atoll(arguments[1]));
    const auto bins = random_bins(n_rows);
    std::vector<std::uint32_t> in_order;
    std::vector<std::uint32_t> gathered;
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        in_order.push_back(row);
        if (row * 2654435761U >> 29 == 0) gathered.push_back(row);
    }
    std::printf("%f %f\n", min_ns_per_pair(bins.get(), in_order),
                min_ns_per_pair(bins.get(), gathered));
}
