"""Progress output of GradientBoosting: a table with the same columns as scikit-learn's."""

from __future__ import annotations

import math
import time
from typing import Any

from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.rounds import Watcher


class ProgressTable(Watcher):
    """Print a header, and a line for some iterations.

    Parameters
    ----------
    model : estimator
        The estimator in its fit; ``verbose=1`` prints fewer lines the more iterations there are, a
        larger number prints one for each.
    first : int
        Number of iterations of earlier fits.
    """

    def __init__(self, model: Any, first: int) -> None:
        self._model, self._first, self._began = model, first, time.perf_counter()
        if model.verbose:
            out_of_bag = ["OOB Improve"] if model.subsample < 1 else []
            self._print("Iter", "Train Loss", *out_of_bag, "Remaining Time")

    def look(self, booster: Booster) -> None:
        """Print the line of an iteration if it is due."""
        model, number = self._model, len(booster.rounds) - 1
        step = 10 ** int(math.log10(number + 1)) if model.verbose == 1 else 1
        if not model.verbose or (number + 1) % step:
            return
        numbers = [model.train_score_[-1]]
        if model.subsample < 1:
            numbers.append(model.oob_improvement_[-1])
        self._print(number + 1, *(f"{value:.4f}" for value in numbers), self._remaining(number))

    def _remaining(self, number: int) -> str:
        elapsed = time.perf_counter() - self._began
        seconds = elapsed / (number + 1 - self._first) * (self._model.n_estimators - number - 1)
        return f"{seconds / 60:.2f}m" if seconds > 60 else f"{seconds:.2f}s"

    def _print(self, first: Any, *others: str) -> None:
        print(" ".join([f"{first:>10}", *(f"{other:>16}" for other in others)]))
