"""``nonet score``: how good a model is on the rows of a table."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from nonet.auto.metric import check_metric
from nonet.cli.command import Command, add_metric, add_model, add_table, add_target
from nonet.cli.fitted_table import warn_if_fitted_on
from nonet.cli.labelled_rows import read_labelled_rows
from nonet.cli.opened_model import open_model
from nonet.cli.output import Output
from nonet.cli.run_words import score_in_words
from nonet.cli.unread_values import UnreadValues


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_model(parser)
    add_table(parser, "rows with the truth")
    add_metric(parser)
    add_target(parser)


def run(options: Namespace, output: Output) -> None:
    """Score."""
    opened = open_model(options.model)
    metric = opened.metric(options.metric)
    rows = read_labelled_rows(options.table, opened, options.target)
    classes = opened.classes
    check_metric(metric, rows.y, 0 if classes is None else len(classes))
    warn_if_fitted_on(opened, options.table, output)
    unread = UnreadValues(opened.model)
    (table,) = unread.watch([rows.table])
    output.talk(*(f"note      {note}" for note in unread.notes()))
    support = opened.support(table)
    score = metric.shown(metric.loss(rows.y, support))
    error = metric.standard_error(rows.y, support)
    document = {
        "model": opened.path,
        "metric": metric.name,
        "better": metric.better,
        "score": score,
        "standard_error": error,
        "n_rows": len(rows.y),
        "rows": rows.words,
    }
    output.print_result([score_in_words(metric.name, score, error, rows.words)], document)


COMMAND = Command("score", "Score a model on a table that has the truth.", add_arguments, run)
