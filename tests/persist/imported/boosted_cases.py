"""Rows and targets for boosters of other libraries."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd

RNG = np.random.default_rng(0)
NUMBERS = RNG.normal(size=(400, 4))
WORDS = RNG.choice(list("pqrstuvw"), 400)
Y = NUMBERS[:, 0] + 2 * NUMBERS[:, 1] + 2 * np.isin(WORDS, ["q", "t"]) + RNG.normal(size=400)
CODES = np.digitize(Y, [-1, 1])
LABELS = np.array(["low", "middle", "high"])[CODES]
COUNTS = np.floor(np.exp(Y / 4))
POSITIVE = np.exp(Y / 4)
FRAME = pd.DataFrame(np.where(RNG.random((400, 4)) < 0.1, np.nan, NUMBERS), columns=list("abcd"))
FRAME["d"] = FRAME["d"].round(1)
FRAME["word"] = pd.Categorical(np.where(RNG.random(400) < 0.1, None, WORDS))
FRAME["number"] = pd.Categorical(RNG.choice([9, 3, 5, 1], 400))


def assert_same_leaves(ours, theirs):
    """Compare leaves that are numbered differently: the same rows must lie together."""
    ours, theirs = (np.asarray(leaves).reshape(len(leaves), -1) for leaves in (ours, theirs))
    assert ours.shape == theirs.shape
    for mine, other in zip(ours.T, theirs.T, strict=True):
        pairs = len(set(zip(mine.tolist(), other.tolist(), strict=True)))
        assert pairs == len(set(mine.tolist())) == len(set(other.tolist()))


def outcomes_of_mutants(read, content, rows, path, letters=b'0123456789-. []{},":e'):
    """Change a few bytes of a file, 200 times: which outcomes are there?"""
    rng, outcomes = np.random.default_rng(0), set()
    letters = np.frombuffer(letters, np.uint8)
    for _ in range(200):
        mutated = bytearray(content)
        for position in rng.integers(len(content), size=rng.integers(1, 4)):
            mutated[position] = rng.choice(letters)
        path.write_bytes(mutated)
        try:
            with warnings.catch_warnings():  # of names that are lost
                warnings.simplefilter("ignore", UserWarning)
                assert len(read(path).predict(rows)) == len(rows)
            outcomes.add("read")
        except ValueError:  # a ModelFileError, or names of columns that are no longer the same
            outcomes.add("refused")
    return outcomes
