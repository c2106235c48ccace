"""What a package offers to the auto-ensembler: a family of members by entry point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Params = Mapping[str, Any]


@dataclass(frozen=True)
class MemberFamily:
    """A family of members for the auto-ensembler, offered by another package.

    A package names one in the entry-point group ``nonet.members``; users select it by the name of
    the entry point, ``families=["default", "my_family"]``.

    Attributes
    ----------
    make : callable
        ``make(facts, params)`` returns an estimator that is not fitted. ``facts`` has ``task``
        ('classification' or 'regression'), ``categorical`` (which columns hold codes of
        categories, an array of bool) and ``seed``; ``params`` are those of a configuration. The
        estimator reads an array of numbers in which NaN is a missing value; classes are 0, 1, ...,
        and a classifier has ``predict_proba``.
    configurations : dict of str to dict
        Configurations by their names, the best one first: parameters of numbers, text, None, lists
        and dictionaries. The leaderboard shows them as ``family_name``.
    stops_at_deadlines : bool, default=False
        Whether fits end by themselves at a deadline, as boosters of nonet do. Others are run in a
        process that can be killed.
    needs : str or None, default=None
        A package that has to be installed.

    Examples
    --------
    >>> import nonet
    >>> from sklearn.linear_model import Ridge
    >>> def make(facts, params):
    ...     return Ridge(**params)
    >>> family = nonet.auto.MemberFamily(make, {"weak": {"alpha": 0.1}, "strong": {"alpha": 10.0}})
    >>> list(family.configurations)
    ['weak', 'strong']
    >>> family.make(None, family.configurations["weak"])
    Ridge(alpha=0.1)
    """

    make: Callable[[Any, Params], Any]
    configurations: Mapping[str, Params] = field(default_factory=lambda: {"default": {}})
    stops_at_deadlines: bool = False
    needs: str | None = None
