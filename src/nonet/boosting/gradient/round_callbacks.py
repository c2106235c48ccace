"""Callbacks by scikit-learn's convention, if the installed version supports them (1.9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.rounds import Watcher

try:
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback import with_callbacks as _with_callbacks
except ImportError:  # scikit-learn before 1.9 has no callbacks

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """An empty mixin."""

    def _with_callbacks(method: Any) -> Any:
        return method


__all__ = ["CallbackSupportMixin", "RoundCallbacks", "with_callbacks"]

Method = TypeVar("Method", bound=Callable[..., Any])


def with_callbacks(method: Method) -> Method:
    """Make a method tear down the callbacks at its end, also if it raises."""
    decorated: Method = _with_callbacks(method)
    return decorated


class RoundCallbacks(Watcher):
    """Calls an estimator's callbacks in every round; create it once, when fit begins.

    Parameters
    ----------
    estimator : object
        The estimator in its fit.
    n_rounds : int
        Maximum number of rounds.
    data : mapping
        ``X``, ``y`` and ``metadata``, which callbacks may read.
    model : callable
        Returns what a copy of the estimator needs to predict as after the last round.
    """

    def __init__(
        self,
        estimator: Any,
        n_rounds: int,
        data: Mapping[str, Any],
        model: Callable[[], Mapping[str, Any]],
    ) -> None:
        self.estimator, self.data, self._model = estimator, data, model
        self._is_enough = False
        self._fit: Any = None
        if hasattr(estimator, "_init_callback_context"):
            self._fit = estimator._init_callback_context(max_subtasks=n_rounds)
            self._fit.call_on_fit_task_begin(estimator=estimator, **data)

    def begin_round(self) -> None:
        """Notify the callbacks that a round begins."""
        if self._fit is not None:
            self._round = self._fit.subcontext(task_name="round")
            self._round.call_on_fit_task_begin(estimator=self.estimator, **self.data)

    def look(self, booster: Booster) -> None:
        """Notify the callbacks that a round has ended."""
        if self._fit is not None:
            self._is_enough = self._end(self._round)

    def is_enough(self) -> bool:
        """Return whether a callback requests to stop."""
        return self._is_enough

    def end(self) -> None:
        """Notify the callbacks that fit has ended."""
        if self._fit is not None:
            self._end(self._fit)

    def _end(self, context: Any) -> bool:
        return bool(
            context.call_on_fit_task_end(
                estimator=self.estimator, reconstruction_attributes=self._model, **self.data
            )
        )
