// The gain ratio of C4.5: the gain in entropy by the entropy of the sizes of the two children.
//
// J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993.
#pragma once

#include "grow/criteria/entropy.hpp"

namespace nonet {

struct GainRatio : Entropy {
    // The gain is in bits times the weight of the node, as is the result.
    static double scale_gain(double gain, double left, double right) noexcept {
        const double total = left + right;
        const double split_entropy = x_log_x(total) - x_log_x(left) - x_log_x(right);
        return split_entropy > 0 ? total * gain / split_entropy : gain;
    }
};

}  // namespace nonet
