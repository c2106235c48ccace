"""Parameters, attributes and methods under the names of LightGBM and XGBoost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature
from typing import Any, ClassVar, TypeVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.params import bad_parameter
from nonet._native.tree import Tree, find_leaves
from nonet.boosting.gradient.boosted_trees.bagged_rounds import BaggedRounds
from nonet.boosting.gradient.boosted_trees.peers.spellings import Spelling
from nonet.boosting.gradient.boosted_trees.peers.translation import refuse_unknown, spelt_names
from nonet.trees.columns import predict_in_blocks

Init = TypeVar("Init", bound=Callable[..., None])

_IMPORTANCES = ("gain", "total_gain", "split", "weight", "cover", "total_cover")

_BOOSTER = (
    "its trees are in estimators_, its importances in feature_importances_ by importance_type, and "
    "nonet.save writes it to a file"
)
_REFUSED: Mapping[str, str] = {
    "booster_": _BOOSTER,
    "get_booster": _BOOSTER,
    "objective_": "use get_params()['objective']",
    "intercept_": "predict with iteration_range=(0, 0), which gives the start",
    "get_num_boosting_rounds": "use n_iter_",
    "get_xgb_params": "use get_params()",
    "save_model": "use nonet.save(model, path)",
    "load_model": "use nonet.load(path)",
}


def takes_peer_names(init: Init) -> Init:
    """Decorate a constructor so that it takes the names of the libraries besides its own.

    Its signature stays as it is, because scikit-learn reads the parameters from it.

    Parameters
    ----------
    init : callable
        ``__init__`` of an estimator with ``_peer_names``.

    Returns
    -------
    callable
    """
    own = set(signature(init).parameters)

    @wraps(init)
    def construct(self: Any, *args: Any, **params: Any) -> None:
        others = {name: value for name, value in params.items() if name not in own}
        refuse_unknown(self, others)
        init(self, *args, **{name: params[name] for name in params if name in own})
        self.__dict__.update(others)

    return construct  # type: ignore[return-value]


class PeerInterface(BaggedRounds):
    """Parent of boosted trees: what users of LightGBM and XGBoost look for."""

    _peer_names: ClassVar[Mapping[str, Spelling]]
    best_iteration_: int
    best_score_: float | None
    evals_result_: dict[str, dict[str, list[float]]]

    # ---- Parameters ----------------------------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, those given under names of LightGBM and XGBoost included.

        Parameters
        ----------
        deep : bool, default=True
            Whether parameters of estimators among the parameters are returned too.

        Returns
        -------
        params : dict
        """
        params: dict[str, Any] = super().get_params(deep)
        return params | {name: getattr(self, name) for name in spelt_names(self)}

    def set_params(self, **params: Any) -> Any:
        """Set parameters, under any of their names.

        Parameters
        ----------
        **params : dict
            Names and values. A name of LightGBM or XGBoost set to None counts as not given.

        Returns
        -------
        self : object
        """
        spelt = {name: value for name, value in params.items() if name in self._peer_names}
        super().set_params(**{name: params[name] for name in params if name not in spelt})
        self.__dict__.update(spelt)
        return self

    def __getattr__(self, name: str) -> Any:
        text = f"{type(self).__name__!r} object has no attribute {name!r}"
        raise AttributeError(f"{text}; {_REFUSED[name]}." if name in _REFUSED else text)

    # ---- Results -------------------------------------------------------------------------------

    def evals_result(self) -> dict[str, dict[str, list[float]]]:
        """Return the values of evaluation sets after every round, as XGBoost does.

        Returns
        -------
        results : dict
            The same as `evals_result_`.
        """
        check_is_fitted(self)
        return self.evals_result_

    @property
    def best_iteration(self) -> int:
        """Index of the last round that predictions use, counted from 0 as in XGBoost."""
        check_is_fitted(self)
        return self.best_iteration_ - 1

    @property
    def best_score(self) -> float | None:
        """The same as `best_score_`, under XGBoost's name."""
        check_is_fitted(self)
        return self.best_score_

    @property
    def n_estimators_(self) -> int:
        """Number of rounds, under LightGBM's name."""
        return self.n_iter_

    @property
    def n_features_(self) -> int:
        """Number of columns, under LightGBM's name."""
        check_is_fitted(self)
        return self.n_features_in_

    @property
    def feature_name_(self) -> list[str]:
        """Names of the columns under LightGBM's name, 'Column_0' and so on if they have none."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            return [f"Column_{j}" for j in range(self.n_features_in_)]
        return [str(name) for name in names]

    # ---- Trees ---------------------------------------------------------------------------------

    def apply(self, X: Any, iteration_range: Any = None) -> Array:
        """Return the leaf that each row reaches in each tree.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        iteration_range : tuple of int (first, end), default=None
            The rounds to use; those up to `best_iteration_` if None.

        Returns
        -------
        leaves : int array of shape (n_samples, n_trees)
            Numbers of nodes; the trees of a round, one per score, are next to each other.
        """
        check_is_fitted(self)
        rounds = self._booster.rounds[self._read_range(iteration_range)]
        table = self._check_rows(X)
        trees = [tree for of_round in rounds for tree in of_round]
        if not trees:
            return np.empty((table.shape[0], 0), dtype=np.int32)
        return np.concatenate(predict_in_blocks(lambda rows: find_leaves(trees, rows), table))

    @property
    def feature_importances_(self) -> Floats:
        """Importance of each column by `importance_type`, as fractions; all 0 without splits.

        'gain' (the default) and 'total_gain' are the gain of all splits on a column, 'split' and
        'weight' their number, 'total_cover' the rows that they split, and 'cover' the mean of that.
        """
        check_is_fitted(self)
        kind = vars(self).get("importance_type") or "gain"
        if kind not in _IMPORTANCES:
            allowed = f"one of {', '.join(map(repr, _IMPORTANCES))}"
            raise bad_parameter(self, "importance_type", allowed, kind)
        trees = [tree for of_round in self._rounds_used() for tree in of_round]
        importances = sum_importances(trees, kind, self.n_features_in_)
        fractions: Floats = importances / max(importances.sum(), np.finfo(np.float64).tiny)
        return fractions

    def _read_range(self, iteration_range: Any) -> slice:
        """Return the rounds as a slice; children define which rounds predictions use."""
        raise NotImplementedError


def sum_importances(trees: list[Tree], kind: str, n_columns: int) -> Floats:
    """Sum the importances of columns over trees.

    Parameters
    ----------
    trees : list of Tree
        The trees.
    kind : str
        An importance type of LightGBM or XGBoost.
    n_columns : int
        Number of columns.

    Returns
    -------
    array of shape (n_columns,)
    """
    if kind in ("gain", "total_gain"):
        gains: Floats = np.sum([tree.gain_importances() for tree in trees], axis=0)
        return gains
    counts, cover = np.zeros(n_columns), np.zeros(n_columns)
    for tree in trees:
        arrays = tree.arrays()
        is_split = arrays["left"] >= 0
        np.add.at(counts, arrays["column"][is_split], 1.0)
        np.add.at(cover, arrays["column"][is_split], arrays["n_rows"][is_split])
    if kind in ("split", "weight"):
        return counts
    return cover if kind == "total_cover" else cover / np.maximum(counts, 1)
