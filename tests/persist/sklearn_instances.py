"""Small instances of all classes of scikit-learn that a model file can hold, with their data."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn import (
    calibration,
    cluster,
    compose,
    covariance,
    decomposition,
    discriminant_analysis,
    dummy,
    ensemble,
    feature_selection,
    impute,
    isotonic,
    linear_model,
    mixture,
    naive_bayes,
    neighbors,
    neural_network,
    pipeline,
    preprocessing,
    random_projection,
    svm,
    tree,
)
from sklearn.datasets import make_classification
from sklearn.feature_extraction import text

X, Y = make_classification(n_samples=90, n_features=8, n_informative=5, n_classes=3, random_state=0)
NUMBERS = 2 * X[:, 0] + X[:, 1] ** 2
COUNTS = np.round(np.abs(X) * 3)
HOLES = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
CATEGORIES = np.array(
    [["a", "x"], ["b", "y"], ["c", "x"], ["a", "z"], ["a", "x"]] * 18, dtype=object
)
DOCUMENTS = np.array(["red apple", "green tree", "big red tree", "a small green apple", ""] * 18)
CLASSIFYING_MEMBERS = [
    ("line", linear_model.LogisticRegression()),
    ("bayes", naive_bayes.GaussianNB()),
    ("dropped", "drop"),
]
NUMBER_MEMBERS = [
    ("line", linear_model.Ridge()),
    ("tree", tree.DecisionTreeRegressor(max_depth=3, random_state=0)),
]
Task = tuple[Any, Any, Any]


def classifiers() -> list[Any]:
    bayes = naive_bayes.GaussianNB()
    return [
        linear_model.LogisticRegression(),
        linear_model.LogisticRegressionCV(
            Cs=2, cv=2, l1_ratios=(0.0,), use_legacy_attributes=False, scoring="accuracy"
        ),
        linear_model.RidgeClassifier(),
        linear_model.RidgeClassifierCV(),
        linear_model.SGDClassifier(loss="log_loss", random_state=0),
        linear_model.Perceptron(random_state=0),
        svm.LinearSVC(),
        svm.SVC(random_state=0),
        svm.SVC(kernel="poly", decision_function_shape="ovo", break_ties=False),
        svm.NuSVC(nu=0.2),
        neighbors.KNeighborsClassifier(),
        neighbors.KNeighborsClassifier(algorithm="kd_tree", weights="distance"),
        neighbors.KNeighborsClassifier(algorithm="brute", metric="cosine"),
        neighbors.NearestCentroid(),
        naive_bayes.BernoulliNB(),
        bayes,
        discriminant_analysis.LinearDiscriminantAnalysis(),
        discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
        discriminant_analysis.QuadraticDiscriminantAnalysis(reg_param=0.1),
        tree.DecisionTreeClassifier(random_state=0),
        tree.DecisionTreeClassifier(max_leaf_nodes=6, random_state=0),
        tree.ExtraTreeClassifier(random_state=0),
        ensemble.RandomForestClassifier(5, oob_score=False, random_state=0),
        ensemble.ExtraTreesClassifier(5, random_state=0),
        ensemble.GradientBoostingClassifier(n_estimators=3, random_state=0),
        ensemble.HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=2, random_state=0),
        neural_network.MLPClassifier((5,), solver="lbfgs", max_iter=2000, random_state=0),
        dummy.DummyClassifier(strategy="prior"),
        dummy.DummyClassifier(strategy="stratified", random_state=0),
        calibration.CalibratedClassifierCV(bayes, cv=2),
        calibration.CalibratedClassifierCV(bayes, cv=2, method="isotonic"),
        ensemble.BaggingClassifier(
            tree.DecisionTreeClassifier(max_depth=3),
            n_estimators=3,
            max_features=0.5,
            random_state=0,
        ),
        ensemble.AdaBoostClassifier(n_estimators=3, random_state=0),
        ensemble.VotingClassifier(CLASSIFYING_MEMBERS, voting="soft", weights=[1, 2, 3]),
        ensemble.VotingClassifier(CLASSIFYING_MEMBERS),
        ensemble.StackingClassifier(CLASSIFYING_MEMBERS, cv=2, passthrough=True),
    ]


def regressors() -> list[Any]:
    return [
        linear_model.ARDRegression(),
        linear_model.BayesianRidge(),
        linear_model.ElasticNet(),
        linear_model.ElasticNetCV(cv=2),
        linear_model.HuberRegressor(max_iter=1000),
        linear_model.Lars(),
        linear_model.Lasso(),
        linear_model.LassoCV(cv=2),
        linear_model.LassoLars(),
        linear_model.LinearRegression(),
        linear_model.OrthogonalMatchingPursuit(),
        linear_model.QuantileRegressor(),
        linear_model.Ridge(),
        linear_model.RidgeCV(),
        linear_model.SGDRegressor(random_state=0),
        linear_model.TheilSenRegressor(max_subpopulation=20, random_state=0),
        svm.LinearSVR(),
        svm.SVR(),
        svm.NuSVR(),
        svm.OneClassSVM(),
        neighbors.KNeighborsRegressor(algorithm="ball_tree", metric="manhattan"),
        tree.DecisionTreeRegressor(random_state=0),
        tree.ExtraTreeRegressor(random_state=0),
        ensemble.RandomForestRegressor(5, random_state=0),
        ensemble.ExtraTreesRegressor(5, random_state=0),
        ensemble.GradientBoostingRegressor(n_estimators=3, loss="huber", random_state=0),
        ensemble.HistGradientBoostingRegressor(
            max_iter=3, min_samples_leaf=2, loss="quantile", quantile=0.3
        ),
        neural_network.MLPRegressor(
            hidden_layer_sizes=(5,), max_iter=1, solver="lbfgs", random_state=0
        ),
        dummy.DummyRegressor(strategy="median"),
        compose.TransformedTargetRegressor(
            linear_model.Ridge(), func=np.cbrt, inverse_func=np.square, check_inverse=False
        ),
        ensemble.BaggingRegressor(
            linear_model.Ridge(), n_estimators=3, bootstrap_features=True, random_state=0
        ),
        ensemble.AdaBoostRegressor(n_estimators=3, random_state=0),
        ensemble.VotingRegressor(NUMBER_MEMBERS),
        ensemble.StackingRegressor(NUMBER_MEMBERS, cv=2),
    ]


def transformers() -> list[Any]:
    return [
        preprocessing.Binarizer(),
        preprocessing.FunctionTransformer(np.abs),
        preprocessing.KBinsDiscretizer(3, quantile_method="averaged_inverted_cdf"),
        preprocessing.MaxAbsScaler(),
        preprocessing.MinMaxScaler(),
        preprocessing.Normalizer(),
        preprocessing.PolynomialFeatures(),
        preprocessing.PolynomialFeatures((2, 3), interaction_only=True, order="F"),
        preprocessing.PowerTransformer(),
        preprocessing.QuantileTransformer(n_quantiles=10),
        preprocessing.RobustScaler(),
        preprocessing.SplineTransformer(),
        preprocessing.SplineTransformer(extrapolation="periodic", degree=2),
        preprocessing.StandardScaler(),
        decomposition.PCA(2),
        decomposition.FastICA(2, random_state=0, max_iter=1000),
        decomposition.IncrementalPCA(2),
        decomposition.TruncatedSVD(2, random_state=0),
        random_projection.GaussianRandomProjection(2, random_state=0),
        random_projection.SparseRandomProjection(2, random_state=0),
        feature_selection.VarianceThreshold(),
        feature_selection.SelectKBest(k=3),
        feature_selection.SelectPercentile(),
        feature_selection.SelectFromModel(linear_model.LogisticRegression()),
        cluster.KMeans(3, n_init=1, random_state=0),
        cluster.MiniBatchKMeans(3, n_init=1, random_state=0),
        cluster.AgglomerativeClustering(3),
        mixture.GaussianMixture(2, random_state=0),
        covariance.EllipticEnvelope(random_state=0),
        ensemble.IsolationForest(n_estimators=5, random_state=0),
        neighbors.LocalOutlierFactor(novelty=True),
        neighbors.NearestNeighbors(),
        pipeline.make_union(preprocessing.StandardScaler(), decomposition.PCA(2)),
        compose.ColumnTransformer(
            [
                ("scaled", preprocessing.StandardScaler(), [0, 1]),
                ("rest", "passthrough", slice(2, 5)),
            ]
        ),
        pipeline.make_pipeline(
            preprocessing.StandardScaler(), "passthrough", linear_model.LogisticRegression()
        ),
    ]


def others() -> list[Task]:
    positive = np.abs(NUMBERS) + 1
    return [
        (linear_model.PoissonRegressor(), X, positive),
        (linear_model.GammaRegressor(), X, positive),
        (linear_model.TweedieRegressor(power=1.5), X, positive),
        (isotonic.IsotonicRegression(), X[:, 0], NUMBERS),
        (naive_bayes.MultinomialNB(), COUNTS, Y),
        (naive_bayes.ComplementNB(), COUNTS, Y),
        (naive_bayes.CategoricalNB(), COUNTS, Y),
        (ensemble.HistGradientBoostingClassifier(max_iter=3), HOLES, Y),
        (svm.SVC(kernel="precomputed"), X @ X.T, Y),
        (neighbors.KNeighborsClassifier(), sparse.csr_matrix(X), Y),
        (impute.SimpleImputer(add_indicator=True), HOLES, None),
        (impute.KNNImputer(), HOLES, None),
        (impute.MissingIndicator(), HOLES, None),
        (preprocessing.OneHotEncoder(), CATEGORIES, None),
        (preprocessing.OneHotEncoder(drop="first", sparse_output=False), CATEGORIES, None),
        (preprocessing.OneHotEncoder(min_frequency=30, dtype=np.float32), CATEGORIES, None),
        (preprocessing.OneHotEncoder(handle_unknown="ignore"), X.round(), None),
        (
            preprocessing.OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
            CATEGORIES,
            None,
        ),
        (preprocessing.TargetEncoder(random_state=0), CATEGORIES, Y),
        (preprocessing.LabelEncoder(), Y, None),
        (preprocessing.LabelBinarizer(), Y, None),
        (text.CountVectorizer(), DOCUMENTS, None),
        (text.TfidfTransformer(), COUNTS, None),
        (
            pipeline.make_pipeline(
                text.TfidfVectorizer(ngram_range=(1, 2)),
                decomposition.TruncatedSVD(3, random_state=0),
                linear_model.LogisticRegression(),
            ),
            DOCUMENTS,
            Y,
        ),
        (neural_network.MLPClassifier((4,), max_iter=2, early_stopping=True, random_state=0), X, Y),
        (neural_network.MLPClassifier((4,), max_iter=2, solver="sgd", random_state=0), X, Y),
    ]


def every_task() -> list[Task]:
    """Return models, with the X and y that they are fitted on."""
    tasks = [(model, X, Y) for model in (*classifiers(), *transformers())]
    return tasks + [(model, X, NUMBERS) for model in regressors()] + others()
