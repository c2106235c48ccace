"""Fits that are done, or have not been."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def undone_on_error(owner: Any) -> Iterator[None]:
    """Give an estimator back what it knew before if something goes wrong, Ctrl-C included.

    Otherwise the old members of one whose second fit failed would answer with new classes.
    """
    before = dict(vars(owner))
    try:
        yield
    except BaseException:
        vars(owner).clear()
        vars(owner).update(before)
        raise
