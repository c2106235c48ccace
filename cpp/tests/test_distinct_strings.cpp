#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "data/distinct_strings.hpp"
#include "testing.hpp"

namespace nonet {
namespace {

using Words = std::vector<std::string>;

// A stream of one chunk, whose buffers have not a byte more than needed: reads beyond them are
// found by the sanitizers.
struct LentWords {
    explicit LentWords(const Words& words) {
        for (const std::string& word : words) {
            bytes.insert(bytes.end(), word.begin(), word.end());
            offsets.push_back(static_cast<std::int32_t>(bytes.size()));
        }
        bytes.shrink_to_fit();
        buffers[1] = offsets.data();
        buffers[2] = bytes.data();
        chunk.length = std::ssize(words);
        chunk.n_buffers = 3;
        chunk.buffers = buffers;
        chunk.release = [](ArrowArray* self) {
            ++*static_cast<int*>(self->private_data);
            self->release = nullptr;
        };
        chunk.private_data = &n_released;
        stream.private_data = this;
        stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
            out->format = static_cast<LentWords*>(self->private_data)->format;
            return 0;
        };
        stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
            auto* lent = static_cast<LentWords*>(self->private_data);
            *out = lent->is_taken ? ArrowArray{} : lent->chunk;
            lent->is_taken = true;
            return lent->fails ? 1 : 0;
        };
    }

    std::vector<char> bytes;
    std::vector<std::int32_t> offsets{0};
    const void* buffers[3] = {};
    const char* format = "u";
    bool is_taken = false;
    bool fails = false;
    int n_released = 0;
    ArrowArray chunk{};
    ArrowArrayStream stream{};
};

}  // namespace

NONET_TEST(strings_at_the_end_of_their_bytes_are_read_to_the_last_one) {
    const Words words = {"a", "", "twelve bytes", "thirteen byte", "a", "eleven byte", "b", "a"};
    LentWords lent(words);
    std::vector<std::int32_t> positions(words.size());
    const ArrowStrings strings(lent.stream);
    EXPECT(strings.n_rows() == 8);
    EXPECT((find_distinct(strings, positions) ==
            Words{"a", "", "twelve bytes", "thirteen byte", "eleven byte", "b"}));
    EXPECT((positions == std::vector<std::int32_t>{0, 1, 2, 3, 0, 4, 5, 0}));
}

NONET_TEST(chunks_of_strings_are_given_back_once) {
    LentWords lent({"a", "b"});
    {
        ArrowStrings strings(lent.stream);
        const ArrowStrings moved(std::move(strings));
        EXPECT(lent.n_released == 0);
    }
    EXPECT(lent.n_released == 1);
}

NONET_TEST(columns_that_are_no_strings_are_not_taken) {
    LentWords lent({"a"});
    lent.format = "l";
    EXPECT(ArrowStrings(lent.stream).layout() == StringLayout::none);
    EXPECT(!lent.is_taken);
}

NONET_TEST(a_stream_that_fails_and_wrong_sizes_are_refused) {
    LentWords failing({"a"});
    failing.fails = true;
    EXPECT_THROWS(std::invalid_argument, ArrowStrings(failing.stream));
    LentWords lent({"a", "b"});
    std::vector<std::int32_t> positions(1);
    EXPECT_THROWS(std::invalid_argument, find_distinct(ArrowStrings(lent.stream), positions));
}

}  // namespace nonet
