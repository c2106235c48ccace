"""The base class of combination rules F, and a rule bound to a fitted ensemble.

A rule is a function on arrays: it takes member outputs and returns support. ``NamedRule`` gives
such functions a short name; a rule with parameters is a small class of its own, child of
``CombinationRule``. ``Combination`` is a rule together with the weights and classes of one
fitted ensemble: ``combine_`` in every ensemble of this library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from nonet._base.aliases import Array, Floats, Kind, Task
from nonet._base.params import Choice, Rule, bad_parameter, check_params
from nonet._base.rule_words import rule_in_words


class CombinationRule(BaseEstimator):
    """Parent of the combination rules F.

    A child declares what it reads and implements ``support``.

    Attributes
    ----------
    reads : mapping of task to kind
        The kind of output that the members return in regression and in classification: "values",
        "labels", "probabilities" or "scores". A missing task raises an error.
    takes_weights : bool
        Whether members may have weights.
    may_abstain : bool
        Whether a row's support may be all zero, that is, no decision.

    Examples
    --------
    A custom rule, midway between the lowest and the highest prediction:

    >>> import numpy as np
    >>> from nonet.combine import CombinationRule
    >>> class Midrange(CombinationRule):
    ...     reads = {"regression": "values"}
    ...     takes_weights = False
    ...
    ...     def support(self, outputs, weights=None, classes=None):
    ...         return (outputs.min(axis=1) + outputs.max(axis=1)) / 2
    >>> Midrange().support(np.array([[1.0, 2.0, 5.0]]))
    array([3.])
    """

    reads: Mapping[Task, Kind]
    takes_weights: bool = True
    may_abstain: bool = False
    _rules: Mapping[str, Rule] = {}

    def check(self, n_members: int, classes: Array | None, weights: Floats | None = None) -> None:
        """Check the parameters against the members, their weights and the classes."""
        check_params(self, self._rules)

    def support(
        self, outputs: Array, weights: Floats | None = None, classes: Array | None = None
    ) -> Floats:
        """Combine member outputs; the class documents how."""
        raise NotImplementedError


class NamedRule(CombinationRule):
    """A rule without parameters: one function on arrays for each kind of output it can read."""

    def __init__(
        self,
        name: str,
        functions: Mapping[Kind, Callable[..., Floats]],
        *,
        takes_weights: bool = True,
        may_abstain: bool = False,
    ) -> None:
        self.name = name
        self.functions = functions
        self.takes_weights = takes_weights
        self.may_abstain = may_abstain

    @property
    def reads(self) -> Mapping[Task, Kind]:  # type: ignore[override]
        """The kind of output that the members return, per task."""
        return {
            ("regression" if kind == "values" else "classification"): kind
            for kind in self.functions
        }

    def support(
        self, outputs: Array, weights: Floats | None = None, classes: Array | None = None
    ) -> Floats:
        """Call the function for the kind of the outputs."""
        kind: Kind = self.reads["regression" if classes is None else "classification"]
        arguments: dict[str, Any] = {"weights": weights} if self.takes_weights else {}
        if kind == "labels":
            assert classes is not None
            arguments["n_classes"] = len(classes)
        return self.functions[kind](outputs, **arguments)


class CallableCombination(CombinationRule):
    """A custom function ``f(outputs) -> support``, or ``f(outputs, weights)``.

    In classification it receives (n, k, c) probabilities unless it has an attribute
    ``reads`` with the value "labels" or "scores"; in regression it receives (n, k) values.
    """

    def __init__(self, function: Callable[..., Floats]) -> None:
        self.function = function

    @property
    def reads(self) -> Mapping[Task, Kind]:  # type: ignore[override]
        """The kind of output that the members return, per task."""
        kind: Kind = getattr(self.function, "reads", "probabilities")
        allowed = Choice("labels", "probabilities", "scores")
        if not allowed.allows(kind):
            raise bad_parameter(self.function.__name__, "reads", allowed.describe(), kind)
        return {"regression": "values", "classification": kind}

    def support(
        self, outputs: Array, weights: Floats | None = None, classes: Array | None = None
    ) -> Floats:
        """Call the user's function and check the shape of what it returns."""
        arguments = (outputs,) if weights is None else (outputs, weights)
        support = np.asarray(self.function(*arguments), dtype=np.float64)
        if classes is None:
            wanted: tuple[int, ...] = (len(outputs), *outputs.shape[2:])
        else:
            wanted = (len(outputs), len(classes))
        if support.shape != wanted:
            raise ValueError(
                f"a combination function must return support of shape {wanted} here, "
                f"but returned shape {support.shape}."
            )
        return support


@dataclass(frozen=True)
class Combination:
    """A rule F with the weights and classes of one fitted ensemble.

    Attributes
    ----------
    rule : CombinationRule
    reads : {'values', 'labels', 'probabilities', 'scores'}
        The kind of output that the members return.
    weights : ndarray of shape (n_members,) or None
    classes : ndarray of shape (n_classes,) or None
        None in regression.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine import COMBINATION_RULES, Combination
    >>> combine = Combination(COMBINATION_RULES["mean"], "values", weights=np.array([3.0, 1.0]))
    >>> combine(np.array([[1.0, 5.0]]))
    array([2.])
    """

    rule: CombinationRule
    reads: Kind
    weights: Floats | None = None
    classes: Array | None = None

    @property
    def averages(self) -> bool:
        """Whether the rule is the mean, weighted or not."""
        return getattr(self.rule, "name", None) == "mean"

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        weights = self.weights
        are_equal = weights is None or (len(weights) > 1 and not np.ptp(weights, axis=0).any())
        return f"{'' if are_equal else 'weighted '}{rule_in_words(self.rule)} of {self.reads}"

    def __call__(self, outputs: Array, X: Any = None) -> Floats:
        """Combine member outputs into support: (n,) or (n, targets), or (n, classes).

        X, the rows to predict, is for combinations that depend on it; a rule reads outputs alone.
        """
        return self.rule.support(outputs, self.weights, self.classes)
