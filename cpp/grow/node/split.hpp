// A way to part the rows of a node in two.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "base/types.hpp"

namespace nonet {

// Bit b of word b / 64 is for category b.
using CategoryBits = std::vector<std::uint64_t>;

// The categories of a column that go left, and those whose side the split decides: the others
// follow the missing rows.
struct CategoryParts {
    CategoryBits left;
    CategoryBits decided;
    double extra_l2 = 0;  // penalty of Newton's steps in both children, beyond that of all nodes
};

inline bool has_bit(const CategoryBits& bits, std::uint32_t b) noexcept {
    return (bits[b / 64] >> (b % 64) & 1U) != 0;
}

// Bounds of the values of a node, so that no two leaves break a monotone constraint.
struct PredictionBounds {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();

    bool contains(double prediction) const noexcept {
        return prediction >= lower && prediction <= upper;
    }
    double clipped(double prediction) const noexcept {
        return std::clamp(prediction, lower, upper);
    }
};

struct Split {
    static constexpr std::uint32_t no_bin = std::numeric_limits<std::uint32_t>::max();

    double gain = -std::numeric_limits<double>::infinity();  // of the score: weight * impurity
    double threshold = 0;
    std::shared_ptr<const CategoryParts> categories;  // none: a split of numbers
    int monotone = 0;                                 // sign of the constraint on the column
    double middle = 0;           // if there is one: between the values of the children
    std::uint64_t tie_rank = 0;  // the lower one is taken of equal gains
    std::uint32_t column = 0;
    std::uint32_t last_left_bin =
        0;  // as the columns of the branch number them, as the missing bin
    std::uint32_t missing_bin = no_bin;
    std::uint32_t below =
        no_bin;  // bins of the dataset on both sides of the threshold; none above:
    std::uint32_t above = no_bin;  // only missing rows go right
    bool missing_left = false;
    bool saw_missing = false;  // false: the larger child takes those that come later

    bool found() const noexcept { return gain > -std::numeric_limits<double>::infinity(); }
    bool goes_left(std::uint32_t bin) const noexcept {
        if (bin == missing_bin) return missing_left;
        return categories ? has_bit(categories->left, bin) : bin <= last_left_bin;
    }
};

// Columns are compared in any order; the ranks of a node's columns differ, so that the best split
// does not depend on who was first. Within a column the lowest threshold wins.
inline bool is_better(const Split& split, const Split& other) noexcept {
    return split.gain > other.gain || (split.gain == other.gain && split.tie_rank < other.tie_rank);
}

}  // namespace nonet
