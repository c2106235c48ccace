"""Models of other libraries that nonet reads: their trees become native trees first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sklearn.ensemble
import sklearn.tree

from nonet.persist.imported.from_lightgbm import from_lightgbm
from nonet.persist.imported.from_sklearn import from_sklearn
from nonet.persist.imported.from_xgboost import from_xgboost
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_for, part_of
from nonet.persist.onnx.tables import Table


@part_for(
    sklearn.ensemble.ExtraTreesClassifier,
    sklearn.ensemble.ExtraTreesRegressor,
    sklearn.ensemble.GradientBoostingClassifier,
    sklearn.ensemble.GradientBoostingRegressor,
    sklearn.ensemble.HistGradientBoostingClassifier,
    sklearn.ensemble.HistGradientBoostingRegressor,
    sklearn.ensemble.IsolationForest,
    sklearn.ensemble.RandomForestClassifier,
    sklearn.ensemble.RandomForestRegressor,
    sklearn.tree.DecisionTreeClassifier,
    sklearn.tree.DecisionTreeRegressor,
    sklearn.tree.ExtraTreeClassifier,
    sklearn.tree.ExtraTreeRegressor,
)
def read_model(graph: Graph, model: Any, table: Table) -> Part:
    """Return the part of the same model as one of nonet."""
    return part_of(graph, from_sklearn(model), table)


def read_booster(model: Any) -> Any:
    """Return a model of LightGBM or XGBoost as one of nonet; None for other models."""
    read = _READERS.get(type(model).__module__.partition(".")[0])
    return None if read is None else read(model)


_READERS: dict[str, Callable[[Any], Any]] = {"lightgbm": from_lightgbm, "xgboost": from_xgboost}
