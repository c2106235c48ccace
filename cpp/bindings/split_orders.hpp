// Orders to split nodes, as words that travel.
//
// A split in words: node, left child, which child is counted, column, last bin on the left, bin of
// missing values, whether they go left, and the number of words of a set of categories, which
// follow.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "bindings/arrays.hpp"
#include "grow/tree_of_part.hpp"

namespace nonet {

constexpr std::size_t words_per_order = 8;

inline std::vector<SplitOrder> orders_of(const Vector<const std::int64_t>& given) {
    const auto words = span_of(given);
    std::vector<SplitOrder> orders;
    for (std::size_t i = 0; i < words.size();) {
        check(i + words_per_order <= words.size(), "An order to split a node is not complete.");
        SplitOrder order;
        order.node = words[i];
        order.left = words[i + 1];
        order.counted = static_cast<SplitOrder::Counted>(words[i + 2]);
        order.split.column = static_cast<std::uint32_t>(words[i + 3]);
        order.split.last_left_bin = static_cast<std::uint32_t>(words[i + 4]);
        order.split.missing_bin = static_cast<std::uint32_t>(words[i + 5]);
        order.split.missing_left = words[i + 6] != 0;
        const auto n_words = static_cast<std::size_t>(words[i + 7]);
        i += words_per_order;
        check(i + n_words <= words.size(), "A set of categories is not complete.");
        if (n_words > 0) {
            auto parts = std::make_shared<CategoryParts>();
            for (std::size_t w = 0; w < n_words; ++w)
                parts->left.push_back(static_cast<std::uint64_t>(words[i + w]));
            order.split.categories = std::move(parts);
        }
        i += n_words;
        orders.push_back(std::move(order));
    }
    return orders;
}

}  // namespace nonet
