"""Kernels of nonet; every use goes through nonet._native."""

from collections.abc import Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray

def available_cores() -> int:
    """Cores this process may use: machine, affinity mask and control group."""

def pool_size() -> int:
    """Worker threads that are alive in this process."""

def philox_words(
    seed: int,
    stream: Sequence[int],
    block: int,
    out: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C")],
) -> None:
    """Fill out with the words of a Philox4x64-10 stream."""

@overload
def weighted_sum(
    outputs: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    divisor: float,
    n_threads: int,
    out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def weighted_sum(
    outputs: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    divisor: float,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool:
    """Divided sum of weight * answer; false if a result is NaN."""

@overload
def order_mean(
    outputs: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    first: int,
    last: int,
    n_threads: int,
    out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def order_mean(
    outputs: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    first: int,
    last: int,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool:
    """Mean of order statistics first..last-1; false if a value is NaN."""

@overload
def weighted_quantile(
    outputs: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    q: float,
    midpoint: bool,
    n_threads: int,
    out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def weighted_quantile(
    outputs: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    q: float,
    midpoint: bool,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool:
    """Weighted quantile over members; false if a value is NaN."""

@overload
def weighted_log_sum(
    probabilities: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def weighted_log_sum(
    probabilities: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool:
    """Sum of weight * log(probability); false if a result is NaN."""

@overload
def borda(
    scores: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    tie_points: float,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def borda(
    scores: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    tie_points: float,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool:
    """Weighted Borda counts over members; false if a score is NaN."""

@overload
def argmax(
    support: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
) -> bool: ...
@overload
def argmax(
    support: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
) -> bool:
    """First column of the largest support; false if a value is NaN."""

@overload
def votes(
    codes: Annotated[
        NDArray[numpy.int8], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def votes(
    codes: Annotated[
        NDArray[numpy.uint8], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def votes(
    codes: Annotated[
        NDArray[numpy.int16], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def votes(
    codes: Annotated[
        NDArray[numpy.int32], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def votes(
    codes: Annotated[
        NDArray[numpy.int64], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool:
    """Weight of the votes for a class; false if a code is too large."""
