#include "grow/criteria/gain_ratio.hpp"

#include "grow/grow_classes.hpp"

namespace nonet {

template Tree grow_classes<GainRatio>(const GrowTask&);

}  // namespace nonet
