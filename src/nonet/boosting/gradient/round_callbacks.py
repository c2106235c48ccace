"""Callbacks after scikit-learn's convention, where the installed version has it (1.9 or later)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

try:
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback import with_callbacks as _with_callbacks
except ImportError:  # scikit-learn before 1.9 has no callbacks

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing to support."""

    def _with_callbacks(method: Any) -> Any:
        return method


__all__ = ["CallbackSupportMixin", "RoundCallbacks", "with_callbacks"]

Method = TypeVar("Method", bound=Callable[..., Any])


def with_callbacks(method: Method) -> Method:
    """Let a method tear down the callbacks in the end, whatever happens in it."""
    decorated: Method = _with_callbacks(method)
    return decorated


class RoundCallbacks:
    """Tells an estimator's callbacks of every round; to be made once, as fit begins.

    Parameters
    ----------
    estimator : object
        The estimator in its fit.
    n_rounds : int
        Largest number of rounds.
    data : mapping
        ``X``, ``y`` and ``metadata``, as callbacks may ask for them.
    """

    def __init__(self, estimator: Any, n_rounds: int, data: Mapping[str, Any]) -> None:
        self.estimator, self.data = estimator, data
        self._fit: Any = None
        if hasattr(estimator, "_init_callback_context"):
            self._fit = estimator._init_callback_context(max_subtasks=n_rounds)
            self._fit.call_on_fit_task_begin(estimator=estimator, **data)

    def begin_round(self) -> None:
        """Tell that a round begins."""
        if self._fit is not None:
            self._round = self._fit.subcontext(task_name="round")
            self._round.call_on_fit_task_begin(estimator=self.estimator, **self.data)

    def end_round(self, model: Callable[[], Mapping[str, Any]]) -> bool:
        """Tell that a round has ended; return whether a callback wants no more of them."""
        return self._fit is not None and self._end(self._round, model)

    def end(self, model: Callable[[], Mapping[str, Any]]) -> None:
        """Tell that fit has ended."""
        if self._fit is not None:
            self._end(self._fit, model)

    def _end(self, context: Any, model: Callable[[], Mapping[str, Any]]) -> bool:
        return bool(
            context.call_on_fit_task_end(
                estimator=self.estimator, reconstruction_attributes=model, **self.data
            )
        )
