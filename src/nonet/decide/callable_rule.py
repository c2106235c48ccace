"""A decision rule defined by a custom function of the support."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import ABSTAINED, Codes, Floats
from nonet._base.params import Having
from nonet.decide.rule import DecisionRule


class CallableRule(DecisionRule):
    """A custom function ``f(support) -> codes`` as a decision rule.

    Parameters
    ----------
    function : callable
        It receives the (n, n_classes) support and returns n class codes, positions in the sorted
        classes; -1 is no decision.
    abstain_label : object, default=None
        The abstain label. The function may abstain only if there is one.

    Examples
    --------
    >>> from nonet.decide import CallableRule
    >>> CallableRule(lambda support: support.argmin(axis=1)).decide([[0.7, 0.3]])
    array([1])
    """

    _rules = {"function": Having("a function of the support", "__call__")}

    def __init__(self, function: Callable[[Floats], ArrayLike], abstain_label: Any = None) -> None:
        self.function = function
        self.abstain_label = abstain_label

    @property
    def can_abstain(self) -> bool:
        """Whether there is an abstain label."""
        return self.abstain_label is not None

    def decide(self, support: Floats) -> Codes:
        """Call the function and check that it returned a code for each row."""
        checked = np.asarray(support)
        codes = np.asarray(self.function(checked))
        if codes.shape != checked.shape[:1] or codes.dtype.kind not in "iu":
            raise ValueError(
                f"a decision function must return {len(checked)} whole-number class codes, one "
                f"for each row, but returned shape {codes.shape} and dtype {codes.dtype}."
            )
        lowest = ABSTAINED if self.can_abstain else 0
        n_classes = checked.shape[1] if checked.ndim == 2 else 2
        if codes.size and (codes.min() < lowest or codes.max() >= n_classes):
            raise ValueError(
                f"a decision function must return codes from {lowest} to {n_classes - 1}, "
                f"but returned {codes.min()} to {codes.max()}."
            )
        return codes.astype(np.intp)
