#include "base/parallel.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/phases.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>

#include <csignal>
#define NONET_HAS_PTHREADS 1
#endif

namespace nonet {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto poll_interval = std::chrono::milliseconds(50);

constexpr auto longest_wait_at_exit = std::chrono::milliseconds(500);

std::atomic<InterruptCheck> interrupt_check{nullptr};
std::atomic<bool> process_ends{false};

bool is_process_ending() noexcept { return process_ends.load(std::memory_order_relaxed); }

// Calls the interrupt check, but not more often than the poll interval. The thread stores the time
// of its last call, so that a loop over many short regions is interrupted as soon as one long
// region.
bool interrupted() {
    if (is_process_ending()) return true;
    thread_local Clock::time_point next_poll;
    const auto now = Clock::now();
    if (now < next_poll) return false;
    next_poll = now + poll_interval;
    const InterruptCheck check = interrupt_check.load(std::memory_order_relaxed);
    return check != nullptr && check();
}

void pause_processor() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Waits in short steps until it is so, or a moment has passed. Regions of one computation follow
// each other within microseconds; to sleep and be woken takes longer than many of them last.
template <typename Condition>
void wait_a_moment(const Condition& is_so) noexcept {
    constexpr auto moment = std::chrono::microseconds(60);
    const auto end = Clock::now() + moment;
    while (!is_so() && Clock::now() < end)
        for (int i = 0; i < 16; ++i) pause_processor();
}

// A parallel region. It lives on the stack of the thread that opened it. What threads write while
// they take tasks has a line of the cache to itself.
struct Region {
    Region(TaskRef task_, index_t n_tasks_) noexcept : task(task_), n_tasks(n_tasks_) {}

    bool take(index_t& i) noexcept {
        if (stopped.load(std::memory_order_relaxed)) return false;
        i = next.fetch_add(1, std::memory_order_relaxed);
        return i < n_tasks;
    }
    // The first error counts; the caller reads it when all have left.
    void stop(std::exception_ptr error_) noexcept {
        if (!has_error.exchange(true, std::memory_order_relaxed)) error = std::move(error_);
        stopped.store(true, std::memory_order_relaxed);
    }

    TaskRef task;
    const index_t n_tasks;
    Phase phase = phases::current();
    std::atomic<bool> stopped{false};
    std::atomic<bool> has_error{false};
    std::exception_ptr error;
    alignas(64) std::atomic<index_t> next{0};
};

// The region whose tasks this thread takes, and its seat there. Whatever a task opens runs on its
// own thread, which has the only seat.
thread_local const Region* current_region = nullptr;
thread_local int seat_here = 0;
thread_local bool is_worker = false;

class InsideRegion {
public:
    InsideRegion(const Region* region, int seat) noexcept
        : region_before_(current_region), seat_before_(seat_here) {
        current_region = region;
        seat_here = seat;
    }
    ~InsideRegion() {
        current_region = region_before_;
        seat_here = seat_before_;
    }
    InsideRegion(const InsideRegion&) = delete;
    InsideRegion& operator=(const InsideRegion&) = delete;

private:
    const Region* region_before_;
    int seat_before_;
};

// Adds the time of a block to the tasks of a phase.
class AtTasks {
public:
    explicit AtTasks(Phase phase) noexcept
        : phase_(phase), begin_(phases::measured() ? phases::now() : 0) {}
    ~AtTasks() {
        if (begin_ != 0) phases::add_tasks(phase_, phases::now() - begin_);
    }
    AtTasks(const AtTasks&) = delete;
    AtTasks& operator=(const AtTasks&) = delete;

private:
    Phase phase_;
    std::int64_t begin_;
};

// Threads inherit the mask of the thread that makes them: while this lives, they are born with all
// signals blocked. Ctrl-C and others then go to threads of the program, which have handlers for
// them. Faults of a thread stay its own: a handler of these must be able to report them.
#ifdef NONET_HAS_PTHREADS
class SignalsBlocked {
public:
    SignalsBlocked() noexcept {
        sigset_t most;
        sigfillset(&most);
        for (const int fault : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP})
            sigdelset(&most, fault);
        pthread_sigmask(SIG_SETMASK, &most, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t before_;
};
#else
struct SignalsBlocked {
    SignalsBlocked() noexcept {}  // threads of Windows take no signals
};
#endif

// Where workers find a region. Slots outlive the regions that use them one after another, so that a
// worker that comes too late finds no free seat instead of memory that is gone.
class Slot {
public:
    void open(Region& region, int n_seats) noexcept {
        region_ = &region;
        state_.store(static_cast<std::uint32_t>(n_seats), std::memory_order_release);
    }
    // The seat of the new helper, from the highest down to 1; 0: none is free. The region stays
    // until its helpers leave.
    int join() noexcept {
        std::uint32_t state = state_.load(std::memory_order_relaxed);
        while ((state & seats) > 0)
            if (state_.compare_exchange_weak(state, state - 1 + one_helper,
                                             std::memory_order_acquire, std::memory_order_relaxed))
                return static_cast<int>(state & seats);
        return 0;
    }
    // Comes from the caller or a helper: nobody joins any more.
    void close() noexcept { state_.fetch_and(~seats, std::memory_order_relaxed); }
    void leave() noexcept {
        const std::uint32_t before = state_.fetch_sub(one_helper, std::memory_order_acq_rel);
        if ((before & helpers) != one_helper || (before & caller_sleeps) == 0) return;
        const std::lock_guard lock(mutex_);
        helpers_left_.notify_one();
    }

    Region& region() const noexcept { return *region_; }
    bool have_left() const noexcept {
        return (state_.load(std::memory_order_acquire) & helpers) == 0;
    }
    // Returns whether all helpers have left.
    bool wait(Clock::duration time) {
        state_.fetch_or(caller_sleeps, std::memory_order_acq_rel);
        std::unique_lock lock(mutex_);
        return helpers_left_.wait_for(lock, time, [this] { return have_left(); });
    }

    static constexpr std::uint32_t max_seats = (1U << 15) - 1;

private:
    static constexpr std::uint32_t seats = max_seats;  // those that are free
    static constexpr std::uint32_t one_helper = 1U << 15;
    static constexpr std::uint32_t helpers = max_seats << 15;
    static constexpr std::uint32_t caller_sleeps = 1U << 30;

    alignas(64) std::atomic<std::uint32_t> state_{0};
    Region* region_ = nullptr;
    std::mutex mutex_;
    std::condition_variable helpers_left_;
};

class ThreadPool {
public:
    void run(Region& region, int n_seats);
    void close();
    int size() const noexcept { return n_workers_.load(std::memory_order_relaxed); }

private:
    static constexpr int n_slots = 64;  // a bit each; more regions at once do without helpers
    static constexpr int n_woken_by_each = 2;

    static std::uint64_t bit(int slot) noexcept { return std::uint64_t{1} << slot; }
    int open(Region& region, int n_seats);
    int claim_slot() noexcept;
    void grow(int n_workers);
    void work(int number);
    bool help_any(int number);
    void help(int slot, int seat);
    void sleep(std::unique_lock<std::mutex>& lock);
    void wake(int n_wanted);
    void take_tasks_as_caller(Region& region);
    void wait_for_helpers(Slot& slot);
    void withdraw(int slot) noexcept;

    std::array<Slot, n_slots> slots_;
    alignas(64) std::atomic<std::uint64_t> claimed_{0};  // slots in use
    alignas(64) std::atomic<std::uint64_t> open_{0};     // of these, with free seats and tasks left
    // Workers that are awake and in no region, with those that are being woken; and those asleep.
    // Who opens a region writes open_ and reads these; who falls asleep writes these and reads
    // open_: one of the two sees the other.
    alignas(64) std::atomic<int> n_looking_{0};
    std::atomic<int> n_sleeping_{0};  // changed under the mutex
    std::atomic<int> n_workers_{0};
    std::atomic<bool> closed_{false};

    std::mutex mutex_;
    std::condition_variable calls_;
    int n_calls_ = 0;  // workers that were called and sleep still
    std::vector<std::thread> workers_;
    int n_working_ = 0;  // workers that have not returned
    std::condition_variable workers_left_;
};

void ThreadPool::run(Region& region, int n_seats) {
    const int slot = open(region, n_seats);
    {
        const InsideRegion inside(&region, 0);
        take_tasks_as_caller(region);
        if (slot >= 0) {
            withdraw(slot);
            wait_for_helpers(slots_[static_cast<std::size_t>(slot)]);
            claimed_.fetch_and(~bit(slot), std::memory_order_release);
        }
    }
    if (region.error) std::rethrow_exception(region.error);
}

// Returns its slot; negative: the caller works alone, as the process is ending or too many do.
int ThreadPool::open(Region& region, int n_seats) {
    if (closed_.load(std::memory_order_relaxed)) return -1;
    const int slot = claim_slot();
    if (slot < 0) return slot;
    n_seats = std::min(n_seats, static_cast<int>(Slot::max_seats));
    if (size() < n_seats) grow(n_seats);
    slots_[static_cast<std::size_t>(slot)].open(region, n_seats);
    open_.fetch_or(bit(slot));
    wake(n_seats);
    return slot;
}

int ThreadPool::claim_slot() noexcept {
    std::uint64_t claimed = claimed_.load(std::memory_order_relaxed);
    while (~claimed != 0) {
        const int slot = std::countr_one(claimed);
        if (claimed_.compare_exchange_weak(claimed, claimed | bit(slot), std::memory_order_acquire,
                                           std::memory_order_relaxed))
            return slot;
    }
    return -1;
}

void ThreadPool::grow(int n_workers) {
    const std::lock_guard lock(mutex_);
    const SignalsBlocked blocked;
    try {
        while (!closed_ && std::ssize(workers_) < n_workers) {
            workers_.emplace_back([this, number = size()] { work(number); });
            ++n_looking_;
            ++n_working_;
            ++n_workers_;
        }
    } catch (const std::system_error&) {
        // The system gives no more threads; those we have and the caller do the work.
    }
}

void ThreadPool::work(int number) {
    is_worker = true;
    const auto is_wanted = [this] { return open_.load(std::memory_order_relaxed) != 0; };
    while (!closed_.load(std::memory_order_relaxed)) {
        if (help_any(number)) continue;
        wait_a_moment([&] { return is_wanted() || closed_.load(std::memory_order_relaxed); });
        if (is_wanted()) continue;
        std::unique_lock lock(mutex_);
        sleep(lock);
    }
    const std::lock_guard lock(mutex_);
    --n_working_;
    workers_left_.notify_all();
}

// Workers look from different slots on, so that several regions get workers.
bool ThreadPool::help_any(int number) {
    const int first = number % n_slots;
    std::uint64_t open = std::rotr(open_.load(std::memory_order_relaxed), first);
    for (; open != 0; open &= open - 1) {
        const int slot = (first + std::countr_zero(open)) % n_slots;
        const int seat = slots_[static_cast<std::size_t>(slot)].join();
        if (seat == 0) continue;
        help(slot, seat);
        return true;
    }
    return false;
}

void ThreadPool::help(int slot, int seat) {
    --n_looking_;
    if (seat == 1)
        withdraw(slot);
    else
        wake(seat - 1);
    Slot& its_slot = slots_[static_cast<std::size_t>(slot)];
    Region& region = its_slot.region();
    try {
        const InsideRegion inside(&region, seat);
        const AtTasks at_tasks(region.phase);
        for (index_t i; region.take(i);) {
            region.task(i);
            if (is_process_ending()) throw Interrupted();
        }
    } catch (...) {
        region.stop(std::current_exception());
    }
    withdraw(slot);  // no tasks are left to take
    ++n_looking_;
    its_slot.leave();
}

// A region that was opened since the last look is not missed: see n_looking_.
void ThreadPool::sleep(std::unique_lock<std::mutex>& lock) {
    --n_looking_;
    ++n_sleeping_;
    if (open_ == 0 && !closed_) {
        calls_.wait(lock, [this] { return closed_ || n_calls_ > 0; });
        if (n_calls_ > 0) {
            --n_calls_;
            return;  // who called has counted it among those that look
        }
    }
    ++n_looking_;
    --n_sleeping_;
}

void ThreadPool::wake(int n_wanted) {
    if (n_wanted <= n_looking_ || n_sleeping_ == 0) return;
    int n_called = 0;
    {
        const std::lock_guard lock(mutex_);
        n_called = std::min({n_wanted - n_looking_, n_sleeping_.load(), n_woken_by_each});
        if (n_called <= 0) return;
        n_calls_ += n_called;
        n_looking_ += n_called;
        n_sleeping_ -= n_called;
    }
    for (int i = 0; i < n_called; ++i) calls_.notify_one();
}

void ThreadPool::take_tasks_as_caller(Region& region) {
    const AtTasks at_tasks(region.phase);
    try {
        for (index_t i; region.take(i);) {
            region.task(i);
            if (interrupted()) throw Interrupted();
        }
    } catch (...) {
        region.stop(std::current_exception());
    }
}

// No lock is held while the interrupt check runs: the check may wait for Python's lock, and no
// worker should wait with it.
void ThreadPool::wait_for_helpers(Slot& slot) {
    wait_a_moment([&] { return slot.have_left(); });
    while (!slot.have_left())
        if (!slot.wait(poll_interval) && interrupted())
            slot.region().stop(std::make_exception_ptr(Interrupted()));
}

void ThreadPool::withdraw(int slot) noexcept {
    open_.fetch_and(~bit(slot), std::memory_order_relaxed);
    slots_[static_cast<std::size_t>(slot)].close();
}

// Tasks that check for interrupts end soon; those that do not are left to end with the process.
void ThreadPool::close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    process_ends.store(true, std::memory_order_relaxed);
    calls_.notify_all();
    const bool have_left =
        workers_left_.wait_for(lock, longest_wait_at_exit, [this] { return n_working_ == 0; });
    std::vector<std::thread> workers = std::exchange(workers_, {});
    lock.unlock();
    for (std::thread& worker : workers) have_left ? worker.join() : worker.detach();
}

// The pool itself is never freed: a thread that outlives main may still look at it.
std::atomic<ThreadPool*> the_pool{nullptr};
std::mutex creation;

#ifdef NONET_HAS_PTHREADS
void lock_creation() noexcept { creation.lock(); }
void unlock_creation() noexcept { creation.unlock(); }
// The child of a fork has none of the workers, and a mutex of the parent may be locked forever in
// it: the child forgets the parent's pool without touching it.
void begin_child() noexcept {
    the_pool.store(nullptr);
    creation.unlock();
}

void watch_forks() {
    static const int watched = pthread_atfork(lock_creation, unlock_creation, begin_child);
    (void)watched;
}
#else
void watch_forks() {}  // Windows has none
#endif

struct CloseAtExit {
    ~CloseAtExit() {
        if (ThreadPool* pool = the_pool.load()) pool->close();
    }
};

ThreadPool& pool() {
    if (ThreadPool* made = the_pool.load(std::memory_order_acquire)) return *made;
    watch_forks();
    const std::lock_guard lock(creation);
    static const CloseAtExit close_at_exit;
    if (the_pool.load() == nullptr) the_pool.store(new ThreadPool);
    return *the_pool.load();
}

void run_here(index_t n_tasks, TaskRef task) {
    for (index_t i = 0; i < n_tasks; ++i) {
        task(i);
        check_interrupt();
    }
}

void run_alone(Region& region) {
    const InsideRegion inside(&region, 0);
    const AtTasks at_tasks(region.phase);
    run_here(region.n_tasks, region.task);
}

void run(Region& region, int n_threads) {
    const int n_seats = static_cast<int>(std::min<index_t>(n_threads, region.n_tasks)) - 1;
    if (n_seats > 0)
        pool().run(region, n_seats);
    else
        run_alone(region);
}

// A single task that could have had other threads beside it is serial.
void run_measured(Region& region, int n_threads) {
    const std::int64_t begin = phases::now();
    run(region, n_threads);
    if (region.n_tasks > 1 || n_threads == 1)
        phases::add_region(region.phase, phases::now() - begin);
}

}  // namespace

void set_interrupt_check(InterruptCheck check) noexcept { interrupt_check.store(check); }

void parallel_for(index_t n_tasks, int n_threads, TaskRef task) {
    if (current_region != nullptr) {
        const InsideRegion inside(current_region, 0);
        return run_here(n_tasks, task);
    }
    Region region(task, n_tasks);
    if (phases::measured()) return run_measured(region, n_threads);
    run(region, n_threads);
}

bool is_in_region() noexcept { return current_region != nullptr; }

int current_seat() noexcept { return seat_here; }

void check_interrupt() {
    const bool stopped =
        current_region != nullptr && current_region->stopped.load(std::memory_order_relaxed);
    if (stopped || (is_worker ? is_process_ending() : interrupted())) throw Interrupted();
}

int pool_size() noexcept {
    ThreadPool* made = the_pool.load(std::memory_order_acquire);
    return made == nullptr ? 0 : made->size();
}

}  // namespace nonet
