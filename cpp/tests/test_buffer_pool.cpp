#include <algorithm>
#include <thread>
#include <vector>

#include "base/buffer_pool.hpp"
#include "testing.hpp"

namespace nonet {

NONET_TEST(what_is_put_back_is_given_out_again) {
    BufferPool pool;
    const void* first = nullptr;
    {
        const PooledBuffer<double> buffer(pool, 1000);
        first = buffer.data();
    }
    const PooledBuffer<int> again(pool, 1990);  // somewhat fewer bytes
    EXPECT(again.data() == first);
    const PooledBuffer<int> other(pool, 1990);
    EXPECT(other.data() != first);
}

NONET_TEST(the_smallest_block_that_is_large_enough_is_given_out) {
    BufferPool pool;
    const void* small = nullptr;
    {
        const PooledBuffer<char> large_buffer(pool, 1 << 23);  // on a large page
        const PooledBuffer<char> small_buffer(pool, 1 << 10);
        small = small_buffer.data();
        large_buffer[(1 << 23) - 1] = 1;
    }
    const PooledBuffer<char> buffer(pool, 1000);
    EXPECT(buffer.data() == small);
    EXPECT(buffer.size() == 1000);
    EXPECT(std::ssize(buffer.all()) == 1000);
}

NONET_TEST(vectors_on_a_shelf_leave_their_memory_there) {
    BufferPool pool;
    using Numbers = std::vector<int, PoolAllocator<int>>;
    const void* first = nullptr;
    Numbers kept;  // without a shelf of its own
    {
        Numbers numbers({1, 2, 3}, PoolAllocator<int>(pool));
        numbers.reserve(1000);
        first = numbers.data();
        kept = std::move(numbers);
    }
    EXPECT(kept.data() == first && kept.size() == 3 && kept[2] == 3);
    kept = Numbers(PoolAllocator<int>(pool));
    const PooledBuffer<int> again(pool, 1000);
    EXPECT(again.data() == first);
}

NONET_TEST(buffers_in_use_are_apart_whoever_takes_them) {
    BufferPool pool;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&pool, t] {
            for (int repeat = 0; repeat < 200; ++repeat) {
                const PooledBuffer<int> one(pool, 100 + repeat);
                const PooledBuffer<int> two(pool, 50);
                std::ranges::fill(one.all(), t);
                std::ranges::fill(two.all(), -1);
                EXPECT(std::ranges::count(one.all(), t) == 100 + repeat);
            }
        });
    for (std::thread& thread : threads) thread.join();
}

}  // namespace nonet
