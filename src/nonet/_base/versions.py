"""Versions of the installed packages, for bug reports."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version

REQUIRED = ("nonet", "numpy", "scipy", "scikit-learn", "joblib", "threadpoolctl")
OPTIONAL = ("pandas", "polars", "pyarrow", "matplotlib", "dask")
THREAD_VARIABLES = ("NONET_NUM_THREADS", "OMP_NUM_THREADS")


def show_versions() -> None:
    """Print the versions of Python, of nonet and of what it stands on.

    Returns
    -------
    None
        The lines go to standard output, one ``name: version`` a line.

    Examples
    --------
    >>> from nonet import show_versions
    >>> show_versions()  # doctest: +ELLIPSIS
    System
    ...
    Python packages
             nonet: ...
    """
    _print_section("System", _system())
    _print_section("Python packages", {name: _version_of(name) for name in REQUIRED})
    _print_section("Optional packages", {name: _version_of(name) for name in OPTIONAL})


def _system() -> dict[str, str]:
    facts = {
        "python": sys.version.replace("\n", " "),
        "executable": sys.executable,
        "machine": platform.platform(),
        "cores": str(os.cpu_count()),
    }
    return facts | {name: os.environ.get(name, "not set") for name in THREAD_VARIABLES}


def _version_of(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def _print_section(title: str, facts: dict[str, str]) -> None:
    width = max(map(len, facts)) + 4
    print(title)
    for name, fact in facts.items():
        print(f"{name:>{width}}: {fact}")
