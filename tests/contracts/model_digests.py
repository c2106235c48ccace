"""Digests of fitted models: the same bits on any machine, number of threads and device.

    python tests/contracts/model_digests.py            compares with tests/data/model_digests.json
    python tests/contracts/model_digests.py --write    writes that file anew
    python tests/contracts/model_digests.py --cuda     compares what a GPU can grow

A digest that differs on one machine alone is a fault; one that differs everywhere, after a change
that is meant to change models, is written anew with that change.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

import nonet

FILE = Path(__file__).parents[1] / "data" / "model_digests.json"
N_SMALL, N_PACKED = 1_500, 33_000  # rows are packed from 32,768 on


def draw(n_rows):
    """Draw numbers with missing values, a column of categories, and targets of four kinds."""
    rng = np.random.default_rng(27)
    X = rng.random((n_rows, 8))
    X[rng.random(X.shape) < 0.03] = np.nan
    X[:, 7] = rng.integers(0, 15, n_rows)
    signal = np.nan_to_num(X[:, 0] + X[:, 1] * X[:, 2]) + 0.2 * (X[:, 7] % 3) + rng.random(n_rows)
    targets = {
        "squared_error": signal,
        "poisson": np.floor(2 * signal),
        "two classes": (signal > 1.2).astype(int),
        "four classes": np.digitize(signal, [0.8, 1.2, 1.6]),
    }
    return X, targets, rng.random(n_rows) + 0.25


def boosters(kind):
    """Give the settings of boosters of one kind of target, by name."""
    is_numeric = kind in ("squared_error", "poisson")
    make = nonet.BoostedTreesRegressor if is_numeric else nonet.BoostedTreesClassifier
    objective = {"objective": kind} if is_numeric else {}
    base = {"n_estimators": 6, "random_state": 0, "categorical_features": [7], **objective}
    settings = {
        "plain": {},
        "sampled": {"subsample": 0.6, "colsample_bytree": 0.7},
        "monotone": {"monotone_constraints": [1, -1, 0, 0, 0, 0, 0, 0]},
        "stopped": {"n_estimators": 30, "early_stopping_rounds": 2, "validation_split": 0.2},
    }
    if kind == "four classes":
        del settings["monotone"]
    return {name: make(**(base | extra)) for name, extra in settings.items()}


def forests():
    return {
        "random forest": nonet.RandomForestClassifier(n_estimators=5, random_state=0),
        "extra trees": nonet.ExtraTreesClassifier(n_estimators=5, random_state=0),
    }


def digest(numbers):
    return hashlib.sha256(np.ascontiguousarray(numbers, np.float64).tobytes()).hexdigest()[:16]


def can_be_on_a_gpu(name):
    return not name.startswith("sampled")


def booster_digests(n_rows, on_gpu=False):
    X, targets, weights = draw(n_rows)
    for kind, y in targets.items():
        for name, model in boosters(kind).items():
            if on_gpu and not can_be_on_a_gpu(name):
                continue
            for title, w in (("", None), (", weighted", weights)):
                model.fit(X, y, sample_weight=w)
                scores = model.predict(X, raw_score=True)
                yield f"{n_rows} rows, {kind}, {name}{title}", digest(scores)


def forest_digests():
    X, targets, _ = draw(N_SMALL)
    for name, model in forests().items():
        fitted = model.fit(np.nan_to_num(X), targets["four classes"])
        yield name, digest(fitted.predict_proba(np.nan_to_num(X)))


def all_digests():
    return dict([*booster_digests(N_SMALL), *booster_digests(N_PACKED), *forest_digests()])


def gpu_digests():
    with nonet.use_device("cuda"):
        return dict([*booster_digests(N_SMALL, True), *booster_digests(N_PACKED, True)])


def main():
    on_gpu = "--cuda" in sys.argv
    found = gpu_digests() if on_gpu else all_digests()
    if "--write" in sys.argv:
        FILE.write_text(json.dumps(found, indent=1) + "\n")
        return 0
    known = json.loads(FILE.read_text())
    wanted = found.keys() if on_gpu else known.keys() | found.keys()
    different = [name for name in wanted if known.get(name) != found.get(name)]
    print(f"{len(wanted)} digests, {len(different)} differ: {sorted(different)}")
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
