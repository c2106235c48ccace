"""Hold out rows to score boosting rounds on data that they do not learn from."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import GroupShuffleSplit, train_test_split

from nonet._base.aliases import Array, Codes
from nonet._base.streams import member_seed

_SPLIT = 2**20  # a random stream apart from those of the rounds


def split_rows(
    fraction: float | None, codes: Codes, groups: Any, seed: int
) -> tuple[Array, Array | None]:
    """Return the rows to train on and those held out.

    Groups stay together if there are any; otherwise the split is stratified by class, if each class
    has two rows or more.
    """
    every = np.arange(len(codes))
    if fraction is None:
        return every, None
    seed = member_seed(seed, _SPLIT)
    if groups is not None:
        split = GroupShuffleSplit(n_splits=1, test_size=fraction, random_state=seed)
        train, held = next(split.split(every, codes, groups))
    else:
        stratify = codes if np.bincount(codes).min() > 1 else None
        train, held = train_test_split(
            every, test_size=fraction, random_state=seed, stratify=stratify
        )
    train, held = np.sort(train), np.sort(held)
    if len(np.unique(codes[train])) < len(np.unique(codes)):
        raise ValueError(
            f"hold_out={fraction} leaves no row of some class to train on; hold out less, or give "
            "more rows of that class."
        )
    return train, held
