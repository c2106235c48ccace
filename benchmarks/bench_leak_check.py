"""False alarms and power of leak_check over honest and leaking stacks.

Honest stacks of many kinds (regression, classification, groups, few rows; folds of several kinds,
out-of-bag predictions, parts of the rows) and leaking ones, each on data of its own per seed. The
table holds the fraction of stacks with a p-value below 0.05 and below 0.01. Honest stacks should
stay below these rates, up to the error of their number; leaking ones should come close to 1.

    python benchmarks/bench_leak_check.py             20 seeds of each kind, some minutes
    python benchmarks/bench_leak_check.py --seeds 50  more of them
    python benchmarks/bench_leak_check.py --quick     one seed of each kind
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from command_line import make_parser, publish
from harness import markdown_table
from nonet import (
    RandomForestClassifier,
    RandomForestRegressor,
    StackingClassifier,
    StackingRegressor,
    leak_check,
)

RATES = (0.05, 0.01)


class Case(NamedTuple):
    """A stack and its data."""

    stack: Any
    X: np.ndarray
    y: np.ndarray
    groups: np.ndarray | None = None


def regressors() -> list[tuple[str, Any]]:
    return [("ridge", Ridge()), ("near", KNeighborsRegressor())]


def regression_trees(seed: int) -> list[tuple[str, Any]]:
    forest = RandomForestRegressor(10, random_state=seed)
    return [("tree", DecisionTreeRegressor(random_state=seed)), ("forest", forest)]


def classifiers(seed: int) -> list[tuple[str, Any]]:
    return [
        ("bayes", GaussianNB()),
        ("near", KNeighborsClassifier()),
        ("tree", DecisionTreeClassifier(random_state=seed)),
    ]


def regression(n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    return make_regression(n_rows, 10, noise=50, random_state=seed)


def classification(n_rows: int, seed: int, n_classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    weights = None if n_classes == 2 else [0.55, 0.3, 0.1, 0.05]
    return make_classification(
        n_rows, 8, n_informative=4, n_classes=n_classes, weights=weights, flip_y=0.2,
        random_state=seed,
    )  # fmt: skip


def grouped(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Thirty groups of five similar rows; the regression slope of y depends on the group."""
    random = np.random.default_rng(seed)
    groups = np.repeat(np.arange(30), 5)
    X = random.normal(size=(30, 4))[groups] + 0.1 * random.normal(size=(150, 4))
    slope = random.normal(size=(30, 4))[groups]
    y = random.normal(size=30)[groups] + (slope * X).sum(axis=1) + random.normal(size=150)
    return X, y, groups


def few(seed: int) -> Case:
    random = np.random.default_rng(seed)
    return Case(
        StackingRegressor(regressors()), random.normal(size=(24, 3)), random.normal(size=24)
    )


def grouped_classes(seed: int, cv: Any) -> Case:
    X, y, groups = grouped(seed)
    return Case(StackingClassifier(classifiers(seed), cv=cv), X, (y > 0).astype(int), groups)


def grouped_values(seed: int, cv: Any) -> Case:
    X, y, groups = grouped(seed)
    models = [*regressors(), ("tree", DecisionTreeRegressor(random_state=seed))]
    return Case(StackingRegressor(models, cv=cv), X, y, groups)


def scores_and_labels(seed: int) -> Case:
    """Four uneven classes; members give scores, values and labels."""
    models = [("svc", LinearSVC(random_state=seed)), ("line", LinearRegression())]
    models += [("dummy", DummyClassifier()), ("near", KNeighborsClassifier())]
    return Case(StackingClassifier(models), *classification(200, seed, 4))


def dummies(seed: int) -> Case:
    models = [("mean", DummyRegressor()), ("median", DummyRegressor(strategy="median"))]
    return Case(StackingRegressor(models, Ridge()), *regression(60, seed))


HONEST: dict[str, Callable[[int], Case]] = {
    "regression, ridge and neighbours": lambda seed: Case(
        StackingRegressor(regressors(), Ridge()), *regression(300, seed)
    ),
    "regression, tree and forest, forest on top": lambda seed: Case(
        StackingRegressor(regression_trees(seed), RandomForestRegressor(20, random_state=0)),
        *regression(150, seed),
    ),
    "regression, 24 rows of noise": few,
    "regression, 20 rows, leave one out": lambda seed: Case(
        StackingRegressor(regressors(), cv=LeaveOneOut()), *regression(20, seed)
    ),
    "regression, repeated folds": lambda seed: Case(
        StackingRegressor(regressors(), cv=RepeatedKFold(n_splits=3, n_repeats=3, random_state=0)),
        *regression(100, seed),
    ),
    "regression, forward folds": lambda seed: Case(
        StackingRegressor(regressors(), cv=TimeSeriesSplit(4)), *regression(100, seed)
    ),
    "regression, forests out of bag": lambda seed: Case(
        StackingRegressor(regression_trees(seed)[1:], out_of_bag=True), *regression(100, seed)
    ),
    "regression, constant members": dummies,
    "regression, folds by group": lambda seed: grouped_values(seed, GroupKFold(5)),
    "classification, three members": lambda seed: Case(
        StackingClassifier(classifiers(seed)), *classification(200, seed)
    ),
    "classification, forest on top": lambda seed: Case(
        StackingClassifier(classifiers(seed), RandomForestClassifier(20, random_state=0)),
        *classification(100, seed),
    ),
    "classification, 30 rows": lambda seed: Case(
        StackingClassifier(classifiers(seed)), *classification(30, seed)
    ),
    "classification, four uneven classes, scores": scores_and_labels,
    "classification, labels on level one": lambda seed: Case(
        StackingClassifier(classifiers(seed), level_one="labels"), *classification(150, seed)
    ),
    "classification, parts of the rows": lambda seed: Case(
        StackingClassifier(classifiers(seed), partition="honest", random_state=seed),
        *classification(150, seed),
    ),
    "classification, folds by group": lambda seed: grouped_classes(seed, GroupKFold(5)),
}


def prefit(kind: type, models: list[tuple[str, Any]], X: np.ndarray, y: np.ndarray) -> Case:
    """Members fitted on the rows that level one is made of."""
    return Case(kind([(name, model.fit(X, y)) for name, model in models], cv="prefit"), X, y)


def screened(seed: int) -> Case:
    """Noise, and ten of 500 columns chosen by y before the folds."""
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(80, 500)), random.integers(0, 2, 80)
    models = [("bayes", GaussianNB()), ("line", LogisticRegression())]
    stack = make_pipeline(SelectKBest(f_classif, k=10), StackingClassifier(models))
    return Case(stack, X, y)


class Remembering(KNeighborsRegressor):
    """Keeps the rows of all its fits on the same columns, as a cache outside of clones would."""

    seen: tuple[np.ndarray, np.ndarray] | None = None

    def fit(self, X: np.ndarray, y: np.ndarray) -> Remembering:
        """Fit on these rows and on what is left of earlier ones."""
        kept = Remembering.seen
        if kept is not None and kept[0].shape[1] == X.shape[1]:
            X, y = np.vstack([X, kept[0]])[:1000], np.append(y, kept[1])[:1000]
        Remembering.seen = X, y
        return super().fit(X, y)


LEAKING: dict[str, Callable[[int], Case]] = {
    "prefit ridge, 10 columns, 300 rows": lambda seed: prefit(
        StackingRegressor, [("ridge", Ridge())], *regression(300, seed)
    ),
    "prefit ridge and neighbours": lambda seed: prefit(
        StackingRegressor, regressors(), *regression(300, seed)
    ),
    "prefit tree and forest": lambda seed: prefit(
        StackingRegressor, regression_trees(seed), *regression(100, seed)
    ),
    "prefit classifiers": lambda seed: prefit(
        StackingClassifier, classifiers(seed), *classification(200, seed)
    ),
    "prefit classifiers, 30 rows": lambda seed: prefit(
        StackingClassifier, classifiers(seed), *classification(30, seed)
    ),
    "leaking partition, three classifiers": lambda seed: Case(
        StackingClassifier(classifiers(seed), partition="leaking", random_state=seed),
        *classification(150, seed),
    ),
    "leaking partition, two regressors": lambda seed: Case(
        StackingRegressor(regressors(), partition="leaking", random_state=seed),
        *regression(150, seed),
    ),
    "folds that split groups, values": lambda seed: grouped_values(
        seed, KFold(5, shuffle=True, random_state=seed)
    ),
    "folds that split groups, classes": lambda seed: grouped_classes(
        seed, KFold(5, shuffle=True, random_state=seed)
    ),
    "columns screened before the folds": screened,
    "a member that remembers earlier fits": lambda seed: Case(
        StackingRegressor([("cache", Remembering()), ("ridge", Ridge())]), *regression(100, seed)
    ),
}


def p_values(make: Callable[[int], Case], n_seeds: int) -> np.ndarray:
    found = []
    for seed in range(n_seeds):
        case = make(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # KFold warns that it ignores groups
            check = leak_check(case.stack, case.X, case.y, groups=case.groups, random_state=seed)
        found.append(check.p_value)
    return np.array(found)


def table_of(cases: dict[str, Callable[[int], Case]], n_seeds: int) -> str:
    values = {name: p_values(make, n_seeds) for name, make in cases.items()}
    values["all"] = np.concatenate(list(values.values()))
    rows = [
        [name, str(len(own)), *(f"{np.mean(own < rate):.3f}" for rate in RATES)]
        for name, own in values.items()
    ]
    return markdown_table(["stack", "number", *(f"p < {rate}" for rate in RATES)], rows)


def report(n_seeds: int, n_kinds: int | None = None) -> Iterator[str]:
    for title, cases in (("Honest stacks", HONEST), ("Leaking stacks", LEAKING)):
        some = dict(list(cases.items())[:n_kinds])
        yield f"{title}\n\n{table_of(some, n_seeds)}"


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="how many stacks of each kind")
    options = parser.parse_args()
    publish("leak_check", report(1, 3) if options.quick else report(options.seeds), options)


if __name__ == "__main__":
    main()
