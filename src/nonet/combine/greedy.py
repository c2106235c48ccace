"""Greedy selection with replacement: repeatedly add the member that improves the blend most.

1. Start with the best member (or the best few).
2. Add the member whose addition gives the best held-out score; a member may be added again.
3. After the last round, keep the blend with the best score so far.

The weight of a member is the fraction of picks it got. Bags repeat this on random subsets of the
members and average the weights, which makes the search depend less on a few lucky members.

References
----------
R. Caruana, A. Niculescu-Mizil, G. Crew, A. Ksikes, Ensemble selection from libraries of
models, ICML 2004.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.params import Anything, Integer, Nothing, Real, Rule
from nonet._base.results import Result
from nonet._base.streams import root_seed, stream
from nonet.combine.blend_scores import (
    CandidateScores,
    Scoring,
    log_loss_scores,
    scores_by,
    squared_error_scores,
)
from nonet.combine.held_out import HeldOut
from nonet.combine.weight_finder import WeightFinder

# Copies of one member may differ in the last digits of their scores; such scores count as tied.
_TIE = 1e-10


@dataclass(frozen=True)
class Selection(Result):
    """The steps and the result of one greedy selection.

    Attributes
    ----------
    order : ndarray of shape (n_rounds,)
        The member picked in each round.
    scores : ndarray of shape (n_rounds,)
        The held-out score of the blend after each round; larger is better.
    n_kept : int
        The number of rounds that make up the best blend.
    weights : ndarray of shape (n_members,)
        The weight of each member in the best blend.
    """

    _shown: ClassVar[tuple[str, ...]] = ("order", "scores", "n_kept", "weights")

    order: Array
    scores: Floats
    n_kept: int
    weights: Floats


def select_greedily(
    candidate_scores: CandidateScores,
    n_members: int,
    *,
    n_rounds: int = 50,
    n_init: int = 1,
    candidates: Array | None = None,
) -> Selection:
    """Select members one by one; each step adds the one that gives the best blend.

    Parameters
    ----------
    candidate_scores : callable
        ``candidate_scores(counts, candidates)`` returns the score of the blend in which member
        m counts ``counts[m]`` times, with each candidate added; larger is better.
    n_members : int
        The number of members.
    n_rounds : int, default=50
        The total number of picks.
    n_init : int, default=1
        The number of initial picks, which are the members with the best scores of their own.
    candidates : ndarray of member positions, default=None
        The members to choose from, in increasing order; None means all.

    Returns
    -------
    selection : Selection
        Ties go to a member already in the blend, then to the first member. Of equally good
        blends the smallest is kept.

    Examples
    --------
    >>> from nonet.combine.blend_scores import squared_error_scores
    >>> from nonet.combine.greedy import select_greedily
    >>> from nonet.combine.held_out import check_held_out
    >>> scores = squared_error_scores(check_held_out([[1.0, 5.0]], [2.0]))
    >>> way = select_greedily(scores, n_members=2, n_rounds=6)
    >>> way.order, way.n_kept, way.weights
    (array([0, 0, 1, 0, 0, 0]), 4, array([0.75, 0.25]))
    """
    candidates = np.arange(n_members) if candidates is None else candidates
    counts = np.zeros(n_members)
    order, scores = [], []
    for first in _best_alone(candidate_scores(counts, candidates), min(n_init, n_rounds)):
        order.append(candidates[first])
        scores.append(candidate_scores(counts, candidates[[first]])[0])
        counts[order[-1]] += 1
    while len(order) < n_rounds:
        added = candidate_scores(counts, candidates)
        best = _first_best(added, counts[candidates] > 0)
        order.append(candidates[best])
        scores.append(added[best])
        counts[order[-1]] += 1
    n_kept = _first_best(np.array(scores)) + 1
    weights = np.bincount(order[:n_kept], minlength=n_members) / n_kept
    return Selection(np.array(order), np.array(scores), n_kept, weights)


def _best_alone(scores: Floats, n_init: int) -> list[int]:
    """Return the indices of the best scores, best first."""
    left, positions = scores.copy(), []
    for _ in range(min(n_init, len(scores))):
        positions.append(_first_best(left))
        left[positions[-1]] = -np.inf
    return positions


def _first_best(scores: Floats, preferred: Array | None = None) -> int:
    """Return the index of the best score; ties go to a preferred index, then to the first."""
    best = scores.max()
    equal = scores >= best - _TIE * abs(best)
    liked = equal if preferred is None else equal & preferred
    return int(np.argmax(liked if liked.any() else equal))


class GreedySelection(WeightFinder):
    """Weights by greedy selection with replacement, for any score.

    The blend is a mean of picks. Each round adds the pick that gives the best held-out score,
    and the best blend over all rounds is kept. On the held-out rows it is never worse than the best
    member.

    Parameters
    ----------
    scoring : str, callable or None, default=None
        A scikit-learn scorer, its name, or a callable (estimator, X, y). None means log loss
        in classification and squared error in regression, both much faster than a scorer: all
        candidates of a round are tried at once.
    n_rounds : int, default=50
        The number of picks.
    n_init : int, default=1
        The number of initial picks, which are the members with the best scores of their own.
    n_bags : int or None, default=None
        The number of selections from random subsets of the members; the weights are averaged.
        None selects once, from all members.
    bag_fraction : float, default=0.5
        The fraction of the members in a bag, rounded up.
    random_state : int, RandomState, Generator or None, default=None
        Samples the bags; without bags nothing is random.

    References
    ----------
    R. Caruana, A. Niculescu-Mizil, G. Crew, A. Ksikes, Ensemble selection from libraries of
    models, ICML 2004.

    Examples
    --------
    >>> from nonet.combine.weights import GreedySelection
    >>> GreedySelection().find([[1.0, 5.0, 9.0]], [2.0])
    array([0.75, 0.25, 0.  ])
    >>> GreedySelection("neg_mean_absolute_error").find([[1.0, 5.0, 9.0]], [2.0])
    array([0.75, 0.25, 0.  ])
    """

    _rules: Mapping[str, Rule] = {
        "scoring": Nothing() | Scoring(),
        "n_rounds": Integer(1),
        "n_init": Integer(1),
        "n_bags": Nothing() | Integer(1),
        "bag_fraction": Real(0, 1, open_low=True),
        "random_state": Anything(),
    }

    def __init__(
        self,
        scoring: str | Callable[..., float] | None = None,
        *,
        n_rounds: int = 50,
        n_init: int = 1,
        n_bags: int | None = None,
        bag_fraction: float = 0.5,
        random_state: Any = None,
    ) -> None:
        self.scoring = scoring
        self.n_rounds = n_rounds
        self.n_init = n_init
        self.n_bags = n_bags
        self.bag_fraction = bag_fraction
        self.random_state = random_state

    def _find(self, held_out: HeldOut) -> Floats:
        scores = self._candidate_scores(held_out)
        found = [self._select(scores, held_out.n_members, bag) for bag in self._bags(held_out)]
        weights: Floats = np.mean(found, axis=0)
        return weights

    def _candidate_scores(self, held_out: HeldOut) -> CandidateScores:
        if self.scoring is not None:
            return scores_by(self.scoring, held_out)
        default = squared_error_scores if held_out.classes is None else log_loss_scores
        return default(held_out)

    def _bags(self, held_out: HeldOut) -> list[Array | None]:
        if self.n_bags is None:
            return [None]
        root, size = root_seed(self.random_state), ceil(self.bag_fraction * held_out.n_members)
        return [
            np.sort(stream(root, bag).permutation(held_out.n_members)[:size])
            for bag in range(self.n_bags)
        ]

    def _select(self, scores: CandidateScores, n_members: int, bag: Array | None) -> Floats:
        way = select_greedily(
            scores, n_members, n_rounds=self.n_rounds, n_init=self.n_init, candidates=bag
        )
        return way.weights
