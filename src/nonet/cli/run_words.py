"""A run in words, and as a document of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonet.auto import AutoScore, Leaderboard, LeaderboardRow, Run
from nonet.tables.column_names import count_of

_N_SHOWN = 8


def run_lines(run: Run, *, is_whole: bool = False) -> list[str]:
    """Return the leaderboard, the honest score and the warnings of a run.

    Parameters
    ----------
    run : Run
    is_whole : bool, default=False
        Whether all of the leaderboard is shown, with what was not run.
    """
    lines = leaderboard_lines(run.leaderboard, is_whole=is_whole)
    lines += ["", *score_lines(run.honest_score)]
    return [*lines, *(f"warning   {sentence}" for sentence in run.warnings)]


def leaderboard_lines(board: Leaderboard, *, is_whole: bool = False) -> list[str]:
    r"""Return a leaderboard as lines; its first rows, or all of it.

    Examples
    --------
    >>> row = LeaderboardRow("default", 0.25, 0.01, 1.0, 2.5, "100 held-out rows of 5 folds")
    >>> print(*leaderboard_lines(Leaderboard("log_loss", "smaller", [row])), sep="\n")
    Leaderboard: log_loss, smaller is better
      name      score    error  weight  seconds  rows
      default    0.25     0.01   1.000      2.5  100 held-out rows of 5 folds
    """
    shown = list(board.rows) if is_whole else _best(board)
    lines = str(Leaderboard(board.metric, board.better, shown)).splitlines()
    n_more = len(board.rows) - len(shown)
    return [*lines, f"  ... and {n_more} more"] if n_more else lines


def _best(board: Leaderboard) -> list[LeaderboardRow]:
    """Return the ensemble and the best other rows, in their order."""
    scored = [row for row in board.rows if not np.isnan(row.score)]
    chosen = scored[:_N_SHOWN]
    chosen += [row for row in scored[_N_SHOWN:] if row.name == "ensemble"]
    return chosen


def score_lines(score: AutoScore) -> list[str]:
    """Return an honest score as lines.

    Examples
    --------
    >>> score_lines(AutoScore("log_loss", "smaller", 0.25, 0.01, "100 held-out rows of 5 folds"))
    ['score     log_loss 0.25 +- 0.01 on 100 held-out rows of 5 folds']
    """
    first = score_in_words(score.metric, score.score, score.standard_error, score.rows)
    lines = [f"score     {first}"]
    if score.untouched_score is not None:
        error = float("nan") if score.untouched_error is None else score.untouched_error
        also = score_in_words(score.metric, score.untouched_score, error, str(score.untouched_rows))
        lines.append(f"          {also}")
    return lines


def score_in_words(metric: str, score: float, error: float, rows: str) -> str:
    """Return a score with its standard error, and the rows it is from.

    Examples
    --------
    >>> score_in_words("rmse", 12.3456, 0.789, "100 rows of new.csv")
    'rmse 12.35 +- 0.79 on 100 rows of new.csv'
    >>> score_in_words("rmse", 12.3456, float("nan"), "1 row of new.csv")
    'rmse 12.35 on 1 row of new.csv'
    """
    return f"{metric} {with_error(score, error)} on {rows}"


def with_error(score: float, error: float) -> str:
    """Return a number with its standard error, if there is one: a single row has none.

    Examples
    --------
    >>> with_error(12.3456, 0.789), with_error(0.25, float("nan"))
    ('12.35 +- 0.79', '0.25')
    """
    return f"{score:.4g}" + (f" +- {error:.2g}" if np.isfinite(error) else "")


def run_document(run: Run) -> dict[str, Any]:
    """Return a run for JSON.

    Parameters
    ----------
    run : Run
    """
    return {
        "task": run.task,
        "target": run.target,
        "classes": classes_of(run.model),
        "score": vars(run.honest_score),
        "leaderboard": [vars(row) for row in run.leaderboard.rows],
        "notes": run.notes,
        "warnings": run.warnings,
        "seconds": run.seconds,
        "settings": settings_document(run.settings),
    }


def settings_document(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings for JSON; folds that list their rows are left to their number.

    Examples
    --------
    >>> settings_document({"cv": [[[0], [1]], [[0, 1], [2]]], "max_tasks": 4, "verbose": 1})
    {'cv': '2 folds of given rows', 'max_tasks': 4}
    """
    shown = {name: one for name, one in settings.items() if name != "verbose"}
    cv = settings.get("cv")
    return (
        {**shown, "cv": f"{count_of(len(cv), 'fold')} of given rows"}
        if isinstance(cv, list)
        else shown
    )


def classes_of(model: Any) -> list[Any] | None:
    """Return the classes of a classifier as a list, None for other models.

    Examples
    --------
    >>> classes_of(object()) is None
    True
    """
    classes = getattr(model, "classes_", None)
    return None if classes is None else [*np.asarray(classes).tolist()]
