"""What a decision rule C is, and what it becomes once an ensemble is fitted.

A rule turns the support of a row into a class code, or into ``SILENT`` (-1). ``Decision``
is a rule together with the classes and the label of silence of one fitted ensemble: ``decide_``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from nonet._base.aliases import SILENT, Array, Codes, Floats
from nonet._base.params import Rule, check_params
from nonet.decide.silence import resolve_abstain_label
from nonet.decide.support import check_class_support


class DecisionRule(BaseEstimator):
    """Parent of the decision rules C of classification.

    A child implements ``decide``; one that is tuned implements ``tune`` as well; one that can
    be silent says in ``speak`` and ``confidence`` what it would answer and how surely, which is
    all a risk-coverage curve needs.

    Attributes
    ----------
    can_be_silent : bool
        Whether the rule, with its present parameters, may name no class.
    needs_held_out : bool
        Whether ``tune`` wants support on rows that the members have not seen.
    needs_probabilities : bool
        Whether the rule reads the size of the support and not only its order. Ensembles whose F
        gives scores then hand it probabilities.
    abstain_label : object, optional
        The label of silence, for rules that can be silent.
    arbiter : object, optional
        Who answers in place of silence, for rules that call one.

    Examples
    --------
    A rule of one's own, the second best:

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
    def can_be_silent(self) -> bool:
        """Whether the rule, with its present parameters, may name no class."""
        return False

    @property
    def needs_held_out(self) -> bool:
        """Whether ``tune`` wants support on rows that the members have not seen."""
        return False

    @property
    def needs_probabilities(self) -> bool:
        """Whether the rule reads the size of the support and not only its order."""
        return False

    def check(self, classes: ArrayLike) -> None:
        """Check the parameters now that the classes are known."""
        check_params(self, self._rules)
        self.label_of_silence(classes)

    def bind(self, classes: ArrayLike) -> Self:
        """Return a checked copy that knows the classes it decides between."""
        self.check(classes)
        return self.with_classes(classes)

    def with_classes(self, classes: ArrayLike) -> Self:
        """Return a copy that knows the classes, for uses that need no label of silence."""
        bound = copy(self)  # not a clone: an arbiter that is fitted stays fitted
        bound.classes_ = np.asarray(classes)
        return bound

    def label_of_silence(self, classes: ArrayLike) -> Any:
        """Return the label of rows without a decision; None when every row gets a class."""
        if self.arbiter is not None or not self.can_be_silent:
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

    def speak(self, support: Floats) -> Codes:
        """Return the class code each row would get if silence were not allowed."""
        return np.asarray(np.argmax(check_class_support(support), axis=1))

    def confidence(self, support: Floats) -> Floats:
        """Say how sure the rule is of each row: the least sure are the first to be silenced."""
        return np.asarray(np.max(check_class_support(support), axis=1))


@dataclass(frozen=True)
class Decision:
    """A rule C with the classes of one fitted ensemble: support in, labels out.

    Attributes
    ----------
    rule : DecisionRule
    classes : ndarray of shape (n_classes,)
    abstain_label : object or None
        What is returned for a row without a decision; None when the rule always decides.
    arbiter : callable or None
        ``arbiter(X, rows)`` gives the codes of the rows of X that the rule left undecided.

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

    def codes(self, support: Floats, X: Any = None) -> Codes:
        """Return class codes, -1 for no decision; the arbiter sees the undecided rows of X."""
        codes = self.rule.decide_rows(support, X)
        if self.arbiter is not None and X is not None:
            open_rows = np.flatnonzero(codes == SILENT)
            if open_rows.size:
                codes[open_rows] = self.arbiter(X, open_rows)
        return codes

    def __call__(self, support: Floats, X: Any = None) -> Array:
        """Return the labels, the label of silence among them."""
        return decode(self.codes(support, X), self.classes, self.abstain_label)


def decode(codes: Codes, classes: Array, abstain_label: Any = None) -> Array:
    """Turn class codes into labels, -1 into the label of silence.

    Parameters
    ----------
    codes : ndarray of int of shape (n,)
        Positions in ``classes``; -1 is silence.
    classes : ndarray of shape (n_classes,)
        The labels.
    abstain_label : object, optional
        The label of silence. Without one, a silent row is an error.

    Returns
    -------
    labels : ndarray of shape (n,)
        Of the type of ``classes``; text is as wide as the longest label needs.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.decide import decode
    >>> decode(np.array([1, -1, 0]), np.array(["no", "yes"]), "cannot say")
    array(['yes', 'cannot say', 'no'], dtype='<U10')
    """
    if abstain_label is None:
        _check_all_spoke(codes)
        return classes[codes]
    labels = np.append(classes, np.asarray([abstain_label], dtype=_label_dtype(classes)))
    return labels[codes]  # code -1 is the last entry: the label of silence


def _check_all_spoke(codes: Codes) -> None:
    silent = np.count_nonzero(codes == SILENT)
    if silent:
        raise ValueError(
            f"{silent} of {codes.size} rows have no decision and there is no label for silence: "
            "name an abstain_label, or give X so that the arbiter can be asked."
        )


def _label_dtype(classes: Array) -> Any:
    """Let NumPy widen text to what the label of silence needs, keep every other type."""
    return None if classes.dtype.kind in "US" else classes.dtype
