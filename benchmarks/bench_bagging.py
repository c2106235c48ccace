"""Time of bagging other people's learners, beside scikit-learn's BaggingClassifier.

The same 50 members on the same 20,000 rows: logistic regressions, nearest neighbours, trees. What
differs is what bagging adds to the time of its members; fit and prediction are timed in turns, one
process, one job.

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
    fits = race(
        [Contender("nonet", lambda: ours.fit(X, y)), Contender("peer", lambda: theirs.fit(X, y))], 1
    )
    asked = X[:2000]
    asks = race(
        [
            Contender("nonet", lambda: ours.predict_proba(asked)),
            Contender("peer", lambda: theirs.predict_proba(asked)),
        ],
        1,
    )
    numbers = [f"{timing.wall:.2f}" for timing in (*fits, *asks)]
    ratios = [f"{fits[1].wall / fits[0].wall:.2f}", f"{asks[1].wall / asks[0].wall:.2f}"]
    return [name, numbers[0], numbers[1], ratios[0], numbers[2], numbers[3], ratios[1]]


def report(n_rows: int, n_members: int) -> str:
    X, y = make_classification(n_rows, 20, n_informative=10, random_state=0)
    header = (
        "member", "fit s", "scikit-learn", "times ours", "predict s", "scikit-learn", "times ours",
    )  # fmt: skip
    rows = [rows_of(name, member, X, y, n_members) for name, member in MEMBERS.items()]
    intro = (
        f"Measured on {machine(('nonet', 'scikit-learn'))}; {n_members} members, {n_rows:,} rows."
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
