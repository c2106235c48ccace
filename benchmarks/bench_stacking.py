"""Speed and log loss of stacking, beside scikit-learn's.

A forest, gradient boosting, logistic regression and nearest neighbours on 20,000 rows, 5 folds:

1. nonet's stack against scikit-learn's with the same scikit-learn members;
2. nonet's stack with the forest and the gradient boosting of nonet;
3. a second combination from the same ledger, as a fraction of the first fit;
4. both stacks on real tables, if a folder with them is given: equal outputs are expected.

    python benchmarks/bench_stacking.py             the whole race, some minutes
    python benchmarks/bench_stacking.py --quick     a smoke test on few rows
    python benchmarks/bench_stacking.py --write     also puts the results into docs/benchmarks.md
    python benchmarks/bench_stacking.py --data DIR  compares outputs on six tables (Parquet) in DIR
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

import numpy as np
import sklearn.ensemble
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import nonet
from command_line import make_parser, publish
from harness import Contender, Timing, machine, markdown_table, race
from nonet import BlendingClassifier, StackingClassifier

PEER, SAME, SECOND = "scikit-learn", "nonet, same members", "second combination, same ledger"
TABLES = {  # name of the file: the column to predict
    "iris": "species",
    "penguins": "species",
    "phoneme": "class",
    "segment": "class",
    "spambase": "class",
    "vowel": "class",
}


def members(n_trees: int, trees: ModuleType = sklearn.ensemble) -> list[tuple[str, object]]:
    """Name the members; forest and boosting come from scikit-learn or from nonet."""
    return [
        ("forest", trees.RandomForestClassifier(n_trees, random_state=0)),
        ("boosting", trees.HistGradientBoostingClassifier(max_iter=n_trees, random_state=0)),
        ("line", make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))),
        ("near", make_pipeline(StandardScaler(), KNeighborsClassifier(25))),
    ]


def make_data(n_rows: int) -> tuple[np.ndarray, ...]:
    X, y = make_classification(
        2 * n_rows, 20, n_informative=10, n_redundant=4, flip_y=0.1, random_state=0
    )
    return tuple(train_test_split(X, y, test_size=0.5, random_state=0))


def fit_stack(
    kind: type, models: list[tuple[str, object]], X: np.ndarray, y: np.ndarray, **settings: object
) -> object:
    return kind(models, LogisticRegression(), cv=5, **settings).fit(X, y)


def fit_second(first: object, X: np.ndarray, y: np.ndarray) -> object:
    return BlendingClassifier(first.estimators, weights="log_loss").fit(X, y, ledger=first.ledger_)


def race_stacks(n_rows: int, n_trees: int, n_repeats: int) -> tuple[list[Timing], dict[str, float]]:
    X, X_new, y, y_new = make_data(n_rows)
    fitted: dict[str, object] = {}

    def keep(name: str, fit: Callable[[], object]) -> Contender:
        return Contender(name, lambda: fitted.update({name: fit()}))

    ours, theirs = StackingClassifier, sklearn.ensemble.StackingClassifier
    same, own = members(n_trees), members(n_trees, nonet)
    contenders = [
        keep(PEER, partial(fit_stack, theirs, same, X, y)),
        keep(SAME, partial(fit_stack, ours, same, X, y)),
        keep("nonet, own forest and boosting", partial(fit_stack, ours, own, X, y)),
        keep(
            "nonet, own members, forest out of bag",
            partial(fit_stack, ours, own, X, y, out_of_bag=True),
        ),
        keep(SECOND, lambda: fit_second(fitted[SAME], X, y)),
    ]
    timings = race(contenders, n_repeats)
    losses = {name: log_loss(y_new, model.predict_proba(X_new)) for name, model in fitted.items()}
    return timings, losses


def report_race(timings: list[Timing], losses: dict[str, float]) -> str:
    base = timings[0]
    rows = [
        [
            timing.name,
            f"{timing.wall:.2f}",
            f"{timing.processor:.2f}",
            f"{base.processor / timing.processor:.2f}",
            f"{losses[timing.name]:.4f}",
        ]
        for timing in timings
    ]
    header = ["stack", "wall s", "processor s", "scikit-learn's time over it", "log loss"]
    by_name = {timing.name: timing for timing in timings}
    fraction = by_name[SECOND].processor / by_name[SAME].processor
    return (
        markdown_table(header, rows)
        + f"\n\nA second combination costs {100 * fraction:.1f} % of the first fit."
    )


def compare_outputs(folder: Path) -> str:
    """Fit both stacks on real tables with the same folds, members and final model."""
    import pandas as pd

    models = [
        ("bayes", GaussianNB()),
        ("near", KNeighborsClassifier()),
        ("tree", DecisionTreeClassifier(max_depth=4, random_state=0)),
    ]
    final = LogisticRegression(solver="newton-cholesky", tol=1e-12)
    rows = []
    for name, label in TABLES.items():
        table = pd.read_parquet(folder / f"{name}.parquet").dropna()
        label = label if label in table else table.columns[-1]
        X = StandardScaler().fit_transform(table.drop(columns=label).select_dtypes("number"))
        y = table[label].astype(str).to_numpy()
        ours = StackingClassifier(models, final).fit(X, y)
        theirs = sklearn.ensemble.StackingClassifier(models, final).fit(X, y)
        gap = np.abs(ours.predict_proba(X) - theirs.predict_proba(X)).max()
        rows.append([name, str(len(y)), str(len(ours.classes_)), f"{gap:.0e}"])
    return markdown_table(["table", "rows", "classes", "maximum difference"], rows)


def report(n_rows: int, n_trees: int, n_repeats: int, folder: Path | None) -> Iterator[str]:
    yield f"{machine(['nonet', 'scikit-learn', 'numpy'])}; {n_rows:,} rows."
    yield report_race(*race_stacks(n_rows, n_trees, n_repeats))
    if folder is not None:
        yield "The same stack by nonet and by scikit-learn on real tables:"
        yield compare_outputs(folder)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--repeats", type=int, default=3, help="how often each stack is fitted")
    parser.add_argument("--data", type=Path, help="a folder of Parquet tables")
    options = parser.parse_args()
    sizes = (300, 2, 1) if options.quick else (20_000, 100, options.repeats)
    publish("stacking", report(*sizes, options.data), options)


if __name__ == "__main__":
    main()
