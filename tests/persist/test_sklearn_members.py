"""Models of scikit-learn come back from files with equal bits; hostile ones are refused."""

from __future__ import annotations

import io
import warnings

import numpy as np
import pytest
from sklearn import (
    ensemble,
    gaussian_process,
    model_selection,
    neighbors,
    pipeline,
    preprocessing,
    svm,
)
from sklearn.linear_model import LogisticRegression
from sklearn.utils._metadata_requests import MetadataRequest, MethodMetadataRequest

import nonet
from contracts.fitted_outputs import outputs_of
from nonet import ModelFileError
from nonet.persist.codecs.sklearn_objects import rules
from nonet.persist.codecs.sklearn_trees import is_tree
from nonet.persist.encoder import Encoder
from persist.sklearn_instances import CATEGORIES, NUMBERS, X, Y, every_task

TASKS = every_task()
NAMES = [f"{position} {type(model).__name__}" for position, (model, _, _) in enumerate(TASKS)]
SPLITTERS = [
    model_selection.GroupKFold(2),
    model_selection.GroupShuffleSplit(2),
    model_selection.KFold(2, shuffle=True, random_state=0),
    model_selection.LeaveOneGroupOut(),
    model_selection.LeaveOneOut(),
    model_selection.PredefinedSplit([0, 1, 0]),
    model_selection.RepeatedKFold(n_splits=2, n_repeats=2),
    model_selection.RepeatedStratifiedKFold(n_splits=2, n_repeats=2),
    model_selection.ShuffleSplit(2),
    model_selection.StratifiedGroupKFold(2),
    model_selection.StratifiedKFold(2),
    model_selection.StratifiedShuffleSplit(2),
    model_selection.TimeSeriesSplit(2),
]


def saved(model, **options) -> bytes:
    file = io.BytesIO()
    nonet.save(model, file, **options)
    return file.getvalue()


def through_file(model):
    return nonet.load(io.BytesIO(saved(model)))


def fitted(model, data, target):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # small data, few iterations
        return model.fit(data) if target is None else model.fit(data, target)


@pytest.mark.parametrize(("model", "data", "target"), TASKS, ids=NAMES)
def test_loaded_model_gives_equal_bits(model, data, target):
    fitted(model, data, target)
    data = data.copy()  # distances of rows to themselves depend on whether they are the same object
    expected = outputs_of(model, data, target)
    loaded = through_file(model)
    assert outputs_of(loaded, data, target) == expected
    if hasattr(model, "kneighbors"):
        for one, other in zip(loaded.kneighbors(data), model.kneighbors(data), strict=True):
            np.testing.assert_array_equal(one, other)


def classes_inside(model) -> set[type]:
    """Return the classes of all objects that an encoder meets."""
    encoder = Encoder("model")
    encoder.value(model)
    return {type(thing) for thing in encoder._alive}


def test_every_class_of_the_table_has_an_instance():
    met = set().union(*(classes_inside(fitted(*task)) for task in TASKS))
    met |= {type(splitter) for splitter in SPLITTERS}
    met |= {MetadataRequest, MethodMetadataRequest}  # below
    private = {kind for kind in rules() if kind.__name__ == "_TemperatureScaling"}
    optimizers = {kind for kind in rules() if kind.__name__.endswith("column_selector")}
    assert set(rules()) - met - private - optimizers == set()


@pytest.mark.parametrize("splitter", SPLITTERS, ids=lambda splitter: type(splitter).__name__)
def test_splitters_come_back(splitter):
    model = nonet.DecisionTreeClassifier(max_depth=1).fit(X, Y)
    model.cv_ = splitter
    loaded = through_file(model).cv_
    assert type(loaded) is type(splitter)
    assert repr(loaded) == repr(splitter)


def test_requests_of_metadata_come_back():
    import sklearn

    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=True).fit(X, Y)
        loaded = through_file(model)
        request = loaded.get_metadata_routing()
    assert request.fit.requests["sample_weight"] is True


def test_ensemble_of_pipelines_comes_back_with_equal_bits():
    members = [
        ("line", pipeline.make_pipeline(preprocessing.StandardScaler(), LogisticRegression())),
        ("forest", ensemble.RandomForestClassifier(5, random_state=0)),
        ("svm", svm.SVC(random_state=0)),
    ]
    cv = model_selection.StratifiedKFold(3, shuffle=True, random_state=0)
    model = nonet.StackingClassifier(members, cv=cv).fit(X, Y)
    assert outputs_of(through_file(model), X, Y) == outputs_of(model, X, Y)


def test_pipeline_around_an_ensemble_comes_back_with_equal_bits():
    model = pipeline.make_pipeline(
        preprocessing.StandardScaler(), nonet.RandomForestClassifier(5, random_state=0)
    ).fit(X, Y)
    loaded = through_file(model)
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    about = nonet.describe_file(io.BytesIO(saved(model)))
    assert (about.class_name, about.columns["count"]) == ("Pipeline", 8)


def test_loaded_models_can_be_fitted_again_and_cloned():
    for model, data, target in TASKS[:40]:
        loaded = through_file(fitted(model, data, target))
        assert repr(loaded) == repr(model)


# ---- What is refused when it is saved --------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "data", "reason"),
    [
        (neighbors.KNeighborsClassifier(), neighbors.KDTree(X), "fitted on a tree"),
        (svm.SVC(), __import__("scipy.sparse").sparse.csr_matrix(X), "fitted on sparse X"),
        (neighbors.KNeighborsClassifier(metric=lambda a, b: abs(a - b).sum()), X, "lambda"),
    ],
    ids=["neighbors", "sparse", "metric"],
)
def test_save_rejects_models_without_a_form(model, data, reason):
    with pytest.raises(ModelFileError, match=reason):
        saved(model.fit(data, Y))


def test_save_rejects_histograms_on_categories():
    frame = __import__("pandas").DataFrame(CATEGORIES).astype("category")
    model = ensemble.HistGradientBoostingClassifier(max_iter=2, categorical_features="from_dtype")
    with pytest.raises(ModelFileError, match="fitted on categories"):
        saved(model.fit(frame, Y))


def test_save_rejects_a_class_that_is_not_in_the_table():
    with pytest.raises(ModelFileError, match=r"is a GaussianProcessRegressor \(sklearn"):
        saved(gaussian_process.GaussianProcessRegressor().fit(X, NUMBERS))


# ---- Trees -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([1, -1, -1], [2, -1, -1], True),
        ([1, 3, -1, -1, -1], [2, 4, -1, -1, -1], True),
        ([1, 0, -1], [2, 0, -1], False),  # a cycle
        ([1, -1, -1], [1, -1, -1], False),  # one child twice
        ([1, -1, -1], [3, -1, -1], False),  # beyond the last node
        ([0, -1, -1], [2, -1, -1], False),  # its own parent
        ([1, -1, -1, -1], [2, -1, -1, -1], False),  # a node without a parent
        ([-1], [-1], True),
    ],
)
def test_nodes_form_a_tree(left, right, expected):
    left, right = np.array(left), np.array(right)
    assert is_tree(left, right, left == -1) is expected
