"""Time of bagging other people's learners, beside scikit-learn's BaggingClassifier.

The same 50 members on the same 20,000 rows: logistic regressions, nearest neighbours, trees. What
differs is what bagging adds to the time of its members; fit and prediction are timed in turns, one
process, one job. Libraries below the members get one thread, too: with more, what they do in turns
with each other is timed, and it differs from run to run by more than what is asked here.

Run ``python benchmarks/bench_bagging.py``, with ``--quick`` for a look and ``--write`` to put the
table into docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import sklearn.ensemble
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

import nonet
from harness import Contender, machine, markdown_table, race, replace_section

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
MEMBERS = {
    "logistic regression": LogisticRegression(max_iter=200),
    "nearest neighbours": KNeighborsClassifier(),
    "tree": DecisionTreeClassifier(),
}


def rows_of(name: str, member: Any, X: np.ndarray, y: np.ndarray, n_members: int) -> list[str]:
    settings = {"n_estimators": n_members, "random_state": 0}
    ours = nonet.BaggingClassifier(member, **settings)
    theirs = sklearn.ensemble.BaggingClassifier(member, **settings)
    asked = X[:2000]
    fits = race([Contender("", lambda: ours.fit(X, y)), Contender("", lambda: theirs.fit(X, y))], 3)
    asks = race(
        [
            Contender("", lambda: ours.predict_proba(asked)),
            Contender("", lambda: theirs.predict_proba(asked)),
        ],
        3,
    )
    cells = [name]
    for mine, peer in (fits, asks):
        cells += [f"{mine.wall:.3f}", f"{peer.wall:.3f}", f"{peer.wall / mine.wall:.2f}"]
        cells += [f"{peer.processor / mine.processor:.2f}"]
    return cells


def report(n_rows: int, n_members: int) -> str:
    X, y = make_classification(n_rows, 20, n_informative=10, random_state=0)
    header = (
        "member", "fit s", "scikit-learn", "times ours", "by processor",
        "predict s", "scikit-learn", "times ours", "by processor",
    )  # fmt: skip
    with threadpool_limits(1):
        rows = [rows_of(name, member, X, y, n_members) for name, member in MEMBERS.items()]
    intro = (
        f"Measured on {machine(('nonet', 'scikit-learn'))}; {n_members} members, {n_rows:,} rows, "
        "one thread, best of 3 turns or more."
    )
    return f"{intro}\n\n{markdown_table(header, rows)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few rows and members")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    text = report(2000, 5) if arguments.quick else report(20_000, 50)
    print(text)
    if arguments.write:
        replace_section(PAGE, "bagging", text)


if __name__ == "__main__":
    main()
