"""One or several small instances of every result object."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import make_classification, make_regression
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import nonet
from nonet import (
    auto,
    bagging,
    boosting,
    decide,
    diagnostics,
    persist,
    resampling,
    theory,
    trees,
    unsupervised,
)
from nonet._base.results import PlottableResult, Result
from nonet.combine.greedy import Selection
from nonet.tables.bins_estimate import BinsEstimate

X, Y = make_classification(60, 4, random_state=0)
NUMBERS = make_regression(60, 4, random_state=0)
SAMPLE = [1.0, 4.0, 7.0, 9.0]
LINE = {"line": LinearRegression()}


def described_file() -> Any:
    file = io.BytesIO()
    nonet.save(tree(), file)
    return nonet.describe_file(io.BytesIO(file.getvalue()))


def votes() -> Any:
    predictions = [[1, 1, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1]]
    return diagnostics.record_predictions(predictions, [1, 1, 1, 0])


def values() -> Any:
    random = np.random.default_rng(0)
    truth = random.normal(size=40)
    return diagnostics.record_predictions(truth[:, None] + random.normal(size=(40, 5)), truth)


def booster(kind: type, X: Any, y: Any, **settings: Any) -> Any:
    return kind(n_estimators=8, min_child_samples=1, **settings).fit(X, y, eval_set=[(X, y)])


def forest(**settings: Any) -> Any:
    return nonet.RandomForestClassifier(20, random_state=0, **settings).fit(X, Y)


def stack(**settings: Any) -> Any:
    members = [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(max_depth=2))]
    return nonet.StackingClassifier(members, cv=2, **settings)


def tree() -> Any:
    return nonet.DecisionTreeRegressor(max_depth=2).fit(*NUMBERS)


def bootstrapped() -> Any:
    return nonet.bootstrap(SAMPLE, "mean", n_resamples=99, random_state=0)


CLASSIFIER = nonet.BoostedTreesClassifier
REGRESSOR = nonet.BoostedTreesRegressor


def run() -> Any:
    settings = {"time_limit": None, "max_tasks": 2, "families": ["linear"], "cv": 2, "n_jobs": 1}
    table = {"a": X[:, 0], "b": X[:, 1], "y": Y}
    return nonet.fit_table(table, "y", random_state=0, **settings)


MAKERS: dict[type, list[Callable[[], Any]]] = {
    auto.AutoScore: [lambda: run().honest_score],
    auto.HeldOutRows: [lambda: run().held_out],
    auto.Leaderboard: [lambda: run().leaderboard],
    auto.Run: [run],
    bagging.OutOfBagCurve: [lambda: forest(oob_score=True).oob_curve_],
    bagging.OutOfBagImportance: [lambda: bagging.oob_permutation_importance(forest(), X, Y)],
    boosting.BoostCV: [
        lambda: nonet.boost_cv(CLASSIFIER(n_estimators=5), X, Y, cv=3),
        lambda: nonet.boost_cv(REGRESSOR(n_estimators=5), *NUMBERS, cv=3),
    ],
    boosting.EvalCurves: [
        lambda: boosting.eval_curves(booster(CLASSIFIER, X, Y, eval_metric=["loss", "auc"])),
        lambda: boosting.eval_curves(booster(REGRESSOR, *NUMBERS)),
    ],
    boosting.MarginSearch: [
        lambda: boosting.search_margin(nonet.AdaBoostClassifier(n_estimators=20), X, Y)
    ],
    boosting.RegressionLog: [lambda: nonet.AdaBoostRegressor().fit(*NUMBERS).round_log_],
    boosting.RoundLog: [lambda: nonet.AdaBoostClassifier(n_estimators=5).fit(X, Y).round_log_],
    boosting.VirtualEnsemble: [
        lambda: nonet.virtual_ensemble(booster(CLASSIFIER, X, Y), X, n_members=2),
        lambda: nonet.virtual_ensemble(booster(REGRESSOR, *NUMBERS), X, n_members=2),
        lambda: nonet.virtual_ensemble(
            booster(REGRESSOR, *NUMBERS), X, n_members=2, noise=np.ones(60)
        ),
    ],
}
MAKERS |= {
    Selection: [lambda: Selection(np.array([0, 1]), np.array([0.7, 0.8]), 2, np.array([0.5, 0.5]))],
    decide.RiskCoverage: [
        lambda: nonet.risk_coverage_curve([0, 1, 1], [[0.9, 0.1], [0.3, 0.7], [0.6, 0.4]])
    ],
    diagnostics.Ambiguity: [lambda: nonet.ambiguity(values())],
    diagnostics.BiasVariance: [
        lambda: diagnostics.decompose_loss([[1.0, 3.0], [2.0, 2.0]], [1, 2])
    ],
    diagnostics.Correctness: [lambda: nonet.correctness(votes())],
    diagnostics.Diversity: [lambda: nonet.diversity(votes())],
    diagnostics.ErrorCurve: [lambda: diagnostics.error_curve(values())],
    diagnostics.Gain: [lambda: diagnostics.Gain(0.02, 0.01, 0.03)],
    diagnostics.KappaError: [lambda: nonet.kappa_error(votes())],
    diagnostics.MarginGrowth: [lambda: nonet.margin_growth(votes())],
    diagnostics.Margins: [lambda: nonet.margins(votes())],
    diagnostics.MemberPredictions: [votes, values],
    diagnostics.PossibleGains: [lambda: nonet.possible_gains(values(), random_state=0)],
    diagnostics.ROCBand: [
        lambda: diagnostics.roc_band([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], n_resamples=20)
    ],
    diagnostics.Reliability: [
        lambda: diagnostics.reliability_curve([0, 0, 1, 1], [0.1, 0.3, 0.3, 0.9], n_bins=2)
    ],
    diagnostics.StrengthCorrelation: [lambda: nonet.strength_correlation(votes())],
    diagnostics.VoteAmbiguity: [lambda: nonet.ambiguity(votes())],
}
MAKERS |= {
    nonet.Report: [lambda: nonet.make_report(tree(), *NUMBERS)],
    resampling.BestOfMany: [lambda: resampling.best_of_many(np.eye(20), random_state=0)],
    resampling.BootstrapError: [
        lambda: resampling.bootstrap_error(GaussianNB(), X, Y, n_resamples=30, random_state=0)
    ],
    resampling.BootstrapResult: [bootstrapped],
    resampling.BootstrapTest: [lambda: bootstrapped().test(null_value=5.0)],
    resampling.CVCurve: [lambda: resampling.cv_curve(LINE, *NUMBERS, cv=3)],
    resampling.CVError: [lambda: resampling.cv_error(LinearRegression(), *NUMBERS, cv=3)],
    resampling.Interval: [lambda: bootstrapped().interval("percentile")],
    resampling.JackknifeResult: [lambda: nonet.jackknife(SAMPLE, "mean")],
    resampling.LOOCVError: [lambda: resampling.loocv_error(*NUMBERS)],
    resampling.ModelTest: [lambda: resampling.mcnemar_test([0, 0, 1], [0, 1, 1], [1, 1, 1])],
    resampling.ScoreTable: [lambda: resampling.score_table({"tree": [0.9, 0.92]})],
    resampling.SubsampleSize: [
        lambda: resampling.choose_subsample_size(
            np.arange(40.0), "mean", n_resamples=50, random_state=0
        )
    ],
    resampling.MonteCarloError: [lambda: bootstrapped().monte_carlo_error()],
    resampling.RidgePath: [lambda: resampling.ridge_path(*NUMBERS, alphas=[0.1, 1, 10])],
    resampling.SelectionLeak: [
        lambda: resampling.selection_leak(SelectKBest(k=2), LogisticRegression(), X, Y)
    ],
    resampling.SizeCurve: [
        lambda: resampling.size_curve(LinearRegression(), *NUMBERS, sizes=[10, 40], random_state=0)
    ],
    resampling.SplitVariability: [
        lambda: resampling.split_variability(LINE, *NUMBERS, cv=0.5, random_state=0)
    ],
}
MAKERS |= {
    BinsEstimate: [lambda: BinsEstimate(1000, 28, 1.5, 10**8, 10**5, 48_000)],
    persist.ModelFileDescription: [described_file],
    nonet.HonestScore: [lambda: nonet.honest_score(stack(), X, Y, cv=2)],
    nonet.LeakCheck: [lambda: nonet.leak_check(stack(), X, Y, random_state=0)],
    nonet.MetaGuard: [lambda: stack(guard=True).fit(X, Y).guard_],
    theory.SelectOrCombine: [lambda: nonet.select_or_combine([[1, 1, 0], [0, 1, 1]])],
    unsupervised.ClusteringStability: [
        lambda: nonet.clustering_stability(KMeans(), X, n_clusters=[2, 3], random_state=0)
    ],
    unsupervised.ConsensusPartition: [
        lambda: nonet.combine_partitions([[0, 0, 1], [1, 1, 0]], 2, random_state=0)
    ],
    trees.ShapInteractions: [lambda: nonet.shap_interactions(tree(), NUMBERS[0])],
    trees.ShapValues: [lambda: nonet.shap_values(tree(), NUMBERS[0])],
    trees.TreeDependence: [
        lambda: nonet.tree_dependence(tree(), NUMBERS[0], 1),
        lambda: nonet.tree_dependence(tree(), NUMBERS[0], [0, 1]),
    ],
}


def result_classes(parent: type = Result) -> set[type]:
    """Every class of result objects that the package defines."""
    own = {kind for kind in parent.__subclasses__() if kind.__module__.startswith("nonet.")}
    below = {kind for child in own for kind in result_classes(child)}
    return (own | below) - {PlottableResult}


def every_result() -> list[Any]:
    return [(kind, maker) for kind, makers in MAKERS.items() for maker in makers]
