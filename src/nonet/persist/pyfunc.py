"""How MLflow loads a model file: the function that its pyfunc models name by their module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nonet._base.errors import show
from nonet.persist.model_file import load

_METHODS = ("predict", "predict_proba", "decision_function", "score_samples", "transform")


def load_pyfunc(path: str, model_config: Mapping[str, Any] | None = None) -> PyfuncModel:
    """Load a model file for MLflow.

    Parameters
    ----------
    path : str
        A file of `nonet.save`.
    model_config : mapping or None
        ``method``: what MLflow's ``predict`` calls; 'predict' if it is not given.

    Returns
    -------
    model : PyfuncModel
    """
    return PyfuncModel(load(path), (model_config or {}).get("method", "predict"))


class PyfuncModel:
    """A fitted model with the interface of MLflow's pyfunc.

    Parameters
    ----------
    model : estimator
        Fitted.
    method : str, default='predict'
        The method that predicts.
    """

    def __init__(self, model: Any, method: str = "predict") -> None:
        self.model, self.method = model, self._checked(model, method)

    def predict(self, data: Any, params: Mapping[str, Any] | None = None) -> Any:
        """Predict rows.

        Parameters
        ----------
        data : table
            As MLflow hands it on.
        params : mapping or None
            ``method``: another method for this call.

        Returns
        -------
        predictions : ndarray
        """
        method = (params or {}).get("method", self.method)
        return getattr(self.model, self._checked(self.model, method))(data)

    @staticmethod
    def _checked(model: Any, method: Any) -> str:
        allowed = [name for name in _METHODS if hasattr(model, name)]
        if method not in allowed:
            raise ValueError(
                f"method must be one of {', '.join(allowed)} for {type(model).__name__}, got "
                f"{show(method)}."
            )
        return str(method)
