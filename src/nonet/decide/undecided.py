"""The rule of a model whose support is wanted and whose decisions are not."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import SILENT, Codes, Floats
from nonet.decide.rule import DecisionRule


class Undecided(DecisionRule):
    """No decision on any row, for models that are fitted to tune the rule of another.

    It goes with every combination rule, those that may be silent included.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.decide.undecided import Undecided
    >>> Undecided().decide(np.array([[0.2, 0.8]]))
    array([-1])
    """

    @property
    def can_be_silent(self) -> bool:
        """Always."""
        return True

    def label_of_silence(self, classes: ArrayLike) -> Any:
        """Return None: nobody asks for labels."""
        return None

    def decide(self, support: Floats) -> Codes:
        """Return -1 for each row."""
        return np.full(len(support), SILENT)
