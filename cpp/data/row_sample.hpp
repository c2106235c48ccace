// A random sample of rows that come one after another, without knowing how many there will be.
//
// Every row has a random key that depends on the seed and its number alone; the sample consists of
// the rows with the smallest keys. Samples of parts of a table therefore join into the sample of
// the whole, in any order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/bin_edges.hpp"

namespace nonet {

class RowSample {
public:
    struct Drawn {
        std::uint64_t key;
        index_t row;
        index_t slot;  // how many rows have been accepted before

        bool operator<(const Drawn& other) const noexcept {
            return key != other.key ? key < other.key : row < other.row;
        }
    };

    explicit RowSample(const BinParams& params)
        : size_(params.n_sampled_rows), seed_(params.seed) {}

    // Rows first, ..., first + n - 1, of which those without weight are passed over (no weights:
    // none); accept(i) is called for row first + i if it may be in the sample.
    template <typename Accept>
    void add(index_t first, index_t n, std::span<const double> weights, const Accept& accept) {
        constexpr index_t rows_per_block = 1024;
        std::uint64_t keys[rows_per_block];
        for (index_t begin = 0; begin < n; begin += rows_per_block) {
            const index_t end = begin + rows_per_block < n ? begin + rows_per_block : n;
            write_keys(first + begin, {keys, static_cast<std::size_t>(end - begin)});
            for (index_t i = begin; i < end; ++i) {
                if (!weights.empty() && !(weights[static_cast<std::size_t>(i)] > 0)) continue;
                ++n_seen_;
                if (keys[i - begin] > limit_) continue;
                drawn_.push_back({keys[i - begin], first + i, n_accepted_++});
                accept(i);
            }
            if (std::ssize(drawn_) > size_ + size_ / 4 + rows_per_block) drop_largest();
        }
    }

    index_t n_seen() const noexcept { return n_seen_; }  // rows with weight
    bool is_complete() const noexcept { return n_seen_ <= size_; }
    // Of those accepted, the rows that can still be in the sample; slots as they were.
    std::span<const Drawn> drawn() const noexcept { return drawn_; }
    void renumber_slots();  // 0, 1, ... in the order of `drawn`
    // The sample, in the order of the rows.
    std::vector<Drawn> in_order() const;

private:
    void write_keys(index_t first, std::span<std::uint64_t> keys) const;
    void drop_largest();

    index_t size_;
    std::uint64_t seed_;
    std::uint64_t limit_ = ~std::uint64_t{0};
    index_t n_seen_ = 0;
    index_t n_accepted_ = 0;
    std::vector<Drawn> drawn_;
};

}  // namespace nonet
