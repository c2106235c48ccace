// Checks of arguments: a failed one throws the sentence it was given.
#pragma once

#include <stdexcept>
#include <string>

namespace nonet {

inline void check(bool holds, const char* sentence) {
    if (!holds) throw std::invalid_argument(sentence);
}

// For sentences that must name a number; the text is built only when the check fails.
template <typename Sentence>
    requires requires(Sentence sentence) { std::string(sentence()); }
void check(bool holds, Sentence&& sentence) {
    if (!holds) throw std::invalid_argument(sentence());
}

}  // namespace nonet
