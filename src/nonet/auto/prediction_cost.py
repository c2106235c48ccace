"""What predictions of a run cost, and the best blend that stays below a bound."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from nonet._base.aliases import Floats
from nonet._base.warn import warn_caller
from nonet.auto.blend import Blend
from nonet.auto.fold_task import predict_rows
from nonet.auto.held_out import Page
from nonet.auto.search import Search
from nonet.members.member import Member

_N_ROWS = 1000  # that are predicted to see what it takes
_N_REPEATS = 3
_SOME_ROWS = 512  # that are predicted for the leaderboard
_FEW_ROWS = 32  # of members that may take long
_SLOW_FAMILIES = frozenset(["neighbors"])


def measure_costs(search: Search, names: list[str]) -> dict[str, float]:
    """Return the microseconds per row that each configuration takes, with its models of all folds.

    Parameters
    ----------
    search : Search
        After its run.
    names : list of str
        Configurations that are done.

    Returns
    -------
    costs : dict of str to float
    """
    return {name: _measure(search, name) for name in names}


def _measure(search: Search, name: str) -> float:
    models = search.record.models_of(name)
    total = 0.0
    for fold, model in zip(search.record.folds_of(name), models, strict=True):
        rows = search.data.folds[fold][1][:_N_ROWS]
        X = search.data.rows_of(fold, rows, search.record.prep_of(name))
        predict = partial(predict_rows, model)
        total += min(_time(predict, X) for _ in range(_N_REPEATS)) / len(rows)
    return 1e6 * total


def _time(predict: Callable[[Floats], Any], X: Floats) -> float:
    began = time.perf_counter()
    predict(X)
    return time.perf_counter() - began


def members_costs(search: Search, members: Sequence[Member], X: Floats) -> dict[str, float]:
    """Return the microseconds per row that each member of an ensemble takes.

    How often a member is called depends on its family, never on the time that it takes.

    Parameters
    ----------
    search : Search
    members : sequence of Member
    X : ndarray of shape (n_rows, n_columns)
        Rows that the members read.

    Returns
    -------
    costs : dict of str to float
    """
    slow = {
        one.name
        for one in search.configurations
        if one.guest is not None or one.family in _SLOW_FAMILIES
    }
    return {
        member.name: _member_cost(member, X[: _FEW_ROWS if member.name in slow else _SOME_ROWS])
        for member in members
    }


def _member_cost(member: Member, X: Floats) -> float:
    predict = member.estimator.predict
    predict(X)  # the first call may prepare others
    return 1e6 * _time(predict, X) / len(X)


def blend_within(
    limit: float, costs: Mapping[str, float], page: Page, find: Callable[[Page], Blend]
) -> Blend:
    """Return a blend whose predictions take at most some microseconds per row.

    Configurations that take more alone are left out. Then one is left out and weights are found
    again, until the rest is cheap enough: once the one with the least weight, and once the one
    with the least weight for its cost. The blend with the lower loss of the two is returned.

    Parameters
    ----------
    limit : float
        Microseconds per row.
    costs : mapping of str to float
        Of each configuration of the page.
    page : Page
    find : callable
        ``find(page)`` is the blend of the configurations of a page.

    Returns
    -------
    blend : Blend
        If no configuration is cheap enough it is the cheapest one, with a warning.
    """
    names = [name for name in page.names if costs[name] <= limit]
    if not names:
        cheapest = min(page.names, key=lambda name: costs[name])
        warn_caller(
            f"no configuration predicts a row within max_us_per_row={limit:g} microseconds; the "
            f"cheapest one, {cheapest!r}, which takes {costs[cheapest]:.3g}, is used alone."
        )
        return find(page.select([cheapest]))
    blend = find(page.select(names))
    free = dict.fromkeys(names, 1.0)
    reduced = (_reduce(blend, limit, costs, worth, page, find) for worth in (free, costs))
    return min(reduced, key=lambda blend: blend.loss)


def _reduce(
    blend: Blend,
    limit: float,
    costs: Mapping[str, float],
    worth: Mapping[str, float],
    page: Page,
    find: Callable[[Page], Blend],
) -> Blend:
    """Leave out the least weight per worth until the blend is within the limit."""
    while sum(costs[name] for name in blend.names) > limit:
        weights = dict(zip(blend.names, blend.weights, strict=True))
        least = min(weights, key=lambda name: weights[name] / worth[name])
        blend = find(page.select([name for name in blend.names if name != least]))
    return blend
