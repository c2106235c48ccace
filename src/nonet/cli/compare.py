"""``nonet compare``: two models on the same rows, with a paired test."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.auto.metric import check_metric
from nonet.cli.command import Command, add_metric, add_target
from nonet.cli.command import add_table as add_rows
from nonet.cli.command_error import CommandError, UsageError
from nonet.cli.fitted_table import warn_if_fitted_on
from nonet.cli.labelled_rows import read_labelled_rows
from nonet.cli.opened_model import OpenedModel, open_model
from nonet.cli.output import Output
from nonet.cli.paired_scores import PairedScores, compare_scores
from nonet.cli.run_words import score_in_words, with_error

_Rows = tuple[Array, Floats, Floats, Floats | None, str]
"""Targets, the predictions of both models, weights, and which rows these are."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("first", metavar="A", help="a .nonet file, or the folder of a run")
    parser.add_argument("second", metavar="B", help="the other model")
    add_rows(
        parser, "rows with the truth; of two runs on one table, held-out rows", is_optional=True
    )
    add_metric(parser)
    add_target(parser)


def run(options: Namespace, output: Output) -> None:
    """Compare."""
    first, second = open_model(options.first), open_model(options.second)
    _check_same_target(first, second)
    if options.table is None:
        y, *supports, weight, words = _held_out_rows(first, second)
    else:
        y, *supports, weight, words = _rows_of_table(first, second, options, output)
    metric = first.metric(options.metric)
    check_metric(metric, y, 0 if first.classes is None else len(first.classes))
    found = compare_scores(metric, y, supports[0], supports[1], weight)
    names = (first.path, second.path)
    document = {**found.document(names), "n_rows": len(y), "rows": words}
    output.print_result(_lines(found, names, words), document)


def _check_same_target(first: OpenedModel, second: OpenedModel) -> None:
    if first.task != second.task:
        raise CommandError(
            f"{first.path!r} is a model of {first.task} and {second.path!r} one of {second.task}; "
            "only models of one target can be compared."
        )
    if first.classes is not None and not _are_equal(first.classes, second.classes):
        raise CommandError(f"{first.path!r} and {second.path!r} have different classes.")


def _are_equal(first: Array, second: Array | None) -> bool:
    return second is not None and list(map(str, first)) == list(map(str, second))


def _rows_of_table(
    first: OpenedModel, second: OpenedModel, options: Namespace, output: Output
) -> _Rows:
    target = options.target or first.facts.get("target") or second.facts.get("target")
    for opened in (first, second):
        warn_if_fitted_on(opened, options.table, output)
    rows = read_labelled_rows(options.table, first, target)
    return rows.y, first.support(rows.table), second.support(rows.table), None, rows.words


# ---- Held-out rows of two runs -----------------------------------------------------------------


def _held_out_rows(first: OpenedModel, second: OpenedModel) -> _Rows:
    for opened in (first, second):
        if opened.folder is None:
            raise UsageError(
                f"{opened.path!r} is a model file, which holds no rows; give a TABLE with "
                "the truth."
            )
    runs = first.run(), second.run()
    rows = [run.rows for run in runs]
    if not np.array_equal(rows[0].target, rows[1].target):
        raise UsageError(
            f"{first.path!r} and {second.path!r} are runs on different tables; give a TABLE that "
            "both can be scored on."
        )
    (numbers, one), (others, other) = (_predictions_by_row(opened) for opened in (first, second))
    common, of_one, of_other = np.intersect1d(numbers, others, return_indices=True)
    weights = rows[0].weights
    weight = None if weights is None else weights[common]
    words = f"{len(common)} held-out rows of both runs"
    return rows[0].target[common], one[of_one], other[of_other], weight, words


def _predictions_by_row(opened: OpenedModel) -> tuple[Array, Floats]:
    """Return rows and their held-out predictions; of a row held out several times the mean."""
    held_out = opened.run().held_out
    rows, positions = np.unique(held_out.rows, return_inverse=True)
    total = np.zeros((len(rows), held_out.support.shape[1]))
    np.add.at(total, positions, held_out.support)
    support = total / np.bincount(positions)[:, np.newaxis]
    return rows, support if opened.classes is not None else support[:, 0]


# ---- Words -------------------------------------------------------------------------------------


def _lines(found: PairedScores, names: tuple[str, str], words: str) -> list[str]:
    models = zip("AB", names, found.scores, found.errors, strict=True)
    lines = [
        f"{letter} {name}: {score_in_words(found.metric, score, error, words)}"
        for letter, name, score, error in models
    ]
    difference = with_error(found.difference, found.difference_error)
    p_value = f"p = {found.p_value:.3g}" if np.isfinite(found.p_value) else "no test on one row"
    lines.append(f"A - B: {difference}, {found.better} is better, {p_value}")
    if found.mcnemar is not None:
        lines.append(f"labels: {found.mcnemar.method}, p = {found.mcnemar.p_value:.3g}")
    if found.winner is None:
        return [*lines, "No difference beyond the noise of these rows."]
    return [*lines, f"{'AB'[found.winner]} is better."]


COMMAND = Command("compare", "Compare two models on the same rows.", add_arguments, run)
