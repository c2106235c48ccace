"""Write a fitted model as one ONNX graph."""

from __future__ import annotations

from typing import Any, BinaryIO

from sklearn.base import is_classifier, is_outlier_detector, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from nonet._base.atomic_file import Path, replace_file
from nonet._base.errors import show
from nonet.persist.onnx.graph import Graph, type_of
from nonet.persist.onnx.inputs import Input, declare_inputs, read_inputs
from nonet.persist.onnx.labels import label_table, label_type
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_of

_IR_VERSION = 9  # of the first release that has these operators


def to_onnx(
    model: Any,
    path: Path | None = None,
    *,
    X: Any = None,
    double: bool = False,
    probabilities: bool = True,
    raw_scores: bool = False,
) -> Any:
    """Turn a fitted model into one ONNX graph: preparation, members, F and C.

    Parameters
    ----------
    model : estimator or run
        A fitted ensemble, tree or booster of nonet, or what `nonet.fit_table` returns; also a
        model of scikit-learn, or a pipeline that ends in one of these.
    path : str or path, default=None
        Where the graph is written, as a whole or not at all; None only returns it.
    X : array-like or frame, default=None
        A few rows of the table, from which the types of named columns are read. Needed for
        pipelines on frames; without it, columns hold numbers where the model does not know better.
    double : bool, default=False
        Whether inputs and outputs are float64 instead of float32. Inside the graph, trees, sums
        and rules are computed in double precision in both cases.
    probabilities : bool, default=True
        Whether a classifier that has probabilities has an output for them. Without it, models
        export whose labels have a form in ONNX but whose probabilities have none.
    raw_scores : bool, default=False
        Whether a classifier has a further output ``scores``, its ``decision_function``.

    Returns
    -------
    graph : onnx.ModelProto
        Inputs: ``X`` of shape (n_samples, n_features) for a model that was fitted on an array; one
        input of shape (n_samples, 1) per column, under its name, for a model that was fitted on a
        frame. Outputs, named as in skl2onnx: ``label`` and ``probabilities`` of a classifier,
        ``variable`` of shape (n_samples, n_targets) of a regressor, ``label`` and ``scores`` of
        an outlier detector.

    Raises
    ------
    ValueError
        If a part of the model has no form in ONNX, or `X` has other columns than the fit; the
        message names it, and nothing is written. A `ModelFileError`, if the file cannot be written.
    TypeError
        If `model` is no estimator.

    Notes
    -----
    Every row reaches the same leaf of every tree, on a threshold, beside it, or with a value
    missing: NaN in a column of numbers, a text that fit did not see (such as ``""``) in a column
    of categories. The graph needs the operators of ONNX 18 and of ai.onnx.ml 4.

    Examples
    --------
    >>> import nonet
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = nonet.RandomForestClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> graph = nonet.to_onnx(forest, "forest.onnx")
    >>> [output.name for output in graph.graph.output]
    ['label', 'probabilities']
    >>> import onnxruntime
    >>> session = onnxruntime.InferenceSession("forest.onnx")
    >>> label, probabilities = session.run(None, {"X": X.astype("float32")})
    >>> bool((label == forest.predict(X.astype("float32"))).all())
    True
    """
    _import_onnx()
    if not hasattr(model, "fit") and hasattr(model, "model"):
        model = model.model  # a run of fit_table
    _check_is_model(model)
    graph = Graph(type(model).__name__, bool(double))
    if not (is_classifier(model) or is_regressor(model) or is_outlier_detector(model)):
        raise graph.refusal(
            "is neither a classifier nor a regressor nor an outlier detector",
            "export a model that predicts",
        )
    inputs = declare_inputs(graph, model, X)
    part = part_of(graph, model, read_inputs(graph, inputs))
    if is_classifier(model):
        outputs = [_label(graph, part)]
        if probabilities and hasattr(model, "predict_proba"):
            outputs.append(_probabilities(graph, part))
        if raw_scores:
            outputs.append(_raw_scores(graph, part))
    else:
        outputs = [_variable(graph, part)] if is_regressor(model) else _detected(graph, part)
    made = _assemble(graph, inputs, outputs)
    if path is not None:
        content = made.SerializeToString()
        replace_file(path, lambda file: _write(file, content))
    return made


def _write(file: BinaryIO, content: bytes) -> None:
    file.write(content)


def _import_onnx() -> None:
    try:
        import onnx  # noqa: F401
    except ImportError as missing:
        raise ImportError(
            "to_onnx needs the package onnx, which is not installed; run `pip install "
            "nonet[export]`."
        ) from missing


def _check_is_model(model: Any) -> None:
    if isinstance(model, type) or not hasattr(model, "fit"):
        raise TypeError(f"to_onnx needs a fitted estimator, but got {show(model)}.")
    try:
        check_is_fitted(model)
    except NotFittedError as why:
        raise ValueError(
            f"to_onnx needs a fitted model, but this {type(model).__name__} is not; call fit first."
        ) from why


# ---- Outputs -------------------------------------------------------------------------------------


def _label(graph: Graph, part: Part) -> Any:
    table = label_table(part)
    labels = graph.add("Gather", graph.constant(table), part.codes, axis=0)
    return _named(graph, labels, "label", label_type(table), [None])


def _probabilities(graph: Graph, part: Part) -> Any:
    return _reals(graph, part.probabilities, "probabilities", len(part.classes))


def _raw_scores(graph: Graph, part: Part) -> Any:
    if not part.has_scores:
        raise graph.refusal("has no decision_function", "leave raw_scores=False")
    n_scores = 1 if len(part.classes) == 2 else len(part.classes)
    return _reals(graph, graph.reshape(part.scores, [-1, n_scores]), "scores", n_scores)


def _variable(graph: Graph, part: Part) -> Any:
    n_targets = part.n_targets
    return _reals(graph, graph.reshape(part.values, [-1, n_targets]), "variable", n_targets)


def _detected(graph: Graph, part: Part) -> list[Any]:
    label = _named(graph, part.signs, "label", type_of("int64"), [None])
    return [label, _reals(graph, graph.reshape(part.scores, [-1, 1]), "scores", 1)]


def _reals(graph: Graph, tensor: str, name: str, width: int) -> Any:
    """Return an output of numbers in the precision of the graph."""
    return _named(
        graph, graph.cast(tensor, "real"), name, type_of(graph.real.str[1:]), [None, width]
    )


def _named(graph: Graph, tensor: str, name: str, kind: int, shape: list[int | None]) -> Any:
    from onnx import helper

    graph.nodes.append(helper.make_node("Identity", [tensor], [name], name=graph.new_name("node")))
    return helper.make_tensor_value_info(name, kind, shape)


def _assemble(graph: Graph, inputs: list[Input], outputs: list[Any]) -> Any:
    from onnx import helper

    declared = [
        helper.make_tensor_value_info(one.name, type_of(one.type_name(graph)), [None, one.width])
        for one in inputs
    ]
    nodes, constants = graph.used(output.name for output in outputs)
    body = helper.make_graph(nodes, "nonet", declared, outputs, constants)
    opsets = [helper.make_opsetid(domain, version) for domain, version in graph.opsets.items()]
    return helper.make_model(
        body, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="nonet"
    )
