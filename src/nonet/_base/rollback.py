"""Rollback of failed fits.

A fit that fails, or is interrupted by Ctrl-C, leaves the estimator as it was before: fitted as
before, or not fitted at all. Otherwise old members would predict with new classes.

The rule that goes with it: a fit never changes in place what an earlier fit has left behind. One
that continues (``warm_start``, ``partial_fit``) works on a copy and assigns it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def restores_on_error(method: Method) -> Method:
    """Decorate a method so that it restores the attributes of its owner if it raises.

    Parameters
    ----------
    method : callable
        A method that fits, such as ``fit``; its signature and docstring are kept.

    Returns
    -------
    callable
    """

    @wraps(method)
    def learn_or_restore(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = dict(vars(self))
        try:
            return method(self, *args, **kwargs)
        except BaseException:
            # One assignment: a second Ctrl-C finds no state between the new one and the old one.
            self.__dict__ = before
            raise

    return learn_or_restore  # type: ignore[return-value]
