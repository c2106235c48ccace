#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/cores.hpp"
#include "base/parallel.hpp"
#include "testing.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#endif

#if defined(__SANITIZE_THREAD__)
#define NONET_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NONET_TSAN 1
#endif
#endif

namespace nonet {
namespace {

index_t sum_of_tasks(index_t n_tasks, int n_threads) {
    std::atomic<index_t> sum{0};
    parallel_for(n_tasks, n_threads, [&](index_t i) { sum += i; });
    return sum;
}

void nap() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

std::atomic<bool> interrupt_now{false};
std::atomic<int> n_checks{0};

bool requested_to_stop() {
    ++n_checks;
    return interrupt_now;
}

// Installs the interrupt check for as long as it lives.
struct Interruptible {
    explicit Interruptible(bool stop) {
        interrupt_now = stop;
        n_checks = 0;
        set_interrupt_check(requested_to_stop);
    }
    ~Interruptible() { set_interrupt_check(nullptr); }
};

}  // namespace

NONET_TEST(every_task_runs_once) {
    for (const int n_threads : {1, 2, 3, 8})
        for (const index_t n_tasks : {0, 1, 2, 7, 1000}) {
            std::vector<std::atomic<int>> runs(static_cast<std::size_t>(n_tasks));
            parallel_for(n_tasks, n_threads,
                         [&](index_t i) { ++runs[static_cast<std::size_t>(i)]; });
            for (const auto& count : runs) EXPECT(count == 1);
        }
}

NONET_TEST(pool_grows_to_what_is_requested_and_stays) {
    sum_of_tasks(100, 4);
    const int size = pool_size();
    EXPECT(size >= 3);
    sum_of_tasks(100, 2);
    EXPECT(pool_size() == size);
}

NONET_TEST(never_more_threads_than_requested) {
    sum_of_tasks(100, 8);  // leaves more workers than the next region may use
    std::atomic<int> running{0};
    std::atomic<int> most{0};
    parallel_for(64, 2, [&](index_t) {
        const int now = ++running;
        int seen = most;
        while (seen < now && !most.compare_exchange_weak(seen, now)) {
        }
        nap();
        --running;
    });
    EXPECT(most <= 2);
}

NONET_TEST(nested_region_stays_on_its_thread) {
    std::atomic<index_t> sum{0};
    std::atomic<bool> stayed{true};
    parallel_for(8, 3, [&](index_t) {
        const auto outer = std::this_thread::get_id();
        parallel_for(10, 3, [&](index_t i) {
            if (std::this_thread::get_id() != outer) stayed = false;
            sum += i;
        });
    });
    EXPECT(stayed);
    EXPECT(sum == 8 * 45);
}

NONET_TEST(threads_of_a_region_have_different_seats) {
    std::array<std::atomic<int>, 4> at_seat{};
    std::atomic<bool> alone{true};
    parallel_for(200, 4, [&](index_t) {
        const int seat = current_seat();
        EXPECT(seat >= 0 && seat < 4);
        if (++at_seat[static_cast<std::size_t>(seat)] > 1) alone = false;
        nap();
        --at_seat[static_cast<std::size_t>(seat)];
    });
    EXPECT(alone);
}

NONET_TEST(a_region_in_a_region_has_one_seat) {
    std::atomic<bool> is_first{true};
    std::atomic<bool> is_restored{true};
    parallel_for(20, 4, [&](index_t) {
        const int seat = current_seat();
        parallel_for(3, 4, [&](index_t) {
            if (current_seat() != 0) is_first = false;
        });
        if (current_seat() != seat) is_restored = false;
        nap();
    });
    EXPECT(is_first);
    EXPECT(is_restored);
}

// Workers that sleep are called one by one, and each calls others: all of them must come.
NONET_TEST(sleeping_workers_are_woken_until_seats_are_taken) {
    for (int repeat = 0; repeat < 3; ++repeat) {
        sum_of_tasks(100, 6);
        for (int i = 0; i < 20; ++i) nap();  // long enough for all to sleep
        std::atomic<int> n_there{0};
        parallel_for(6, 6, [&](index_t) {
            ++n_there;
            for (int i = 0; i < 2000 && n_there < 6; ++i) nap();
        });
        EXPECT(n_there == 6);
    }
}

NONET_TEST(more_regions_at_once_than_workers_can_look_at) {
    std::vector<std::thread> callers;
    std::atomic<int> n_inside{0};
    std::atomic<int> n_right{0};
    for (int caller = 0; caller < 80; ++caller)
        callers.emplace_back([&] {
            std::atomic<index_t> sum{0};
            std::atomic<bool> is_counted{false};
            parallel_for(4, 2, [&](index_t i) {
                if (!is_counted.exchange(true)) ++n_inside;
                for (int k = 0; k < 500 && n_inside < 80; ++k) nap();
                sum += i;
            });
            n_right += sum == 6;
        });
    for (std::thread& caller : callers) caller.join();
    EXPECT(n_right == 80);
}

NONET_TEST(threads_are_as_many_as_the_work_is_worth) {
    EXPECT(threads_for(0, 100, 8) == 1);
    EXPECT(threads_for(250, 100, 8) == 2);
    EXPECT(threads_for(5000, 100, 8) == 8);
}

NONET_TEST(several_callers_at_once_all_finish) {
    std::vector<std::thread> callers;
    std::atomic<int> n_right{0};
    for (int caller = 0; caller < 6; ++caller)
        callers.emplace_back([&] {
            for (int repeat = 0; repeat < 200; ++repeat) n_right += sum_of_tasks(50, 3) == 1225;
        });
    for (std::thread& caller : callers) caller.join();
    EXPECT(n_right == 6 * 200);
}

NONET_TEST(exception_reaches_the_caller_and_cancels_the_rest) {
    for (const int n_threads : {1, 4}) {
        std::atomic<int> n_run{0};
        EXPECT_THROWS(std::runtime_error, parallel_for(100000, n_threads, [&](index_t i) {
                          ++n_run;
                          if (i == 3) throw std::runtime_error("task 3");
                      }));
        EXPECT(n_run < 100000);
        EXPECT(sum_of_tasks(100, n_threads) == 4950);  // the pool is fit for the next region
    }
}

NONET_TEST(interrupt_cancels_between_tasks) {
    const Interruptible interruptible(true);
    for (const int n_threads : {1, 3}) {
        std::atomic<int> n_run{0};
        EXPECT_THROWS(Interrupted, parallel_for(100000, n_threads, [&](index_t) {
                          ++n_run;
                          nap();
                      }));
        EXPECT(n_run < 100000);
    }
}

NONET_TEST(interrupt_cancels_while_the_caller_waits) {
    const Interruptible interruptible(true);
    const auto caller = std::this_thread::get_id();
    std::atomic<bool> helped{false};
    const auto slow_on_workers = [&](index_t) {
        for (int i = 0; i < 200 && std::this_thread::get_id() != caller; ++i) {
            helped = true;
            nap();
        }
        while (!helped) nap();  // the caller leaves a task to a worker
    };
    EXPECT_THROWS(Interrupted, parallel_for(2, 2, slow_on_workers));
}

NONET_TEST(interrupt_check_is_called_now_and_then_only) {
    const Interruptible interruptible(false);
    parallel_for(200, 2, [](index_t) { nap(); });
    EXPECT(n_checks >= 1);
    n_checks = 0;
    parallel_for(100000, 2, [](index_t) {});
    EXPECT(n_checks < 10000);
}

NONET_TEST(interrupt_cancels_many_short_regions) {
    const Interruptible interruptible(true);
    int n_regions = 0;
    EXPECT_THROWS(Interrupted,
                  while (++n_regions < 100000) parallel_for(2, 2, [](index_t) { nap(); }));
    EXPECT(n_regions < 100000);
}

NONET_TEST(interrupt_cancels_inside_a_task_and_in_nested_regions) {
    const Interruptible interruptible(true);
    std::atomic<int> n_done{0};
    EXPECT_THROWS(Interrupted, parallel_for(1, 1, [&](index_t) {
                      parallel_for(100000, 2, [&](index_t) {
                          nap();
                          ++n_done;
                      });
                  }));
    EXPECT(n_done < 100000);
    EXPECT_THROWS(Interrupted, parallel_for(3, 3, [&](index_t) {
                      for (int i = 0; i < 100000; ++i, nap()) check_interrupt();
                      n_done = 100000;
                  }));
    EXPECT(n_done < 100000);
}

NONET_TEST(long_tasks_learn_that_another_one_failed) {
    std::atomic<bool> finished{false};
    EXPECT_THROWS(std::runtime_error, parallel_for(2, 2, [&](index_t i) {
                      if (i == 1) throw std::runtime_error("failed");
                      for (int k = 0; k < 100000; ++k, nap()) check_interrupt();
                      finished = true;
                  }));
    EXPECT(!finished);
}

NONET_TEST(available_cores_is_between_one_and_the_machine) {
    EXPECT(available_cores() >= 1);
    EXPECT(available_cores() <= static_cast<int>(std::thread::hardware_concurrency()));
}

// TSan does not follow a fork of a process that has threads.
#if (defined(__unix__) || defined(__APPLE__)) && !defined(NONET_TSAN)

namespace {

// The emulator of another processor gives up where the child of a fork makes a thread.
bool is_emulated() { return std::getenv("NONET_EMULATED") != nullptr; }

bool child_can_sum() {
    const pid_t child = fork();
    if (child == 0) _exit(pool_size() == 0 && sum_of_tasks(1000, 3) == 499500 ? 0 : 1);
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0;
}

}  // namespace

NONET_TEST(child_of_a_fork_has_a_pool_of_its_own) {
    if (is_emulated()) return;
    sum_of_tasks(100, 3);
    EXPECT(child_can_sum());
    EXPECT(sum_of_tasks(100, 3) == 4950);
}

NONET_TEST(fork_while_the_pool_is_busy_leaves_the_child_usable) {
    if (is_emulated()) return;
    std::atomic<bool> stop{false};
    std::thread busy([&] {
        while (!stop) sum_of_tasks(200, 3);
    });
    for (int repeat = 0; repeat < 20; ++repeat) EXPECT(child_can_sum());
    stop = true;
    busy.join();
}

#ifndef NONET_TSAN  // which takes signals on threads of its own
// Issue 19, part 3: where the caller blocks a signal, no worker takes it instead.
NONET_TEST(workers_take_no_signals) {
    static std::atomic<int> n_taken;
    n_taken = 0;
    struct sigaction counts{};
    counts.sa_handler = [](int) { ++n_taken; };
    struct sigaction before{};
    sigaction(SIGUSR1, &counts, &before);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    EXPECT(sum_of_tasks(1000, 4) == 499'500);  // there are workers
    pthread_sigmask(SIG_BLOCK, &one, nullptr);
    kill(getpid(), SIGUSR1);
    parallel_for(40, 4, [](index_t) { nap(); });
    sigset_t waiting;
    sigpending(&waiting);
    EXPECT(n_taken == 0 && sigismember(&waiting, SIGUSR1) == 1);
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    EXPECT(n_taken == 1);
    sigaction(SIGUSR1, &before, nullptr);
}

NONET_TEST(new_workers_leave_the_mask_of_the_caller_alone) {
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, nullptr, &before);
    EXPECT(sum_of_tasks(1000, pool_size() + 2) == 499'500);
    sigset_t after;
    pthread_sigmask(SIG_BLOCK, nullptr, &after);
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGCHLD})
        EXPECT(sigismember(&before, signal) == sigismember(&after, signal));
}
#endif

// Issue 17, item 9 (f): a thread that nobody waits for works in the pool while the process ends.
NONET_TEST(process_ends_while_a_thread_works) {
    if (is_emulated()) return;
    const pid_t child = fork();
    if (child == 0) {
        std::atomic<bool> has_begun{false};
        std::thread([&] {
            try {
                parallel_for(1'000'000'000, 3, [&](index_t) {
                    has_begun = true;
                    nap();
                    check_interrupt();
                });
            } catch (const Interrupted&) {
            }
        }).detach();
        while (!has_begun) nap();
        std::exit(7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

#endif

}  // namespace nonet
