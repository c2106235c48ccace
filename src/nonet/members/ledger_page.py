"""Pages of the ledger: the held-out answers of many members, averaged where there are several."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nonet._base.aliases import SILENT, Array, Codes, Floats, Kind
from nonet.members.outputs import Targets

Entry = tuple[Array, int, Targets]
"""Rows, place of the member, its answers on these rows."""


def write_page(
    entries: Sequence[Entry], n_members: int, n_samples: int, n_classes: Sequence[int] | None
) -> tuple[Targets, Codes]:
    """Return the answers of all members on all rows, and how many stand behind each.

    Parameters
    ----------
    entries : sequence of (rows, place, answers)
        At least one; the rows of an entry are distinct.
    n_members, n_samples : int
    n_classes : sequence of int or None
        The number of classes of each target; None in regression.

    Returns
    -------
    answers : list of ndarray
        For each target (n, k) or (n, k, c). Several answers on a row are averaged, labels put
        to the vote; NaN, or code -1, where there is none.
    coverage : ndarray of int of shape (n, k)
    """
    coverage = np.zeros((n_samples, n_members), dtype=np.int32)
    for rows, place, _ in entries:
        coverage[rows, place] += 1
    pages = [_blank(first, n_members, n_samples) for first in entries[0][2]]
    for place in range(n_members):
        own = [(rows, answers) for rows, of, answers in entries if of == place]
        for target, page in enumerate(pages):
            answers = [(rows, of_target[target]) for rows, of_target in own]
            if page.dtype.kind == "i":
                assert n_classes is not None
                page[:, place] = _vote(answers, n_samples, n_classes[target])
            else:
                _average(answers, coverage[:, place], page[:, place])
    return pages, coverage


def _blank(example: Array, n_members: int, n_samples: int) -> Array:
    """Return an empty page, stored member by member as in ``nonet.members.outputs``."""
    nothing = SILENT if example.dtype.kind == "i" else np.nan
    page = np.full((n_members, n_samples, *example.shape[1:]), nothing, dtype=example.dtype)
    return np.moveaxis(page, 0, 1)


def _average(answers: list[tuple[Array, Array]], times: Codes, page: Floats) -> None:
    covered = times > 0
    page[covered] = 0
    for rows, values in answers:
        page[rows] += values
    if times.max(initial=0) > 1:
        page[covered] /= times[covered].reshape(-1, *[1] * (page.ndim - 1))


def _vote(answers: list[tuple[Array, Array]], n_samples: int, n_classes: int) -> Codes:
    """Return the class named most often, the first of equals; silent where nobody named one."""
    votes = np.zeros((n_samples, n_classes), dtype=np.int32)
    for rows, codes in answers:
        spoken = codes >= 0
        votes[rows[spoken], codes[spoken]] += 1
    named: Codes = np.where(votes.any(axis=1), votes.argmax(axis=1), SILENT)
    return named


def as_support(answers: Targets, kind: Kind, n_classes: Sequence[int]) -> Targets:
    """Return answers of any kind with one number for each class, so that kinds can share a page.

    A label is a one for its class; a value says the same of every class.
    """
    if kind == "labels":
        return [
            (codes[:, np.newaxis] == np.arange(count)).astype(np.float64)
            for codes, count in zip(answers, n_classes, strict=True)
        ]
    if kind == "values":
        return [
            np.repeat(values[:, np.newaxis], count, axis=1)
            for values, count in zip(answers, n_classes, strict=True)
        ]
    return answers
