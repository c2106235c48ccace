"""Families of members: how the parameters of a configuration become an estimator.

All members read an encoded table: numbers, with codes in the columns of categories.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.compose import TransformedTargetRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    QuantileTransformer,
    SplineTransformer,
    StandardScaler,
)

from nonet._base.aliases import Array, Task
from nonet._base.names import look_up
from nonet.auto.clip import Clip
from nonet.auto.configuration import Configuration
from nonet.auto.dense_columns import DenseColumns
from nonet.bagging import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from nonet.boosting import BoostedTreesClassifier, BoostedTreesRegressor


@dataclass(frozen=True)
class MemberFacts:
    """What an estimator is made for.

    Attributes
    ----------
    task : {'regression', 'classification'}
    categorical : ndarray of bool of shape (n_columns,)
        Which columns hold codes of categories.
    seed : int
        The ``random_state``.

    Examples
    --------
    >>> facts = MemberFacts("regression", np.array([False, True]), seed=0)
    >>> facts.is_classification, facts.category_positions
    (False, [1])
    """

    task: Task
    categorical: Array
    seed: int

    @property
    def is_classification(self) -> bool:
        """Whether there are classes."""
        return self.task == "classification"

    @property
    def category_positions(self) -> list[int]:
        """The positions of the columns of categories."""
        return np.flatnonzero(self.categorical).tolist()


Params = Mapping[str, Any]


def _boosted_trees(facts: MemberFacts, params: Params) -> Any:
    kind = BoostedTreesClassifier if facts.is_classification else BoostedTreesRegressor
    return kind(
        **params,
        categorical_features=facts.category_positions or None,
        random_state=facts.seed,
    )


def _forest(classifier: Any, regressor: Any) -> Callable[[MemberFacts, Params], Any]:
    def make(facts: MemberFacts, params: Params) -> Any:
        kind = classifier if facts.is_classification else regressor
        return make_pipeline(
            SimpleImputer(strategy="median", keep_empty_features=True),
            kind(**params, random_state=facts.seed),
        )

    return make


def _linear(facts: MemberFacts, params: Params) -> Any:
    n_knots = params.get("n_knots", 0)
    numbers = _splines(n_knots) if n_knots else [_scaler(params)]
    if facts.is_classification:
        model: Any = LogisticRegression(C=params.get("C", 1.0), max_iter=300)
    else:
        model = _scaled_target(RidgeCV(alphas=np.logspace(-2, 4, 13)))
    return make_pipeline(_dense_columns(facts, *numbers), model)


def _neighbors(facts: MemberFacts, params: Params) -> Any:
    kind = KNeighborsClassifier if facts.is_classification else KNeighborsRegressor
    model = kind(n_neighbors=params["n_neighbors"], weights=params.get("weights", "distance"))
    return make_pipeline(_dense_columns(facts, _scaler(params)), model)


def _network(facts: MemberFacts, params: Params) -> Any:
    kind = MLPClassifier if facts.is_classification else MLPRegressor
    model = kind(
        hidden_layer_sizes=tuple(params["hidden_layer_sizes"]),
        activation=params.get("activation", "relu"),
        alpha=params.get("alpha", 1e-4),
        learning_rate_init=params.get("learning_rate_init", 1e-3),
        early_stopping=params.get("early_stopping", True),
        n_iter_no_change=10,
        max_iter=params.get("max_iter", 100),
        batch_size=params.get("batch_size", "auto"),
        random_state=facts.seed,
    )
    model = model if facts.is_classification else _scaled_target(model)
    return make_pipeline(_dense_columns(facts, _scaler(params)), model)


def _scaled_target(model: Any) -> Any:
    return TransformedTargetRegressor(model, transformer=StandardScaler())


def _scaler(params: Params) -> Any:
    """Return what scales numbers: to unit variance, or by their ranks to a normal distribution."""
    is_by_rank = params.get("by_rank", False)
    return _ranks("normal") if is_by_rank else make_pipeline(StandardScaler(), Clip())


def _ranks(distribution: str) -> Any:
    # Without subsampling nothing is random.
    return QuantileTransformer(
        n_quantiles=200, output_distribution=distribution, subsample=None, random_state=0
    )


def _splines(n_knots: int) -> list[Any]:
    """Return splines of ranks: a long tail would leave most intervals between knots empty."""
    return [_ranks("uniform"), SplineTransformer(n_knots=n_knots)]


def _dense_columns(facts: MemberFacts, *numbers: Any) -> DenseColumns:
    """Return what fills, scales and one-hot encodes columns, for members that need it."""
    scaler = numbers[0] if len(numbers) == 1 else make_pipeline(*numbers)
    return DenseColumns(facts.categorical.tolist(), scaler)


FAMILIES: dict[str, Callable[[MemberFacts, Params], Any]] = {
    "boosted_trees": _boosted_trees,
    "extra_trees": _forest(ExtraTreesClassifier, ExtraTreesRegressor),
    "random_forest": _forest(RandomForestClassifier, RandomForestRegressor),
    "linear": _linear,
    "neighbors": _neighbors,
    "network": _network,
}
IGNORES_DEADLINES = frozenset(["linear", "neighbors", "network"])
"""Families of other libraries, whose fits are run in processes that can be killed."""


def make_member(configuration: Configuration, facts: MemberFacts) -> Any:
    """Return the estimator of a configuration.

    Parameters
    ----------
    configuration : Configuration
    facts : MemberFacts

    Returns
    -------
    estimator : estimator

    Examples
    --------
    >>> facts = MemberFacts("regression", np.array([False, False]), seed=0)
    >>> make_member(Configuration("near", "neighbors", {"n_neighbors": 5}), facts)[-1]
    KNeighborsRegressor(weights='distance')
    """
    guest, params = configuration.guest, configuration.params
    if guest is not None:
        return guest.make(facts, params)
    return look_up(FAMILIES, configuration.family, "family of members")(facts, params)


def knows_deadlines(configuration: Configuration) -> bool:
    """Return whether the fits of a configuration end by themselves at a deadline."""
    if configuration.guest is not None:
        return configuration.guest.stops_at_deadlines
    return configuration.family not in IGNORES_DEADLINES
