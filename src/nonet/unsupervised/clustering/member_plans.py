"""Plans of clusterings: which clusterer, rows, columns, number of clusters and seed each one gets.

The random stream of member i depends on the seed and on i alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from nonet._base.params import Integer, Rule
from nonet._base.streams import member_seed, stream
from nonet.members.plan import MemberPlan
from nonet.unsupervised.sample_sizes import SampleSizes, sample_units

# Keys of the streams of a member.
_ROWS, _COLUMNS, _CLUSTERS = 0, 1, 2
_MAX_AUTO_CLUSTERS = 100


class ClusterRange(Rule):
    """A pair of numbers of clusters, the lower one first."""

    def allows(self, value: Any) -> bool:
        """Return whether the value is such a pair."""
        is_pair = isinstance(value, tuple | list) and len(value) == 2
        return is_pair and all(map(Integer(1).allows, value)) and value[0] <= value[1]

    def describe(self) -> str:
        """Describe the pair."""
        return "a pair (low, high) with 1 <= low <= high"


def cluster_range(owner: Any, n_clusters: int, n_drawn_rows: int) -> tuple[int, int] | None:
    """Return the range of the members' numbers of clusters; None leaves them as they are.

    'auto' is the number of the consensus for votes and medians. Evidence is best accumulated from
    many small clusters: about the square root of the number of rows, at least twice as many as
    the consensus has.
    """
    wanted = owner.member_clusters
    if wanted is None or (wanted == "auto" and isinstance(owner.estimator, list | tuple)):
        return None
    if isinstance(wanted, str):
        low, high = _automatic_range(owner.combine, n_clusters, n_drawn_rows)
    elif isinstance(wanted, tuple | list):
        low, high = wanted
    else:
        low = high = wanted
    return min(low, n_drawn_rows), min(high, n_drawn_rows)


def _automatic_range(combine: str, n_clusters: int, n_rows: int) -> tuple[int, int]:
    if combine != "evidence" or n_clusters == 1:
        return n_clusters, n_clusters
    root = min(int(n_rows**0.5), _MAX_AUTO_CLUSTERS)
    return max(2 * n_clusters, root // 2), max(3 * n_clusters, root)


def plan_members(
    named: list[tuple[str, Any]],
    sizes: SampleSizes,
    clusters: tuple[int, int] | None,
    seed: int,
    are_given: bool,
) -> list[MemberPlan]:
    """Return one plan for each named clusterer; a given one keeps its seed, if it has one."""
    return [
        MemberPlan(
            name,
            with_clusters(model, clusters, stream(seed, position, _CLUSTERS)),
            rows=sample_units(sizes.n_rows, sizes.n_drawn_rows, stream(seed, position, _ROWS)),
            columns=sample_units(
                sizes.n_columns, sizes.n_drawn_columns, stream(seed, position, _COLUMNS)
            ),
            seed=None if are_given and _is_seeded(model) else member_seed(seed, position),
        )
        for position, (name, model) in enumerate(named)
    ]


def with_clusters(model: Any, clusters: tuple[int, int] | None, random: np.random.Generator) -> Any:
    """Return a clone with a sampled number of clusters, if the clusterer has such a parameter."""
    if clusters is None:
        return model
    name = count_parameter(model)
    if name is None:
        return model
    low, high = clusters
    return clone(model).set_params(**{name: int(random.integers(low, high + 1))})


def _is_seeded(model: Any) -> bool:
    return getattr(model, "random_state", None) is not None


def count_parameter(model: Any) -> str | None:
    """Return the name of the parameter that sets the number of clusters; None if there is none.

    A pipeline has that of its clusterer.
    """
    names: list[str] = list(model.get_params()) if hasattr(model, "get_params") else []
    inner = [name for name in names if name.rpartition("__")[2] == "n_clusters"]
    if inner:
        return min(inner, key=len)
    return "n_components" if "n_components" in names else None
