"""A graph that is being built: its nodes, its constants, and where a refusal is met.

All sums and rules are computed in double precision, whatever the inputs are: no rounding then moves
a row across a threshold or breaks a tie, and onnxruntime walks trees of doubles as fast as those of
single precision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array

# Axes of reductions are inputs since version 18; LabelEncoder has doubles since version 4.
OPSETS = {"": 18, "ai.onnx.ml": 4}

Made = TypeVar("Made")

_TYPES = {"f8": "DOUBLE", "f4": "FLOAT", "i8": "INT64", "b1": "BOOL"}


class Graph:
    """Nodes in the order in which they are computed.

    A tensor is known by its name. Methods that add a node return the name of its output.

    Parameters
    ----------
    owner : str
        The class of the model, for messages.
    double : bool
        Whether inputs and outputs are of double precision.
    """

    def __init__(self, owner: str, double: bool) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.opsets = dict(OPSETS)
        self.real = np.dtype(np.float64 if double else np.float32)
        self._path = [owner]
        self._names = 0
        self._reserved: set[str] = set()
        self._known: dict[Any, Any] = {}

    # ---- Nodes ---------------------------------------------------------------------------------

    def add(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node of one output, and return the name of the output."""
        return self.add_many(operator, *inputs, n_outputs=1, domain=domain, **attributes)[0]

    def add_many(
        self, operator: str, *inputs: str, n_outputs: int, domain: str = "", **attributes: Any
    ) -> list[str]:
        """Add a node, and return the names of its outputs."""
        from onnx import helper

        outputs = [self.new_name(operator.lower()) for _ in range(n_outputs)]
        name = self.new_name("node")
        node = helper.make_node(operator, inputs, outputs, name=name, domain=domain, **attributes)
        self.nodes.append(node)
        return outputs

    def constant(self, values: ArrayLike) -> str:
        """Add a constant: doubles, int64, booleans or strings, as the values are."""
        array = _as_tensor_values(values)
        key = ("constant", array.dtype.str, array.shape, array.tobytes())
        return self.once(key if array.dtype.kind != "O" else None, lambda: self._store(array))

    def _store(self, array: Array) -> str:
        from onnx import helper, numpy_helper

        name = self.new_name("constant")
        if array.dtype.kind == "O":
            texts: Any = [str(text).encode() for text in array.ravel()]
            tensor = helper.make_tensor(name, type_of("text"), array.shape, texts)
        else:
            tensor = numpy_helper.from_array(array, name)
        self.constants.append(tensor)
        return name

    def once(self, key: Any, make: Callable[[], Made]) -> Made:
        """Return what was made for the key before, or make it now; None is no key."""
        if key is None:
            return make()
        if key not in self._known:
            self._known[key] = make()
        made: Made = self._known[key]
        return made

    def new_name(self, stem: str) -> str:
        """Return a name that no tensor has yet."""
        self._names += 1
        while f"{stem}_{self._names}" in self._reserved:
            self._names += 1
        return f"{stem}_{self._names}"

    def reserve(self, names: Iterable[str]) -> None:
        """Keep names, those of the inputs, from being given to other tensors."""
        self._reserved.update(names)

    # ---- Operators with their constants --------------------------------------------------------

    def cast(self, tensor: str, kind: str) -> str:
        """Convert a tensor to 'double', 'real', 'int64' or 'bool'."""
        return self.add("Cast", tensor, to=type_of(self.real.str[1:] if kind == "real" else kind))

    def column(self, table: str, position: int) -> str:
        """Return one column of a table, shape (n,)."""
        return self.add("Gather", table, self.constant(np.int64(position)), axis=1)

    def columns(self, table: str, positions: ArrayLike) -> str:
        """Return some columns of a table."""
        return self.add("Gather", table, self.constant(np.asarray(positions, np.int64)), axis=1)

    def expand(self, tensor: str, axis: int) -> str:
        """Insert an axis of length 1."""
        return self.add("Unsqueeze", tensor, self.constant(np.array([axis])))

    def reshape(self, tensor: str, shape: list[int]) -> str:
        """Reshape a tensor; -1 stands for the rows."""
        return self.add("Reshape", tensor, self.constant(np.array(shape)))

    def stack(self, tensors: list[str], axis: int = 1) -> str:
        """Stack tensors along a new axis."""
        return self.concat([self.expand(tensor, axis) for tensor in tensors], axis)

    def concat(self, tensors: list[str], axis: int = 1) -> str:
        """Concatenate tensors."""
        return tensors[0] if len(tensors) == 1 else self.add("Concat", *tensors, axis=axis)

    def sum(self, tensor: str, axis: int = 1, keepdims: bool = False) -> str:
        """Sum along an axis."""
        axes = self.constant(np.array([axis]))
        return self.add("ReduceSum", tensor, axes, keepdims=int(keepdims))

    def extreme(self, which: str, tensor: str, axis: int = 1, keepdims: bool = False) -> str:
        """Return the 'Min' or 'Max' along an axis."""
        axes = self.constant(np.array([axis]))
        return self.add(f"Reduce{which}", tensor, axes, keepdims=int(keepdims))

    def apply(self, operator: str, tensor: str, number: ArrayLike) -> str:
        """Apply an operator to a tensor and a constant of doubles."""
        return self.add(operator, tensor, self.constant(np.asarray(number, np.float64)))

    def rest(self, tensor: str) -> str:
        """Return one minus each number."""
        return self.add("Sub", self.constant(1.0), tensor)

    def both(self, second: str) -> str:
        """Return the probabilities of two classes from those of the second: (n, 1) to (n, 2)."""
        return self.concat([self.rest(second), second])

    def one_hot(self, codes: str, n_codes: int) -> str:
        """Return 1 where a code is, along a new last axis; -1 is nowhere."""
        wide = self.add("Unsqueeze", codes, self.constant(np.array([-1])))
        named = self.add("Equal", wide, self.constant(np.arange(n_codes)))
        return self.cast(named, "double")

    def where(self, condition: str, then: str, otherwise: str) -> str:
        """Choose between two tensors."""
        return self.add("Where", condition, then, otherwise)

    def for_each_row(self, table: str, values: ArrayLike) -> str:
        """Repeat values for every row of a table of two axes: shape (n, *values.shape)."""
        array = np.asarray(values)
        rows = self.add("Shape", table, end=1)
        shape = self.concat([rows, self.constant(np.array(array.shape, np.int64))], axis=0)
        return self.add("Expand", self.constant(array), shape if array.ndim else rows)

    def used(self, outputs: Iterable[str]) -> tuple[list[Any], list[Any]]:
        """Return the nodes and the constants that some outputs depend on."""
        needed, nodes = set(outputs), []
        for node in reversed(self.nodes):
            if needed & set(node.output):
                needed |= set(node.input)
                nodes.append(node)
        return nodes[::-1], [constant for constant in self.constants if constant.name in needed]

    # ---- Refusals ------------------------------------------------------------------------------

    @contextmanager
    def within(self, part: str) -> Iterator[None]:
        """Name the part of the model that is being added, for messages."""
        self._path.append(part)
        yield
        self._path.pop()

    def refusal(self, why: str, instead: str) -> ValueError:
        """Return the error for a part that a graph cannot express.

        ``why`` follows the name of the part, as in 'member "a" has ...'.
        """
        owner, *parts = self._path
        where = " of ".join([*reversed(parts), owner])
        return ValueError(f"to_onnx cannot express this model, because {where} {why}; {instead}.")

    def lack(self, model: Any, what: str = "predictions") -> ValueError:
        """Return the error for a model without a form in ONNX."""
        name = type(model).__name__
        kind = "" if len(self._path) == 1 else f" ({name})"
        return self.refusal(
            f"has {what} that ONNX has no form for{kind}",
            "replace it, or keep the model as a file of nonet.save",
        )


def type_of(kind: str) -> int:
    """Return ONNX's number of a type: 'double', 'float', 'int64', 'bool', 'text', or NumPy's."""
    from onnx import TensorProto

    names = {"text": "STRING", "double": "DOUBLE", "float": "FLOAT", **_TYPES}
    number: int = getattr(TensorProto, names.get(kind, kind.upper()))
    return number


def _as_tensor_values(values: ArrayLike) -> Array:
    array = np.asarray(values)
    if array.dtype.kind in "US":
        return array.astype(object)
    if array.dtype.kind in "iu":
        return np.asarray(array, dtype=np.int64)
    if array.dtype.kind == "f" and array.dtype != np.float32:
        return np.asarray(array, dtype=np.float64)
    return array
