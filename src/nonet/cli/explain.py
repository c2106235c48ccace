"""``nonet explain``: which columns matter, to all predictions or to that of one row.

Models of trees have exact Shapley values. Others, such as the ensemble of a run, are explained by
permutations, and one row by sampled Shapley values. The first line printed names the method.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import numpy as np

from nonet.cli.column_effects import ColumnEffects
from nonet.cli.command import Command, add_metric, add_model, add_table, add_target
from nonet.cli.command_error import CommandError, UsageError
from nonet.cli.file_label import label_of
from nonet.cli.fit import whole_number
from nonet.cli.labelled_rows import label_rows
from nonet.cli.model_rows import feature_names
from nonet.cli.opened_model import OpenedModel, open_model
from nonet.cli.output import Output
from nonet.cli.permuted_columns import permutation_importances, prediction_changes
from nonet.cli.row_files import column_values
from nonet.cli.sampled_shapley import sample_shapley
from nonet.cli.tree_contributions import explain_row_of_trees, explain_trees, is_made_of_trees
from nonet.report.sampling import sample_positions
from nonet.tables.column_names import count_rows
from nonet.tables.readers import read_table
from nonet.tables.table import Table
from nonet.tables.target import find_target

_MAX_ROWS = 2000
_SEED = 0


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_model(parser)
    add_table(parser, "rows to explain")
    parser.add_argument(
        "--row",
        type=whole_number,
        metavar="N",
        help="explain the prediction of this row; 1 is the first below the names",
    )
    add_metric(parser)
    add_target(parser)


def run(options: Namespace, output: Output) -> None:
    """Explain."""
    opened = open_model(options.model)
    table = read_table(options.table)
    target = _target(opened, table, options)
    features = table if target is None else table.without(target)
    names = feature_names(opened.model, features)
    if not names:
        raise CommandError("the table has none of the columns that the model reads.")
    if options.row is not None:
        found = _explain_row(opened, features, names, options)
    elif target is None or is_made_of_trees(opened.model):
        found = _explain_predictions(opened, features, names, options)
    else:
        found = _explain_scores(opened, table, target, names, options)
    output.print_result(found.lines(), {"model": opened.path, **found.document()})


def _target(opened: OpenedModel, table: Table, options: Namespace) -> str | None:
    """Return the column with the truth, None if the table has none."""
    if options.target is not None:
        return find_target(table, options.target)
    name = opened.facts.get("target")
    return name if name is not None and name in table else None


def _sample(table: Table, options: Namespace) -> tuple[Table, str]:
    """Return a table of not too many rows, and which rows these are."""
    chosen = sample_positions(table.n_rows, _MAX_ROWS, _SEED)
    sampled = " sampled" if len(chosen) < table.n_rows else ""
    words = f"{count_rows(len(chosen))}{sampled} of {label_of(options.table)}"
    return table.take(chosen), words


def _explain_predictions(
    opened: OpenedModel, features: Table, names: list[str], options: Namespace
) -> ColumnEffects:
    some, words = _sample(features, options)
    if is_made_of_trees(opened.model):
        return explain_trees(opened, some, names, words)
    return prediction_changes(opened.support, some, names, words, _SEED)


def _explain_scores(
    opened: OpenedModel, table: Table, target: str, names: list[str], options: Namespace
) -> ColumnEffects:
    known = label_rows(table, label_of(options.table), target, opened.classes)
    some, words = _sample(known.table, options)
    y = known.y[sample_positions(len(known.y), _MAX_ROWS, _SEED)]
    metric = opened.metric(options.metric)
    return permutation_importances(opened.support, some, names, y, metric, words, _SEED)


def _explain_row(
    opened: OpenedModel, table: Table, names: list[str], options: Namespace
) -> ColumnEffects:
    position = options.row - 1
    if not 0 <= position < table.n_rows:
        raise UsageError(
            f"--row {options.row} is none of {label_of(options.table)}, whose rows are 1 to "
            f"{table.n_rows}."
        )
    row = table.take(np.array([position]))
    values = [column_values(row[name])[0] for name in names]
    words = f"row {options.row} of {label_of(options.table)}"
    if is_made_of_trees(opened.model):
        return explain_row_of_trees(opened, row, names, values, words)
    support = opened.support(row)
    code = None if opened.classes is None else int(np.argmax(support[0]))

    def predict(rows: Table) -> np.ndarray:
        found = opened.support(rows)
        return found if code is None else found[:, code]

    found = sample_shapley(predict, table, position, names, _SEED)
    of = "prediction" if code is None else f"probability of {opened.classes[code]}"  # type: ignore[index]
    return ColumnEffects(
        f"Sampled Shapley values, {found.n_orders} orders of the columns",
        f"contributions to the {of}",
        words,
        names,
        found.contributions,
        found.errors,
        values,
        {"prediction": found.prediction, "mean prediction": found.base},
    )


COMMAND = Command("explain", "Explain which columns matter.", add_arguments, run)
