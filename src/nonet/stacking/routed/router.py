"""A fitted router: the member of each row, or the probabilities of the routes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.errors import member_error
from nonet._base.number_tables import explain_refusal
from nonet.members.label_codes import fit_on_labels
from nonet.stacking.routed.distance_columns import DistanceColumns


@dataclass(frozen=True)
class Router:
    """A fitted classifier or clusterer of routes, as a gate.

    Attributes
    ----------
    model : estimator
        Its labels are the positions of the members.
    n_routes : int
    mix : {'hard', 'soft'}
        Whether a row takes one route, or all with their probabilities.
    columns : DistanceColumns or None
        Converts X to the numbers that k-means was fitted on; None passes X itself to the model.
    """

    model: Any
    n_routes: int
    mix: str
    columns: DistanceColumns | None = None

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"{type(self.model).__name__}{', one route' if self.mix == 'hard' else ''}"

    def weigh(self, X: Any) -> Floats:
        """Return the probability of each route for each row; rows sum to one."""
        if self.mix == "soft":
            return self._predict("predict_proba", X).astype(np.float64)
        return np.asarray(np.eye(self.n_routes)[self.choose(X)])

    def choose(self, X: Any) -> Codes:
        """Return the position of the member for each row."""
        return self._predict("predict", X)

    def _predict(self, method: str, X: Any) -> Array:
        table = X if self.columns is None else self.columns.transform(X)
        try:
            return np.asarray(getattr(self.model, method)(table))
        except Exception as why:
            raise member_error("router", 0, 1, "predict", explain_refusal(why, None, X)) from why


def fit_router(model: Any, table: Any, routes: Codes | None = None) -> Any:
    """Fit a router on the given routes, or let a clusterer find them."""
    try:
        return model.fit(table) if routes is None else fit_on_labels(model, table, routes, {})
    except Exception as why:
        raise member_error("router", 0, 1, "fit", explain_refusal(why, None, table)) from why
