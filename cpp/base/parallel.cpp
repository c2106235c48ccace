#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

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

// A parallel region. It lives on the stack of the thread that opened it; `free_seats`,
// `n_helpers` and `error` belong to the pool's mutex.
struct Region {
    Region(TaskRef task_, index_t n_tasks_, int n_seats) noexcept
        : task(task_), n_tasks(n_tasks_), free_seats(n_seats) {}

    bool take(index_t& i) noexcept {
        if (stopped.load(std::memory_order_relaxed)) return false;
        i = next.fetch_add(1, std::memory_order_relaxed);
        return i < n_tasks;
    }

    TaskRef task;
    const index_t n_tasks;
    std::atomic<index_t> next{0};
    std::atomic<bool> stopped{false};
    int free_seats;
    std::atomic<int> n_helpers{0};  // read without the mutex as well
    std::exception_ptr error;
    std::condition_variable helpers_left;
};

// The region whose tasks this thread takes. Whatever a task opens runs on its own thread.
thread_local const Region* current_region = nullptr;
thread_local bool is_worker = false;

class InsideRegion {
public:
    explicit InsideRegion(const Region& region) noexcept { current_region = &region; }
    ~InsideRegion() { current_region = nullptr; }
    InsideRegion(const InsideRegion&) = delete;
    InsideRegion& operator=(const InsideRegion&) = delete;
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

class ThreadPool {
public:
    void run(Region& region);
    void close();
    int size() {
        const std::lock_guard lock(mutex_);
        return static_cast<int>(workers_.size());
    }

private:
    void open(Region& region);
    void grow(int n_workers);
    void work();
    void help(Region& region, std::unique_lock<std::mutex>& lock);
    void take_tasks_as_caller(Region& region);
    void wait_for_helpers(Region& region);
    void stop(Region& region, std::exception_ptr error);
    void withdraw(Region& region);

    std::mutex mutex_;
    std::condition_variable regions_waiting_;
    std::vector<Region*> regions_;  // those with free seats and, as far as known, tasks left
    std::atomic<bool> has_regions_{false};  // whether there are any, for those without the mutex
    std::vector<std::thread> workers_;
    int n_working_ = 0;  // workers that have not returned
    std::condition_variable workers_left_;
    bool closed_ = false;
};

void ThreadPool::run(Region& region) {
    open(region);
    {
        const InsideRegion inside(region);
        take_tasks_as_caller(region);
        wait_for_helpers(region);
    }
    if (region.error) std::rethrow_exception(region.error);
}

void ThreadPool::open(Region& region) {
    const std::lock_guard lock(mutex_);
    if (closed_) return;  // the process is ending: the caller works alone
    grow(region.free_seats);
    regions_.push_back(&region);
    has_regions_.store(true, std::memory_order_relaxed);
    regions_waiting_.notify_all();
}

void ThreadPool::grow(int n_workers) {
    if (static_cast<int>(workers_.size()) >= n_workers) return;
    const SignalsBlocked blocked;
    try {
        while (static_cast<int>(workers_.size()) < n_workers) {
            workers_.emplace_back([this] { work(); });
            ++n_working_;
        }
    } catch (const std::system_error&) {
        // The system gives no more threads; those we have and the caller do the work.
    }
}

void ThreadPool::work() {
    is_worker = true;
    std::unique_lock lock(mutex_);
    while (true) {
        regions_waiting_.wait(lock, [this] { return closed_ || !regions_.empty(); });
        if (closed_) {
            --n_working_;
            workers_left_.notify_all();
            return;
        }
        help(*regions_.front(), lock);
        lock.unlock();
        wait_a_moment([this] { return has_regions_.load(std::memory_order_relaxed); });
        lock.lock();
    }
}

void ThreadPool::help(Region& region, std::unique_lock<std::mutex>& lock) {
    ++region.n_helpers;
    if (--region.free_seats == 0) withdraw(region);
    lock.unlock();
    std::exception_ptr error;
    try {
        const InsideRegion inside(region);
        for (index_t i; region.take(i);) {
            region.task(i);
            if (is_process_ending()) throw Interrupted();
        }
    } catch (...) {
        error = std::current_exception();
    }
    lock.lock();
    if (error) stop(region, error);
    withdraw(region);  // no tasks are left to take
    if (--region.n_helpers == 0) region.helpers_left.notify_all();
}

void ThreadPool::take_tasks_as_caller(Region& region) {
    try {
        for (index_t i; region.take(i);) {
            region.task(i);
            if (interrupted()) throw Interrupted();
        }
    } catch (...) {
        const std::lock_guard lock(mutex_);
        stop(region, std::current_exception());
    }
}

// The lock is free while the interrupt check runs: the check may wait for Python's lock, and no
// worker should wait with it.
void ThreadPool::wait_for_helpers(Region& region) {
    std::unique_lock lock(mutex_);
    withdraw(region);
    lock.unlock();
    wait_a_moment([&] { return region.n_helpers.load(std::memory_order_relaxed) == 0; });
    lock.lock();
    while (
        !region.helpers_left.wait_for(lock, poll_interval, [&] { return region.n_helpers == 0; })) {
        lock.unlock();
        const bool stopping = interrupted();
        lock.lock();
        if (stopping) stop(region, std::make_exception_ptr(Interrupted()));
    }
}

void ThreadPool::stop(Region& region, std::exception_ptr error) {
    region.stopped.store(true, std::memory_order_relaxed);
    if (!region.error) region.error = std::move(error);
}

void ThreadPool::withdraw(Region& region) {
    std::erase(regions_, &region);
    has_regions_.store(!regions_.empty(), std::memory_order_relaxed);
}

// Tasks that check for interrupts end soon; those that do not are left to end with the process.
void ThreadPool::close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    process_ends.store(true, std::memory_order_relaxed);
    regions_waiting_.notify_all();
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

}  // namespace

void set_interrupt_check(InterruptCheck check) noexcept { interrupt_check.store(check); }

void parallel_for(index_t n_tasks, int n_threads, TaskRef task) {
    if (current_region != nullptr) return run_here(n_tasks, task);
    const int n_seats = static_cast<int>(std::min<index_t>(n_threads, n_tasks)) - 1;
    Region region(task, n_tasks, n_seats);
    if (n_seats > 0) return pool().run(region);
    const InsideRegion inside(region);
    run_here(n_tasks, task);
}

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
