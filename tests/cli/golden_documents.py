"""Which documents of ``--json`` are golden; run as a script, it writes them.

They are of the runs churn.run and flats.run of conftest.py, in the folder of its tables.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"
CASES = {
    "fit": (
        *("fit", "churn.csv", "--target", "left", "--id", "customer", "--drop", "weight"),
        *("--families", "linear", "--max-tasks", "2", "--out", "golden.run"),
    ),
    "resume": ("resume", "churn.run", "--max-tasks", "3"),
    "predict": ("predict", "churn.run", "new.csv", "--proba"),
    "predict_to_a_file": ("predict", "churn.run", "new.csv", "--out", "p.csv"),
    "score": ("score", "churn.run", "new.csv"),
    "score_of_values": ("score", "flats.run", "new_flats.csv", "--metric", "r2"),
    "compare": ("compare", "churn.run", "churn.run/model.nonet", "new.csv"),
    "explain": ("explain", "flats.run", "new_flats.csv"),
    "explain_a_row": ("explain", "churn.run", "new.csv", "--row", "1"),
    "show_a_run": ("show", "churn.run"),
    "show_a_model": ("show", "flats.run/model.nonet"),
    "report": ("report", "churn.run", "new.csv", "--out", "new.html"),
    "completion": ("completion", "fish"),
}
# What differs from run to run, from version to version, or is looked at by other tests.
_MASKS = {"seconds", "nonet", "n_bytes", "written_by", "requires", "script", "us_per_row"}


def masked(document):
    """Return a document without what differs; of facts of a report only the names of sections."""
    if isinstance(document, dict):
        return {
            name: sorted(one)
            if name == "facts" and "result" in one
            else "..."
            if name in _MASKS
            else masked(one)
            for name, one in document.items()
        }
    if isinstance(document, list):
        return [masked(one) for one in document]
    return document


def _write():
    from cli.conftest import _write_tables
    from cli.small_tables import FAST
    from nonet.cli.main import main

    def run(*arguments):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            assert main([*arguments, "--quiet"]) == 0, arguments
        return printed.getvalue()

    GOLDEN.mkdir(exist_ok=True)
    churn = ("fit", "churn.csv", "--target", "left", "--id", "customer", "--drop", "weight")
    for name, arguments in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            _write_tables(Path(folder))
            run(*churn, "--out", "churn.run", *FAST)
            run("fit", "flats.csv", "--target", "price", "--out", "flats.run", *FAST)
            document = masked(json.loads(run(*arguments, "--json")))
            text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
            (GOLDEN / f"{name}.json").write_text(text, encoding="utf-8")
            os.chdir(GOLDEN)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    _write()
