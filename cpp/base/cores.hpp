// How many cores this process may use.
#pragma once

#include <string>

namespace nonet {

// The minimum of: cores of the machine, cores in the affinity mask, and the CPU quota of the
// control group (a container with a quota of 1.5 cores gets 2). At least 1.
int available_cores();

// The quota alone: of the control groups that the file `groups` lists, whose folders lie under
// `root`; the maximum int if there is none.
int quota_cores(const std::string& root, const std::string& groups);

}  // namespace nonet
