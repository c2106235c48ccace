"""What do draws of rows pay in boosting? Time and loss, beside trees that see all rows.

Two classes, 28 columns, 100 rounds of 31 leaves. Fits are timed in turns; the log loss on new rows
is compared with that of all rows, seed by seed.

    python benchmarks/bench_row_sampling.py          100,000 and 1,000,000 rows
    python benchmarks/bench_row_sampling.py --quick  a smoke test on small data
    python benchmarks/bench_row_sampling.py --write  puts the results into docs/benchmarks.md
"""

from __future__ import annotations

import argparse
import functools
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats
from sklearn.metrics import log_loss

from harness import Contender, machine, markdown_table, race, replace_section
from nonet import BoostedTreesClassifier
from nonet._native import get_num_threads

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
SAMPLINGS: dict[str, dict[str, Any]] = {
    "all rows": {},
    "uniform, 0.5": {"subsample": 0.5},
    "uniform, 0.3": {"subsample": 0.3},
    "one-side, 0.2 + 0.1": {"sampling_method": "goss"},
    "minimal variance, 0.3": {"sampling_method": "mvs", "subsample": 0.3},
    "minimal variance, 0.1": {"sampling_method": "mvs", "subsample": 0.1},
}


def draw(seed: int, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 28)).astype(np.float32)
    signal = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + rng.normal(size=n_rows)
    return X, (signal > 0).astype(int)


def fit(X: np.ndarray, y: np.ndarray, settings: dict[str, Any], seed: int = 0) -> Any:
    return BoostedTreesClassifier(reg_lambda=1.0, random_state=seed, **settings).fit(X, y)


def loss_of(seed: int, n_rows: int, settings: dict[str, Any]) -> float:
    X, y = draw(seed, n_rows)
    X_test, y_test = draw(1000 + seed, 50_000)
    return float(log_loss(y_test, fit(X, y, settings, seed).predict_proba(X_test)))


def interval(gaps: np.ndarray) -> str:
    """Write the mean and its 95 % interval."""
    if not gaps.any():
        return ""
    half = stats.t.ppf(0.975, len(gaps) - 1) * gaps.std(ddof=1) / np.sqrt(len(gaps))
    return f"{gaps.mean():+.5f} ± {half:.5f}"


def table_of(n_rows: int, n_seeds: int, n_repeats: int) -> str:
    X, y = draw(0, n_rows)
    times = race(
        [Contender(n, functools.partial(fit, X, y, s)) for n, s in SAMPLINGS.items()], n_repeats
    )
    losses = {
        name: np.array([loss_of(seed, n_rows, settings) for seed in range(n_seeds)])
        for name, settings in SAMPLINGS.items()
    }
    rows = [
        [
            timing.name,
            f"{timing.wall:.2f}",
            f"{timing.processor:.2f}",
            f"{timing.processor / times[0].processor:.2f}",
            f"{losses[timing.name].mean():.5f}",
            interval(losses[timing.name] - losses["all rows"]),
        ]
        for timing in times
    ]
    header = [
        "rows",
        "wall s",
        "processor s",
        "times all rows'",
        "log loss",
        "less that of all rows",
    ]
    return f"**{n_rows:,} rows**\n\n" + markdown_table(header, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small data, one repeat")
    parser.add_argument("--write", action="store_true", help="put the results into the docs")
    arguments = parser.parse_args()
    text = [f"Measured on {machine(['nonet', 'numpy'])}; {get_num_threads()} threads."]
    for n_rows in [3000] if arguments.quick else [100_000, 1_000_000]:
        text.append(table_of(n_rows, 2 if arguments.quick else 5, 1 if arguments.quick else 3))
        print(text[-1], flush=True)
    if arguments.write:
        replace_section(PAGE, "bench_row_sampling", "\n\n".join(text))


if __name__ == "__main__":
    main()
