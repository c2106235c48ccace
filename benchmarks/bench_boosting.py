"""Speed and accuracy of gradient boosting, beside its peers.

Everyone grows 100 rounds of trees of 31 leaves with a rate of 0.1, 255 bins, at least 20 rows a
leaf and an l2 penalty of 1: LightGBM (as it comes, row-wise, column-wise, and with quantised
gradients), XGBoost (by leaf and by depth), CatBoost (its symmetric trees of depth 5),
scikit-learn's HistGradientBoosting and YDF. Fits are timed in turns, so are the answers of a batch
of 100,000 rows and of one row, and the models are compared on rows that none of them saw. The
classic form (trees of depth 3 on residuals) runs against scikit-learn's, at the defaults of both.

    python benchmarks/bench_boosting.py                 10,000 and 100,000 rows, several tasks
    python benchmarks/bench_boosting.py --million       1,000,000 rows as well (half an hour)
    python benchmarks/bench_boosting.py --classic       the classic form only (ten minutes)
    python benchmarks/bench_boosting.py --without YDF   some peers left out: it is the slowest
    python benchmarks/bench_boosting.py --quick         a smoke test on small data
    python benchmarks/bench_boosting.py --write         puts the results into docs/benchmarks.md
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn import ensemble as sklearn_ensemble
from sklearn.metrics import log_loss, roc_auc_score, root_mean_squared_error

import nonet
from harness import Contender, machine, markdown_table, race, replace_section
from nonet import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from nonet._native import get_num_threads

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
N_ROUNDS = 100
N_TEST_ROWS = 100_000
N_SINGLE_QUESTIONS = 100
PACKAGES = ("nonet", "lightgbm", "xgboost", "catboost", "ydf", "scikit-learn")


# ---- Data ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """Training and test rows of one question."""

    title: str
    kind: str  # binary, regression or classes
    X: Any
    y: np.ndarray
    X_test: Any
    y_test: np.ndarray


def split_off(title: str, kind: str, X: Any, y: np.ndarray, n_train: int) -> Task:
    part = X.iloc if hasattr(X, "iloc") else X
    return Task(title, kind, part[:n_train], y[:n_train], part[n_train:], y[n_train:])


def draw_signal(n_rows: int, n_columns: int = 28) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns)).astype(np.float32)
    signal = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + rng.normal(size=n_rows)
    return X, signal


def binary(n_train: int, n_test: int, n_columns: int = 28) -> Task:
    X, signal = draw_signal(n_train + n_test, n_columns)
    title = f"two classes, {n_train:,} x {n_columns}"
    return split_off(title, "binary", X, (signal > 0).astype(int), n_train)


def regression(n_train: int, n_test: int) -> Task:
    X, signal = draw_signal(n_train + n_test)
    return split_off(f"numbers, {n_train:,} x 28", "regression", X, signal, n_train)


def classes(n_train: int, n_test: int) -> Task:
    X, signal = draw_signal(n_train + n_test)
    y = np.digitize(signal, np.quantile(signal, np.arange(0.1, 1, 0.1)))
    return split_off(f"ten classes, {n_train:,} x 28", "classes", X, y, n_train)


def categories(n_train: int, n_test: int) -> Task:
    """Ten columns of 200 categories each, a twentieth of them missing, and ten of numbers."""
    rng = np.random.default_rng(1)
    n = n_train + n_test
    effects = rng.normal(size=(10, 200))
    codes = rng.integers(0, 200, (n, 10))
    numbers = rng.normal(size=(n, 10)).astype(np.float32)
    signal = sum(effects[j][codes[:, j]] for j in range(3)) + numbers[:, 0] + rng.normal(size=n)
    missing = rng.random((n, 10)) < 0.05
    frame = pd.DataFrame(numbers, columns=[f"number_{j}" for j in range(10)])
    for j in range(10):
        column = pd.Categorical.from_codes(np.where(missing[:, j], -1, codes[:, j]), range(200))
        frame[f"category_{j}"] = column
    title = f"ten category columns, {n_train:,} x 20"
    return split_off(title, "binary", frame, (signal > 0).astype(int), n_train)


# ---- Contenders: name -> a function that fits and gives a function of rows to answers -----------

Model = Callable[[Any], np.ndarray]


def asker(model: Any, kind: str) -> Model:
    return model.predict if kind == "regression" else model.predict_proba


def fit_nonet(task: Task) -> Model:
    regressor = task.kind == "regression"
    make = HistGradientBoostingRegressor if regressor else HistGradientBoostingClassifier
    model = make(max_iter=N_ROUNDS, l2_regularization=1.0, early_stopping=False)
    return asker(model.fit(task.X, task.y), task.kind)


def fit_sklearn(task: Task) -> Model:
    name = "Regressor" if task.kind == "regression" else "Classifier"
    make = getattr(sklearn_ensemble, f"HistGradientBoosting{name}")
    model = make(max_iter=N_ROUNDS, l2_regularization=1.0, early_stopping=False)
    return asker(model.fit(task.X, task.y), task.kind)


def fit_lightgbm(task: Task, **settings: Any) -> Model:
    import lightgbm

    regressor = task.kind == "regression"
    make = lightgbm.LGBMRegressor if regressor else lightgbm.LGBMClassifier
    model = make(
        n_estimators=N_ROUNDS,
        num_leaves=31,
        learning_rate=0.1,
        max_bin=255,
        min_child_samples=20,
        reg_lambda=1.0,
        n_jobs=get_num_threads(),
        verbose=-1,
        **settings,
    )
    return asker(model.fit(task.X, task.y), task.kind)


def fit_xgboost(task: Task, **settings: Any) -> Model:
    import xgboost

    regressor = task.kind == "regression"
    make = xgboost.XGBRegressor if regressor else xgboost.XGBClassifier
    model = make(
        n_estimators=N_ROUNDS,
        learning_rate=0.1,
        tree_method="hist",
        max_bin=256,
        reg_lambda=1.0,
        enable_categorical=True,
        n_jobs=get_num_threads(),
        **settings,
    )
    return asker(model.fit(task.X, task.y), task.kind)


def fit_catboost(task: Task) -> Model:
    import catboost

    X, X_columns = task.X, None
    if isinstance(X, pd.DataFrame):
        X_columns = [name for name in X.columns if name.startswith("category")]
        X = as_strings(X)
    regressor = task.kind == "regression"
    make = catboost.CatBoostRegressor if regressor else catboost.CatBoostClassifier
    model = make(
        iterations=N_ROUNDS,
        depth=5,
        learning_rate=0.1,
        l2_leaf_reg=1.0,
        border_count=254,
        thread_count=get_num_threads(),
        cat_features=X_columns,
        verbose=False,
        allow_writing_files=False,
    )
    ask = asker(model.fit(X, task.y), task.kind)
    return lambda rows: ask(as_strings(rows) if isinstance(rows, pd.DataFrame) else rows)


def as_strings(frame: pd.DataFrame) -> pd.DataFrame:
    names = [name for name in frame.columns if name.startswith("category")]
    return frame.assign(**{name: frame[name].astype(str) for name in names})


def fit_ydf(task: Task) -> Model:
    import ydf

    learner = ydf.GradientBoostedTreesLearner(
        label="y",
        task=ydf.Task.REGRESSION if task.kind == "regression" else ydf.Task.CLASSIFICATION,
        num_trees=N_ROUNDS,
        growing_strategy="BEST_FIRST_GLOBAL",
        max_num_nodes=31,
        max_depth=-1,
        shrinkage=0.1,
        min_examples=20,
        l2_regularization=1.0,
        validation_ratio=0.0,
        early_stopping="NONE",
        discretize_numerical_columns=True,
        num_threads=get_num_threads(),
    )
    model = learner.train(ydf_table(task.X, task.y))

    def ask(rows: Any) -> np.ndarray:
        answers = model.predict(ydf_table(rows))
        two = task.kind == "binary"
        return np.column_stack([1 - answers, answers]) if two else answers

    return ask


def ydf_table(X: Any, y: np.ndarray | None = None) -> dict[str, np.ndarray]:
    if isinstance(X, pd.DataFrame):
        X = as_strings(X)
        table = {name: X[name].to_numpy() for name in X.columns}
    else:
        table = {f"c{j}": X[:, j] for j in range(X.shape[1])}
    return table if y is None else {**table, "y": y}


FITS: dict[str, tuple[str, Callable[[Task], Model]]] = {
    "nonet": ("nonet", fit_nonet),
    "LightGBM": ("lightgbm", fit_lightgbm),
    "LightGBM, row-wise": ("lightgbm", functools.partial(fit_lightgbm, force_row_wise=True)),
    "LightGBM, column-wise": ("lightgbm", functools.partial(fit_lightgbm, force_col_wise=True)),
    "LightGBM, quantised": ("lightgbm", functools.partial(fit_lightgbm, use_quantized_grad=True)),
    "XGBoost, by leaf": (
        "xgboost",
        functools.partial(fit_xgboost, grow_policy="lossguide", max_leaves=31, max_depth=0),
    ),
    "XGBoost, by depth": ("xgboost", functools.partial(fit_xgboost, max_depth=5)),
    "CatBoost": ("catboost", fit_catboost),
    "scikit-learn": ("sklearn", fit_sklearn),
    "YDF": ("ydf", fit_ydf),
}


def known_fits() -> dict[str, Callable[[Task], Model]]:
    return {
        name: fit
        for name, (package, fit) in FITS.items()
        if importlib.util.find_spec(package) is not None
    }


def fit_classic(room: Any, task: Task, **settings: Any) -> Model:
    name = "Regressor" if task.kind == "regression" else "Classifier"
    model = getattr(room, f"GradientBoosting{name}")(
        n_estimators=N_ROUNDS, random_state=0, **settings
    )
    return asker(model.fit(task.X, task.y), task.kind)


CLASSIC_FITS: dict[str, Callable[[Task], Model]] = {
    "nonet": functools.partial(fit_classic, nonet),
    "scikit-learn": functools.partial(fit_classic, sklearn_ensemble),
    "nonet, half the rows a round": functools.partial(fit_classic, nonet, subsample=0.5),
    "scikit-learn, half the rows a round": functools.partial(
        fit_classic, sklearn_ensemble, subsample=0.5
    ),
}


# ---- The race -----------------------------------------------------------------------------------


def score(task: Task, answers: np.ndarray) -> str:
    if task.kind == "regression":
        return f"RMSE {root_mean_squared_error(task.y_test, answers):.4f}"
    if task.kind == "binary":
        return f"AUC {roc_auc_score(task.y_test, answers[:, 1]):.4f}"
    return f"log loss {log_loss(task.y_test, answers):.4f}"


def first_rows(X: Any, n_rows: int) -> Any:
    return X.iloc[:n_rows] if hasattr(X, "iloc") else X[:n_rows]


def ask_often(model: Model, row: Any) -> Callable[[], None]:
    def ask() -> None:
        for _ in range(N_SINGLE_QUESTIONS):
            model(row)

    return ask


def table_of(task: Task, models_of: dict[str, Callable[[Task], Model]], n_repeats: int) -> str:
    """Fit and ask everyone; give one table."""
    models: dict[str, Model] = {}

    def keep(name: str, fit: Callable[[Task], Model]) -> None:
        models[name] = fit(task)

    fits = race(
        [Contender(n, functools.partial(keep, n, f)) for n, f in models_of.items()], n_repeats
    )
    batches = race(
        [Contender(n, functools.partial(ask, task.X_test)) for n, ask in models.items()], n_repeats
    )
    one = first_rows(task.X_test, 1)
    rows = []
    for fit, batch in zip(fits, batches, strict=True):
        single = race([Contender(fit.name, ask_often(models[fit.name], one))], n_repeats)
        rows.append(
            [
                fit.name,
                f"{fit.wall:.2f}",
                f"{fit.processor:.2f}",
                f"{fit.wall / fits[0].wall:.2f}",
                f"{1e3 * batch.wall:.0f}",
                f"{batch.wall / batches[0].wall:.1f}",
                f"{1e6 * single[0].wall / N_SINGLE_QUESTIONS:,.0f}",
                score(task, models[fit.name](task.X_test)),
            ]
        )
    header = [
        "by",
        "fit, wall s",
        "fit, processor s",
        "times nonet's",
        f"{len(task.y_test):,} rows, ms",
        "times nonet's",
        "one row, us",
        "test score",
    ]
    return f"**{task.title}**\n\n" + markdown_table(header, rows)


def tasks(arguments: argparse.Namespace) -> list[Callable[[], Task]]:
    if arguments.quick:
        make = [binary, regression, classes, categories]
        return [functools.partial(task, 2000, 500) for task in make]
    n_test = N_TEST_ROWS
    chosen: list[Callable[[], Task]] = [
        functools.partial(binary, 10_000, n_test),
        functools.partial(binary, 100_000, n_test),
        functools.partial(regression, 100_000, n_test),
        functools.partial(classes, 20_000, n_test),
        functools.partial(binary, 20_000, 20_000, 500),
        functools.partial(categories, 100_000, n_test),
    ]
    if arguments.million:
        chosen.append(functools.partial(binary, 1_000_000, n_test))
    return chosen


def classic_tasks(arguments: argparse.Namespace) -> list[Callable[[], Task]]:
    if arguments.quick:
        return [functools.partial(task, 1000, 500) for task in (binary, regression)]
    return [
        functools.partial(binary, 10_000, N_TEST_ROWS),
        functools.partial(binary, 100_000, N_TEST_ROWS),
        functools.partial(regression, 100_000, N_TEST_ROWS),
    ]


def race_everyone(arguments: argparse.Namespace) -> None:
    text = [f"Measured on {machine(PACKAGES)}; {get_num_threads()} threads for everyone."]
    for make_task in tasks(arguments):
        text.append(table_of(make_task(), known_fits(), 1 if arguments.quick else 3))
        print(text[-1], flush=True)
    if arguments.write:
        replace_section(PAGE, "bench_boosting", "\n\n".join(text))


def race_classic(arguments: argparse.Namespace) -> None:
    packages = ("nonet", "scikit-learn")
    text = [f"Measured on {machine(packages)}; nonet on {get_num_threads()} threads."]
    for make_task in classic_tasks(arguments):
        text.append(table_of(make_task(), CLASSIC_FITS, 1))
        print(text[-1], flush=True)
    if arguments.write:
        replace_section(PAGE, "classic boosting", "\n\n".join(text))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small data, one repeat")
    parser.add_argument("--million", action="store_true", help="also 1,000,000 rows")
    parser.add_argument("--classic", action="store_true", help="the classic form only")
    parser.add_argument("--without", nargs="+", default=[], choices=list(FITS), help="left out")
    parser.add_argument("--write", action="store_true", help="put the results into the docs")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    for name in arguments.without:
        del FITS[name]
    (race_classic if arguments.classic else race_everyone)(arguments)


if __name__ == "__main__":
    main()
