"""Load mutated model files, in a process of its own: a crash of native code ends the process.

    python tests/persist/file_fuzz.py [number of files] [seed]

Every second file has its checksums repaired after the mutation. A file is refused by a
ModelFileError, or it is a model: its predictions may then fail by any exception of Python, since a
file can describe a model that makes no sense. Prints what happened as one line of JSON.
"""

from __future__ import annotations

import faulthandler
import io
import json
import random
import resource
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from sklearn import ensemble, neighbors, svm
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, SplineTransformer, StandardScaler

import nonet
from nonet import ModelFileError
from nonet.persist.codecs.nonet_classes import nonet_classes
from nonet.persist.codecs.sklearn_objects import rules
from persist.rewriting import pack, saved, unpack

SECONDS_PER_FILE = 20
MAX_BYTES = 1 << 27
MEMORY_LIMIT = 4 << 30  # of addresses, those of libraries included
ODD = (0, 1, -1, 2**31, 2**63, 10**30, 1.5, True, None, "", "x", [], {}, {"@": 0}, {"@": 10**6})

CLASSES = sorted({*nonet_classes(), *(kind.__name__ for kind in rules())})

X, Y = make_classification(
    n_samples=60, n_features=5, n_informative=4, n_redundant=0, random_state=0
)


def corpus() -> list[bytes]:
    """Return files of models that take different paths through the reader."""
    categories = np.column_stack([X[:, :4], Y % 3])
    members = [("line", LogisticRegression()), ("tree", nonet.DecisionTreeClassifier(max_depth=2))]
    models: list[Any] = [
        nonet.RandomForestClassifier(3, max_depth=4, random_state=0),
        nonet.RandomForestRegressor(3, max_depth=3, random_state=0),
        nonet.HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=5),
        nonet.BoostedTreesRegressor(n_estimators=3, min_child_samples=5),
        nonet.GradientBoostingClassifier(n_estimators=3, max_depth=2, random_state=0),
        nonet.StackingClassifier(members, cv=2),
        nonet.AdaBoostClassifier(n_estimators=3, random_state=0),
        nonet.IsolationForest(n_estimators=3, random_state=0),
        nonet.OneVsRestClassifier(LogisticRegression()),
        ensemble.RandomForestClassifier(3, max_depth=3, random_state=0),
        ensemble.HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=5),
        ensemble.GradientBoostingRegressor(n_estimators=3, max_depth=2, random_state=0),
        svm.SVC(),
        neighbors.KNeighborsClassifier(3, algorithm="kd_tree"),
        make_pipeline(StandardScaler(), SplineTransformer(3), LogisticRegression()),
        make_pipeline(
            KBinsDiscretizer(3, quantile_method="averaged_inverted_cdf"), LogisticRegression()
        ),
    ]
    files = [saved(model.fit(X, Y)) for model in models]
    tree = nonet.DecisionTreeClassifier(max_depth=3, categorical_features=[4])
    files.append(saved(tree.fit(categories, Y)))
    encoder = make_pipeline(
        OneHotEncoder(min_frequency=5, handle_unknown="ignore"), svm.LinearSVC()
    )
    files.append(saved(encoder.fit(X.round(), Y)))
    return [*files, saved(models[0], compression=9)]


# ---- Mutations -----------------------------------------------------------------------------------


def mutate_bytes(content: bytes, other: bytes, rng: random.Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(damaged))
        match rng.randrange(6):
            case 0 | 1:
                damaged[at] ^= 1 << rng.randrange(8)
            case 2:
                damaged[at : at + 4] = rng.choice([b"\xff" * 4, bytes(4), rng.randbytes(4)])
            case 3:
                del damaged[at:]
            case 4:
                del damaged[at : at + rng.randint(1, 9)]
            case _:
                start = rng.randrange(len(other))
                damaged[at:at] = other[start : start + rng.randint(1, 64)]
        damaged = damaged or bytearray(b"P")
    return bytes(damaged)


def mutate_json(thing: Any, rng: random.Random) -> Any:
    """Change one value, key or reference somewhere in JSON."""
    if isinstance(thing, dict) and thing:
        key = rng.choice(list(thing))
        match rng.randrange(10):
            case 0:
                return {name: value for name, value in thing.items() if name != key}
            case 1:
                return {**thing, rng.choice(["predict", "__class__", "x_", "@"]): rng.choice(ODD)}
            case _:
                return {**thing, key: mutate_json(thing[key], rng)}
    if isinstance(thing, list) and thing:
        at = rng.randrange(len(thing))
        match rng.randrange(10):
            case 0:
                return thing[:at] + thing[at + 1 :]
            case 1:
                return [*thing[:at], thing[at], *thing[at:]]
            case _:
                return [*thing[:at], mutate_json(thing[at], rng), *thing[at + 1 :]]
    return mutate_scalar(thing, rng)


def mutate_scalar(thing: Any, rng: random.Random) -> Any:
    if isinstance(thing, bool) or rng.random() < 0.2:
        return rng.choice(ODD)
    if isinstance(thing, int):
        return thing + rng.choice([-1, 1, 2, 7, -thing, -2 * thing, 10**6, 2**31, 2**40])
    if isinstance(thing, float):
        return rng.choice([-thing, 0.0, 1e300, 1e-300, thing * 2])
    return thing if isinstance(thing, str) and rng.random() < 0.8 else rng.choice(ODD)


def mutate_records(records: list[Any], rng: random.Random) -> None:
    """Change records so that many of them are still read."""
    at = rng.randrange(len(records))
    record = records[at]
    match rng.randrange(5) if isinstance(record, dict) else 4:
        case 0:  # refer to another record
            references = list(find_references(record))
            if references:
                rng.choice(references)["@"] = rng.randrange(max(at, 1))
        case 1:  # change the numbers of an array
            arrays = [numbers for numbers in map(numbers_of, records) if numbers]
            if arrays:
                numbers = rng.choice(arrays)
                position = rng.randrange(len(numbers))
                numbers[position] = mutate_scalar(numbers[position], rng)
        case 2:  # another class, with the same attributes
            if "class" in record:
                record["class"] = rng.choice(CLASSES)
        case 3:  # change an attribute, or what else a record holds
            field = rng.choice([name for name in record if name != "kind"] or ["kind"])
            record[field] = mutate_json(record.get(field), rng)
        case _:
            records[at] = mutate_json(record, rng)


def numbers_of(record: Any) -> list[Any]:
    numbers = record.get("numbers") if isinstance(record, dict) else None
    return numbers if isinstance(numbers, list) else []


def find_references(thing: Any) -> Iterator[dict[str, int]]:
    if isinstance(thing, dict):
        if set(thing) == {"@"}:
            yield thing
        thing = list(thing.values())
    for item in thing if isinstance(thing, list) else ():
        yield from find_references(item)


def mutate_array(part: bytes, rng: random.Random) -> bytes:
    """Change numbers of an array, or its header."""
    start = 10 + int.from_bytes(part[8:10], "little")
    if rng.random() < 0.2 or start >= len(part):
        return mutate_bytes(part, part, rng)
    changed = bytearray(part)
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(start, len(part))
        changed[at] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
    return bytes(changed)


def mutate_inside(content: bytes, rng: random.Random) -> bytes:
    """Change a part, and repair the checksums."""
    manifest, parts = unpack(content)
    name = rng.choice([*parts, *["model.json"] * max(2, len(parts) // 2)])
    if name == "model.json" and rng.random() < 0.95:
        records = json.loads(parts[name])
        for _ in range(rng.randint(1, 2)):
            mutate_records(records["objects"], rng)
        parts[name] = json.dumps(records).encode()
    elif name.endswith(".npy"):
        parts[name] = mutate_array(parts[name], rng)
    else:
        parts[name] = mutate_bytes(parts[name], parts[rng.choice(list(parts))], rng)
    if rng.random() < 0.03:
        manifest = mutate_json(manifest, rng)
        manifest = manifest if isinstance(manifest, dict) else {}
    return pack(manifest, parts)


# ---- Outcomes ------------------------------------------------------------------------------------


def outcome(content: bytes) -> str:
    try:
        model = nonet.load(io.BytesIO(content), max_bytes=MAX_BYTES)
    except ModelFileError as why:
        text = str(why)
        assert text.endswith("."), text
        assert "\n" not in text, text
        return "refused"
    try:
        model.predict(X[:7])
        if hasattr(model, "predict_proba"):
            model.predict_proba(X[:7])
    except Exception:  # a model that makes no sense
        return "read, predicts nothing"
    return "read"


def run(n_files: int, seed: int) -> dict[str, Any]:
    files = corpus()
    rng = random.Random(seed)
    outcomes: Counter[str] = Counter()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    started = time.perf_counter()
    for number in range(n_files):
        state = rng.getstate()
        content = rng.choice(files)
        damaged = (
            mutate_inside(content, rng)
            if number % 2
            else mutate_bytes(content, rng.choice(files), rng)
        )
        signal.alarm(SECONDS_PER_FILE)
        try:
            outcomes[outcome(damaged)] += 1
        except BaseException:
            Path(f"fuzz-{seed}-{number}.nonet").write_bytes(damaged)
            print(f"file {number} of seed {seed}", state[1][:2], file=sys.stderr)
            raise
        signal.alarm(0)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "files": n_files,
        **outcomes,
        "seconds": round(time.perf_counter() - started, 1),
        "MB of memory added": (after - before) // 1024,
    }


if __name__ == "__main__":
    faulthandler.enable()
    warnings.simplefilter("ignore")
    numbers = [int(word) for word in sys.argv[1:]]
    print(json.dumps(run(*(numbers + [2000, 0][len(numbers) :]))))
