"""Configurations: which members the auto-ensembler may fit, read from ``portfolio.toml``.

A configuration is data: a name, a family, its parameters and the columns that it reads. What a
family is, and how its parameters become an estimator, is in `families`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from nonet._base.aliases import Task
from nonet.auto.member_family import MemberFamily


@dataclass(frozen=True)
class Configuration:
    """One entry of the portfolio.

    Attributes
    ----------
    name : str
        Its name on the leaderboard.
    family : str
        A key of `nonet.auto.families.FAMILIES`, or the name of a guest.
    params : dict
        Parameters of the family.
    guest : MemberFamily or None
        What makes its estimators, if the family is not one of nonet's own.
    prep : str
        Which prepared columns are read besides those of the table: 'none', or a key of
        `nonet.auto.preparation.PREPARATIONS`.
    """

    name: str
    family: str
    params: Mapping[str, Any] = field(default_factory=dict)
    guest: MemberFamily | None = field(default=None, compare=False, repr=False)
    prep: str = "none"

    @property
    def is_prepared(self) -> bool:
        """Whether prepared columns are read."""
        return self.prep != "none"

    def without_preparation(self) -> Configuration:
        """Return it with the columns of the table alone."""
        return replace(self, prep="none")

    def fits_like(self, other: Configuration) -> bool:
        """Return whether another one makes the same models of the same columns."""
        return (self.family, self.prep, self.params) == (other.family, other.prep, other.params)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, for hashes and files."""
        plain = {"name": self.name, "family": self.family, "params": dict(self.params)}
        return {**plain, "prep": self.prep} if self.is_prepared else plain


@cache
def _read_portfolio() -> dict[str, Any]:
    text = files("nonet.auto").joinpath("portfolio.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def read_portfolio(task: Task) -> list[Configuration]:
    """Return the configurations of a task, in the order in which they are tried.

    Parameters
    ----------
    task : {'regression', 'classification'}

    Returns
    -------
    configurations : list of Configuration

    Examples
    --------
    >>> read_portfolio("regression")[0].family
    'boosted_trees'
    """
    portfolio = _read_portfolio()
    known = {entry["name"]: Configuration(**entry) for entry in portfolio["configuration"]}
    return [known[name] for name in portfolio["order"][task]]


def without_preparations(configurations: Sequence[Configuration]) -> list[Configuration]:
    """Return configurations with the columns of the table alone, equal ones once.

    Parameters
    ----------
    configurations : sequence of Configuration

    Returns
    -------
    configurations : list of Configuration

    Examples
    --------
    >>> near = Configuration("near", "neighbors", {"n_neighbors": 5})
    >>> others = [replace(near, name=prep, prep=prep) for prep in ("numbers", "all")]
    >>> [one.name for one in without_preparations([near, *others])]
    ['near']
    """
    found: list[Configuration] = []
    for one in configurations:
        plain = one.without_preparation()
        known = [*found, *configurations] if one.is_prepared else []
        if not any(plain.fits_like(other) for other in known):
            found.append(plain)
    return found
