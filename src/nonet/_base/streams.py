"""Random streams: one per member, from one ``random_state``.

Member i's stream is a function of (root seed, i) alone, so that adding members, folds or
workers changes nothing for the ones that were there before.
"""

from __future__ import annotations

from enum import IntEnum, unique
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from nonet._base.params import Instance, Integer, Nothing, bad_parameter

_SEED_BITS = 31  # scikit-learn takes seeds up to 2**32 - 1, some learners only signed 32 bits


RANDOM_STATE = (
    Nothing()
    | Integer(0)
    | Instance("a RandomState or a Generator", np.random.RandomState, np.random.Generator)
)
"""The rule of every parameter ``random_state``."""


def root_seed(random_state: Any = None) -> int:
    """Turn None, an int, a RandomState or a Generator into one whole number.

    A generator is advanced by one draw; None draws from NumPy's global state, as in
    scikit-learn, so that ``np.random.seed`` at the top of a script makes all of it repeatable.
    """
    if random_state is None:
        return int(np.random.randint(2**_SEED_BITS))  # noqa: NPY002 - the state users seed
    if Integer(0).allows(random_state):
        return int(random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**_SEED_BITS))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**_SEED_BITS))
    allowed = "None, a whole number of at least 0, a RandomState or a Generator"
    raise bad_parameter("random streams", "random_state", allowed, random_state)


def as_random_state(random_state: Any = None) -> np.random.RandomState:
    """Return the old kind of generator, where draws are to be those of scikit-learn."""
    if isinstance(random_state, np.random.RandomState | None):
        state: np.random.RandomState = check_random_state(random_state)
        return state
    return np.random.RandomState(root_seed(random_state) % 2**32)


@unique
class StreamUse(IntEnum):
    """What a generator is for, where a root seed has several uses: the last name of its key.

    Seeds of members have keys of one name, so that no use shares a key with them.
    """

    BAG_ROWS = 0
    BAG_COLUMNS = 1
    PARTITIONS = 2
    BOOSTED_ROWS = 3
    SAMPLED_ROWS = 4


def stream(root: int, *key: int) -> np.random.Generator:
    """Return the generator that belongs to ``key`` under the root seed."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(root, spawn_key=key)))


def member_seed(root: int, member: int) -> int:
    """Return the integer seed of one member (for its ``random_state`` parameter)."""
    words = np.random.SeedSequence(root, spawn_key=(member,)).generate_state(1, np.uint32)
    return int(words[0] >> np.uint32(32 - _SEED_BITS))


def seed_estimator(estimator: Any, seed: int) -> Any:
    """Give the estimator, and every estimator inside it, a ``random_state`` from the seed."""
    if _holds_only_own_state(estimator):
        estimator.random_state = member_seed(seed, 0)
        return estimator
    positions = sorted(
        name
        for name in estimator.get_params(deep=True)
        if name == "random_state" or name.endswith("__random_state")
    )
    seeds = {name: member_seed(seed, position) for position, name in enumerate(positions)}
    return estimator.set_params(**seeds) if seeds else estimator


def _holds_only_own_state(estimator: Any) -> bool:
    """Return whether ``random_state`` is its only one, without the slow check of all names.

    A plain scikit-learn estimator keeps each parameter as the attribute of its name.
    """
    own = type(estimator)
    if getattr(own, "get_params", None) is not BaseEstimator.get_params:
        return False
    values = vars(estimator)
    if own.set_params is not BaseEstimator.set_params or "random_state" not in values:
        return False
    return not any(hasattr(value, "get_params") for value in values.values())
