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
MAX_ROWS = 1_500
PROTOCOLS = {
    "against the most frequent class": True,
    "against all other classes": False,
}


def make_rare(
    X: np.ndarray, y: np.ndarray, one_class: bool, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return rows whose rarest class is at most 5% of them, and which of them are outliers."""
    rng = np.random.default_rng(seed)
    classes, counts = np.unique(y, return_counts=True)
    is_rare = y == classes[counts.argmin()]
    is_usual = y == classes[::-1][counts[::-1].argmax()] if one_class else ~is_rare
    usual, rare = np.flatnonzero(is_usual), np.flatnonzero(is_rare)
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


def areas(X: np.ndarray, outlier: np.ndarray, seed: int, scores: dict[str, list[float]]) -> None:
    """Add the area under the curve of every member and combination for one split."""
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


def means_of_tables(
    tables: list[tuple[str, np.ndarray, np.ndarray]], one_class: bool, n_splits: int
) -> dict[str, dict[str, float]]:
    """Return the mean area of every detector for each table."""
    means = {}
    for name, X, y in tables:
        scores: dict[str, list[float]] = {}
        for seed in range(n_splits):
            areas(*make_rare(X, y, one_class, seed), seed, scores)
        means[name] = {key: float(np.mean(values)) for key, values in scores.items()}
    return means


def compare(means: dict[str, dict[str, float]]) -> str:
    """Return a table of mean areas and of differences to the median member."""
    rows = []
    for key in next(iter(means.values())):
        values = np.array([of_table[key] for of_table in means.values()])
        gains = values - [of_table["median member"] for of_table in means.values()]
        error = gains.std(ddof=1) / np.sqrt(len(gains))
        wins = int((gains > 0).sum())
        rows.append([key, f"{values.mean():.3f}", f"{gains.mean():+.3f} +- {error:.3f}", str(wins)])
    header = ["detector", "mean AUC", "less the median member", "tables above it"]
    return markdown_table(header, rows)


def report(options: Namespace) -> Iterator[str]:
    tables = list(read_tables(None if options.quick else options.folder))
    tables, n_splits = (tables[:2], 1) if options.quick else (tables, 4)
    yield (
        f"Measured on {machine(['nonet', 'numpy', 'scikit-learn'])}. Area under the ROC curve, "
        f"mean of {n_splits} splits of {len(tables)} tables; differences with the standard error "
        "over the tables."
    )
    shown = ["median member", "best member", *COMBINATIONS]
    for title, one_class in PROTOCOLS.items():
        means = means_of_tables(tables, one_class, n_splits)
        yield f"The rarest class {title}:\n\n{compare(means)}"
        rows = [[name, *(f"{of[key]:.3f}" for key in shown)] for name, of in means.items()]
        yield markdown_table(["table", *shown], rows)


if __name__ == "__main__":
    options = read_options_with_folder(__doc__ or "")
    publish("bench_outliers", report(options), options)
