"""Bindings shared by all kernels of the compiled core: arrays, threads and random words.

Only the modules of ``_native`` import ``_core``.
"""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nonet import _core

# ---- Threads -----------------------------------------------------------------------------------

_thread_limit: ContextVar[int | None] = ContextVar("nonet_thread_limit", default=None)
# A thread, and the limit of all others: threads of joblib have no limit of their own.
_limit_of_others: tuple[int, int] | None = None


@functools.cache
def available_cores() -> int:
    """Count the cores this process may use: machine, affinity mask and container quota.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> available_cores() >= 1
    True
    """
    return _core.available_cores()


def _positive_integer(text: str) -> int | None:
    return int(text) if text.strip().isdecimal() and int(text) > 0 else None


def _threads_from_environment() -> int | None:
    text = os.environ.get("NONET_NUM_THREADS", "")
    if text:
        n_threads = _positive_integer(text)
        if n_threads is None:
            raise ValueError(
                f"The environment variable NONET_NUM_THREADS must be a positive integer, got "
                f"{text!r}; unset it to use all available cores."
            )
        return n_threads
    # joblib sets this one in its workers, so that workers times threads stays at the cores. It may
    # be a list for nested regions, of which the first entry counts.
    return _positive_integer(os.environ.get("OMP_NUM_THREADS", "").split(",")[0])


def get_num_threads() -> int:
    """Return the number of threads that a native call may use now.

    The number is ``NONET_NUM_THREADS`` if that variable is set, otherwise ``OMP_NUM_THREADS`` if
    that one is, otherwise the number of available cores, and never more than `limit_threads`
    allows.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> with limit_threads(1):
    ...     get_num_threads()
    1
    """
    n_threads = _threads_from_environment() or available_cores()
    limit = _thread_limit.get()
    others = _limit_of_others
    if others is not None and threading.get_ident() != others[0]:
        n_threads = min(n_threads, others[1])
    return n_threads if limit is None else min(n_threads, limit)


@contextlib.contextmanager
def limit_threads(n_threads: int) -> Iterator[None]:
    """Limit the number of threads of native calls inside the block.

    Blocks may be nested; the smallest limit counts. The limit belongs to the thread (or the
    asynchronous task) that opens the block: threads it starts inside have their own.

    Parameters
    ----------
    n_threads : int
        Maximum number of threads, at least 1.

    Returns
    -------
    context manager

    Examples
    --------
    >>> with limit_threads(2), limit_threads(1):
    ...     get_num_threads()
    1
    """
    if not isinstance(n_threads, int | np.integer) or isinstance(n_threads, bool) or n_threads < 1:
        raise ValueError(
            f"n_threads of limit_threads must be a positive integer, got {n_threads!r}."
        )
    outer = _thread_limit.get()
    limit = int(n_threads) if outer is None else min(int(n_threads), outer)
    token = _thread_limit.set(limit)
    try:
        yield
    finally:
        _thread_limit.reset(token)


@contextlib.contextmanager
def limit_other_threads(n_threads: int) -> Iterator[None]:
    """Limit the threads of native calls in all threads of Python but this one, inside the block.

    Parameters
    ----------
    n_threads : int
        Maximum number of threads of each, at least 1.

    Returns
    -------
    context manager

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with limit_other_threads(1), ThreadPoolExecutor() as pool:
    ...     pool.submit(get_num_threads).result()
    1
    """
    global _limit_of_others
    outer = _limit_of_others
    _limit_of_others = threading.get_ident(), n_threads
    try:
        yield
    finally:
        _limit_of_others = outer


# ---- Arrays ------------------------------------------------------------------------------------


def native_array(
    values: ArrayLike, dtype: Any, *other_dtypes: Any, contiguous: bool = True
) -> NDArray[Any]:
    """Return an array as the core reads it, without a copy if it is one already.

    The core reads numbers in the machine's byte order, at addresses and in strides that are
    multiples of their size; the field of a packed structured array is not such an array. Arrays
    that are read-only can be read.

    Parameters
    ----------
    values : array-like
        The numbers.
    dtype, *other_dtypes : dtype
        Arrays of one of these stay so; others become the first.
    contiguous : bool, default=True
        Whether the array must be in C order without gaps; otherwise any strides are kept.

    Returns
    -------
    array

    Examples
    --------
    >>> packed = np.zeros(3, dtype=[("flag", "u1"), ("x", ">f8")])
    >>> array = native_array(packed["x"], np.float64)
    >>> array.flags.aligned, array.dtype.isnative, array.strides
    (True, True, (8,))
    """
    array = np.asarray(values)
    if array.dtype not in (dtype, *other_dtypes):
        array = array.astype(dtype)
    elif not array.flags.aligned or any(stride % array.itemsize for stride in array.strides):
        array = array.copy()
    return np.ascontiguousarray(array) if contiguous else array


# ---- Random words ------------------------------------------------------------------------------


def philox_words(
    seed: int, stream: Sequence[int], n_words: int, *, block: int = 0
) -> NDArray[np.uint64]:
    """Return the random words of a stream of the core's generator, Philox4x64-10.

    Parameters
    ----------
    seed : int
        Seed, 0 to 2**64 - 1.
    stream : sequence of int
        Name of the stream: up to four integers.
    n_words : int
        How many words.
    block : int, default=0
        Which block of four words to begin with.

    Returns
    -------
    uint64 array of shape (n_words,)
        Words that depend on nothing but the arguments.

    Examples
    --------
    >>> bool((philox_words(1, (7,), 8)[4:] == philox_words(1, (7,), 4, block=1)).all())
    True
    """
    out = np.empty(n_words, dtype=np.uint64)
    _core.philox_words(seed, list(stream), block, out)
    return out
