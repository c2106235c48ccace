// The one door to threads.
//
// A process-wide pool of workers that look for work for a moment, then sleep. A parallel region is
// a number of tasks; the calling thread and the workers that are free take them one after another.
// - A region has a seat for each of its threads. Workers sit down without a lock, and only as many
//   are woken as the workers that are awake leave seats: a woken one wakes two others.
// - A region inside a region runs on its own thread, so nesting never adds threads.
// - Several threads may open regions at once: each works on its own, free workers help.
// - The first exception of a task stops the region and reaches the caller.
// - Workers take no signals but their own faults: Ctrl-C goes to the program's threads.
// - After fork() the child starts with an empty pool of its own.
// - The caller calls the interrupt check about every 50 ms and gives up with `Interrupted`; a long
//   task calls it itself.
// - A process that ends stops all regions and waits for workers no longer than half a second.
#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <type_traits>

#include "base/types.hpp"

namespace nonet {

class Interrupted : public std::exception {
public:
    const char* what() const noexcept override { return "interrupted"; }
};

// Called on the thread that opened the region, never on a worker; true = stop.
using InterruptCheck = bool (*)();
void set_interrupt_check(InterruptCheck check) noexcept;

// A task without ownership: the callable outlives the region, as the caller waits for its end.
class TaskRef {
public:
    template <typename Task>
        requires(!std::is_same_v<std::remove_cvref_t<Task>, TaskRef>)
    TaskRef(const Task& task) noexcept
        : task_(std::addressof(task)),
          call_([](const void* object, index_t i) { (*static_cast<const Task*>(object))(i); }) {}

    void operator()(index_t i) const { call_(task_, i); }

private:
    const void* task_;
    void (*call_)(const void*, index_t);
};

// Runs task(0), ..., task(n_tasks - 1) on at most n_threads threads, the calling one included.
void parallel_for(index_t n_tasks, int n_threads, TaskRef task);

// Calls task(block, begin, end) for blocks of so many things each. What a block does may be added
// up in the order of blocks: the same on any number of threads.
template <typename Task>
void parallel_blocks(index_t n, index_t block_size, int n_threads, const Task& task) {
    parallel_for((n + block_size - 1) / block_size, n_threads, [&](index_t block) {
        const index_t begin = block * block_size;
        task(block, begin, std::min(n, begin + block_size));
    });
}

// Whether this thread runs a task of a region.
bool is_in_region() noexcept;

// The seat of this thread in the region whose task it runs: 0 is the caller's, and all are below
// the number of threads. No two threads have the same seat in a region, which lets each have memory
// of its own there.
int current_seat() noexcept;

// How many of these threads have enough to do: to join a region takes as long as some work.
inline int threads_for(index_t work, index_t work_per_thread, int n_threads) noexcept {
    return static_cast<int>(std::clamp<index_t>(work / work_per_thread, 1, n_threads));
}

// For long loops, inside tasks or not: throws Interrupted if the user wants to stop, or if the
// region of this task was stopped by another of its tasks.
void check_interrupt();

// Workers alive in this process; they are created when a region first needs them.
int pool_size() noexcept;

}  // namespace nonet
