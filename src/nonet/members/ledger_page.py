"""Pages of the ledger: held-out predictions of many members, averaged where there are several."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nonet._base.aliases import ABSTAINED, Array, Codes, Floats, Kind
from nonet.members.outputs import Targets

Entry = tuple[Array, int, Targets]
"""Rows, position of the member, its predictions on these rows."""


def write_page(
    entries: Sequence[Entry], n_members: int, n_samples: int, n_classes: Sequence[int] | None
) -> tuple[Targets, Codes]:
    """Return the predictions of all members on all rows, and the number behind each.

    Parameters
    ----------
    entries : sequence of (rows, position, predictions)
        At least one; the rows of an entry are distinct.
    n_members, n_samples : int
    n_classes : sequence of int or None
        The number of classes of each target; None in regression.

    Returns
    -------
    predictions : list of ndarray
        For each target (n, k) or (n, k, c). Several predictions for a row are averaged, labels
        decided by vote; NaN, or code -1, where there is none.
    coverage : ndarray of int of shape (n, k)
    """
    coverage = np.zeros((n_samples, n_members), dtype=np.int32)
    for rows, position, _ in entries:
        coverage[rows, position] += 1
    pages = [_blank(first, n_members, n_samples) for first in entries[0][2]]
    for position in range(n_members):
        own = [(rows, predictions) for rows, of, predictions in entries if of == position]
        for target, page in enumerate(pages):
            predictions = [(rows, of_target[target]) for rows, of_target in own]
            if page.dtype.kind == "i":
                assert n_classes is not None
                page[:, position] = _vote(predictions, n_samples, n_classes[target])
            else:
                _average(predictions, coverage[:, position], page[:, position])
    return pages, coverage


def _blank(example: Array, n_members: int, n_samples: int) -> Array:
    """Return an empty page, stored member by member as in ``nonet.members.outputs``."""
    nothing = ABSTAINED if example.dtype.kind == "i" else np.nan
    page = np.full((n_members, n_samples, *example.shape[1:]), nothing, dtype=example.dtype)
    return np.moveaxis(page, 0, 1)


def _average(predictions: list[tuple[Array, Array]], times: Codes, page: Floats) -> None:
    covered = times > 0
    page[covered] = 0
    for rows, values in predictions:
        page[rows] += values
    if times.max(initial=0) > 1:
        page[covered] /= times[covered].reshape(-1, *[1] * (page.ndim - 1))


def _vote(predictions: list[tuple[Array, Array]], n_samples: int, n_classes: int) -> Codes:
    """Return the class predicted most often, the first of equals; -1 where there is none."""
    votes = np.zeros((n_samples, n_classes), dtype=np.int32)
    for rows, codes in predictions:
        voted = codes >= 0
        votes[rows[voted], codes[voted]] += 1
    named: Codes = np.where(votes.any(axis=1), votes.argmax(axis=1), ABSTAINED)
    return named


def as_support(predictions: Targets, kind: Kind, n_classes: Sequence[int]) -> Targets:
    """Return predictions of any kind as one number per class, so that a page can mix kinds.

    A label becomes a one for its class; a value is repeated for every class.
    """
    if kind == "labels":
        return [
            (codes[:, np.newaxis] == np.arange(count)).astype(np.float64)
            for codes, count in zip(predictions, n_classes, strict=True)
        ]
    if kind == "values":
        return [
            np.repeat(values[:, np.newaxis], count, axis=1)
            for values, count in zip(predictions, n_classes, strict=True)
        ]
    return predictions
