#include "data/row_sample.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace nonet {

// The key of a row is the word of its number in one stream: four rows share a block.
void RowSample::write_keys(index_t first, std::span<std::uint64_t> keys) const {
    constexpr index_t per_block = 4;
    const index_t skipped = first % per_block;
    if (skipped == 0) {
        RandomStream::write(seed_, StreamUse::binned_rows, {},
                            static_cast<std::uint64_t>(first / per_block), keys);
        return;
    }
    std::vector<std::uint64_t> words(keys.size() + static_cast<std::size_t>(skipped));
    RandomStream::write(seed_, StreamUse::binned_rows, {},
                        static_cast<std::uint64_t>(first / per_block), words);
    std::copy(words.begin() + skipped, words.end(), keys.begin());
}

void RowSample::drop_largest() {
    const auto end = drawn_.begin() + size_;
    std::nth_element(drawn_.begin(), end - 1, drawn_.end());
    drawn_.erase(end, drawn_.end());
    limit_ = drawn_.back().key;
}

void RowSample::renumber_slots() {
    n_accepted_ = 0;
    for (Drawn& one : drawn_) one.slot = n_accepted_++;
}

std::vector<RowSample::Drawn> RowSample::in_order() const {
    std::vector<Drawn> sample = drawn_;
    if (std::ssize(sample) > size_) {
        std::nth_element(sample.begin(), sample.begin() + size_ - 1, sample.end());
        sample.resize(static_cast<std::size_t>(size_));
    }
    std::ranges::sort(sample, {}, &Drawn::row);
    return sample;
}

}  // namespace nonet
