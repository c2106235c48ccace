#include <algorithm>
#include <array>
#include <vector>

#include "base/random.hpp"
#include "testing.hpp"

namespace nonet {

// Known result of the authors' reference (Random123, kat_vectors: philox4x64 with 10 rounds).
NONET_TEST(philox_of_zeros_against_reference) {
    const PhiloxBlock words = philox4x64({0, 0, 0, 0}, {0, 0});
    const PhiloxBlock expected = {0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b,
                                  0x7e68b68aec7ba23b};
    EXPECT(words == expected);
}

NONET_TEST(stream_is_its_blocks_in_order) {
    RandomStream stream(5, StreamUse::bag_rows, {3, 1});
    for (std::uint64_t block = 0; block < 3; ++block)
        for (const std::uint64_t word :
             philox4x64({block, 1, 0, static_cast<std::uint64_t>(StreamUse::bag_rows)}, {5, 3}))
            EXPECT(stream.bits() == word);
}

NONET_TEST(many_blocks_are_one_after_another) {
    std::array<std::uint64_t, 11> words;  // the last block does not fit
    philox4x64({6, 1, 0, 3}, {5, 3}, words);
    for (std::size_t i = 0; i < words.size(); ++i)
        EXPECT(words[i] == philox4x64({6 + i / 4, 1, 0, 3}, {5, 3})[i % 4]);
}

NONET_TEST(written_words_are_those_of_the_stream) {
    std::array<std::uint64_t, 11> words;
    RandomStream::write(5, StreamUse::round_rows, {3}, 0, words);
    RandomStream stream(5, StreamUse::round_rows, {3});
    for (const std::uint64_t word : words) EXPECT(stream.bits() == word);
}

NONET_TEST(streams_of_other_names_differ) {
    RandomStream tree(5, StreamUse::node_columns, {3});
    RandomStream node(5, StreamUse::node_columns, {3, 1});
    EXPECT(tree.bits() != node.bits());
}

// Issue 17, item 14: the rows of a round and the columns of a node had the same words.
NONET_TEST(no_two_uses_share_a_word) {
    std::vector<std::uint64_t> words;
    for (std::uint64_t use = 0; use < static_cast<std::uint64_t>(StreamUse::n_uses); ++use)
        for (std::uint64_t name = 0; name < 4; ++name) {
            RandomStream stream(5, static_cast<StreamUse>(use), {name});
            for (int i = 0; i < 8; ++i) words.push_back(stream.bits());
        }
    std::ranges::sort(words);
    EXPECT(std::ranges::adjacent_find(words) == words.end());
}

NONET_TEST(uniform_lies_in_unit_interval_and_has_mean_one_half) {
    RandomStream stream(1, StreamUse::bag_rows, {});
    double sum = 0;
    for (int i = 0; i < 100000; ++i) {
        const double u = stream.uniform();
        EXPECT(0 <= u && u < 1);
        sum += u;
    }
    EXPECT(0.495 < sum / 100000 && sum / 100000 < 0.505);  // five standard errors
}

NONET_TEST(below_reaches_every_value_about_equally) {
    RandomStream stream(2, StreamUse::bag_rows, {});
    std::array<int, 3> counts{};
    for (int i = 0; i < 30000; ++i) ++counts[stream.below(3)];
    for (const int count : counts) EXPECT(9500 < count && count < 10500);  // six standard errors
}

// With this bound a quarter of the products is biased: the loop that draws again must run.
NONET_TEST(below_draws_again_for_large_bounds) {
    constexpr std::uint64_t bound = 0xC000000000000000;
    RandomStream stream(3, StreamUse::bag_rows, {});
    int n_upper = 0;
    for (int i = 0; i < 30000; ++i) {
        const std::uint64_t draw = stream.below(bound);
        EXPECT(draw < bound);
        n_upper += draw >= bound / 2;
    }
    EXPECT(14500 < n_upper && n_upper < 15500);
}

}  // namespace nonet
