"""The labels that a graph returns for class codes."""

from __future__ import annotations

import numpy as np

from nonet._base.aliases import Array
from nonet._base.errors import show
from nonet.decide.rule import _label_dtype
from nonet.persist.onnx.graph import type_of
from nonet.persist.onnx.parts.part import Part


def label_table(part: Part) -> Array:
    """Return the labels by code; the last one stands for code -1."""
    classes = part.classes
    if part.abstain_label is not None:
        last = np.asarray([part.abstain_label], dtype=_label_dtype(classes))
        classes = np.append(classes, last)
    if classes.dtype.kind in "biuU" or are_strings(classes):
        return classes
    if classes.dtype.kind == "f" and np.array_equal(classes, classes.astype(np.float32)):
        return classes.astype(np.float64)
    raise part.refusal(
        f"has classes such as {show(classes.tolist()[0])}, which are no labels in ONNX",
        "fit on labels that are whole numbers or text",
    )


def are_strings(classes: Array) -> bool:
    """Return whether all classes are strings."""
    return all(isinstance(label, str) for label in classes.tolist())


def label_type(table: Array) -> int:
    """Return ONNX's number of the type of labels."""
    kinds = {"b": "bool", "i": "int64", "u": "int64", "f": "double"}
    return type_of(kinds.get(table.dtype.kind, "text"))
