#include "grow/criteria/entropy.hpp"

#include "grow/grow_classes.hpp"

namespace nonet {

template Tree grow_classes<Entropy>(const GrowTask&);

}  // namespace nonet
