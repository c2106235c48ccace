"""The file format of the ledger: arrays, and JSON for everything else, in one ``.npz`` file.

Nothing is pickled, so loading a file never executes code from it. Fitted members are not
stored; of the models the file stores the class and the parameters as text.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from nonet._base.aliases import Array

FORMAT = "nonet ledger"
VERSION = 1


def write_ledger_file(path: str | os.PathLike[str], ledger: Any) -> None:
    """Write the record of a ledger."""
    record: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "names": ledger.names,
        "reads": ledger.reads,
        "kinds": ledger.kinds,
        "models": [repr(model) for model in ledger.models],
        "n_targets": len(ledger.predictions),
        "is_classification": ledger.classes is not None,
        "rows_digest": ledger.rows_digest,
        "objects": {},
    }
    arrays = {"coverage": ledger.coverage}
    arrays |= {f"predictions_{t}": page for t, page in enumerate(ledger.predictions)}
    arrays["fold_sizes"] = np.array([len(rows) for rows in ledger.held_out_rows], dtype=np.int64)
    arrays["held_out_rows"] = np.concatenate([np.empty(0, np.int64), *ledger.held_out_rows])
    for name, labels in _labels(ledger).items():
        if labels.dtype.kind == "O":
            record["objects"][name] = _plain_list(labels, name)
        else:
            arrays[name] = labels
    arrays["record"] = np.frombuffer(json.dumps(record).encode(), dtype=np.uint8)
    with open(path, "wb") as file:  # a file, so that NumPy does not add a suffix to the name
        np.savez(file, **arrays)


def read_ledger_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the fields of the ledger that the file holds."""
    with np.load(path, allow_pickle=False) as stored:
        record = _read_record(stored, path)
        arrays = {name: stored[name] for name in stored.files}
    objects = record["objects"]
    arrays |= {name: np.array(values, dtype=object) for name, values in objects.items()}
    ends = np.cumsum(arrays["fold_sizes"])[:-1]
    targets = range(record["n_targets"])
    classes = [arrays[f"classes_{t}"] for t in targets] if record["is_classification"] else None
    return {
        "names": tuple(record["names"]),
        "reads": record["reads"],
        "kinds": tuple(record["kinds"]),
        "predictions": [arrays[f"predictions_{t}"] for t in targets],
        "coverage": arrays["coverage"],
        "held_out_rows": tuple(np.split(arrays["held_out_rows"], ends)),
        "target": arrays.get("target"),
        "classes": classes,
        "rows_digest": record.get("rows_digest"),  # files of earlier versions have none
    }


def _read_record(stored: Mapping[str, Array], path: Any) -> dict[str, Any]:
    if "record" not in stored:
        raise ValueError(f"{os.fspath(path)!r} is not a ledger: it does not list its members.")
    record: dict[str, Any] = json.loads(bytes(stored["record"]).decode())
    if record.get("format") != FORMAT or record.get("version") != VERSION:
        raise ValueError(
            f"{os.fspath(path)!r} must be a {FORMAT} of version {VERSION}, but is "
            f"{record.get('format')!r} of version {record.get('version')!r}."
        )
    return record


def _labels(ledger: Any) -> dict[str, Array]:
    labels = {} if ledger.target is None else {"target": ledger.target}
    return labels | {f"classes_{t}": known for t, known in enumerate(ledger.classes or [])}


def _plain_list(labels: Array, name: str) -> list[Any]:
    values: list[Any] = labels.tolist()
    if not all(isinstance(value, (str, int, float, bool)) for value in labels.ravel().tolist()):
        raise TypeError(
            f"a ledger can be saved if its {name} are text or numbers, but some are of another "
            "type; encode them before fit."
        )
    return values
