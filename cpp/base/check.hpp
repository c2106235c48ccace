// Checks of arguments: a failed one throws the sentence it was given.
#pragma once

#include <stdexcept>

namespace nonet {

inline void check(bool holds, const char* sentence) {
    if (!holds) throw std::invalid_argument(sentence);
}

}  // namespace nonet
