"""The manifest of a model file: what a reader wants to know before the model is made.

It is JSON, written for people and other programs; the model itself is made from ``model.json``.
"""

from __future__ import annotations

import math
import platform
from importlib.metadata import version
from typing import Any

import numpy as np
import sklearn
from sklearn.base import BaseEstimator

from nonet._base.aliases import Array
from nonet._base.archive import ArchiveReader
from nonet._base.errors import ModelFileError, show
from nonet.persist.signature import column_signature

FORMAT = "nonet model"
KIND_OF_FILE = "model file"
VERSION = 1
_LIBRARIES = ("nonet", "numpy", "scipy", "scikit-learn")
_MAX_LISTED = 1000
_FIELDS: dict[str, Any] = {
    "written_by": dict,
    "requires": dict,
    "trust": list,
    "class": str,
    "parameters": dict,
    "classes": list | None,
    "columns": dict,
    "facts": dict,
}


def make_manifest(model: Any, *, uses_sklearn: bool, has_pickles: bool) -> dict[str, Any]:
    """Return the manifest of a model, without its parts.

    Parameters
    ----------
    model : estimator
        A fitted model.
    uses_sklearn : bool
        Whether the file holds objects of scikit-learn.
    has_pickles : bool
        Whether the file holds pickled objects.

    Returns
    -------
    dict
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "written_by": {
            "python": platform.python_version(),
            **{name: version(name) for name in _LIBRARIES},
        },
        "requires": {"scikit-learn": sklearn_range()} if uses_sklearn else {},
        "trust": ["pickle"] if has_pickles else [],
        "class": type(model).__name__,
        "parameters": _parameters(model),
        "classes": _classes(model),
        "columns": column_signature(model),
        "facts": _facts(model),
    }


def sklearn_range(installed: str = sklearn.__version__) -> list[str]:
    """Return the versions whose objects have the same attributes: those of one minor release.

    Examples
    --------
    >>> sklearn_range("1.9.1")
    ['1.9', '1.10']
    """
    major, minor = _release(installed)
    return [f"{major}.{minor}", f"{major}.{minor + 1}"]


def check_manifest(archive: ArchiveReader) -> bool:
    """Raise unless this release can read the file; return whether it may make sklearn's objects.

    Parameters
    ----------
    archive : ArchiveReader
        The open file.

    Returns
    -------
    bool
    """
    return _check_sklearn(check_format(archive)["requires"], archive)


def check_format(archive: ArchiveReader) -> dict[str, Any]:
    """Return the manifest, if it is one of a model file of a version that this release reads."""
    manifest = archive.manifest
    if manifest.get("format") != FORMAT:
        raise ModelFileError(
            f"{archive.label} is not a model file, but a {show(manifest.get('format'))}; models "
            "are written by nonet.save."
        )
    written = manifest.get("version")
    if type(written) is not int or written < 1:
        raise archive.damaged("its manifest has no version")
    if written > VERSION:
        raise ModelFileError(
            f"{archive.label} is a model file of version {written}, but this release of nonet "
            f"reads versions up to {VERSION}; install a later release."
        )
    for name, kind in _FIELDS.items():
        if name not in manifest or not isinstance(manifest[name], kind):
            raise archive.damaged(f"its manifest has no {name!r}")
    return manifest


def _check_sklearn(required: dict[str, Any], archive: ArchiveReader) -> bool:
    if "scikit-learn" not in required:
        return False
    bounds = required["scikit-learn"]
    is_range = type(bounds) is list and len(bounds) == 2 and all(type(b) is str for b in bounds)
    first, end = (_bound(bound, archive) for bound in bounds) if is_range else ((0, 0), (0, 0))
    if not is_range or not first < end:
        raise archive.damaged("its manifest has no range of versions of scikit-learn")
    if not first <= _release(sklearn.__version__) < end:
        raise ModelFileError(
            f"{archive.label} holds objects of scikit-learn, which versions from {bounds[0]} up "
            f"to, but not including, {bounds[1]} can read, but {sklearn.__version__} is installed; "
            "install one of these, or fit the model again."
        )
    return True


def _bound(bound: str, archive: ArchiveReader) -> tuple[int, int]:
    try:
        return _release(bound)
    except ValueError as why:
        raise archive.damaged("its manifest has no range of versions of scikit-learn") from why


def _release(text: str) -> tuple[int, int]:
    major, minor = text.split(".")[:2]
    if len(text) > 100:
        raise ValueError
    return int(major), int(minor)


# ---- Facts about the model -----------------------------------------------------------------------


def _parameters(model: Any) -> dict[str, Any]:
    if not isinstance(model, BaseEstimator):
        return {}
    return {name: plain(value) for name, value in model.get_params(deep=False).items()}


def _classes(model: Any) -> Any:
    """Return the classes, or those of each target."""
    try:
        classes = model.classes_
    except Exception:  # a property may fail in any way, and a manifest is no reason to stop
        return None
    if isinstance(classes, np.ndarray):
        return _listed(classes)
    return [_listed(np.asarray(known)) for known in classes] if isinstance(classes, list) else None


def _listed(values: Array) -> list[Any]:
    listed = [plain(value) for value in values.ravel()[:_MAX_LISTED].tolist()]
    return listed if values.size <= _MAX_LISTED else [*listed, "..."]


def _facts(model: Any) -> dict[str, Any]:
    """Return the fitted attributes that are numbers or names: sizes, scores, rounds."""
    facts: dict[str, Any] = {}
    for name, value in sorted(vars(model).items()):
        number = value.item() if isinstance(value, np.generic) else value
        if name.endswith("_") and not name.startswith("_") and _is_scalar(number):
            facts[name] = plain(number)
    return facts


def _is_scalar(value: Any) -> bool:
    return isinstance(value, bool | int | float | str)


def plain(value: Any) -> Any:
    """Return a value that JSON holds, or its text."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float) and math.isfinite(value):
        return value
    if isinstance(value, list | tuple) and len(value) <= _MAX_LISTED:
        return [plain(item) for item in value]
    return show(value, 200)
