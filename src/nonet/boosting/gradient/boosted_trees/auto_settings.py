"""Settings of boosted trees that are chosen from the number of rows and scores.

Two sets of settings are offered. The *classic* one is that of XGBoost and LightGBM: one booster of
100 rounds with searched thresholds. The *best* one was chosen on real tables (decision 0024): some
boosters with random thresholds, each without one fold of the rows, whose number of rounds is the
one that predicts the rows held out best. Its cost grows more slowly than the number of rows, since
many rows need fewer boosters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from nonet.boosting.gradient.boosted_trees.threshold_kinds import MIXED

AUTO = "auto"
# Parameters that are chosen where they are 'auto'; the fitted attribute has an underscore more.
CHOSEN = (
    "learning_rate",
    "num_leaves",
    "min_child_samples",
    "reg_lambda",
    "colsample_bynode",
    "extra_trees",
    "n_bags",
)

# With fewer rows, a fold is too small to choose a number of rounds.
_MIN_ROWS_FOR_FOLDS = 60
# Beyond so many rows one booster with searched thresholds is as good as several, and it can do
# without the fold on which its number of rounds is chosen.
_MANY_ROWS = 100_000
# Number of boosters by the number of cells (rows times scores) up to which it is affordable.
_BAGS = ((10_000, 8), (600_000, 4), (math.inf, 2))
_MAX_ROWS_OF_LARGE_BAGS = 4000
_MIN_FOLDS = 8
_FOLDS_OF_FEW_BAGS = 12
_MAX_ROUNDS = 1000
_MAX_ROUNDS_EVER = 20_000  # with a small learning rate of the user's own
_MAX_TREES_PER_BOOSTER = 3000  # so that time does not grow with the number of classes
_MAX_ROWS_READ = 80e6  # by all trees together
_MAX_COLUMNS_PER_SPLIT = 256  # columns of wider tables mostly repeat each other
_MIN_STEPS = 20.0  # rounds times learning rate; fewer rounds take longer steps
_MAX_RATE = 0.3


@dataclass(frozen=True)
class Settings:
    """What 'auto' stands for.

    Parameters
    ----------
    n_rounds : int
        Maximum number of rounds of each booster.
    learning_rate, num_leaves, min_child_samples, reg_lambda, colsample_bynode, extra_trees, n_bags
        As in the estimators.
    stops : bool
        Whether the number of rounds is chosen on the rows that the boosters hold out.
    is_bag : bool
        Whether the boosters that hold out rows are the model; otherwise it is one on all rows.
    """

    n_rounds: int = 100
    learning_rate: float = 0.1
    num_leaves: int | None = 31
    min_child_samples: int = 20
    reg_lambda: float = 5.0
    colsample_bynode: float = 1.0
    extra_trees: bool | str = False
    n_bags: int = 1
    stops: bool = False
    is_bag: bool = False

    @property
    def n_folds(self) -> int:
        """Number of folds of the rows, of which each booster holds out one.

        Many boosters hold out every row once. A few hold out a twelfth of the rows each: a booster
        that sees more rows is better, and where few boosters are afforded, rows are many.
        """
        return self.n_bags if self.n_bags >= _MIN_FOLDS else _FOLDS_OF_FEW_BAGS

    @property
    def patience(self) -> int:
        """Number of rounds without a lower loss of held-out rows, after which boosting stops."""
        return max(15, math.ceil(3 / self.learning_rate))


CLASSIC = Settings()


def choose_settings(
    owner: Any, n_rows: int, n_columns: int, n_scores: int, *, is_free: bool
) -> Settings:
    """Replace 'auto' by what fits the data and the settings that are given.

    Parameters
    ----------
    owner : estimator
        Has the parameters; those that are not 'auto' stay.
    n_rows, n_columns, n_scores : int
        Size of the data, and number of trees per round.
    is_free : bool
        Whether the rounds may be chosen on held-out rows: nothing else determines them.

    Returns
    -------
    Settings
    """
    given = {name: getattr(owner, name) for name in CHOSEN if not is_auto(owner, name)}
    if not (is_free and is_auto(owner, "n_estimators")):
        n_rounds = CLASSIC.n_rounds if is_auto(owner, "n_estimators") else int(owner.n_estimators)
        is_bag = given.get("n_bags", 1) > 1
        return replace(CLASSIC, n_rounds=n_rounds, is_bag=is_bag, **given)
    if n_rows < _MIN_ROWS_FOR_FOLDS:
        return _with_given(_settings_of_few_rows(), given)
    best = _best_settings(n_rows, n_scores)
    fraction = min(1.0, _MAX_COLUMNS_PER_SPLIT / n_columns)
    return _with_given(replace(best, colsample_bynode=fraction), given)


def is_auto(owner: Any, name: str) -> bool:
    """Return whether a parameter is 'auto'."""
    value = getattr(owner, name)
    return isinstance(value, str) and value == AUTO


def _settings_of_few_rows() -> Settings:
    """Return settings under which weights are repeated rows: no number of rows counts."""
    return replace(
        CLASSIC,
        n_rounds=50,
        num_leaves=8,
        min_child_samples=1,
        reg_lambda=2.0,
        extra_trees=True,
    )


def _best_settings(n_rows: int, n_scores: int) -> Settings:
    """Return the settings of bagged boosters, or of one booster if there are many rows."""
    is_multiple, is_large = n_scores > 1, n_rows > _MANY_ROWS
    n_bags = 1 if is_large else _affordable_bags(n_rows, n_scores)
    n_rounds = _affordable_rounds(n_rows, n_scores, n_bags)
    rate = 0.2 if is_multiple else 0.1 if n_rows < 5000 or is_large else 0.15
    return Settings(
        n_rounds=n_rounds,
        learning_rate=min(max(rate, _MIN_STEPS / n_rounds), _MAX_RATE),
        num_leaves=min(max(n_rows // 120, 8), 63),
        min_child_samples=min(max(n_rows // 1000, 2), 20),
        reg_lambda=1.0 if is_multiple else 2.0,
        extra_trees=False if is_large else True if is_multiple else MIXED,
        n_bags=n_bags,
        stops=True,
        is_bag=True,
    )


def _affordable_bags(n_rows: int, n_scores: int) -> int:
    n_bags = next(n for n_cells, n in _BAGS if n_rows * n_scores <= n_cells)
    return n_bags if n_rows <= _MAX_ROWS_OF_LARGE_BAGS else min(n_bags, 4)


def _affordable_rounds(n_rows: int, n_scores: int, n_bags: int) -> int:
    limits = (
        _MAX_ROUNDS,
        _MAX_TREES_PER_BOOSTER / n_scores,
        max(_MAX_ROWS_READ / (n_rows * n_scores * n_bags), CLASSIC.n_rounds),
    )
    return math.ceil(min(limits))


def _with_given(settings: Settings, given: Mapping[str, Any]) -> Settings:
    """Replace settings by given ones; a smaller learning rate needs more rounds."""
    changed = replace(settings, **given)
    if "n_bags" in given:
        changed = replace(changed, is_bag=changed.n_bags > 1)
    factor = max(1.0, settings.learning_rate / changed.learning_rate)
    n_rounds = min(math.ceil(settings.n_rounds * factor), _MAX_ROUNDS_EVER)
    return replace(changed, n_rounds=n_rounds)
