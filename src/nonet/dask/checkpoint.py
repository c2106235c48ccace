"""The rounds of a fit so far in a file, to go on from after the scheduler or this process ended."""

from __future__ import annotations

import json
import os
import time
from functools import partial
from hashlib import sha256
from pickle import dumps
from typing import Any, BinaryIO

import numpy as np

from nonet._base.atomic_file import replace_file
from nonet._native.tree import Tree, trees_from_bytes, trees_to_bytes
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.early_stopping.round_watch import RoundWatch
from nonet.boosting.gradient.rounds import Watcher

# Writing takes little time, and shall never take much of a fit.
_SECONDS_BETWEEN = 5.0
# Settings that do not change the trees.
_FREE = ("max_iter", "verbose")


class Checkpoint:
    """Rounds that were read from a file, and the file for those that come.

    Parameters
    ----------
    path : path or None
        The file; None keeps nothing.
    identity : str
        Of settings and rows, which have to be the same.
    rounds : list of lists of Tree
        The rounds so far.
    scores : dict of str to list of float
        The scores of the sets that are watched, after each of these rounds.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        identity: str,
        rounds: list[list[Tree]],
        scores: dict[str, list[float]],
    ) -> None:
        self.path, self.identity, self.rounds, self.scores = path, identity, rounds, scores

    @classmethod
    def open(
        cls, path: str | os.PathLike[str] | None, model: Any, data: tuple[Any, ...]
    ) -> Checkpoint:
        """Read a checkpoint, or begin one if there is no such file."""
        settings = {k: v for k, v in model.get_params(deep=False).items() if k not in _FREE}
        identity = sha256(dumps((sorted(settings.items()), data, model._random_seed))).hexdigest()
        if path is None or not os.path.exists(path):
            return cls(path, identity, [], {})
        with open(path, "rb") as file:
            found = _read(file.read(), path)
        if found["identity"] != identity:
            raise ValueError(
                f"The checkpoint {os.fspath(path)!r} is of a fit with other settings, another "
                "random_state or other rows; give it another name, or remove it."
            )
        trees = trees_from_bytes(found["trees"]) if found["trees"] else []
        per_round = found["trees_per_round"]
        rounds = [trees[i : i + per_round] for i in range(0, len(trees), per_round)]
        return cls(path, identity, rounds[: model.max_iter], found["scores"])

    def writer(self, booster: Booster, watch: RoundWatch | None) -> Watcher:
        """Return a watcher that writes the rounds of a booster every few seconds."""
        return Watcher() if self.path is None else _Writer(self, booster, watch)

    def write(self, booster: Booster, watch: RoundWatch | None) -> None:
        """Write all rounds; the file is replaced as a whole."""
        assert self.path is not None
        trees = [tree for trees in booster.rounds for tree in trees]
        results = {} if watch is None else watch.results
        head = {
            "identity": self.identity,
            "trees_per_round": booster.loss.n_scores,
            "scores": {name: by_metric["score"] for name, by_metric in results.items()},
        }
        content = json.dumps(head).encode() + b"\n" + trees_to_bytes(trees)
        replace_file(self.path, partial(_write_all, content))


class _Writer(Watcher):
    def __init__(self, checkpoint: Checkpoint, booster: Booster, watch: RoundWatch | None) -> None:
        self._checkpoint, self._booster, self._watch = checkpoint, booster, watch
        self._written = -np.inf

    def look(self, booster: Booster) -> None:
        """Write the rounds, unless that was done a moment ago."""
        if time.monotonic() - self._written >= _SECONDS_BETWEEN:
            self._checkpoint.write(self._booster, self._watch)
            self._written = time.monotonic()


def _write_all(content: bytes, file: BinaryIO) -> None:
    file.write(content)


def _read(content: bytes, path: str | os.PathLike[str]) -> dict[str, Any]:
    head, _, trees = content.partition(b"\n")
    try:
        return {**json.loads(head), "trees": trees}
    except ValueError:
        raise ValueError(
            f"{os.fspath(path)!r} is no checkpoint of a fit on partitions; give it another name."
        ) from None
