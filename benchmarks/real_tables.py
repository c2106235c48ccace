"""Real tables that the benchmarks read from a folder of Parquet files.

The folder also holds datasets.json, which names the file, the task, the target and the columns to
ignore of every table. No table is part of the project: the folder is given on the command line.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd


def facts_of(folder: Path) -> dict[str, dict[str, Any]]:
    """Give what is known of every table, by its name."""
    known = json.loads((folder / "datasets.json").read_text())["datasets"]
    return {facts["name"]: facts for facts in known}


def read_frame(
    folder: Path, facts: dict[str, Any], most_rows: int | None
) -> tuple[pd.DataFrame, pd.Series]:
    """Give columns, text as categories, and the target: a shuffled table, cut to so many rows."""
    frame = pd.read_parquet(folder / facts["file"]).drop(columns=facts["ignore_columns"])
    frame = frame.dropna(subset=[facts["target"]]).sample(frac=1, random_state=0)[:most_rows]
    y = frame.pop(facts["target"])
    for name in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[name].dtype):
            frame[name] = frame[name].astype("category")
    return frame, y
