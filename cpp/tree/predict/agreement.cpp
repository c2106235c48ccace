#include "tree/predict/agreement.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "base/check.hpp"

namespace nonet {
namespace {

void check_shape(const Tree& tree, const Tree& first) {
    check(tree.n_columns() == first.n_columns(), [&] {
        return "Trees of a model must have the same columns, but one has " +
               std::to_string(first.n_columns()) + " and another " +
               std::to_string(tree.n_columns()) + ".";
    });
    check(tree.n_outputs() == first.n_outputs(), [&] {
        return "Trees of a model must have the same outputs, but one has " +
               std::to_string(first.n_outputs()) + " and another " +
               std::to_string(tree.n_outputs()) + ".";
    });
}

// What the splits seen so far take each column for.
class ColumnKinds {
public:
    explicit ColumnKinds(index_t n_columns) : kinds_(static_cast<std::size_t>(n_columns)) {}

    void note(const TreeNode& node) {
        const Kind kind = node.is_category_split() ? Kind::categories : Kind::numbers;
        Kind& known = kinds_[node.column_index()];
        check(known == Kind::unknown || known == kind, [&] {
            return "Trees of a model must agree on which columns hold categories, but column " +
                   std::to_string(node.column_index()) + " is split in both ways.";
        });
        known = kind;
    }

private:
    enum class Kind : std::uint8_t { unknown, numbers, categories };
    std::vector<Kind> kinds_;
};

}  // namespace

void check_agreement(std::span<const Tree* const> trees) {
    bool has_categories = false;
    for (const Tree* tree : trees) {
        check_shape(*tree, *trees[0]);
        has_categories |= tree->has_category_splits();
    }
    if (!has_categories) return;
    ColumnKinds kinds(trees[0]->n_columns());
    for (const Tree* tree : trees)
        for (const TreeNode& node : tree->nodes())
            if (!node.is_leaf()) kinds.note(node);
}

}  // namespace nonet
