"""Estimate the gain from more members, fewer members or better weights.

*More members.* If members are alike, the expected error of T of them is, to first order,
a + b / T (exactly so for the squared error of a mean). Random subsets of about half the members
give b, and so the gain from members beyond T.

*The oracle* picks, row by row, a member that is right, if there is one: no way of choosing among
these members can do better.

References: N. Ueda & R. Nakano (1996), Generalization error of ensemble estimators, ICNN; M. Lopes
(2020), Estimating a sharp convergence bound for randomized ensembles, J. Stat. Planning and
Inference 204, 35-44; G. Martinez-Munoz & A. Suarez (2006), Pruning in ordered bagging ensembles,
ICML.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from scipy.stats import norm
from sklearn.model_selection import KFold

from nonet._base.aliases import Codes, Floats
from nonet._base.params import Integer, Real, bad_parameter
from nonet._base.results import PlottableResult, Result
from nonet._base.streams import root_seed, stream
from nonet.combine.weights import Simplex
from nonet.diagnostics.diagnostics_docs import with_diagnostics_docs
from nonet.diagnostics.ensemble_predictions import gather_predictions
from nonet.diagnostics.member_predictions import MemberPredictions
from nonet.diagnostics.pool import Pool

_FOLDS = 5


@dataclass(frozen=True)
class Gain(Result):
    """An estimated gain: how much the error would fall.

    Attributes
    ----------
    value : float
        Error now less error then; negative if it would rise.
    low, high : float
        A confidence interval, over the rows.

    Examples
    --------
    >>> from nonet.diagnostics import Gain
    >>> print(Gain(0.02, 0.01, 0.03))
    Gain
      value  0.02
      low    0.01
      high   0.03
    """

    value: float
    low: float
    high: float

    _shown: ClassVar[tuple[str, ...]] = ("value", "low", "high")

    def in_words(self) -> str:
        """Return the gain with its interval as one short text."""
        return f"{self.value:.4g}  [{self.low:.4g}, {self.high:.4g}]"


@dataclass(frozen=True)
class PossibleGains(PlottableResult):
    """The gains that are still possible for an ensemble, on the given rows.

    Attributes
    ----------
    error : float
        The 0-1 error (a tie counts as a fraction) or squared error of the weighted vote or mean.
    standard_error : float
        Of that error, over the rows.
    oracle_error : float
        The error of an oracle that picks the best member row by row: the limit of any selection.
    best_member_error : float
        The error of the best single member on these rows.
    twice_the_members : Gain
        Expected gain from as many members again, of the same kind.
    ever_more_members : Gain
        Expected gain in the limit of infinitely many members.
    learned_weights : Gain or None
        Gain from weights learned by least squares on other rows (cross-validated); None if
        predictions are missing, or there are too few rows to learn from.
    contributions : ndarray of shape (n_members,)
        How much the error would rise without each member; negative for a harmful member.
    small_enough : tuple of str
        The members of the smallest subset found whose error is within one standard error of all.
    names : tuple of str
        The members.

    Examples
    --------
    >>> import numpy as np
    >>> import nonet
    >>> from nonet.diagnostics import record_predictions
    >>> random = np.random.default_rng(0)
    >>> truth = random.normal(size=200)
    >>> outputs = truth[:, np.newaxis] + random.normal(size=(200, 10))
    >>> gains = nonet.possible_gains(record_predictions(outputs, truth), random_state=0)
    >>> round(gains.error, 2), round(gains.ever_more_members.value, 2)  # 1 / 10 each, in theory
    (0.1, 0.1)
    """

    error: float
    standard_error: float
    oracle_error: float
    best_member_error: float
    twice_the_members: Gain
    ever_more_members: Gain
    learned_weights: Gain | None
    contributions: Floats
    small_enough: tuple[str, ...]
    names: tuple[str, ...]

    _plot: ClassVar[str] = "plot_gains"

    def _lines(self) -> list[tuple[str, str]]:
        learned = self.learned_weights
        return [
            ("error", f"{self.error:.4g} (standard error {self.standard_error:.2g})"),
            ("best member", f"{self.best_member_error:.4g}"),
            ("oracle", f"{self.oracle_error:.4g}"),
            ("gain: twice the members", self.twice_the_members.in_words()),
            ("gain: ever more members", self.ever_more_members.in_words()),
            ("gain: learned weights", "not known" if learned is None else learned.in_words()),
            ("members that do harm", str(int((self.contributions < 0).sum()))),
            ("small enough", f"{len(self.small_enough)} of {len(self.names)} members"),
        ]


@with_diagnostics_docs
def possible_gains(
    ensemble: Any,
    X: Any = None,
    y: Any = None,
    *,
    out_of_bag: bool = False,
    confidence_level: float = 0.95,
    n_parts: int = 50,
    random_state: Any = None,
) -> PossibleGains:
    """Estimate what more members, fewer members or better weights would bring.

    1. Error of the weighted vote or mean, of the best member, and of the oracle.
    2. Random subsets of about half the members give the rate at which the error falls with the
       number of members, and so the gain from more members.
    3. Weights learned on four fifths of the rows are tried on the last fifth, in turns.
    4. Each member is left out once; and members are added greedily, from none, until the error
       is within one standard error of that of all.

    Parameters
    ----------
    {any_ensemble}
    {unseen_rows}
    {out_of_bag}
    confidence_level : float, default=0.95
        Of the intervals.
    n_parts : int, default=50
        How many random halves are drawn.
    random_state : int, RandomState, Generator or None, default=None
        Seeds the halves and the folds.

    Returns
    -------
    gains : PossibleGains
        ``plot`` draws the gains with their intervals.

    Notes
    -----
    The error is that of the ensemble's own predictions. Gains compare votes with votes, and ties
    count as drawn among their classes.

    The gain from more members supposes that new members are like these: true of bagging and
    forests, not of boosting, whose rounds follow each other. For votes a + b / T is the rule
    where rows are of every difficulty; if all are alike, the gain is larger than estimated. The
    small subset is chosen on the same rows that it is scored on, so its error on new rows is a
    little higher.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> import nonet
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = RandomForestClassifier(25, random_state=0).fit(X, y)
    >>> gains = nonet.possible_gains(forest, X, y, out_of_bag=True, random_state=0)
    >>> gains.oracle_error < gains.error
    True
    """
    _check_settings(confidence_level, n_parts)
    predictions = gather_predictions(ensemble, X, y, out_of_bag=out_of_bag)
    if predictions.n_members < 2:
        raise ValueError("possible_gains needs at least two members, but there is one.")
    everyone = Pool.of(predictions, np.arange(predictions.n_members))
    losses = everyone.expected_losses()
    level = float(norm.ppf(0.5 + confidence_level / 2))
    seed = root_seed(random_state)
    rise = _rise_of_halves(predictions, losses, n_parts, seed)
    alone = _member_losses(predictions)
    return PossibleGains(
        error=predictions.error,
        standard_error=_standard_error(predictions.losses),
        oracle_error=float(alone.min(axis=1).mean()),
        best_member_error=float(
            predictions.member_means(np.where(np.isinf(alone), 0.0, alone)).min()
        ),
        twice_the_members=_interval(rise / 2, level),
        ever_more_members=_interval(rise, level),
        learned_weights=_learned(predictions, losses, level, seed),
        contributions=_contributions(everyone, losses),
        small_enough=_smallest(predictions, losses),
        names=predictions.names,
    )


def _check_settings(confidence_level: float, n_parts: int) -> None:
    level, count = Real(0, 1, open_low=True, open_high=True), Integer(1)
    owner = "possible_gains"
    if not level.allows(confidence_level):
        raise bad_parameter(owner, "confidence_level", level.describe(), confidence_level)
    if not count.allows(n_parts):
        raise bad_parameter(owner, "n_parts", count.describe(), n_parts)


def _rise_of_halves(
    predictions: MemberPredictions, losses: Floats, n_parts: int, seed: int
) -> Floats:
    """Return, row by row, the estimate of b / T: what all further members together would gain."""
    total = predictions.n_members
    half = max(1, total // 2)
    if predictions.kind == "labels" and half > 1 and half % 2 == 0:
        half -= 1  # an even vote is as good as the odd one below it, so sizes are kept odd
    effective = total - (1 if predictions.kind == "labels" and total % 2 == 0 and total > 2 else 0)
    draws = stream(seed, 0)
    parts = [draws.permutation(total)[:half] for _ in range(n_parts)]
    of_halves = np.mean([Pool.of(predictions, part).expected_losses() for part in parts], axis=0)
    return np.asarray((of_halves - losses) / (1 / half - 1 / effective) / effective)


def _member_losses(predictions: MemberPredictions) -> Floats:
    """Return the loss of each member on each row; infinite where it has no prediction."""
    if predictions.kind == "labels":
        losses = 1.0 - predictions.correct
    else:
        losses = (predictions.outputs - predictions.truth[:, np.newaxis]) ** 2
    return losses if predictions.present is None else np.where(predictions.present, losses, np.inf)


def _learned(
    predictions: MemberPredictions, losses: Floats, level: float, seed: int
) -> Gain | None:
    if predictions.present is not None or predictions.n_rows < 2 * _FOLDS * predictions.n_members:
        return None
    folds = KFold(_FOLDS, shuffle=True, random_state=seed % 2**32)
    learned = np.empty(predictions.n_rows)
    for train, test in folds.split(predictions.outputs):
        weights = Simplex().find(
            predictions.outputs[train], predictions.truth[train], predictions.classes
        )
        learned[test] = _part(predictions, test, weights)
    return _interval(losses - learned, level)


def _part(predictions: MemberPredictions, rows: Codes, weights: Floats) -> Floats:
    some = replace(
        predictions,
        outputs=predictions.outputs[rows],
        truth=predictions.truth[rows],
        prediction=predictions.prediction[rows],
        weights=weights,
    )
    return Pool.of(some, np.flatnonzero(weights)).expected_losses()


def _contributions(everyone: Pool, losses: Floats) -> Floats:
    members = range(everyone.predictions.n_members)
    without = [everyone.drop(member).expected_losses().mean() for member in members]
    return np.asarray(without - losses.mean())


def _smallest(predictions: MemberPredictions, losses: Floats) -> tuple[str, ...]:
    enough = losses.mean() + _standard_error(losses)
    pool, left, chosen = Pool.empty(predictions), list(range(predictions.n_members)), []
    while left:
        errors = [pool.add(member).expected_losses().mean() for member in left]
        best = int(np.argmin(errors))
        chosen.append(left.pop(best))
        pool = pool.add(chosen[-1])
        if errors[best] <= enough:
            break
    return tuple(predictions.names[member] for member in chosen)


def _standard_error(losses: Floats) -> float:
    return float(losses.std(ddof=1) / np.sqrt(len(losses))) if len(losses) > 1 else np.inf


def _interval(gains: Floats, level: float) -> Gain:
    mean, error = float(gains.mean()), _standard_error(gains)
    return Gain(mean, mean - level * error, mean + level * error)
