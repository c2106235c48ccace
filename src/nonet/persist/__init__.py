"""Fitted models that leave the process, as model files or ONNX graphs, and models that come in."""

from nonet._base.errors import ModelFileError
from nonet.persist.description import ModelFileDescription, describe_file
from nonet.persist.imported.from_catboost import from_catboost
from nonet.persist.imported.from_lightgbm import from_lightgbm
from nonet.persist.imported.from_sklearn import from_sklearn
from nonet.persist.imported.from_xgboost import from_xgboost
from nonet.persist.model_file import load, save
from nonet.persist.onnx.to_onnx import to_onnx
from nonet.persist.pyfunc import load_pyfunc as _load_pyfunc  # noqa: F401  # MLflow calls it
from nonet.persist.treelite.to_treelite import to_treelite

__all__ = [
    "ModelFileDescription",
    "ModelFileError",
    "describe_file",
    "from_catboost",
    "from_lightgbm",
    "from_sklearn",
    "from_xgboost",
    "load",
    "save",
    "to_onnx",
    "to_treelite",
]
