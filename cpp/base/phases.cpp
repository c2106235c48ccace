#include "base/phases.hpp"

#include <chrono>

#include "base/parallel.hpp"

namespace nonet {
namespace {

struct Sums {
    std::atomic<std::int64_t> wall{0};
    std::atomic<std::int64_t> in_regions{0};
    std::atomic<std::int64_t> at_tasks{0};
    std::atomic<std::int64_t> n_regions{0};
};
std::array<Sums, phase_names.size()> sums;

Sums& sums_of(Phase phase) noexcept { return sums[static_cast<std::size_t>(phase)]; }

struct ThreadPhase {
    Phase phase = Phase::other;
    std::int64_t since = 0;
};
thread_local ThreadPhase here;

void add(std::atomic<std::int64_t>& sum, std::int64_t nanoseconds) noexcept {
    sum.fetch_add(nanoseconds, std::memory_order_relaxed);
}

}  // namespace

namespace phases {

std::atomic<bool> are_measured{false};

std::int64_t now() noexcept {
    using std::chrono::nanoseconds;
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<nanoseconds>(time).count();
}

Phase current() noexcept { return here.phase; }

// What nobody gave a name is not counted: it may be the time between two calls of the core.
void enter(Phase phase) noexcept {
    if (is_in_region()) return;
    const std::int64_t time = now();
    if (here.phase != Phase::other) add(sums_of(here.phase).wall, time - here.since);
    here = {phase, time};
}

void add_region(Phase phase, std::int64_t nanoseconds) noexcept {
    add(sums_of(phase).in_regions, nanoseconds);
    add(sums_of(phase).n_regions, 1);
    if (phase == Phase::other) add(sums_of(phase).wall, nanoseconds);
}

void add_tasks(Phase phase, std::int64_t nanoseconds) noexcept {
    add(sums_of(phase).at_tasks, nanoseconds);
}

}  // namespace phases

void measure_phases(bool is_wanted) noexcept {
    if (is_wanted)
        for (Sums& sum : sums)
            for (auto* part : {&sum.wall, &sum.in_regions, &sum.at_tasks, &sum.n_regions})
                part->store(0);
    phases::are_measured.store(is_wanted);
}

std::vector<PhaseTime> phase_times() {
    std::vector<PhaseTime> times;
    for (const Sums& sum : sums)
        times.push_back({sum.wall, sum.in_regions, sum.at_tasks, sum.n_regions});
    return times;
}

}  // namespace nonet
