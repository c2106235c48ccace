#include "base/cores.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace nonet {
namespace {

constexpr int no_limit = std::numeric_limits<int>::max();

int hardware_cores() {
    const unsigned cores = std::thread::hardware_concurrency();
    return cores > 0 ? static_cast<int>(cores) : no_limit;  // 0 = the machine does not report it
}

#if defined(__linux__)
int affinity_cores() {
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0) return no_limit;  // over 1024 processors
    return CPU_COUNT(&mask);
}
#else
int affinity_cores() { return no_limit; }
#endif

int cores_of_quota(double quota, double period) {
    if (!(quota > 0) || !(period > 0)) return no_limit;
    return std::max(1, static_cast<int>(std::ceil(quota / period)));
}

// Version 2 writes "max 100000" (no limit) or "150000 100000" into one file.
int quota_v2(const std::string& folder) {
    std::ifstream file(folder + "/cpu.max");
    double quota = 0;
    double period = 0;
    return file >> quota >> period ? cores_of_quota(quota, period) : no_limit;
}

// Version 1 has two files, and -1 for no limit.
int quota_v1(const std::string& folder) {
    std::ifstream quota_file(folder + "/cpu.cfs_quota_us");
    std::ifstream period_file(folder + "/cpu.cfs_period_us");
    double quota = 0;
    double period = 0;
    return quota_file >> quota && period_file >> period ? cores_of_quota(quota, period) : no_limit;
}

int quota_of(const std::string& root, const std::string& group) {
    return std::min(quota_v2(root + group), quota_v1(root + "/cpu" + group));
}

// A group is bound by its own quota and by those of all groups above it.
int quota_up_from(const std::string& root, std::string group) {
    int cores = quota_of(root, "");
    while (group.size() > 1 && group.front() == '/') {
        cores = std::min(cores, quota_of(root, group));
        group.resize(group.rfind('/'));
    }
    return cores;
}

bool holds_cpu_quota(const std::string& controllers) {
    return controllers.empty() || ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

// Lines read "0::/path" (version 2) or "4:cpu,cpuacct:/path" (version 1).
int quota_cores(const std::string& root, const std::string& groups) {
    int cores = quota_of(root, "");  // inside a container the root is the container's own group
    std::ifstream file(groups);
    for (std::string line; std::getline(file, line);) {
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        if (holds_cpu_quota(line.substr(first + 1, second - first - 1)))
            cores = std::min(cores, quota_up_from(root, line.substr(second + 1)));
    }
    return cores;
}

int available_cores() {
    const int quota = quota_cores("/sys/fs/cgroup", "/proc/self/cgroup");
    const int cores = std::min({hardware_cores(), affinity_cores(), quota});
    return cores == no_limit ? 1 : std::max(1, cores);
}

}  // namespace nonet
