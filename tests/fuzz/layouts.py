"""Odd layouts in memory: the numbers are the plain ones, so the predictions are too."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from fuzz.case import ROUNDING, Case, Expect, fit_case
from fuzz.subject import read_only


def strided(values: Any) -> Any:
    wide = np.zeros((2 * len(values), *values.shape[1:]), dtype=values.dtype)
    wide[::2] = values
    return wide[::2]


def backwards(values: Any) -> Any:
    return values[::-1].copy()[::-1]


def swapped(values: Any) -> Any:
    return values.astype(values.dtype.newbyteorder())


def unaligned(values: Any) -> Any:
    room = np.zeros(values.nbytes + 1, dtype=np.uint8)[1:]
    odd = room.view(values.dtype).reshape(values.shape)
    odd[:] = values
    return odd


def memory_map(mode: str) -> Callable[[Any], Any]:
    def change(values: Any) -> Any:
        file = tempfile.NamedTemporaryFile(suffix=".npy")  # noqa: SIM115 - gone with the map
        np.save(file, values)
        file.flush()
        return np.load(file.name, mmap_mode=mode)

    return change


def some_columns(X: Any) -> Any:
    wide = np.full((len(X), 2 * X.shape[1] + 1), np.nan)
    wide[:, 1::2] = X
    return wide[:, 1::2]


OF_ANYTHING: dict[str, Callable[[Any], Any]] = {
    "strided": strided,
    "backwards in memory": backwards,
    "read-only": lambda values: read_only(values.copy()),
    "of the other byte order": swapped,
    "unaligned": unaligned,
    "a memory map": memory_map("c"),
    "a read-only memory map": memory_map("r"),
}
OF_X: dict[str, Callable[[Any], Any]] = OF_ANYTHING | {
    "Fortran order": np.asfortranarray,
    "Fortran order, read-only": lambda X: read_only(np.asfortranarray(X).copy(order="F")),
    "columns of a wider table": some_columns,
    "a transposed copy": lambda X: X.T.copy().T,
    "of the other byte order, in Fortran order": lambda X: np.asfortranarray(swapped(X)),
    "ints of the other byte order": lambda X: swapped(X.astype(np.int32)),
    "float32 in Fortran order": lambda X: np.asfortranarray(X, dtype=np.float32),
}

CASES: list[Case] = [
    *[
        fit_case(
            f"X {name}", Expect.EQUAL, X=change, tolerance=1e-3 if "float32" in name else ROUNDING
        )
        for name, change in OF_X.items()
    ],
    *[fit_case(f"y {name}", Expect.EQUAL, y=change) for name, change in OF_ANYTHING.items()],
    *[
        fit_case(
            f"weights {name}",
            Expect.EQUAL,
            weight=lambda n_rows, change=change: change(np.ones(n_rows)),
            plain=lambda subject: subject.predictions_of_equal_weights,
        )
        for name, change in OF_ANYTHING.items()
    ],
    fit_case(
        "rows that share their memory",
        Expect.EQUAL,
        X=lambda X: np.broadcast_to(X[:1], X.shape),
        like=lambda X: np.repeat(X[:1], len(X), axis=0),
    ),
]
