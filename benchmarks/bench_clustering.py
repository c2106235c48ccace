"""Accuracy of consensus clustering beside its members and other clusterers, and its memory.

Every dataset has classes, which no clusterer sees. Columns are scaled to unit variance, the number
of clusters is that of the classes, and the score is the adjusted Rand index of clusters and
classes: 1 for equal partitions, 0 on average for unrelated ones. Scores are means over seeds.

The best member is the one with the highest mean over all datasets among the members of the
consensus: 50 runs of k-means for the consensus of one clusterer, four clusterers for that of named
ones, with equal weights (named) or weighed by their stability (stable). The oracle chooses the best
member of each dataset by its classes, which no user can.

    python benchmarks/bench_clustering.py FOLDER          some minutes
    python benchmarks/bench_clustering.py FOLDER --write  puts the tables into docs/benchmarks.md
    python benchmarks/bench_clustering.py FOLDER --others tables unseen by the defaults
    python benchmarks/bench_clustering.py --memory        a million rows, fifty partitions
    python benchmarks/bench_clustering.py --quick         a smoke test on scikit-learn's own data

FOLDER holds Parquet files and datasets.json, which names their target and category columns.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import sklearn.datasets
from sklearn.base import clone
from sklearn.cluster import AgglomerativeClustering, KMeans, MiniBatchKMeans, SpectralClustering
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import scale

import nonet
from command_line import make_parser, publish
from harness import machine, markdown_table, peak_in_own_process, print_peak_of
from real_tables import facts_of, read_table

Dataset = tuple[str, np.ndarray, np.ndarray]
REAL = ["penguins", "segment", "satimage", "pendigits"]
# Tables that had no part in the choice of the defaults.
OTHER = ["khan", "letter", "vowel", "leaf_flavia", "phoneme", "spambase", "magic_telescope"]
BUNDLED = ["iris", "wine", "breast_cancer", "digits"]
MEASURED = ["combine_partitions", "ConsensusClustering.fit"]
MAX_ROWS = 1000
N_SEEDS = 2


def prepare(name: str, X: np.ndarray, y: np.ndarray) -> Dataset:
    """Fill gaps by medians, scale columns, drop constant ones."""
    X = np.asarray(X, dtype=np.float64)
    X = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    return name, scale(X[:, X.std(axis=0) > 0]), np.unique(y, return_inverse=True)[1]


def generated(n_rows: int) -> Iterator[Dataset]:
    """Yield the datasets that scikit-learn brings along or generates."""
    for name in BUNDLED:
        X, y = getattr(sklearn.datasets, f"load_{name}")(return_X_y=True)
        yield prepare(name, X[:n_rows], y[:n_rows])
    n_generated = min(n_rows, 600)
    yield prepare("moons", *sklearn.datasets.make_moons(n_generated, noise=0.06, random_state=0))
    yield prepare(
        "circles",
        *sklearn.datasets.make_circles(n_generated, noise=0.05, factor=0.4, random_state=0),
    )
    blobs = sklearn.datasets.make_blobs(n_generated, 5, centers=6, cluster_std=2.0, random_state=1)
    yield prepare("blobs", blobs[0], blobs[1])


def real(folder: Path, names: list[str]) -> Iterator[Dataset]:
    """Yield real tables, without their columns of categories."""
    facts = facts_of(folder)
    for name in names:
        table = read_table(folder, facts[name], MAX_ROWS)
        numbers = np.delete(table.X, table.categories, axis=1)
        yield prepare(name, numbers, table.y)


def other_generated() -> Iterator[Dataset]:
    """Yield Gaussian clusters that are stretched, of different sizes, or rings of many columns."""
    X, y = sklearn.datasets.make_blobs(600, 2, centers=4, random_state=5)
    yield prepare("stretched blobs", X @ np.array([[0.6, -0.6], [-0.4, 0.8]]), y)
    sizes = [400, 120, 60]
    centers = np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0]])
    X, y = sklearn.datasets.make_blobs(
        sizes, centers=centers, cluster_std=[1.5, 0.5, 0.7], random_state=5
    )
    yield prepare("uneven blobs", X, y)
    X, y = sklearn.datasets.make_gaussian_quantiles(n_samples=600, n_classes=2, random_state=5)
    yield prepare("rings", X, y)


def datasets_of(folder: Path) -> Iterator[Dataset]:
    yield from real(folder, REAL)
    yield from generated(MAX_ROWS)


def others_of(folder: Path) -> Iterator[Dataset]:
    yield from real(folder, OTHER)
    yield from other_generated()


def clusterers(k: int, seed: int) -> list[tuple[str, object]]:
    """Return the named members: clusterers that know the number of clusters."""
    graph = {"affinity": "nearest_neighbors", "assign_labels": "kmeans"}
    return [
        ("k-means", KMeans(k, n_init=10, random_state=seed)),
        ("Ward", AgglomerativeClustering(k)),
        ("mixture", GaussianMixture(k, reg_covar=1e-3, random_state=seed)),
        ("spectral", SpectralClustering(k, random_state=seed, **graph)),
    ]


# ---- Accuracy ----------------------------------------------------------------------------------


def scores_of(dataset: Dataset, n_members: int, seed: int) -> dict[str, object]:
    """Score all contenders on one dataset with one seed."""
    _, X, y = dataset
    k = int(y.max()) + 1
    model = nonet.ConsensusClustering(n_clusters=k, n_estimators=n_members, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fine = model.fit(X)
        votes = _consensus(X, k, n_members, seed, combine="vote")
        median = _consensus(X, k, n_members, seed, combine="median")
        named = nonet.ConsensusClustering(clusterers(k, seed), k, random_state=seed).fit(X)
        stable = clone(named).set_params(weights="stability").fit(X)
    of_named = {m.name: codes for m, codes in zip(named.members_, _codes(named, X), strict=True)}
    return {
        "members": [adjusted_rand_score(y, codes) for codes in _codes(fine, X)],
        "members of k": [adjusted_rand_score(y, codes) for codes in _codes(votes, X)],
        "evidence": adjusted_rand_score(y, fine.labels_),
        "vote": adjusted_rand_score(y, votes.labels_),
        "median": adjusted_rand_score(y, median.labels_),
        "named": adjusted_rand_score(y, named.labels_),
        "stable": adjusted_rand_score(y, stable.labels_),
        **{name: adjusted_rand_score(y, codes) for name, codes in of_named.items()},
    }


def _consensus(X: np.ndarray, k: int, n_members: int, seed: int, combine: str) -> object:
    settings = {"n_clusters": k, "n_estimators": n_members, "random_state": seed}
    return nonet.ConsensusClustering(combine=combine, **settings).fit(X)


def _codes(model: nonet.ConsensusClustering, X: np.ndarray) -> np.ndarray:
    return model.member_outputs(X).T


CLUSTERERS = ["k-means", "Ward", "mixture", "spectral"]
CONTENDERS = ["evidence", "vote", "median", "named", "stable", *CLUSTERERS]


def accuracy(datasets: list[Dataset], n_members: int, n_seeds: int) -> list[str]:
    found = [
        [scores_of(dataset, n_members, seed) for seed in range(n_seeds)] for dataset in datasets
    ]
    rows = [
        (name, f"{X.shape[0]:,} x {X.shape[1]}", str(int(y.max()) + 1), *map(_shown, _line(scores)))
        for (name, X, y), scores in zip(datasets, found, strict=True)
    ]
    lines = np.array([_line(scores) for scores in found])
    rows.append(("mean", "", "", *map(_shown, lines.mean(axis=0))))
    header = ("data", "rows x columns", "k", *CONTENDERS, "best k-means member, oracle")
    return [markdown_table(header, rows, n_labels=3), _in_words(found, lines.mean(axis=0))]


def _line(scores: list[dict[str, object]]) -> list[float]:
    means = [float(np.mean([one[name] for one in scores])) for name in CONTENDERS]
    oracle = float(np.mean([max(one["members"] + one["members of k"]) for one in scores]))
    return [*means, oracle]


def _in_words(found: list[list[dict[str, object]]], means: np.ndarray) -> str:
    own = _best_member(found, "members")
    of_k = _best_member(found, "members of k")
    by_name = dict(zip(CONTENDERS, means, strict=False))  # the oracle comes last
    best = max(CLUSTERERS, key=lambda name: by_name[name])
    return (
        f"Mean of the best member over all datasets: {own:.3f} of the members of `evidence`, "
        f"{of_k:.3f} of those of `vote` and `median`, {by_name[best]:.3f} ({best}) of the named "
        f"members. Consensus: `evidence` {means[0]:.3f}, `vote` {means[1]:.3f}, `median` "
        f"{means[2]:.3f}, `named` {means[3]:.3f}, `stable` {means[4]:.3f}."
    )


def _best_member(found: list[list[dict[str, object]]], kind: str) -> float:
    """Return the highest mean of one member over all datasets, and its mean over seeds."""
    by_seed = np.array([[one[kind] for one in scores] for scores in found])
    return float(by_seed.mean(axis=0).max(axis=1).mean())


def _shown(score: float) -> str:
    return f"{score:.3f}"


# ---- Memory ------------------------------------------------------------------------------------


def make_partitions(n_rows: int, n_partitions: int, n_clusters: int) -> list[np.ndarray]:
    """Return partitions of rows on a line: random thresholds, and a tenth of random labels."""
    random = np.random.default_rng(0)
    rows = random.random(n_rows)
    partitions = []
    for _ in range(n_partitions):
        edges = np.sort(random.random(n_clusters - 1))
        labels = np.searchsorted(edges, rows).astype(np.int16)
        is_noise = random.random(n_rows) < 0.1
        labels[is_noise] = random.integers(n_clusters, size=int(is_noise.sum()))
        partitions.append(labels)
    return partitions


def print_peak(facts: str) -> None:
    what, n_rows, n_partitions, n_clusters, method = json.loads(facts)
    make = prepare_combination if what == "combine_partitions" else prepare_fit
    print_peak_of(make(n_rows, n_partitions, n_clusters, method))


def prepare_combination(
    n_rows: int, n_partitions: int, n_clusters: int, method: str
) -> Callable[[], object]:
    partitions = make_partitions(n_rows, n_partitions, n_clusters)
    return lambda: nonet.combine_partitions(partitions, 10, method=method, random_state=0)


def prepare_fit(n_rows: int, n_members: int, n_clusters: int, method: str) -> Callable[[], object]:
    X, _ = sklearn.datasets.make_blobs(n_rows, 10, centers=10, random_state=0)
    member = MiniBatchKMeans(n_init=1, batch_size=10_000, max_iter=5, compute_labels=True)
    model = nonet.ConsensusClustering(
        member,
        10,
        n_estimators=n_members,
        member_clusters=n_clusters,
        combine=method,
        random_state=0,
    )
    return lambda: model.fit(X)


def memory(sizes: list[tuple[int, int, int]]) -> list[str]:
    rows = []
    for what, (n_rows, n_partitions, n_clusters) in itertools.product(MEASURED, sizes):
        for method in ("evidence", "vote", "median"):
            own = 10 if method == "vote" else n_clusters
            start = time.perf_counter()
            peak = peak_in_own_process(__file__, [what, n_rows, n_partitions, own, method])
            seconds = time.perf_counter() - start
            shape = f"{n_rows:,} x {n_partitions}"
            shown = f"{peak / 1e9:.2f} GB", f"{seconds:.0f} s"
            rows.append((f"`{what}`", shape, str(own), method, *shown))
    header = ("call", "rows x partitions", "clusters each", "method", "peak above the data", "time")
    text = (
        "Each call in a process of its own; the time includes making the data. `fit` fits k-means "
        "in small batches on ten columns of 64-bit numbers."
    )
    return [text, markdown_table(header, rows, n_labels=4)]


def main() -> None:
    if sys.argv[1:2] == ["--peak"]:
        print_peak(sys.argv[2])
        return
    options = read_options()
    head = f"Measured with {machine(['nonet', 'numpy', 'scikit-learn'])}."
    if options.memory:
        sizes = [(2_000, 5, 12)] if options.quick else [(1_000_000, 50, 30)]
        publish("bench_clustering_memory", [head, *memory(sizes)], options)
    elif options.quick:
        publish("bench_clustering", [head, *accuracy(list(generated(150))[:2], 5, 1)], options)
    else:
        make = others_of if options.others else datasets_of
        section = "bench_clustering_others" if options.others else "bench_clustering"
        publish(section, [head, *accuracy(list(make(options.folder)), 50, N_SEEDS)], options)


def read_options() -> argparse.Namespace:
    parser = make_parser(__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="Parquet files and datasets.json")
    parser.add_argument("--others", action="store_true", help="tables unseen by the defaults")
    parser.add_argument("--memory", action="store_true", help="peak memory for a million rows")
    options = parser.parse_args()
    if options.folder is None and not (options.quick or options.memory):
        parser.error("give the folder of the data, --memory, or --quick")
    return options


if __name__ == "__main__":
    main()
