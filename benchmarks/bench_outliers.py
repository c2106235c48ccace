"""Accuracy of outlier ensembles: a rare class as the outlier.

A class of each table is reduced to 5% of the rows. The detectors learn from half of the rows,
without labels; the area under the ROC curve of the other half is reported for each member and for
each combination of the members, together with the difference to the median member.

    python benchmarks/bench_outliers.py FOLDER          all tables, some minutes
    python benchmarks/bench_outliers.py --quick         a smoke test on few rows
    python benchmarks/bench_outliers.py FOLDER --write  also puts the tables into docs/benchmarks.md
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import sklearn.datasets
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

from command_line import publish, read_options_with_folder
from harness import machine, markdown_table
from nonet import OutlierEnsemble
from nonet.combine import COMBINATION_RULES, Combination
from nonet.unsupervised.outliers.calibration import learn_calibrations
from nonet.unsupervised.outliers.outlier_ensemble import CalibratedScores
from real_tables import facts_of, read_table

TABLES = ("caravan", "covertype", "letter", "magic_telescope", "pendigits", "phoneme")
TABLES += ("satimage", "segment", "sick", "spambase", "vowel")
BUNDLED = ("breast_cancer", "wine", "digits")
COMBINATIONS = {  # name: calibration and rule
    "Borda (mean rank)": ("rank", "mean"),
    "median rank": ("rank", "median"),
    "maximum rank": ("rank", "max"),
    "mean, Gaussian": ("gaussian", "mean"),
    "mean, gamma": ("gamma", "mean"),
}
FRACTION = 0.05
MAX_ROWS = 2_000


def make_rare(X: np.ndarray, y: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows whose rarest class is at most 5% of them, and which of them are outliers."""
    rng = np.random.default_rng(seed)
    classes, counts = np.unique(y, return_counts=True)
    is_rare = y == classes[counts.argmin()]
    usual, rare = np.flatnonzero(~is_rare), np.flatnonzero(is_rare)
    usual = rng.permutation(usual)[: round((1 - FRACTION) * MAX_ROWS)]
    n_rare = max(4, round(FRACTION / (1 - FRACTION) * len(usual)))
    rows = rng.permutation(np.concatenate([usual, rng.permutation(rare)[:n_rare]]))
    return X[rows], is_rare[rows]


def read_tables(folder: Path | None) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield names, columns of numbers (means where they are missing) and classes."""
    for name in BUNDLED:
        X, y = getattr(sklearn.datasets, f"load_{name}")(return_X_y=True)
        yield f"{name} (scikit-learn)", X, y
    if folder is None:
        return
    facts = facts_of(folder)
    for name in TABLES:
        table = read_table(folder, facts[name], 40_000)
        X = table.X.astype(np.float64)
        X = X[:, ~np.isnan(X).all(axis=0)]
        yield name, np.where(np.isnan(X), np.nanmean(X, axis=0), X), table.y


def areas(X: np.ndarray, y: np.ndarray, seed: int, scores: dict[str, list[float]]) -> None:
    """Add the area under the curve of every member and combination for one split."""
    X, outlier = make_rare(X, y, seed)
    train, test, _, truth = train_test_split(
        X, outlier, test_size=0.5, stratify=outlier, random_state=seed
    )
    ensemble = OutlierEnsemble(random_state=seed).fit(train)
    outputs = ensemble.member_outputs(test)
    members = [roc_auc_score(truth, -column) for column in outputs.T]
    found = {member.name: area for member, area in zip(ensemble.members_, members, strict=True)}
    found |= {"median member": float(np.median(members)), "best member": max(members)}
    for name, (calibrate, combine) in COMBINATIONS.items():
        calibrations = learn_calibrations(calibrate, ensemble.held_out_outputs_)
        rule = Combination(COMBINATION_RULES[combine], "values")
        scores_of_test = CalibratedScores(calibrations, rule)(outputs)
        found[name] = roc_auc_score(truth, -scores_of_test)
    for name, area in found.items():
        scores.setdefault(name, []).append(area)


def report(options: Namespace) -> Iterator[str]:
    seeds = range(1 if options.quick else 5)
    tables = list(read_tables(None if options.quick else options.folder))
    means: dict[str, dict[str, float]] = {}
    for name, X, y in tables[:2] if options.quick else tables:
        scores: dict[str, list[float]] = {}
        for seed in seeds:
            areas(X, y, seed, scores)
        means[name] = {key: float(np.mean(values)) for key, values in scores.items()}
    yield (
        f"Measured on {machine(['nonet', 'numpy', 'scikit-learn'])}. Area under the ROC curve, "
        f"mean of {len(seeds)} splits of {len(means)} tables; differences with the standard error over "
        "the tables."
    )
    columns = list(next(iter(means.values())))
    rows = []
    for key in columns:
        values = np.array([of_table[key] for of_table in means.values()])
        median = np.array([of_table["median member"] for of_table in means.values()])
        gains = values - median
        error = gains.std(ddof=1) / np.sqrt(len(gains))
        wins = int((gains > 0).sum())
        rows.append([key, f"{values.mean():.3f}", f"{gains.mean():+.3f} +- {error:.3f}", str(wins)])
    header = ["detector", "mean AUC", "less the median member", "tables above it"]
    yield markdown_table(header, rows)
    shown = ["median member", "best member", *COMBINATIONS]
    yield markdown_table(
        ["table", *shown],
        [[name, *(f"{of[key]:.3f}" for key in shown)] for name, of in means.items()],
    )


if __name__ == "__main__":
    options = read_options_with_folder(__doc__ or "")
    publish("bench_outliers", report(options), options)
