// How many cores this process may use.
#pragma once

namespace nonet {

// The least of: cores of the machine, cores in the affinity mask, and the CPU quota of the control
// group (a container with a quota of 1.5 cores gets 2). At least 1.
int available_cores();

}  // namespace nonet
