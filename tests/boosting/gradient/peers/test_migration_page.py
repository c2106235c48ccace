"""The guide for users of LightGBM and XGBoost lists what is refused, with the same way out."""

from __future__ import annotations

import re
from pathlib import Path

from nonet.boosting.gradient.boosted_trees.peers import (
    fit_arguments,
    interface,
    objectives,
    translation,
)
from nonet.boosting.gradient.boosted_trees.peers.parameters import (
    CLASSIFIER_NAMES,
    REGRESSOR_NAMES,
)
from nonet.boosting.gradient.boosted_trees.peers.spellings import Neutral
from nonet.boosting.gradient.early_stopping.peer_metrics import REFUSED_METRICS

PAGE = Path(__file__).parents[4] / "docs" / "guide" / "migration.rst"
REFUSED = {
    "parameter": {
        name: spelling.way_out
        for names in (CLASSIFIER_NAMES, REGRESSOR_NAMES)
        for name, spelling in names.items()
        if isinstance(spelling, Neutral)
    },
    "boosting": translation._REFUSED_BOOSTING,
    "objective": objectives._REFUSED,
    "argument of ``fit``": fit_arguments._REFUSED,
    "attribute, method": interface._REFUSED,
    "metric": REFUSED_METRICS,
}


def listed_rows():
    """Yield the rows of the table: what kind of thing, its names, and the way out."""
    _, section = PAGE.read_text(encoding="utf-8").split("What is not available\n-----")
    table = section.split("\nWhat differs on purpose")[0]
    for row in table.split("\n   * - ")[1:]:
        yield [" ".join(cell.split()) for cell in row.split("\n     - ")]


def test_every_refusal_is_on_the_page_in_the_same_words():
    listed = {kind: {} for kind in REFUSED}
    for kind, names, way_out in listed_rows():
        found = re.findall(r"``([^`]+)``", names)
        assert found, f"no names in {names!r}"
        listed.setdefault(kind, {}).update(dict.fromkeys(found, way_out.replace("``", "")))
    assert {kind: listed[kind] for kind in REFUSED} == REFUSED
