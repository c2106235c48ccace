"""Who may import whom: import-linter's table, and what it cannot see."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "nonet"


def imported_names(path: Path) -> set[str]:
    """Full dotted names of all that a file imports, lazily or not."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def importers_of(package: str) -> set[str]:
    return {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if any(name == package or name.startswith(f"{package}.") for name in imported_names(path))
    }


def test_imports_point_down():
    code = (
        "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    )
    command = [sys.executable, "-c", code]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_only_native_touches_the_compiled_core():
    importers = importers_of("nonet._core")
    assert {Path(name).parts[0] for name in importers} == {"_native"}
    assert len(importers) == 17


def test_only_plots_uses_matplotlib():
    assert {Path(name).parts[0] for name in importers_of("matplotlib")} == {"plots"}


def test_only_parallel_starts_python_workers():
    assert importers_of("joblib") == {"_base/parallel.py"}


def test_importing_nonet_brings_in_no_optional_package():
    # scikit-learn imports pandas when it is there; what counts is what nonet adds.
    code = (
        "import sys, sklearn.ensemble, sklearn.model_selection; before = set(sys.modules); "
        "import nonet; print(sorted({'matplotlib', 'pandas', 'polars', 'pyarrow', 'dask'} "
        "& (set(sys.modules) - before)))"
    )
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"
