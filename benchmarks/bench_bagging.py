"""Time of bagging other people's learners, beside scikit-learn's BaggingClassifier.

The same 50 members on the same 20,000 rows: logistic regressions, nearest neighbours, trees. What
differs is what bagging adds to the time of its members; fit and prediction are timed in turns, one
process, one job. Libraries below the members get one thread, too: with more, what they do in turns
with each other is timed, and it differs from run to run by more than the difference measured here.

Run ``python benchmarks/bench_bagging.py``, with ``--quick`` for a look and ``--write`` to put the
table into docs/benchmarks.md.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import sklearn.ensemble
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

import nonet
from command_line import make_parser, publish
from harness import Contender, machine, markdown_table, race

MEMBERS = {
    "logistic regression": LogisticRegression(max_iter=200),
    "nearest neighbours": KNeighborsClassifier(),
    "tree": DecisionTreeClassifier(),
}


def rows_of(
    name: str, member: Any, X: np.ndarray, y: np.ndarray, n_members: int, n_repeats: int
) -> list[str]:
    settings = {"n_estimators": n_members, "random_state": 0}
    ours = nonet.BaggingClassifier(member, **settings)
    theirs = sklearn.ensemble.BaggingClassifier(member, **settings)
    test_rows = X[:2000]
    fits = race(
        [Contender("", lambda: ours.fit(X, y)), Contender("", lambda: theirs.fit(X, y))], n_repeats
    )
    predict_timings = race(
        [
            Contender("", lambda: ours.predict_proba(test_rows)),
            Contender("", lambda: theirs.predict_proba(test_rows)),
        ],
        n_repeats,
    )
    cells = [name]
    for mine, peer in (fits, predict_timings):
        cells += [f"{mine.wall:.3f}", f"{peer.wall:.3f}", f"{peer.wall / mine.wall:.2f}"]
        cells += [f"{peer.processor / mine.processor:.2f}"]
    return cells


def report(n_rows: int, n_members: int, n_repeats: int) -> list[str]:
    X, y = make_classification(n_rows, 20, n_informative=10, random_state=0)
    header = (
        "member", "fit s", "scikit-learn", "times ours", "by processor",
        "predict s", "scikit-learn", "times ours", "by processor",
    )  # fmt: skip
    with threadpool_limits(1):
        rows = [
            rows_of(name, member, X, y, n_members, n_repeats) for name, member in MEMBERS.items()
        ]
    intro = (
        f"Measured on {machine(('nonet', 'scikit-learn'))}; {n_members} members, {n_rows:,} rows, "
        f"one thread, best of {n_repeats} turns or more."
    )
    return [intro, markdown_table(header, rows)]


def main() -> None:
    options = make_parser(__doc__).parse_args()
    warnings.simplefilter("ignore")
    publish("bagging", report(200, 2, 1) if options.quick else report(20_000, 50, 3), options)


if __name__ == "__main__":
    main()
