#include "grow/criteria/gini.hpp"

#include "grow/grow_classes.hpp"

namespace nonet {

template Tree grow_classes<Gini>(const GrowTask&);

}  // namespace nonet
