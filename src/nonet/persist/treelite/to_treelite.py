"""Models of trees as models of treelite."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.errors import show
from nonet._native.tree import Tree
from nonet.persist.treelite.category_columns import CategoryColumn, category_columns
from nonet.persist.treelite.tree_fields import tree_fields
from nonet.persist.treelite.tree_sums import TreeSums, describe_sums

_DTYPES = {"float64": np.float64, "float32": np.float32}


def to_treelite(model: Any, *, dtype: str = "float64") -> Any:
    """Turn a model of trees into a model of treelite, for Triton, TL2cgen and others.

    Parameters
    ----------
    model : estimator
        A fitted tree, forest, isolation forest, or gradient boosting of nonet, imported ones
        included.
    dtype : {'float64', 'float32'}, default='float64'
        Precision of thresholds and leaves. With 'float32' rows of single precision reach the same
        leaves, and rows of double precision may not.

    Returns
    -------
    treelite_model : treelite.Model
        It predicts probabilities (a binary booster that of the second class), numbers, or for an
        isolation forest the negative of ``score_samples``. Its ``attributes`` hold the names of the
        columns, the labels of the classes and the numbers of categories.

    Raises
    ------
    TypeError
        For models that are no sum of trees.
    ModelFileError
        If treelite has no form for the predictions or the categories of the model.

    See Also
    --------
    save, load : The file format of nonet, which keeps everything.

    Notes
    -----
    Thresholds of decisions, costs and abstention (``decide``) are not a part of treelite's models.

    Columns of categories that are whole numbers from 0 hold these numbers. Columns of strings hold
    numbers instead, which ``attributes["categories"]`` lists; unknown ones may be NaN or any other
    number. Treelite rounds categories that are no whole numbers down; nonet takes them for unknown.

    Nodes have the same numbers as in ``apply``, and keep their gains, weights and numbers of rows.

    Examples
    --------
    >>> import nonet, treelite
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = nonet.RandomForestClassifier(20, random_state=0).fit(X, y)
    >>> found = treelite.gtil.predict(nonet.to_treelite(forest), X)
    >>> bool(abs(found[:, 0] - forest.predict_proba(X)).max() < 1e-12)
    True
    """
    if dtype not in _DTYPES:
        raise ValueError(f"dtype must be 'float64' or 'float32', got {show(dtype)}.")
    sums = describe_sums(model)
    names = model._score_trees().categories if hasattr(model, "_score_trees") else {}
    columns = category_columns(names, getattr(model, "joined_categories_", {}))
    trees = sums.list_trees()
    builder = _import_builder()
    made = _make_stumps(builder, sums, trees, dtype, model, _attributes(model, columns))
    for position, (tree, _, _) in enumerate(trees):
        values = _leaf_values(sums, tree)
        accessor = made.get_tree_accessor(position)
        for name, array in tree_fields(tree, values, columns, _DTYPES[dtype]).items():
            accessor.set_field(name, np.ascontiguousarray(array))
    return made


def _import_builder() -> Any:
    try:
        from treelite import model_builder
    except ImportError as missing:
        raise ImportError(
            "to_treelite needs the package treelite, which is not installed; run `pip install "
            "nonet[export]`."
        ) from missing
    return model_builder


def _make_stumps(
    builder: Any,
    sums: TreeSums,
    trees: list[tuple[Tree, int, int]],
    dtype: str,
    model: Any,
    attributes: dict[str, Any],
) -> Any:
    """Make a model of trees of one leaf each, whose fields are set afterwards.

    Nodes that go through the builder one by one take 3 microseconds each; the trees of a large
    forest have millions.
    """
    shape = sums.start.shape if sums.holds_vectors else (1, 1)
    made = builder.ModelBuilder(
        threshold_type=dtype,
        leaf_output_type=dtype,
        metadata=builder.Metadata(
            num_feature=model.n_features_in_,
            task_type=sums.task,
            average_tree_output=sums.takes_mean,
            num_target=len(sums.classes_by_target),
            num_class=[int(n) for n in sums.classes_by_target],
            leaf_vector_shape=shape,
        ),
        tree_annotation=builder.TreeAnnotation(
            num_tree=len(trees),
            target_id=[target for _, target, _ in trees],
            class_id=[of_class for _, _, of_class in trees],
        ),
        postprocessor=builder.PostProcessorFunc(sums.link.name, **sums.link.numbers),
        base_scores=[float(one) for one in sums.start.ravel()],
        attributes=attributes,
    )
    leaf: Any = [0.0] * (shape[0] * shape[1]) if sums.holds_vectors else 0.0
    for _ in trees:
        made.start_tree()
        made.start_node(0)
        made.leaf(leaf)
        made.end_node()
        made.end_tree()
    return made.commit()


def _leaf_values(sums: TreeSums, tree: Tree) -> Floats:
    """Return the values of all nodes, with zeros after those of a target of few classes."""
    values: Floats = tree.arrays()["values"].reshape(tree.n_nodes, -1) * sums.factor
    sizes, most = sums.classes_by_target, sums.start.shape[1]
    if not sums.holds_vectors or set(sizes) == {most}:
        return values
    padded = np.zeros((tree.n_nodes, len(sizes), most))
    ends = np.cumsum(sizes)
    for target, (size, end) in enumerate(zip(sizes, ends, strict=True)):
        padded[:, target, :size] = values[:, end - size : end]
    return padded.reshape(tree.n_nodes, -1)


def _attributes(model: Any, columns: dict[int, CategoryColumn]) -> dict[str, Any]:
    """Return what a server needs to know beside the trees, as far as JSON can hold it."""
    found: dict[str, Any] = {"library": "nonet", "class": type(model).__name__}
    if hasattr(model, "classes_"):
        found["classes"] = _as_json(model.classes_)
    if hasattr(model, "feature_names_in_"):
        found["feature_names"] = _as_json(model.feature_names_in_)
    words = {str(column): dict(one.words) for column, one in columns.items() if one.words}
    return {**found, "categories": words} if words else found


def _as_json(labels: Any) -> list[Any]:
    """Return labels as JSON can hold them: strings in place of dates and the like."""
    if isinstance(labels, list):  # one array per target
        return [_as_json(one) for one in labels]
    return [
        one if isinstance(one, str | int | float) else str(one)
        for one in np.asarray(labels).tolist()
    ]
