// Which columns may meet on the way from the root to a leaf.
#pragma once

#include <memory>
#include <vector>

#include "base/types.hpp"

namespace nonet {

// Groups of columns, by their numbers, that hold all columns used above a node; none: no
// constraint.
using OpenGroups = std::shared_ptr<const std::vector<std::size_t>>;

class Interactions {
public:
    // Columns that no group names form one of their own, as in scikit-learn.
    Interactions(const std::vector<std::vector<index_t>>& groups, index_t n_columns) {
        if (groups.empty()) return;
        const auto size = static_cast<std::size_t>(n_columns);
        std::vector<bool> rest(size, true);
        for (const std::vector<index_t>& group : groups) {
            std::vector<bool>& holds = holds_.emplace_back(size);
            for (const index_t column : group) {
                holds[static_cast<std::size_t>(column)] = true;
                rest[static_cast<std::size_t>(column)] = false;
            }
        }
        holds_.push_back(std::move(rest));
    }

    OpenGroups at_root() const {
        if (holds_.empty()) return {};
        std::vector<std::size_t> all(holds_.size());
        for (std::size_t g = 0; g < all.size(); ++g) all[g] = g;
        return std::make_shared<const std::vector<std::size_t>>(std::move(all));
    }

    OpenGroups below(const OpenGroups& groups, index_t column) const {
        if (!groups) return {};
        std::vector<std::size_t> left;
        for (const std::size_t g : *groups)
            if (holds_[g][static_cast<std::size_t>(column)]) left.push_back(g);
        return std::make_shared<const std::vector<std::size_t>>(std::move(left));
    }

    bool allows(const OpenGroups& groups, index_t column) const {
        if (!groups) return true;
        for (const std::size_t g : *groups)
            if (holds_[g][static_cast<std::size_t>(column)]) return true;
        return false;
    }

private:
    std::vector<std::vector<bool>> holds_;  // of each group, each column
};

}  // namespace nonet
