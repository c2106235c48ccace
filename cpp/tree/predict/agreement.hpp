// Whether trees can predict together.
#pragma once

#include <span>

#include "tree/tree.hpp"

namespace nonet {

// Throws std::invalid_argument unless all trees have the same numbers of columns and outputs, and
// none splits by categories a column that another splits by a threshold: who reads all of them in
// one way would otherwise leave their memory.
void check_agreement(std::span<const Tree* const> trees);

}  // namespace nonet
