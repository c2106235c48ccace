// Finished trees.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "tree/bytes/bytes.hpp"
#include "tree/bytes/forest_bytes.hpp"
#include "tree/bytes/tree_arrays.hpp"
#include "tree/explain/cover.hpp"
#include "tree/explain/importance.hpp"
#include "tree/predict/agreement.hpp"
#include "tree/predict/bin_leaves.hpp"
#include "tree/predict/packed_trees.hpp"
#include "tree/predict/predict.hpp"
#include "tree/prune.hpp"
#include "tree/revalue.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonet {
namespace {

// Any memory order and any strides.
template <typename T>
using NewVector = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using Trees = std::vector<const Tree*>;
using NamedArrays = nb::typed<nb::dict, nb::str, nb::any>;

template <typename T>
NewVector<T> hand_over(std::vector<T> numbers) {
    auto* owned = new std::vector<T>(std::move(numbers));
    const nb::capsule owner(owned,
                            [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return NewVector<T>(owned->data(), {owned->size()}, owner);
}

template <typename T>
void check_shape(const Matrix<T>& out, index_t n_rows, index_t n_columns) {
    check(static_cast<index_t>(out.shape(0)) == n_rows &&
              static_cast<index_t>(out.shape(1)) == n_columns,
          "The result has the wrong shape.");
}

NamedArrays arrays_of(const Tree& tree) {
    TreeArrays arrays = to_arrays(tree);
    nb::dict named;
    named["left"] = hand_over(std::move(arrays.left));
    named["right"] = hand_over(std::move(arrays.right));
    named["column"] = hand_over(std::move(arrays.column));
    named["threshold"] = hand_over(std::move(arrays.threshold));
    named["missing_left"] = hand_over(std::move(arrays.missing_left));
    named["category_set"] = hand_over(std::move(arrays.category_set));
    named["values"] = hand_over(std::move(arrays.values));
    named["impurity"] = hand_over(std::move(arrays.impurity));
    named["weight"] = hand_over(std::move(arrays.weight));
    named["n_rows"] = hand_over(std::move(arrays.n_rows));
    return named;
}

template <typename T>
std::vector<T> copy_of(const nb::dict& named, const char* name) {
    const auto array = nb::cast<Vector<const T>>(named[name]);
    return {array.data(), array.data() + array.size()};
}

Tree tree_of_arrays(index_t n_columns, index_t n_outputs, const NamedArrays& named,
                    const std::vector<std::vector<bool>>& category_sets) {
    TreeArrays arrays;
    arrays.left = copy_of<std::int32_t>(named, "left");
    arrays.right = copy_of<std::int32_t>(named, "right");
    arrays.column = copy_of<std::int32_t>(named, "column");
    arrays.threshold = copy_of<double>(named, "threshold");
    arrays.missing_left = copy_of<std::uint8_t>(named, "missing_left");
    arrays.category_set = copy_of<std::int32_t>(named, "category_set");
    arrays.values = copy_of<double>(named, "values");
    arrays.impurity = copy_of<double>(named, "impurity");
    arrays.weight = copy_of<double>(named, "weight");
    arrays.n_rows = copy_of<std::uint32_t>(named, "n_rows");
    return from_arrays(n_columns, n_outputs, arrays, category_sets);
}

std::vector<bool> category_set_of(const Tree& tree, index_t i) {
    check(i >= 0 && i < static_cast<index_t>(tree.category_sets().size()),
          "There is no such category set in the tree.");
    const CategorySet set = tree.category_sets()[static_cast<std::size_t>(i)];
    std::vector<bool> goes_left(set.n_categories);
    for (std::uint32_t code = 0; code < set.n_categories; ++code)
        goes_left[code] = set.contains(code);
    return goes_left;
}

nb::bytes bytes_of(const Tree& tree) {
    const std::string bytes = to_bytes(tree);
    return nb::bytes(bytes.data(), bytes.size());
}

Tree tree_of_bytes(const nb::bytes& bytes) {
    return tree_from_bytes({bytes.c_str(), bytes.size()});
}

std::vector<double> columns_of(const Tree& tree, void (*add)(const Tree&, std::span<double>)) {
    std::vector<double> importances(static_cast<std::size_t>(tree.n_columns()));
    add(tree, importances);
    return importances;
}

void bind_class(nb::module_& module) {
    nb::class_<Tree>(module, "Tree", "A finished tree.")
        .def_static("from_arrays", &tree_of_arrays, "n_columns"_a, "n_outputs"_a, "arrays"_a,
                    "category_sets"_a, "Make a tree from arrays as `arrays` gives them.")
        .def_static("from_bytes", &tree_of_bytes, "bytes"_a)
        .def("to_bytes", &bytes_of)
        .def(
            "__init__",
            [](Tree* self, const nb::bytes& bytes) { new (self) Tree(tree_of_bytes(bytes)); },
            "bytes"_a)
        // The class and its bytes, in every pickle protocol: skops loads nothing else.
        .def(
            "__reduce__",
            [](nb::handle self) {
                return nb::make_tuple(self.type(),
                                      nb::make_tuple(bytes_of(nb::cast<const Tree&>(self))));
            },
            nb::sig("def __reduce__(self) -> tuple[type[Tree], tuple[bytes]]"))
        .def("__getstate__", &bytes_of)
        .def("__setstate__",
             [](Tree& self, const nb::bytes& bytes) { new (&self) Tree(tree_of_bytes(bytes)); })
        .def_prop_ro("n_columns", &Tree::n_columns)
        .def_prop_ro("n_outputs", &Tree::n_outputs)
        .def_prop_ro("n_nodes", &Tree::n_nodes)
        .def_prop_ro("n_leaves", &Tree::n_leaves)
        .def_prop_ro("max_depth", &Tree::max_depth)
        .def_prop_ro(
            "has_details",
            [](const Tree& self) { return self.has_statistics() && self.has_node_values(); })
        .def("arrays", &arrays_of, "Its nodes in preorder, one array a fact.")
        .def("category_set", &category_set_of, "index"_a, "Whether each category goes left.")
        .def("preorder", [](const Tree& self) { return hand_over(self.preorder()); })
        .def("pruning_path",
             [](const Tree& self) {
                 PruningPath path = pruning_path(self);
                 return std::pair(hand_over(std::move(path.alphas)),
                                  hand_over(std::move(path.impurities)));
             })
        .def(
            "with_values",
            [](const Tree& self, const Vector<const double>& values) {
                return with_values(self, span_of(values));
            },
            "values"_a.noconvert(),
            "The same splits with other values, in preorder, those of a node side by side.")
        .def("prune", &prune, "alpha"_a)
        .def("gain_importances",
             [](const Tree& self) { return hand_over(columns_of(self, add_gain_importances)); })
        .def("split_counts",
             [](const Tree& self) { return hand_over(columns_of(self, add_split_counts)); })
        .def(
            "mean_leaf_values",
            [](const Tree& self, Cover cover) { return hand_over(mean_leaf_values(self, cover)); },
            "cover"_a)
        .def("paths_to", [](const Tree& self, const Vector<const std::int32_t>& nodes) {
            Paths paths = paths_to(self, span_of(nodes));
            return std::pair(hand_over(std::move(paths.starts)), hand_over(std::move(paths.nodes)));
        });
}

template <typename T>
void bind_walks(nb::module_& module) {
    module.def(
        "add_predictions",
        [](const Trees& trees, const AnyMatrix<T>& X, int n_threads, const Matrix<double>& out) {
            check_shape(out, static_cast<index_t>(X.shape(0)),
                        trees.empty() ? 0 : trees[0]->n_outputs());
            const WithoutLock without_lock;
            add_predictions(trees, strided(X), n_threads, out.data());
        },
        "trees"_a, "X"_a.noconvert(), "n_threads"_a, "out"_a.noconvert(),
        "Add the values of all trees to out.");
    module.def(
        "find_leaves",
        [](const Trees& trees, const AnyMatrix<T>& X, int n_threads,
           const Matrix<std::int32_t>& out) {
            check_shape(out, static_cast<index_t>(X.shape(0)), std::ssize(trees));
            const WithoutLock without_lock;
            find_leaves(trees, strided(X), n_threads, out.data());
        },
        "trees"_a, "X"_a.noconvert(), "n_threads"_a, "out"_a.noconvert(),
        "Write the leaf each row reaches in each tree.");
}

template <typename T>
void bind_row_walks(nb::class_<RowWalks>& walks) {
    walks.def(
        "add_predictions",
        [](const RowWalks& self, const AnyMatrix<T>& X, const Matrix<double>& out) {
            check_shape(out, static_cast<index_t>(X.shape(0)), self.n_outputs());
            self.add_predictions(strided(X), out.data());
        },
        "X"_a.noconvert(), "out"_a.noconvert(), "Add the values of all trees to out.");
}

template <typename T, typename Class>
void bind_packed_walks(Class& packed) {
    packed
        .def(
            "add_predictions",
            [](const PackedTrees& self, const AnyMatrix<T>& X, int n_threads,
               const Matrix<double>& out) {
                check_shape(out, static_cast<index_t>(X.shape(0)), self.n_outputs());
                const WithoutLock without_lock;
                self.add_predictions(strided(X), n_threads, out.data());
            },
            "X"_a.noconvert(), "n_threads"_a, "out"_a.noconvert())
        .def(
            "rank",
            [](const PackedTrees& self, const AnyMatrix<T>& X, int n_threads) {
                const WithoutLock without_lock;
                return self.rank(strided(X), n_threads);
            },
            "X"_a.noconvert(), "n_threads"_a, nb::keep_alive<0, 1>(),
            "Rows as ranks, for predictions by some trees after others.");
}

void add_unseen(const PackedTrees& trees, const PackedTrees::RankedRows& rows,
                const Matrix<const std::uint64_t>& seen, index_t first, int n_threads,
                const Matrix<double>& out, const Vector<std::int32_t>& coverage) {
    check_shape(out, rows.n_rows(), trees.n_outputs());
    check(static_cast<index_t>(coverage.size()) == rows.n_rows() &&
              static_cast<index_t>(seen.shape(1)) == SeenRows::words_per_tree(rows.n_rows()),
          "The result has the wrong shape.");
    trees.add_unseen(rows, {seen.data(), rows.n_rows()}, first,
                     first + static_cast<index_t>(seen.shape(0)), n_threads, out.data(),
                     coverage.data());
}

void bind_bin_leaves(nb::module_& module) {
    module.def(
        "find_bin_leaves",
        [](const Tree& tree, const BinnedDataset& dataset, int n_threads,
           const Vector<std::int32_t>& leaves) {
            return find_bin_leaves(tree, dataset, n_threads, {leaves.data(), leaves.size()});
        },
        "tree"_a, "dataset"_a, "n_threads"_a, "leaves"_a.noconvert(), ReleaseLock(),
        "Write leaves in preorder, -1 where bins do not determine them; return whether all did.");
}

void bind_forest_bytes(nb::module_& module) {
    module.def(
        "trees_to_bytes",
        [](const Trees& trees) {
            const std::string bytes = forest_to_bytes(trees);
            return nb::bytes(bytes.data(), bytes.size());
        },
        "trees"_a, "The bytes of many trees, with nothing rounded.");
    module.def(
        "trees_from_bytes",
        [](const nb::bytes& bytes) {
            const std::span<const char> span(bytes.c_str(), bytes.size());
            const WithoutLock without_lock;
            return forest_from_bytes(span);
        },
        "bytes"_a);
    module.def(
        "check_agreement", [](const Trees& trees) { check_agreement(trees); }, "trees"_a,
        "Raise unless trees can belong to one model.");
}

void bind_packed(nb::module_& module) {
    nb::class_<PackedTrees::RankedRows>(module, "RankedRows", "Rows as packed trees read them.")
        .def_prop_ro("n_rows", &PackedTrees::RankedRows::n_rows);
    nb::class_<PackedTrees> packed(module, "PackedTrees",
                                   "Many trees prepared to predict many rows.");
    packed
        .def_static(
            "pack",
            [](const Trees& trees, int n_threads) {
                const WithoutLock without_lock;
                return PackedTrees::pack(trees, n_threads);
            },
            "trees"_a, "n_threads"_a, "None if the trees are not fit for it.")
        .def("add_unseen", &add_unseen, "rows"_a, "seen"_a.noconvert(), "first"_a, "n_threads"_a,
             "out"_a.noconvert(), "coverage"_a.noconvert(), ReleaseLock(),
             "Add the values of the trees, from the first on, that have not seen a row.")
        .def_prop_ro("n_trees", &PackedTrees::n_trees)
        .def_prop_ro("n_outputs", &PackedTrees::n_outputs);
    bind_packed_walks<float>(packed);
    bind_packed_walks<double>(packed);
}

void bind_few_rows(nb::module_& module) {
    nb::class_<RowWalks> walks(module, "RowWalks", "Trees prepared to predict a few rows.");
    walks.def(
        "__init__", [](RowWalks* self, const Trees& trees) { new (self) RowWalks(trees); },
        "trees"_a, nb::keep_alive<1, 2>(),
        "Keeps the sequence of trees, which must not change: a tuple.");
    bind_row_walks<float>(walks);
    bind_row_walks<double>(walks);
}

}  // namespace

void bind_tree(nb::module_& module) {
    bind_class(module);
    bind_packed(module);
    bind_few_rows(module);
    bind_forest_bytes(module);
    bind_walks<float>(module);
    bind_walks<double>(module);
    bind_bin_leaves(module);
}

}  // namespace nonet
