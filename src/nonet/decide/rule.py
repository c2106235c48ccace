"""The base class of decision rules C, and a rule bound to a fitted ensemble.

A rule turns the support of a row into a class code, or into ``ABSTAINED`` (-1). ``Decision``
is a rule together with the classes and the abstain label of one fitted ensemble: ``decide_``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from nonet._base.aliases import ABSTAINED, Array, Codes, Floats
from nonet._base.params import Rule, check_params
from nonet._base.rule_words import rule_in_words
from nonet.decide.abstain_label import resolve_abstain_label
from nonet.decide.support import check_class_support


class DecisionRule(BaseEstimator):
    """Parent of the decision rules C of classification.

    A child implements ``decide``; one that is tuned implements ``tune`` as well. One that can
    abstain implements ``decide_without_abstaining``, the class it would predict, and
    ``confidence``, which a risk-coverage curve uses.

    Attributes
    ----------
    can_abstain : bool
        Whether the rule, with its present parameters, may abstain.
    needs_held_out : bool
        Whether ``tune`` needs support on rows that the members have not seen.
    needs_probabilities : bool
        Whether the rule reads the size of the support and not only its order. Ensembles whose F
        gives scores then pass probabilities to it.
    abstain_label : object, optional
        The abstain label, for rules that can abstain.
    arbiter : object, optional
        The model that predicts undecided rows, for rules that use one.

    Examples
    --------
    A custom rule that predicts the second-best class:

    >>> import numpy as np
    >>> from nonet.decide import DecisionRule
    >>> class RunnerUp(DecisionRule):
    ...     def decide(self, support):
    ...         return np.argsort(support, axis=1)[:, -2]
    >>> RunnerUp().decide(np.array([[0.5, 0.2, 0.3]]))
    array([2])
    """

    abstain_label: Any = None
    arbiter: Any = None
    classes_: Array
    _rules: ClassVar[Mapping[str, Rule]] = {}

    @property
    def can_abstain(self) -> bool:
        """Whether the rule, with its present parameters, may abstain."""
        return False

    @property
    def needs_held_out(self) -> bool:
        """Whether ``tune`` needs support on rows that the members have not seen."""
        return False

    @property
    def needs_probabilities(self) -> bool:
        """Whether the rule reads the size of the support and not only its order."""
        return False

    def check(self, classes: ArrayLike) -> None:
        """Check the parameters against the classes."""
        check_params(self, self._rules)
        self.abstain_label_for(classes)

    def bind(self, classes: ArrayLike) -> Self:
        """Return a checked copy that stores the classes it decides between."""
        self.check(classes)
        return self.with_classes(classes)

    def with_classes(self, classes: ArrayLike) -> Self:
        """Return a copy that stores the classes, for uses that need no abstain label."""
        bound = copy(self)  # not a clone: an arbiter that is fitted stays fitted
        bound.classes_ = np.asarray(classes)
        return bound

    def abstain_label_for(self, classes: ArrayLike) -> Any:
        """Return the label of rows without a decision; None if every row gets a class."""
        if self.arbiter is not None or not self.can_abstain:
            return None
        return resolve_abstain_label(self.abstain_label, classes)

    def tune(
        self,
        support: Floats,
        codes: Codes,
        classes: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> DecisionRule:
        """Return the rule to use, tuned on held-out support; most rules are not tuned."""
        return self

    def decide(self, support: Floats) -> Codes:
        """Return a class code for each row, -1 for no decision."""
        raise NotImplementedError

    def decide_rows(self, support: Floats, X: Any = None) -> Codes:
        """Return a class code for each row of X; most rules read the support alone."""
        return self.decide(support)

    def decide_without_abstaining(self, support: Floats) -> Codes:
        """Return the class code each row would get if the rule could not abstain."""
        return np.asarray(np.argmax(check_class_support(support), axis=1))

    def confidence(self, support: Floats) -> Floats:
        """Return the confidence per row: the rule abstains on the lowest values first."""
        return np.asarray(np.max(check_class_support(support), axis=1))


@dataclass(frozen=True)
class Decision:
    """A rule C with the classes of one fitted ensemble: it converts support to labels.

    Attributes
    ----------
    rule : DecisionRule
    classes : ndarray of shape (n_classes,)
    abstain_label : object or None
        The label of a row without a decision; None if the rule always decides.
    arbiter : callable or None
        ``arbiter(X, rows)`` returns the codes of the rows of X that the rule left undecided.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.decide import Abstain, Decision
    >>> decision = Decision(Abstain(0.7), np.array(["cat", "dog"]), abstain_label="?")
    >>> decision(np.array([[0.9, 0.1], [0.4, 0.6]]))
    array(['cat', '?'], dtype='<U3')
    """

    rule: DecisionRule
    classes: Array
    abstain_label: Any = None
    arbiter: Callable[[Any, Array], Codes] | None = None

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        has_own = self.arbiter is not None and self.rule.arbiter is None
        arbiter = "" if not has_own else "; else an arbiter"
        return rule_in_words(self.rule) + arbiter

    def codes(self, support: Floats, X: Any = None) -> Codes:
        """Return class codes, -1 for no decision; the arbiter predicts the undecided rows of X."""
        codes = self.rule.decide_rows(support, X)
        if self.arbiter is not None and X is not None:
            open_rows = np.flatnonzero(codes == ABSTAINED)
            if open_rows.size:
                codes[open_rows] = self.arbiter(X, open_rows)
        return codes

    def __call__(self, support: Floats, X: Any = None) -> Array:
        """Return the labels, including the abstain label."""
        return decode(self.codes(support, X), self.classes, self.abstain_label)


def decode(codes: Codes, classes: Array, abstain_label: Any = None) -> Array:
    """Convert class codes to labels, and -1 to the abstain label.

    Parameters
    ----------
    codes : ndarray of int of shape (n,)
        Positions in ``classes``; -1 is an abstention.
    classes : ndarray of shape (n_classes,)
        The labels.
    abstain_label : object, optional
        The abstain label. Without one, a row without a decision raises an error.

    Returns
    -------
    labels : ndarray of shape (n,)
        Of the dtype of ``classes``; text is as wide as the longest label needs.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.decide import decode
    >>> decode(np.array([1, -1, 0]), np.array(["no", "yes"]), "not sure")
    array(['yes', 'not sure', 'no'], dtype='<U8')
    """
    if abstain_label is None:
        _check_all_decided(codes)
        return classes[codes]
    labels = np.append(classes, np.asarray([abstain_label], dtype=_label_dtype(classes)))
    return labels[codes]  # code -1 is the last entry: the abstain label


def _check_all_decided(codes: Codes) -> None:
    abstained = np.count_nonzero(codes == ABSTAINED)
    if abstained:
        raise ValueError(
            f"{abstained} of {codes.size} rows have no decision and there is no label for them: "
            "set an abstain_label, or pass X so that the arbiter can predict them."
        )


def _label_dtype(classes: Array) -> Any:
    """Let NumPy widen text to fit the abstain label; keep every other dtype."""
    return None if classes.dtype.kind in "US" else classes.dtype
