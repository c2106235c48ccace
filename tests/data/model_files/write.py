"""Write the golden files of the present format version; older ones stay as they are.

    python tests/data/model_files/write.py

Run it once for a new version of the format, never again for an old one: these files show that what
an earlier release has written can still be read. The expected predictions lie beside them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.naive_bayes import GaussianNB

import nonet
from nonet.persist.manifest import VERSION

FOLDER = Path(__file__).parent


def rows() -> tuple[np.ndarray, np.ndarray]:
    """Return data that no library draws: the same numbers for ever."""
    steps = np.arange(40 * 4, dtype=np.float64).reshape(40, 4)
    X = np.sin(steps * 0.7) * 3 + np.cos(steps * steps * 0.01)
    return np.round(X, 3), (X[:, 0] + X[:, 1] > 0.5).astype(int)


def models() -> dict[str, Any]:
    """Return small models of the main families, of nonet's own parts alone."""
    tree = nonet.DecisionTreeClassifier(max_depth=3)
    stump = nonet.DecisionTreeClassifier(max_depth=1)
    members = [("deep", tree), ("flat", stump)]
    return {
        "tree": nonet.DecisionTreeClassifier(max_depth=3, categorical_features=[3]),
        "regression_tree": nonet.DecisionTreeRegressor(max_depth=3),
        "forest": nonet.RandomForestClassifier(4, max_depth=4, oob_score=True, random_state=0),
        "forest_regression": nonet.RandomForestRegressor(3, max_depth=3, random_state=0),
        "extra_trees": nonet.ExtraTreesClassifier(3, max_depth=3, random_state=0),
        "isolation_forest": nonet.IsolationForest(n_estimators=3, random_state=0),
        "bagging": nonet.BaggingClassifier(tree, n_estimators=3, random_state=0),
        "boosted_trees": nonet.BoostedTreesClassifier(n_estimators=4, min_child_samples=2),
        "hist_boosting": nonet.HistGradientBoostingRegressor(max_iter=4, min_samples_leaf=2),
        "gradient_boosting": nonet.GradientBoostingRegressor(
            n_estimators=4, max_depth=2, init="zero", random_state=0
        ),
        "adaboost": nonet.AdaBoostClassifier(stump, n_estimators=4, random_state=0),
        "voting": nonet.VotingClassifier(members, voting="soft"),
        "stacking": nonet.StackingClassifier(members, tree, cv=2),
        "one_vs_rest": nonet.OneVsRestClassifier(tree),
        "with_sklearn": nonet.VotingClassifier([*members, ("bayes", GaussianNB())], voting="soft"),
    }


def fitted(model: Any) -> Any:
    X, y = rows()
    if "categorical_features" in model.get_params() and model.categorical_features == [3]:
        X = np.column_stack([X[:, :3], np.arange(len(X)) % 5])
    is_regression = type(model).__name__.endswith("Regressor")
    return model.fit(X, X[:, 0] * 2 + X[:, 1] if is_regression else y)


def expected(model: Any) -> list[str]:
    """Return predictions as exact text, on rows with a category in the last column."""
    X = np.column_stack([rows()[0][:, :3], np.arange(40) % 5])
    outputs = model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)
    return [float(number).hex() for number in np.ravel(outputs)]


if __name__ == "__main__":
    folder = FOLDER / f"version_{VERSION}"
    folder.mkdir()
    predictions = {}
    for name, model in models().items():
        nonet.save(fitted(model), folder / f"{name}.nonet", compression=9)
        predictions[name] = expected(model)
    (folder / "predictions.json").write_text(json.dumps(predictions, indent=1) + "\n")
