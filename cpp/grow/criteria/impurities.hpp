// The impurities that trees of classes and of numbers can be grown by, and the names that Python
// knows them by.
//
// A new one is a file in this folder, an include and a line in one of the tables; one of classes is
// compiled by a file like grow_gini.cpp. The trees of Python name it in trees/criteria.py. Macros
// and no lists of types, because the files of grow/ compile some of the functions of each impurity.
#pragma once

#include "grow/criteria/entropy.hpp"
#include "grow/criteria/gain_ratio.hpp"
#include "grow/criteria/gini.hpp"
#include "grow/criteria/impurity.hpp"
#include "grow/criteria/poisson.hpp"
#include "grow/criteria/squared_error.hpp"

// clang-format off
#define NONET_CLASS_IMPURITIES(each) \
    each(gini, Gini) \
    each(entropy, Entropy) \
    each(gain_ratio, GainRatio)

#define NONET_NUMBER_IMPURITIES(each) \
    each(squared_error, SquaredError) \
    each(poisson, Poisson)
// clang-format on

namespace nonet {

#define NONET_CHECK(name, Impurity) static_assert(ClassImpurity<Impurity>);
NONET_CLASS_IMPURITIES(NONET_CHECK)
#undef NONET_CHECK
#define NONET_CHECK(name, Impurity) static_assert(NumberImpurity<Impurity>);
NONET_NUMBER_IMPURITIES(NONET_CHECK)
#undef NONET_CHECK

}  // namespace nonet
