"""Reports: what a model is worth and why, as facts and as one page."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any, BinaryIO, ClassVar

from nonet._base.atomic_file import replace_file
from nonet._base.errors import show
from nonet._base.params import Integer, bad_parameter
from nonet._base.results import Result
from nonet.auto.run import Run
from nonet.report.facts import collect_facts
from nonet.report.model_subject import subject_of_model
from nonet.report.run_subject import subject_of_run

_MAX_ROWS, _RANDOM_STATE = Integer(1), Integer(0)


@dataclass(frozen=True, eq=False)
class Report(Result):
    """A report on a model.

    Attributes
    ----------
    facts : dict
        All numbers and sentences, section by section, as JSON holds them. Every section names the
        rows that its numbers are from.

    Examples
    --------
    >>> import nonet
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = nonet.RandomForestClassifier(20, random_state=0).fit(X[::2], y[::2])
    >>> report = nonet.make_report(forest, X[1::2], y[1::2])
    >>> report.facts["result"]["rows"]
    '75 rows given to the report'
    """

    _shown: ClassVar[tuple[str, ...]] = ("title", "result", "rows", "n_warnings")

    facts: dict[str, Any]

    @property
    def title(self) -> str:
        """The title of the page."""
        return str(self.facts["title"])

    @property
    def result(self) -> str:
        """The result in one sentence."""
        return str(self.facts["result"]["sentence"])

    @property
    def rows(self) -> str:
        """Which rows the tables and pictures are from."""
        return str(self.facts["sampling"]["rows"])

    @property
    def n_warnings(self) -> int:
        """The number of warnings."""
        return len(self.facts["warnings"]["list"])

    @cached_property
    def html(self) -> str:
        """The page: one self-contained text of HTML; it needs jinja2."""
        from nonet.report.page import render_page  # jinja2 is needed by pages alone

        return render_page(self.facts)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        facts_path: str | os.PathLike[str] | None = None,
    ) -> None:
        """Write the page to a file, completely or not at all.

        Parameters
        ----------
        path : str or path
            Of the page, such as 'report.html'.
        facts_path : str or path, default=None
            Of the facts as JSON; None writes none.
        """
        _write(path, self.html.encode("utf-8"))
        if facts_path is not None:
            self.save_facts(facts_path)

    def save_facts(self, path: str | os.PathLike[str]) -> None:
        """Write the facts as JSON to a file, completely or not at all.

        Parameters
        ----------
        path : str or path
        """
        text = json.dumps(self.facts, indent=1, ensure_ascii=False, allow_nan=False)
        _write(path, text.encode("utf-8", "backslashreplace"))


def _write(path: str | os.PathLike[str], content: bytes) -> None:
    def write(file: BinaryIO) -> None:
        file.write(content)

    replace_file(path, write)


def make_report(
    model_or_run: Any,
    X: Any = None,
    y: Any = None,
    *,
    title: str | None = None,
    max_rows: int = 50_000,
    random_state: int = 0,
) -> Report:
    """Report what a model is worth, why it works, where it fails and what it looks at.

    1. The rows and the model's predictions for them are collected: the held-out rows of a run, or
       the rows that are given.
    2. The score is compared with the simplest baseline on the same rows.
    3. Members, calibration, thresholds, errors and columns are described on these rows, or on a
       random sample of them.

    Parameters
    ----------
    model_or_run : Run or fitted estimator
        A run of `nonet.fit_table`, or a classifier or regressor of nonet or scikit-learn.
    X : path, frame, array or table, default=None
        Rows to report on. None is the held-out rows of a run.
    y : array-like of shape (n_rows,) or str, default=None
        Their truth, or the name of its column in ``X``. None is the target of the run.
    title : str, default=None
        The title of the page; None names the model and the target.
    max_rows : int, default=50000
        More rows than this are sampled at random.
    random_state : int, default=0
        The seed of all samples: the same one gives the same report.

    Returns
    -------
    report : Report
        ``report.save("report.html")`` writes the page; ``report.facts`` holds its numbers.

    Notes
    -----
    A model does not hold the rows that it was fitted on. If it was fitted on the rows that it is
    reported on, every number is too good, and the report warns of it.

    Examples
    --------
    >>> import nonet
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True)
    >>> report = nonet.make_report(LinearRegression().fit(X[:300], y[:300]), X[300:], y[300:])
    >>> report.facts["result"]["metric"], report.facts["result"]["gain"]["is_clear"]
    ('rmse', True)
    """
    _check(title, max_rows, random_state)
    if X is not None:
        subject = subject_of_model(model_or_run, X, y, int(max_rows), int(random_state))
    elif not isinstance(model_or_run, Run):
        raise ValueError(
            f"make_report needs rows for a model: give X and y that {_kind(model_or_run)} was not "
            "fitted on (only runs of fit_table keep held-out rows)."
        )
    elif y is not None:
        raise ValueError("make_report got y without X; give both, or neither for a run.")
    else:
        subject = subject_of_run(model_or_run, int(max_rows), int(random_state))
    named = title or f"{type(subject.model).__name__} of {subject.target}"
    return Report(collect_facts(subject, named))


def _kind(model: Any) -> str:
    return f"this {type(model).__name__}"


def _check(title: Any, max_rows: Any, random_state: Any) -> None:
    if title is not None and not isinstance(title, str):
        raise TypeError(f"make_report: title must be text or None, but got {show(title)}.")
    for name, rule, value in (
        ("max_rows", _MAX_ROWS, max_rows),
        ("random_state", _RANDOM_STATE, random_state),
    ):
        if not rule.allows(value):
            raise bad_parameter("make_report", name, rule.describe(), value)
