// Where the time of a computation goes: wall time by phase, and how much of it lies in parallel
// regions, so that Amdahl's limit and waiting threads can be read off.
//
// Nothing is measured unless somebody wants it. Phases are those of the thread that opens regions;
// what a task calls belongs to the phase of its region.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

namespace nonet {

enum class Phase : std::uint8_t {
    other,
    binning,
    gradients,
    rows,
    histograms,
    search,
    partition,
    leaves,
    scores,
    prediction,
};
constexpr std::array<std::string_view, 10> phase_names = {
    "other",  "binning",   "gradients", "rows",   "histograms",
    "search", "partition", "leaves",    "scores", "prediction"};

// Nanoseconds: of the phase, of its regions, and of all threads together at the tasks of these.
struct PhaseTime {
    std::int64_t wall = 0;
    std::int64_t in_regions = 0;
    std::int64_t at_tasks = 0;
    std::int64_t n_regions = 0;
};

namespace phases {

extern std::atomic<bool> are_measured;

std::int64_t now() noexcept;
Phase current() noexcept;
void enter(Phase phase) noexcept;
void add_region(Phase phase, std::int64_t nanoseconds) noexcept;
void add_tasks(Phase phase, std::int64_t nanoseconds) noexcept;

inline bool measured() noexcept { return are_measured.load(std::memory_order_relaxed); }

}  // namespace phases

// Begins to measure, from zero, or ends it. One thread at a time should compute meanwhile: phases
// of several are added up.
void measure_phases(bool is_wanted) noexcept;
// By phase, in the order of their names.
std::vector<PhaseTime> phase_times();

// The phase of this thread until the end of the block, unless it runs a task of a region.
class InPhase {
public:
    explicit InPhase(Phase phase) noexcept : is_measured_(phases::measured()) {
        if (!is_measured_) return;
        before_ = phases::current();
        phases::enter(phase);
    }
    ~InPhase() {
        if (is_measured_) phases::enter(before_);
    }
    InPhase(const InPhase&) = delete;
    InPhase& operator=(const InPhase&) = delete;

private:
    bool is_measured_;
    Phase before_ = Phase::other;
};

}  // namespace nonet
