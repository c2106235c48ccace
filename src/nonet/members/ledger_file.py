"""The file format of the ledger: an archive of arrays, and JSON for everything else.

Nothing is pickled, so loading a file never executes code from it. The file is written completely or
not at all, and every part has a checksum. Fitted members are not stored; of the models the file
stores the class and the parameters as text.
"""

from __future__ import annotations

import json
import os
from typing import Any, get_args

import numpy as np

from nonet._base.aliases import Array, Kind
from nonet._base.archive import ArchiveReader
from nonet._base.archive_file import open_archive, write_archive_file
from nonet._base.errors import ModelFileError, show
from nonet._base.plain_arrays import array_from_bytes, array_to_bytes

FORMAT = "nonet ledger"
VERSION = 2  # version 1 was an .npz file without checksums, in no release
_RECORD = "ledger.json"


def write_ledger_file(path: str | os.PathLike[str], ledger: Any) -> None:
    """Write the record of a ledger."""
    record: dict[str, Any] = {
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
    parts = {_RECORD: json.dumps(record).encode()}
    parts |= {f"{name}.npy": array_to_bytes(array) for name, array in arrays.items()}
    write_archive_file(path, {"format": FORMAT, "version": VERSION}, parts)


def read_ledger_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the fields of the ledger that the file holds."""
    with open_archive(path, "ledger") as archive:
        _check_format(archive)
        record = archive.read_json(_RECORD)
        arrays = {
            name.removesuffix(".npy"): array_from_bytes(archive.read(name), name)
            for name in archive.manifest["parts"]
            if name.endswith(".npy")
        }
        try:
            fields = _fields(record, arrays)
            _check_fields(fields)
        except ModelFileError:
            raise
        except Exception as why:  # whatever a record that someone has changed leads to
            raise archive.damaged("its record does not fit its arrays") from why
    return fields


def _check_format(archive: ArchiveReader) -> None:
    found, version = archive.manifest.get("format"), archive.manifest.get("version")
    if found != FORMAT:
        raise ModelFileError(f"{archive.label} is not a ledger, but a {show(found)}.")
    if version != VERSION:
        raise ModelFileError(
            f"{archive.label} must be a ledger of version {VERSION}, but is of version "
            f"{show(version)}; make it again with make_ledger."
        )


def _fields(record: dict[str, Any], arrays: dict[str, Array]) -> dict[str, Any]:
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


def _check_fields(fields: dict[str, Any]) -> None:
    """Raise a ValueError unless names, predictions, rows and classes fit each other."""
    n_rows, n_members = fields["coverage"].shape
    names, kinds, pages = fields["names"], fields["kinds"], fields["predictions"]
    rows = np.concatenate([np.empty(0, np.int64), *fields["held_out_rows"]])
    target, classes = fields["target"], fields["classes"]
    if not (
        len(names) == len(set(names)) == n_members
        and all(isinstance(name, str) for name in names)
        and len(kinds) in (0, n_members)
        and all(kind in get_args(Kind) for kind in (fields["reads"], *kinds))
        and all(page.shape[:2] == (n_rows, n_members) for page in pages)
        and rows.dtype.kind in "iu"
        and np.all((rows >= 0) & (rows < n_rows))
        and (target is None or len(target) == n_rows)
        and (classes is None or len(classes) == len(pages))
    ):
        raise ValueError


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
