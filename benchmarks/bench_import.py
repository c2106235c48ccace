"""Time of `import nonet` and size of its wheel.

Imports are timed in fresh processes, in turns, and the minimum counts. What nonet adds is the
import after scikit-learn's ensembles; what its own modules take of that is their time in
``-X importtime``. Sizes are those of a wheel that was built before (`make size` does both).

    python benchmarks/bench_import.py                       imports alone
    python benchmarks/bench_import.py --wheel dist/X.whl    and the size of a wheel
    python benchmarks/bench_import.py --quick               a smoke test
    python benchmarks/bench_import.py --write               puts the results into docs/benchmarks.md
"""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from command_line import make_parser, publish
from harness import machine, markdown_table

IMPORTS = {  # title: what is imported before, and what is timed
    "sklearn.ensemble": ("", "import sklearn.ensemble"),
    "nonet": ("", "import nonet"),
    "nonet, after sklearn.ensemble": ("import sklearn.ensemble", "import nonet"),
}
PROGRAM = """
import time
{before}
wall, processor = time.perf_counter(), time.process_time()
{timed}
print(time.perf_counter() - wall, time.process_time() - processor)
"""
OWN_MODULE = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s+nonet\b")
MAX_FILES = 3


def run_python(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)


def seconds_of(before: str, timed: str) -> tuple[float, float]:
    """Give wall and processor seconds of one import in a process of its own."""
    output = run_python("-c", PROGRAM.format(before=before, timed=timed)).stdout
    wall, processor = map(float, output.split())
    return wall, processor


def own_seconds() -> float:
    """Give the seconds that nonet's modules take without those that they import."""
    lines = run_python("-X", "importtime", "-c", "import nonet").stderr.splitlines()
    return sum(int(found[1]) for found in map(OWN_MODULE.match, lines) if found) / 1e6


def import_table(n_repeats: int) -> str:
    turns = [[seconds_of(*words) for words in IMPORTS.values()] for _ in range(n_repeats)]
    rows = [
        [title, *(f"{1e3 * min(times):.0f}" for times in zip(*found, strict=True))]
        for title, found in zip(IMPORTS, zip(*turns, strict=True), strict=True)
    ]
    own = min(own_seconds() for _ in range(n_repeats))
    rows.append(["of which nonet's own modules", f"{1e3 * own:.0f}", ""])
    return markdown_table(["import", "wall ms", "processor ms"], rows)


def wheel_table(path: Path) -> str:
    """Give the bytes of a wheel, packed and unpacked, and those of its biggest files."""
    files = sorted(zipfile.ZipFile(path).infolist(), key=lambda file: -file.file_size)
    rows = [[path.name, path.stat().st_size, sum(file.file_size for file in files)]]
    rows += [[file.filename, file.compress_size, file.file_size] for file in files[:MAX_FILES]]
    words = [[name, f"{packed / 1e3:,.0f}", f"{whole / 1e3:,.0f}"] for name, packed, whole in rows]
    return markdown_table(["wheel, and its biggest files", "packed kB", "unpacked kB"], words)


def report(n_repeats: int, wheel: Path | None) -> Iterator[str]:
    packages = ["nonet", "numpy", "scipy", "scikit-learn"]
    yield f"Measured on {machine(packages)}; best of {n_repeats} processes."
    yield import_table(n_repeats)
    if wheel is not None:
        yield wheel_table(wheel)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--wheel", type=Path, help="a wheel to look into")
    options = parser.parse_args()
    publish("bench_import", report(1 if options.quick else 5, options.wheel), options)


if __name__ == "__main__":
    main()
