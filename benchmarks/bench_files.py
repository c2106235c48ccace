"""Size and load time of model files, beside pickle, joblib, skops and the files of other libraries.

A forest of 100 full trees on 100,000 rows, and a booster of 1,000 trees of 31 leaves. Files are in
the page cache; every load makes a model that can predict. Other libraries save models of their own
of the same number of trees, and of about as many nodes; forests of theirs take minutes to fit, and
are kept in a folder if one is given (see repeated_forests.py).

    python benchmarks/bench_files.py            all formats, some minutes
    python benchmarks/bench_files.py --booster  the booster alone, in a minute
    python benchmarks/bench_files.py --keep F   forests of other libraries are fitted once, into F
    python benchmarks/bench_files.py --quick    a smoke test on few rows
    python benchmarks/bench_files.py --write    also puts the tables into docs/benchmarks.md
"""

from __future__ import annotations

import json
import pickle
import warnings
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import joblib
import lightgbm
import numpy as np
import skops.io
import xgboost

import nonet
from command_line import make_parser, publish
from harness import Contender, Timing, machine, markdown_table, race
from repeated_forests import write_lightgbm, write_sklearn, write_xgboost

N_COLUMNS = 20
LIMITS = {"own pickle": 1.2, "other libraries": 3.0}


@dataclass(frozen=True)
class Format:
    """A way to store a model: a file, how it is read, and the nodes of the model's trees."""

    name: str
    path: Path
    read: Callable[[Path], object]
    n_nodes: int
    n_bytes: int = field(init=False)

    def __post_init__(self) -> None:
        """Keep the bytes of the file, which may be gone when the report is written."""
        object.__setattr__(self, "n_bytes", self.path.stat().st_size)


def draw_table(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw normal columns and two classes that overlap, so that full trees are deep."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, N_COLUMNS))
    return X, (X[:, :5].sum(axis=1) + rng.normal(size=n_rows) > 0).astype(int)


# ---- Formats -------------------------------------------------------------------------------------


def own_formats(model: Any, folder: Path, n_nodes: int) -> list[Format]:
    """Write one model of nonet in all formats that take it."""
    paths = {name: folder / name for name in ("nonet", "small", "pickle", "joblib", "skops")}
    nonet.save(model, paths["nonet"])
    nonet.save(model, paths["small"], compression=9)
    paths["pickle"].write_bytes(pickle.dumps(model))
    joblib.dump(model, paths["joblib"], compress=3)
    skops.io.dump(model, paths["skops"])
    return [
        Format("nonet.save", paths["nonet"], nonet.load, n_nodes),
        Format("nonet.save, compression=9", paths["small"], nonet.load, n_nodes),
        Format("pickle of the same", paths["pickle"], read_pickle, n_nodes),
        Format("joblib of the same, compress=3", paths["joblib"], joblib.load, n_nodes),
        Format("skops of the same", paths["skops"], read_skops, n_nodes),
    ]


def read_pickle(path: Path) -> object:
    with path.open("rb") as file:
        return pickle.load(file)


def read_skops(path: Path) -> object:
    return skops.io.load(path, trusted=skops.io.get_untrusted_types(file=path))


def read_xgboost(path: Path) -> object:
    booster = xgboost.Booster()
    booster.load_model(path)
    return booster


def read_lightgbm(path: Path) -> object:
    return lightgbm.Booster(model_file=path)


def booster_peers(X: Any, y: Any, folder: Path, n_trees: int) -> list[Format]:
    shape = {"n_estimators": n_trees, "learning_rate": 0.1}
    theirs = xgboost.XGBClassifier(
        max_leaves=31, max_depth=0, grow_policy="lossguide", **shape
    ).fit(X, y)
    theirs.save_model(folder / "booster.ubj")
    n_nodes = len(theirs.get_booster().trees_to_dataframe())
    other = lightgbm.LGBMClassifier(num_leaves=31, verbose=-1, **shape).fit(X, y)
    other.booster_.save_model(folder / "booster.txt")
    n_others = len(other.booster_.trees_to_dataframe())
    return [
        Format("XGBoost, UBJSON", folder / "booster.ubj", read_xgboost, n_nodes),
        Format("LightGBM, text", folder / "booster.txt", read_lightgbm, n_others),
    ]


FORESTS_OF_OTHERS = {
    "XGBoost, UBJSON": ("forest.ubj", write_xgboost, read_xgboost),
    "LightGBM, text": ("forest.txt", write_lightgbm, read_lightgbm),
    "scikit-learn, skops": ("forest.skops", write_sklearn, read_skops),
}


def forest_peers(X: Any, y: Any, folder: Path, n_trees: int) -> list[Format]:
    """Give forests of other libraries, which are fitted unless the folder has them already."""
    return [
        Format(name, folder / file, read, fitted_once(X, y, n_trees, folder / file, write))
        for name, (file, write, read) in FORESTS_OF_OTHERS.items()
    ]


def fitted_once(X: Any, y: Any, n_trees: int, path: Path, write: Callable[..., int]) -> int:
    """Write a forest unless it is there for the same data; return the number of its nodes."""
    facts = path.with_suffix(path.suffix + ".json")
    wanted = {"rows": len(X), "trees": n_trees}
    if facts.exists() and wanted.items() <= (known := json.loads(facts.read_text())).items():
        return int(known["nodes"])
    n_nodes = write(X, y, n_trees, path)
    facts.write_text(json.dumps({**wanted, "nodes": n_nodes}))
    return n_nodes


# ---- Report --------------------------------------------------------------------------------------


def compare(formats: list[Format], n_trees: int, n_repeats: int) -> tuple[str, dict[str, float]]:
    """Time all formats in turns; return a table, and seconds of each."""
    timings = race(
        [Contender(form.name, lambda form=form: form.read(form.path)) for form in formats],
        n_repeats,
    )
    rows = [
        table_row(form, n_trees, timing, timings[0])
        for form, timing in zip(formats, timings, strict=True)
    ]
    header = [
        "format",
        "nodes per tree",
        "MB",
        "ms to load",
        "ms of processor",
        "ns per node",
        "times nonet.save",
    ]
    return markdown_table(header, rows), {timing.name: timing.wall for timing in timings}


def table_row(form: Format, n_trees: int, timing: Timing, first: Timing) -> list[str]:
    return [
        form.name,
        f"{form.n_nodes / n_trees:,.0f}",
        f"{form.n_bytes / 1e6:,.2f}",
        f"{1e3 * timing.wall:,.1f}",
        f"{1e3 * timing.processor:,.1f}",
        f"{1e9 * timing.wall / form.n_nodes:,.1f}",
        f"{timing.wall / first.wall:.2f}",
    ]


def conclude(formats: list[Format], walls: dict[str, float]) -> str:
    """Compare with the targets: times to load, and the smallest file."""
    own = walls["nonet.save"] / walls["pickle of the same"]
    ratios = [
        f"{walls[name] / walls['nonet.save']:.1f} ({name.split(',')[0]})"
        for name in walls
        if name.startswith(("XGBoost", "LightGBM"))
    ]
    smallest = min(form.n_bytes for form in formats if not form.name.startswith("nonet"))
    small = next(form.n_bytes for form in formats if form.name.endswith("compression=9"))
    return (
        f"Loading takes {own:.2f} times our own pickle (target: at most {LIMITS['own pickle']}). "
        f"Files of other libraries take {' and '.join(ratios)} times as long as ours (target: at "
        f"least {LIMITS['other libraries']:.0f}). The file of compression=9 has "
        f"{small / smallest:.3f} times the bytes of the smallest other file (target: at most 1)."
    )


def measured() -> str:
    libraries = ["nonet", "scikit-learn", "joblib", "skops", "xgboost", "lightgbm"]
    return f"Measured on {machine(libraries)}. Minimum of turns, files in the page cache."


def report_forest(options: Namespace) -> Iterator[str]:
    n_rows, n_trees = (500, 10) if options.quick else (100_000, 100)
    X, y = draw_table(n_rows)
    yield measured()
    with TemporaryDirectory() as name:
        folder = Path(name)
        forest = nonet.RandomForestClassifier(n_trees, random_state=0).fit(X, y)
        n_nodes = sum(tree.tree_.node_count for tree in forest.estimators_)
        formats = own_formats(forest, folder, n_nodes)
        formats += forest_peers(X, y, options.keep or folder, n_trees)
        del forest  # as in a process that only loads
        table, walls = compare(formats, n_trees, 1 if options.quick else 5)
    yield f"A forest of {n_trees} full trees on {n_rows:,} rows:\n\n{table}"
    yield conclude(formats, walls)


def report_booster(options: Namespace) -> Iterator[str]:
    n_rows, n_rounds = (500, 10) if options.quick else (20_000, 1000)
    X, y = draw_table(n_rows)
    yield measured()
    with TemporaryDirectory() as name:
        folder = Path(name)
        booster = nonet.HistGradientBoostingClassifier(
            max_iter=n_rounds, early_stopping=False, random_state=0
        ).fit(X, y)
        n_nodes = sum(tree.n_nodes for tree in booster._score_trees().trees)
        formats = own_formats(booster, folder, n_nodes)
        formats += booster_peers(X, y, folder, n_rounds)
        table, walls = compare(formats, n_rounds, 1 if options.quick else 15)
    yield f"A booster of {n_rounds:,} trees of 31 leaves:\n\n{table}"
    yield conclude(formats, walls)


if __name__ == "__main__":
    warnings.filterwarnings("ignore", module="lightgbm|sklearn")
    parser = make_parser(__doc__ or "")
    parser.add_argument("--booster", action="store_true", help="the booster alone")
    parser.add_argument("--keep", type=Path, help="folder of the forests of other libraries")
    options = parser.parse_args()
    if not options.booster:
        publish("bench_files_forest", report_forest(options), options)
    publish("bench_files_booster", report_booster(options), options)
