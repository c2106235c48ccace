"""Models that older versions of other libraries have written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import nonet

FOLDER = Path(__file__).parents[2] / "data" / "foreign_models"
FACTS = json.loads((FOLDER / "predictions.json").read_text())
READERS = {
    "lightgbm": nonet.from_lightgbm,
    "xgboost": nonet.from_xgboost,
    "catboost": nonet.from_catboost,
}


@pytest.mark.parametrize("name", FACTS["predictions"])
def test_model_of_an_older_version_predicts_what_it_predicted(name):
    model = READERS[name.partition("_")[0]](FOLDER / name)
    rows = np.array(FACTS["rows"], dtype=np.float64)
    found = model.predict_proba(rows) if hasattr(model, "classes_") else model.predict(rows)
    np.testing.assert_allclose(found, FACTS["predictions"][name], rtol=1e-6)


OF_OTHERS = [
    (name, library)
    for name in FACTS["predictions"]
    for library in READERS
    if not name.startswith(library)
]


@pytest.mark.parametrize(("name", "library"), OF_OTHERS)
def test_file_of_another_library_ends_in_one_sentence(name, library):
    with pytest.raises(nonet.ModelFileError, match=r"this is no (JSON document|model text)"):
        READERS[library](FOLDER / name)
