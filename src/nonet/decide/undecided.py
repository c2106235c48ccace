"""A decision rule for models of which only the support is used."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import ABSTAINED, Codes, Floats
from nonet.decide.rule import DecisionRule


class Undecided(DecisionRule):
    """Decide no row; for models that are fitted to tune the rule of another.

    It works with every combination rule, including those that may abstain.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.decide.undecided import Undecided
    >>> Undecided().decide(np.array([[0.2, 0.8]]))
    array([-1])
    """

    @property
    def can_abstain(self) -> bool:
        """Always."""
        return True

    def abstain_label_for(self, classes: ArrayLike) -> Any:
        """Return None: no labels are needed."""
        return None

    def decide(self, support: Floats) -> Codes:
        """Return -1 for each row."""
        return np.full(len(support), ABSTAINED)
