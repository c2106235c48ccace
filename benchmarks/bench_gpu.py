"""Boosting on a GPU beside all cores of the processor: seconds, and whether models are equal.

Two classes, 28 float32 columns, trees of 31 leaves. The first round includes bins and the copy of
the columns; the hundred that follow are told apart, as the difference of two fits.

    python benchmarks/bench_gpu.py                     1,000,000 to 30,000,000 rows
    python benchmarks/bench_gpu.py --rows 100000       other sizes
    python benchmarks/bench_gpu.py --quick             a smoke test on few rows
    python benchmarks/bench_gpu.py --write             also puts the table into the page
"""

from __future__ import annotations

import math
import subprocess
import time
from collections.abc import Iterator, Sequence

import numpy as np

import nonet
from command_line import make_parser, publish
from harness import machine, markdown_table
from nonet import _core

SIZES = (100_000, 1_000_000, 10_000_000, 30_000_000)
N_ROUNDS = 100


def draw(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.random((n_rows, 28), dtype=np.float32)
    signal = X[:, 0] + X[:, 1] * X[:, 2] + 1.5 * rng.standard_normal(n_rows, dtype=np.float32)
    return X, (signal > 0.75).astype(np.int32)


def fit(X, y, device: str, n_rounds: int) -> tuple[float, nonet.HistGradientBoostingClassifier]:
    model = nonet.HistGradientBoostingClassifier(
        max_iter=n_rounds, early_stopping=False, random_state=0
    )
    with nonet.use_device(device):
        start = time.perf_counter()
        model.fit(X, y)
        return time.perf_counter() - start, model


def row_of(n_rows: int, n_rounds: int, n_repeats: int, devices: Sequence[str]) -> list[str]:
    X, y = draw(n_rows)
    fit(X[:5_000], y[:5_000], devices[0], 2)  # the first call of a process starts CUDA
    seconds = {"cuda": [math.nan, math.nan]}
    scores = []
    for device in devices:
        first = min(fit(X, y, device, 1)[0] for _ in range(n_repeats))
        fits = [fit(X, y, device, 1 + n_rounds) for _ in range(n_repeats)]
        seconds[device] = [first, min(time for time, _ in fits) - first]
        scores.append(fits[0][1].decision_function(X[:20_000]))
    gpu, cpu = seconds["cuda"], seconds["cpu"]
    return [
        f"{n_rows:,}", f"{gpu[0]:.2f}", f"{gpu[1]:.2f}", f"{cpu[0]:.2f}", f"{cpu[1]:.2f}",
        f"{cpu[1] / gpu[1]:.1f}", "yes" if np.array_equal(scores[0], scores[-1]) else "NO",
    ]  # fmt: skip


def gpu_name() -> str:
    command = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def make_report(sizes: Sequence[int], *, quick: bool) -> Iterator[str]:
    devices = ("cuda", "cpu") if _core.n_cuda_devices() > 0 else ("cpu",)
    gpu = gpu_name() if "cuda" in devices else "no GPU"
    yield (
        f"Measured on {gpu} beside {machine(['nonet'])}. Minimum of {1 if quick else 3} fits "
        f"({1 if quick else 2} from 10,000,000 rows on)."
    )
    header = [
        "rows", "GPU: bins, copy, one round [s]", f"GPU: {N_ROUNDS} rounds [s]",
        "processor: bins, one round [s]", f"processor: {N_ROUNDS} rounds [s]", "ratio of rounds",
        "equal bits",
    ]  # fmt: skip
    rows = []
    for n_rows in sizes:
        n_repeats = 1 if quick else 3 if n_rows < 10_000_000 else 2
        rows.append(row_of(n_rows, 3 if quick else N_ROUNDS, n_repeats, devices))
    yield markdown_table(header, rows)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--rows", type=int, nargs="+", help="sizes of the tables")
    options = parser.parse_args()
    sizes = options.rows or ((3_000,) if options.quick else SIZES)
    publish("bench_gpu", make_report(sizes, quick=options.quick), options)


if __name__ == "__main__":
    main()
