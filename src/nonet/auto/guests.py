"""Members from other packages: families by entry point, and estimators that the user gives.

They are tried only when they are named: a package that happens to be installed must not change
results. The group ``nonet.members`` holds one `MemberFamily` for each entry point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import Any

from sklearn.base import BaseEstimator, clone

from nonet._base.errors import one_sentence
from nonet._base.params import Having, bad_parameter
from nonet._base.streams import member_seed
from nonet._base.warn import warn_caller
from nonet.auto.configuration import Configuration
from nonet.auto.families import FAMILIES, MemberFacts
from nonet.auto.member_family import MemberFamily, Params

GROUP = "nonet.members"
DEFAULT = "default"
ALL = "all"
_N_BEFORE = 2  # configurations of the portfolio that come first: a quick one, and the best one
_OWN_OFFERS = {
    name: EntryPoint(name, f"nonet.auto.guest_boosters:{name.upper()}", GROUP)
    for name in ("lightgbm", "xgboost", "catboost")
}
_ESTIMATOR = Having("an estimator", "fit", any_of=("predict", "predict_proba"))
_NAMES_IN_USE = ("ensemble",)  # on the leaderboard


class UnusableFamily(ImportError):
    """A family that was named cannot be used: a package is missing, or its entry point is wrong."""


def offered_families() -> dict[str, EntryPoint]:
    """Return the families that packages offer by entry point, installed or not.

    Returns
    -------
    families : dict of str to EntryPoint
        Those that nonet brings along for other libraries, then those of other packages by name. A
        name of nonet's own is not replaced.

    Examples
    --------
    >>> sorted(offered_families())[:3]
    ['catboost', 'lightgbm', 'xgboost']
    """
    found = dict(_OWN_OFFERS)
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        if entry.name not in (*FAMILIES, DEFAULT, ALL):
            found.setdefault(entry.name, entry)
    return found


def choose_configurations(
    owner: Any,
    portfolio: Sequence[Configuration],
    families: Any,
    extra_members: Mapping[str, Any] | None,
) -> list[Configuration]:
    """Return what a run tries, in its order.

    Parameters
    ----------
    owner : estimator
        Whose parameters they are, for messages.
    portfolio : sequence of Configuration
        Those of nonet.
    families : None, 'all', or list of str
        None is the portfolio; 'default' stands for it in a list.
    extra_members : dict of str to estimator, or None

    Returns
    -------
    configurations : list of Configuration
        Guests come after the first two of the portfolio.
    """
    offered = offered_families()
    named = _check_families(owner, families, offered)
    own = [one for one in portfolio if DEFAULT in named or one.family in named]
    guests = [*_extra_configurations(owner, extra_members, portfolio)]
    for name in named:
        if name in offered:
            guests += _configurations_of(name, offered[name], is_named=families != ALL)
    if not own and not guests:
        known = ", ".join(sorted({repr(one.family) for one in portfolio}))
        allowed = f"a list with some of the families of its portfolio, {known}"
        raise bad_parameter(owner, "families", allowed, families)
    return [*own[:_N_BEFORE], *guests, *own[_N_BEFORE:]]


def _check_families(owner: Any, families: Any, offered: Mapping[str, EntryPoint]) -> list[str]:
    if families is None:
        return [DEFAULT]
    if families == ALL:
        return [DEFAULT, *offered]
    known = (DEFAULT, *FAMILIES, *offered)
    if any(name not in known for name in families):
        allowed = f"None, 'all' or a list of names out of {', '.join(map(repr, known))}"
        raise bad_parameter(owner, "families", allowed, families)
    return list(dict.fromkeys(families))


# ---- Families of other packages ------------------------------------------------------------------


def _configurations_of(name: str, entry: EntryPoint, *, is_named: bool) -> list[Configuration]:
    """Return the configurations of a family; none if it cannot be used and was not named."""
    try:
        family = _load(name, entry)
        _check_is_installed(name, family)
    except UnusableFamily as why:
        if is_named:
            raise
        if not isinstance(why.__cause__, ModuleNotFoundError):  # 'all' is what is installed
            warn_caller(f"families='all' goes without one family: {why}")
        return []
    return [
        Configuration(f"{name}_{variant}", name, params, family)
        for variant, params in family.configurations.items()
    ]


def _load(name: str, entry: EntryPoint) -> MemberFamily:
    try:
        family = entry.load()
    except Exception as why:  # code of others runs here
        reason = one_sentence(f"{type(why).__name__}: {why}")
        raise UnusableFamily(
            f"the family {name!r} cannot be loaded from {entry.value!r}; leave it out, or repair "
            f"its package: {reason}"
        ) from why
    if not isinstance(family, MemberFamily):
        raise UnusableFamily(
            f"the family {name!r} must be a nonet.auto.MemberFamily, but {entry.value!r} is an "
            f"object of type {type(family).__name__}; leave it out, or repair its package."
        )
    return family


def _check_is_installed(name: str, family: MemberFamily) -> None:
    if family.needs is None or find_spec(family.needs) is not None:
        return
    raise UnusableFamily(
        f"the family {name!r} needs the package {family.needs}, which is not installed; run `pip "
        f"install {family.needs}`, or leave the family out."
    ) from ModuleNotFoundError(family.needs)


# ---- Estimators of the user ----------------------------------------------------------------------


def _extra_configurations(
    owner: Any, extra_members: Mapping[str, Any] | None, portfolio: Sequence[Configuration]
) -> list[Configuration]:
    in_use = {*_NAMES_IN_USE, *(one.name for one in portfolio)}
    found = []
    for name, estimator in (extra_members or {}).items():
        if not isinstance(name, str) or not _ESTIMATOR.allows(estimator):
            allowed = "a dict of names to estimators that are not fitted, as {'mine': MyModel()}"
            raise bad_parameter(owner, "extra_members", allowed, {name: estimator})
        if name in in_use:
            allowed = f"a dict of names that the leaderboard does not have, such as 'my_{name}'"
            raise bad_parameter(owner, "extra_members", allowed, {name: estimator})
        family = MemberFamily(_copier(estimator), {})
        params = {"estimator": _in_full(estimator)}
        found.append(Configuration(name, f"extra member {name}", params, family))
    return found


def _copier(estimator: Any) -> Any:
    def make(facts: MemberFacts, params: Params) -> Any:
        copy = clone(estimator, safe=False)
        return _seed_what_is_free(copy, facts.seed) if hasattr(copy, "get_params") else copy

    return make


def _seed_what_is_free(estimator: Any, seed: int) -> Any:
    """Set each ``random_state`` that is None; one that the user has set is kept."""
    free = sorted(
        name
        for name, value in estimator.get_params(deep=True).items()
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    )
    seeds = {name: member_seed(seed, position) for position, name in enumerate(free)}
    return estimator.set_params(**seeds) if seeds else estimator


def _in_full(estimator: Any) -> str:
    """Return the description of an estimator, by which its tasks differ from those of others."""
    own = type(estimator)
    text = (
        estimator.__repr__(N_CHAR_MAX=2**31)
        if own.__repr__ is BaseEstimator.__repr__
        else repr(estimator)
    )
    return f"{own.__module__}.{own.__qualname__}: {text}"
