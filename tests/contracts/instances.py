"""Small instances of every public estimator, in the settings that take different paths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.random_projection import GaussianRandomProjection
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import nonet
from nonet import combine, decide


def classifiers() -> list[tuple[str, Any]]:
    return [
        ("line", LogisticRegression()),
        ("shallow", DecisionTreeClassifier(max_depth=2, random_state=0)),
        ("deep", DecisionTreeClassifier(max_depth=4, random_state=1)),
    ]


def regressors() -> list[tuple[str, Any]]:
    return [
        ("line", Ridge()),
        ("shallow", DecisionTreeRegressor(max_depth=2, random_state=0)),
        ("deep", DecisionTreeRegressor(max_depth=4, random_state=1)),
    ]


def clusterers() -> list[tuple[str, Any]]:
    return [
        ("means", KMeans(3, n_init=1, random_state=0)),
        ("ward", AgglomerativeClustering(3)),
    ]


def embeddings() -> list[tuple[str, Any]]:
    return [
        ("pca", PCA(1)),
        ("random", GaussianRandomProjection(1, random_state=0)),
    ]


SETTINGS: dict[type, list[dict[str, Any]]] = {
    nonet.AutoEnsembleClassifier: [{}],
    nonet.AutoEnsembleRegressor: [{}],
    nonet.VotingClassifier: [
        {},
        {"voting": "soft"},
        {"combine": "median"},
        {"combine": "borda"},
        {"combine": "score_sum"},
        {"voting": "soft", "weights": [1, 2, 1]},
        {"voting": "soft", "weights": "ridge_to_uniform", "cv": 2},
        {"decide": decide.Argmax(tie="random", random_state=3)},
    ],
    nonet.VotingRegressor: [
        {},
        {"combine": "median"},
        {"weights": [1, 2, 1]},
        {"weights": "simplex", "cv": 2},
    ],
}
SETTINGS |= {
    nonet.BlendingClassifier: [{"cv": 2}, {"weights": "log_loss", "cv": 0.3}],
    nonet.BlendingRegressor: [{"weights": "least_squares", "cv": 2}],
    nonet.SelectionClassifier: [{"cv": 2}],
    nonet.SelectionRegressor: [{"method": "greedy", "cv": 2, "refit": "folds"}],
}
SETTINGS |= {
    nonet.StackingClassifier: [
        {},
        {"cv": 2, "level_one": "probabilities", "refit": "folds", "calibrate": "temperature"},
    ],
    nonet.StackingRegressor: [
        {},
        {"cv": 2, "level_one": "ranks", "refit": "both", "passthrough": True},
    ],
}
SETTINGS |= {
    nonet.DecisionStump: [{}, {"tie": "lowest"}],
    nonet.DecisionTreeClassifier: [
        {},
        {"criterion": "entropy", "max_leaf_nodes": 9},
        {"splitter": "random", "max_features": "sqrt", "random_state": 0},
        {"categorical_features": [0]},
    ],
    nonet.DecisionTreeRegressor: [
        {},
        {"ccp_alpha": 0.01, "max_features": 0.5, "random_state": 0},
        {"criterion": "absolute_error"},
    ],
    nonet.ExtraTreeClassifier: [{"random_state": 0}],
    nonet.ExtraTreeRegressor: [{"random_state": 0}],
}
SETTINGS |= {
    nonet.BaggingClassifier: [
        {"n_estimators": 3, "random_state": 0},
        {
            "estimator": [LogisticRegression(), DecisionTreeClassifier()],
            "n_estimators": 3,
            "draw": "stratified",
            "combine": "median",
            "random_state": 0,
        },
    ],
    nonet.BaggingRegressor: [{"n_estimators": 3, "random_state": 0}],
    nonet.RandomSubspaceClassifier: [{"n_estimators": 5, "random_state": 0}],
    nonet.RandomSubspaceRegressor: [{"n_estimators": 5, "random_state": 0}],
    nonet.OneSidedClassifier: [
        {"random_state": 0},
        {"max_error": 0.2, "estimator": GaussianNB(), "random_state": 1},
    ],
    nonet.PocketPerceptron: [{"max_updates": 100, "random_state": 0}],
    nonet.RandomPerceptron: [{"max_updates": 100, "random_state": 0}],
}
SETTINGS |= {
    nonet.BoostedTreesClassifier: [
        {"random_state": 0},  # settings that are chosen, and bagged boosters
        {"n_estimators": 5, "min_child_samples": 1},
        {"n_estimators": 5, "min_child_samples": 2, "subsample": 0.7, "random_state": 0},
        {"n_estimators": 5, "min_child_samples": 1, "multi_strategy": "multi_output_tree"},
    ],
    nonet.BoostedTreesRegressor: [
        {"random_state": 0},
        {"n_estimators": 10, "min_child_samples": 1},
        {"n_estimators": 9, "min_child_samples": 1, "extra_trees": True, "random_state": 0},
    ],
}
SETTINGS |= {
    nonet.GradientBoostingClassifier: [
        {"n_estimators": 5, "random_state": 0},
        {"n_estimators": 10, "max_leaf_nodes": 4, "ccp_alpha": 1e-3, "decide": "argmax"},
    ],
    nonet.GradientBoostingRegressor: [
        {"n_estimators": 5, "random_state": 0},
        {"n_estimators": 20, "loss": "huber", "max_leaf_nodes": 6, "random_state": 0},
        {"n_estimators": 30, "loss": "absolute_error", "learning_rate": 0.3},
    ],
}
SETTINGS |= {
    nonet.HistGradientBoostingClassifier: [
        {"max_iter": 5, "min_samples_leaf": 1},
        {"max_iter": 5, "min_samples_leaf": 1, "decide": decide.MinimumCost()},
    ],
    nonet.HistGradientBoostingRegressor: [
        {"max_iter": 5, "min_samples_leaf": 1},
        {"max_iter": 20, "min_samples_leaf": 1, "loss": "absolute_error"},
    ],
}
SETTINGS |= {
    nonet.AdaBoostClassifier: [
        {"n_estimators": 5, "random_state": 0},
        {"n_estimators": 5, "method": "samme_r", "estimator": LogisticRegression()},
        {"n_estimators": 5, "method": "mh", "random_state": 0},
        {"n_estimators": 5, "estimator": LogisticRegression(), "combine": "mean"},
    ],
    nonet.AdaBoostRegressor: [
        {"n_estimators": 5, "random_state": 0},
        {"n_estimators": 5, "resample": False, "combine": "mean"},
    ],
    nonet.ThreeLearnerClassifier: [{"random_state": 0}],
}
SETTINGS |= {
    nonet.OneVsOneClassifier: [
        {},
        {"decoding": "coupling", "decide": decide.Argmax(tie="random", random_state=3)},
    ],
    nonet.OneVsRestClassifier: [
        {},
        {"decoding": "probabilities", "balanced": True},
    ],
    nonet.OutputCodeClassifier: [
        {"random_state": 0},
        {"code": "dense", "decoding": "hamming", "random_state": 0},
        {"code": "one_vs_one", "decoding": "logistic_loss", "balanced": True},
    ],
}
SETTINGS |= {
    nonet.ExtraTreesClassifier: [{"n_estimators": 5, "random_state": 0}],
    nonet.ExtraTreesRegressor: [{"n_estimators": 5, "random_state": 0}],
    nonet.IsolationForest: [{"n_estimators": 10, "random_state": 0}],
    nonet.RandomTreesEmbedding: [{"n_estimators": 5, "random_state": 0}],
    nonet.RandomForestClassifier: [
        {"n_estimators": 5, "random_state": 0},
        {"n_estimators": 4, "combine": "median", "draw_features": "tree", "random_state": 0},
    ],
    nonet.RandomForestRegressor: [
        {"n_estimators": 5, "random_state": 0},
        {"n_estimators": 2, "criterion": "absolute_error", "max_depth": 4, "random_state": 0},
    ],
}
SETTINGS |= {
    nonet.ArbiterClassifier: [
        {"cv": 2, "dispute": "tie"},
        {"partition": True, "dispute": "disagreement", "random_state": 0},
        {"partition": True, "arbiter_tree": True, "random_state": 0},
    ],
    nonet.CascadeClassifier: [{}],
    nonet.ClassTreeClassifier: [{}, {"combine": "product"}],
    nonet.GatedClassifier: [
        {"cv": 2},
        {"gate": DecisionTreeClassifier(max_depth=2, random_state=0), "select": "best", "cv": 2},
    ],
    nonet.GatedRegressor: [
        {"cv": 2},
        {"gate": DecisionTreeClassifier(max_depth=2, random_state=0), "cv": 2},
    ],
    nonet.RoutedClassifier: [{}],
    nonet.RoutedRegressor: [{}],
    nonet.ViewsClassifier: [{"combine": "median"}],
    nonet.ViewsRegressor: [{"weights": "simplex", "cv": 2}],
}
SETTINGS |= {
    nonet.ConsensusClustering: [
        {"n_clusters": 2, "n_estimators": 5, "combine": "vote", "random_state": 0},
        {"n_clusters": 2, "n_estimators": 5, "random_state": 0},
        {"estimator": clusterers(), "n_clusters": 3, "combine": "median", "random_state": 0},
    ],
}
SETTINGS |= {
    nonet.EnsembleEmbedding: [
        {"n_components": 1, "n_estimators": 5, "random_state": 0},
        {"n_components": 1, "max_features": 0.5, "combine": "stack", "random_state": 0},
        {"estimator": embeddings(), "n_components": 1, "random_state": 0},
    ],
}
SETTINGS |= {
    nonet.OutlierEnsemble: [
        {"cv": 2, "random_state": 0},
        {
            "estimators": [("forest", nonet.IsolationForest(n_estimators=5, random_state=0))],
            "calibrate": "gamma",
            "combine": "max",
            "cv": 2,
        },
    ],
}
DRAWS_ROWS = (
    nonet.AdaBoostRegressor,
    nonet.BaggingClassifier,
    nonet.BaggingRegressor,
    nonet.IsolationForest,
    nonet.PocketPerceptron,
    nonet.RandomForestClassifier,
    nonet.RandomForestRegressor,
    nonet.RandomPerceptron,
)
DRAWS_SPLITS = (nonet.RandomTreesEmbedding,)
# Trees on a target of two values have splits of equal gain, which scikit-learn settles at random.
MEETS_TIES = (nonet.GradientBoostingRegressor,)
MEMBERS = {
    nonet.ArbiterClassifier: classifiers,
    nonet.BlendingClassifier: classifiers,
    nonet.BlendingRegressor: regressors,
    nonet.CascadeClassifier: classifiers,
    nonet.GatedClassifier: classifiers,
    nonet.GatedRegressor: regressors,
    nonet.RoutedClassifier: classifiers,
    nonet.RoutedRegressor: regressors,
    nonet.SelectionClassifier: classifiers,
    nonet.SelectionRegressor: regressors,
    nonet.StackingClassifier: classifiers,
    nonet.StackingRegressor: regressors,
    nonet.ViewsClassifier: classifiers,
    nonet.ViewsRegressor: regressors,
    nonet.VotingClassifier: classifiers,
    nonet.VotingRegressor: regressors,
}
VIEWS = {"line": slice(0, None), "shallow": [0], "deep": slice(0, 3)}
# Without a clock, so that results depend on the data alone.
FEW_TASKS = {"time_limit": None, "max_tasks": 4, "cv": 2, "random_state": 0, "n_jobs": 1}
# Settings of every instance: what a class needs, and few tasks of auto-ensembles, whose default is
# minutes. The order of the regressor has linear models first: they would be the model that an
# interrupt leaves, and their scaling reads no weights.
MORE: dict[type, dict[str, Any]] = {
    nonet.AutoEnsembleClassifier: {**FEW_TASKS, "families": ["extra_trees", "linear"]},
    nonet.AutoEnsembleRegressor: {**FEW_TASKS, "families": ["extra_trees"]},
    nonet.ViewsClassifier: {"views": VIEWS},
    nonet.ViewsRegressor: {"views": VIEWS},
}
LEARNERS: dict[type, Callable[[], Any]] = {
    nonet.ClassTreeClassifier: LogisticRegression,
    nonet.OneVsOneClassifier: LogisticRegression,
    nonet.OneVsRestClassifier: LogisticRegression,
    nonet.OutputCodeClassifier: LogisticRegression,
}


def make(kind: type, **settings: Any) -> Any:
    """Return a small instance; its members or its learner, if it has any, are new ones."""
    parts = MEMBERS | LEARNERS
    settings = MORE.get(kind, {}) | settings
    return kind(parts[kind](), **settings) if kind in parts else kind(**settings)


def instances(kind: type) -> list[Any]:
    return [make(kind, **settings) for settings in SETTINGS[kind]]


def prediction(estimator: Any, X: Any) -> Any:
    """Return the output of a fitted estimator for rows: predictions, or the transformed rows."""
    if hasattr(estimator, "predict"):
        return estimator.predict(X)
    code = estimator.transform(X)
    return code.toarray() if hasattr(code, "toarray") else code


def every_instance() -> list[Any]:
    return [instance for kind in SETTINGS for instance in instances(kind)]


RULES: list[Any] = [
    combine.And(),
    combine.AtLeastOne(1),
    combine.Borda(),
    combine.KOfN(2),
    combine.Or(pos_label=0),
    combine.ScoreSum(),
    combine.SafePool(0.001),
    combine.SignedSum(),
    combine.TrimmedMean(0.2),
    combine.WeightedKOfN(1.5),
    decide.Abstain(0.7, abstain_label=-1),
    decide.Argmax(tie="random", random_state=1),
    decide.MinimumCost([[0, 1], [5, 0]]),
    decide.CallableRule(len),
    decide.Sign(zero="negative"),
    decide.Threshold(0.3),
    combine.Accuracy(),
    combine.BestMember(),
    combine.GreedySelection(),
    combine.LeastSquares(),
    combine.LogLoss(0.001),
    combine.LogOdds(),
    combine.NonNegative(),
    combine.RidgeToUniform(2.0),
    combine.Simplex(),
    combine.Uniform(),
]
