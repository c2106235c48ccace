"""A warning where a model is scored on the table that it was fitted on."""

from __future__ import annotations

from nonet.cli.file_label import STANDARD_INPUT, label_of
from nonet.cli.opened_model import OpenedModel
from nonet.cli.output import Output
from nonet.cli.run_words import score_in_words


def warn_if_fitted_on(opened: OpenedModel, table: str, output: Output) -> None:
    """Print a warning if a file has the name of the one that a model was fitted on.

    Parameters
    ----------
    opened : OpenedModel
    table : str
        The path of the table.
    output : Output
    """
    if table == STANDARD_INPUT or opened.facts.get("table") != label_of(table):
        return
    honest = opened.model.honest_score_
    words = score_in_words(honest.metric, honest.score, honest.standard_error, honest.rows)
    output.talk(
        f"nonet: {opened.path!r} was fitted on a table of this name; if these are the same rows, "
        f"numbers from them are too good, and the honest score is {words}."
    )
