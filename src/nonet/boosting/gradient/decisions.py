"""C of gradient boosting: the inverse link, followed by a decision rule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.rule_words import rule_in_words
from nonet.decide.argmax import Argmax
from nonet.decide.rule import Decision
from nonet.decide.sign import Sign
from nonet.losses import Loss


def class_probabilities(loss: Loss, scores: Floats, n_classes: int) -> Floats:
    """Turn scores into probabilities of classes.

    Parameters
    ----------
    loss : Loss
        The loss that the scores were made for.
    scores : array of shape (n_scores, n_rows)
        One score for two classes (and for one), one per class for more.
    n_classes : int
        Number of classes.

    Returns
    -------
    array of shape (n_rows, n_classes)
    """
    fractions = loss.inverse_link(scores)
    if len(scores) > 1:
        return fractions.T
    probabilities = np.empty((fractions.shape[1], n_classes))
    probabilities.T[1:] = fractions
    np.subtract(1, fractions[0], out=probabilities[:, 0])
    return probabilities


@dataclass(frozen=True)
class PlainDecision(Decision):
    """Default C: the sign of the score for two classes, the class of maximum score for more.

    Examples
    --------
    >>> plain = PlainDecision.of(np.array(["no", "yes"]), zero="negative")
    >>> plain(np.array([-0.5, 0.0, 2.0]))
    array(['no', 'no', 'yes'], dtype='<U3')
    """

    @classmethod
    def of(cls, classes: Array, zero: str) -> PlainDecision:
        """Make the rule for some classes; `zero` is the class of a score of 0, as in `Sign`."""
        return cls(Sign(zero=zero) if len(classes) <= 2 else Argmax(), classes)

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        is_sign = isinstance(self.rule, Sign)
        return "class by the sign of the score" if is_sign else super().in_words

    def codes(self, support: Floats, X: Any = None) -> Codes:
        """Return class codes."""
        if support.ndim == 2:
            codes: Codes = support.argmax(axis=1)
        else:
            is_second = support >= 0 if self.rule.zero == "positive" else support > 0
            codes = is_second.astype(np.intp)
        return codes

    def __call__(self, support: Floats, X: Any = None) -> Array:
        """Return labels."""
        return self.classes[self.codes(support)]


@dataclass(frozen=True)
class LinkedDecision(Decision):
    """C of a user's rule, which reads probabilities instead of scores.

    Attributes
    ----------
    loss : Loss
        Its inverse link turns scores into probabilities.

    Examples
    --------
    >>> from nonet.decide import Threshold
    >>> from nonet.losses import LogisticLoss
    >>> shy = LinkedDecision(Threshold(0.9), np.array(["no", "yes"]), loss=LogisticLoss())
    >>> shy(np.array([-0.5, 2.0, 2.5]))  # probabilities of 0.38, 0.88 and 0.92
    array(['no', 'no', 'yes'], dtype='<U3')
    """

    loss: Loss = field(kw_only=True)

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"inverse link of the scores, {super().in_words}"

    def codes(self, support: Floats, X: Any = None) -> Codes:
        """Return class codes, -1 for no decision."""
        scores = support.T if support.ndim == 2 else support[np.newaxis]
        probabilities = class_probabilities(self.loss, scores, len(self.classes))
        return super().codes(probabilities, X)


@dataclass(frozen=True)
class LabelDecision:
    """C of several labels per row: those whose score is above 0, a probability above one half.

    Examples
    --------
    >>> LabelDecision()(np.array([[0.5, -2.0], [0.0, 1.0]]))
    array([[1, 0],
           [0, 1]])
    """

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return "labels with a score above 0"

    def __call__(self, support: Floats, X: Any = None) -> Array:
        """Return 0 or 1 for each row and label."""
        return np.asarray(support > 0).astype(np.int64)


def _has_link(loss: Loss) -> bool:
    """Return whether the loss changes scores into values; the squared loss does not."""
    return type(loss).inverse_link is not Loss.inverse_link


@dataclass(frozen=True)
class LinkedValues:
    """C of regression: the inverse link of the scores, followed by the user's function.

    Attributes
    ----------
    loss : Loss
        Its inverse link turns scores into values.
    decide : callable
        The identity, or the user's function.
    """

    loss: Loss
    decide: Any

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        decided = rule_in_words(self.decide)
        return f"inverse link, {decided}" if _has_link(self.loss) else decided

    def __call__(self, support: Floats, X: Any = None) -> Floats:
        """Return values of shape (n,) or (n, n_outputs)."""
        link = self.loss.inverse_link
        values: Floats = self.decide(link(support) if support.ndim == 1 else link(support.T).T, X)
        return values
