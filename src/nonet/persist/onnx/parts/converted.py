"""Models that skl2onnx converts, in single precision."""

from __future__ import annotations

import logging
import warnings
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet._base.errors import one_sentence
from nonet.persist.onnx.graph import OPSETS, Graph
from nonet.persist.onnx.labels import are_strings
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.tables import Table

_ML_VERSION = 3  # the newest that skl2onnx writes


# Those whose converted predictions were compared with the original ones; among the others are
# some that give different ones, such as neighbors by distance.
_COMPARED = frozenset(
    [
        "Binarizer",
        "BernoulliNB",
        "KBinsDiscretizer",
        "Normalizer",
        "NuSVC",
        "NuSVR",
        "PolynomialFeatures",
        "PowerTransformer",
        "QuadraticDiscriminantAnalysis",
        "SVC",
        "SVR",
    ]
)


def can_convert(model: Any) -> bool:
    """Return whether skl2onnx converts a model with the same predictions."""
    kind = type(model)
    return kind.__module__.startswith("sklearn.") and kind.__name__ in _COMPARED


def convert(graph: Graph, model: Any, table: Table, **options: Any) -> list[str]:
    """Add what skl2onnx makes of a model; return the names of its outputs.

    Parameters
    ----------
    graph : Graph
    model : estimator
        A predictor or a transformer.
    table : Table
        Numbers are given to it in single precision, which is all that its operators take.
    **options
        Of skl2onnx, for this model.
    """
    inputs, types = _declare(graph, table)
    made = _convert(graph, model, types, options)
    return graft(graph, made, inputs)


def _declare(graph: Graph, table: Table) -> tuple[dict[str, str], list[tuple[str, Any]]]:
    """Return the tensors of the inputs by their names, and their types for skl2onnx."""
    _import_skl2onnx()
    from skl2onnx.common.data_types import FloatTensorType, StringTensorType

    if table.columns is None:
        rows = graph.add("Cast", table.matrix(), to=1)
        return {"X": rows}, [("X", FloatTensorType([None, table.n_columns]))]
    inputs, types = {}, []
    for column in table.columns:
        is_text = column.kind == "text"
        tensor = column.tensor if is_text else graph.add("Cast", column.tensor, to=1)
        inputs[column.name] = tensor
        kind = StringTensorType if is_text else FloatTensorType
        types.append((column.name, kind([None, 1])))
    return inputs, types


def _convert(graph: Graph, model: Any, types: list[Any], options: Any) -> Any:
    from skl2onnx import convert_sklearn

    versions = {"": OPSETS[""], "ai.onnx.ml": _ML_VERSION}
    given = {id(model): options} if options else None
    try:
        with _quietly():
            return convert_sklearn(model, initial_types=types, target_opset=versions, options=given)
    except Exception as why:
        raise graph.refusal(
            f"is a {type(model).__name__}, which skl2onnx does not convert "
            f"({one_sentence(str(why) or type(why).__name__)[:-1]})",
            "replace it, or save the model with nonet.save",
        ) from why


@contextmanager
def _quietly() -> Any:
    """Silence the notes of skl2onnx about versions."""
    logger = logging.getLogger("skl2onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def _import_skl2onnx() -> None:
    try:
        import skl2onnx  # noqa: F401
    except ImportError as missing:
        raise ImportError(
            "to_onnx converts models of scikit-learn with the package skl2onnx, which is not "
            "installed; run `pip install nonet[export]`."
        ) from missing


def graft(graph: Graph, made: Any, inputs: dict[str, str]) -> list[str]:
    """Add the nodes of another graph under new names; return the names of its outputs."""
    from onnx import NodeProto, TensorProto

    names = dict(inputs)
    for constant in made.graph.initializer:
        copied = TensorProto()
        copied.CopyFrom(constant)
        copied.name = names[constant.name] = graph.new_name("constant")
        graph.constants.append(copied)
    for node in made.graph.node:
        for output in node.output:
            names[output] = graph.new_name("converted") if output else ""
    for node in made.graph.node:
        copied_node = NodeProto()
        copied_node.CopyFrom(node)
        copied_node.name = graph.new_name("node")
        copied_node.input[:] = [names.get(name, name) for name in node.input]
        copied_node.output[:] = [names[name] for name in node.output]
        graph.nodes.append(copied_node)
    for opset in made.opset_import:
        graph.opsets.setdefault(opset.domain, opset.version)
    return [names[output.name] for output in made.graph.output]


class ConvertedPart(Part):
    """A classifier or regressor of scikit-learn that has no part of its own."""

    @property
    def has_scores(self) -> bool:
        """Whether the model has a decision function."""
        return hasattr(self.model, "decision_function")

    @cached_property
    def _outputs(self) -> list[str]:
        options = {"zipmap": False} if hasattr(self.model, "classes_") else {}
        return convert(self.graph, self.model, self.table, **options)

    @cached_property
    def values(self) -> str:
        """The output of a regressor."""
        values = self.graph.cast(self._outputs[0], "double")
        return values if self.n_targets > 1 else self.graph.reshape(values, [-1])

    @cached_property
    def codes(self) -> str:
        """The positions of the predicted labels."""
        classes, label = self.classes, self._outputs[0]
        if np.array_equal(classes, np.arange(len(classes))):
            return self.graph.cast(label, "int64")
        keys = {"keys_strings": classes.tolist()} if are_strings(classes) else _integers(classes)
        positions = list(range(len(classes)))
        return self.graph.add(
            "LabelEncoder",
            label,
            domain="ai.onnx.ml",
            values_int64s=positions,
            default_int64=-1,
            **keys,
        )

    @cached_property
    def probabilities(self) -> str:
        """The probabilities of the classes."""
        if not hasattr(self.model, "predict_proba"):
            raise self._lacks("probabilities")
        return self.graph.cast(self._outputs[1], "double")


def _integers(classes: Array) -> dict[str, list[int]]:
    return {"keys_int64s": [int(label) for label in classes]}
