"""What the three reductions can do beyond scikit-learn's, and what they refuse."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
import sklearn.multiclass
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, make_blobs, make_classification
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier
from sklearn.metrics import log_loss
from sklearn.neighbors import KNeighborsClassifier
from sklearn.random_projection import SparseRandomProjection
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from nonet import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier, VotingClassifier
from nonet.decide import Abstain, Argmax, MinimumCost, Threshold
from nonet.multiclass import make_code
from nonet.multiclass.coupling import put_first

KINDS = (OneVsRestClassifier, OneVsOneClassifier, OutputCodeClassifier)
X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
LINE = LogisticRegression(max_iter=2000)


def named(kind, learner=LINE, **settings):
    if kind is OutputCodeClassifier:
        settings.setdefault("code", "exhaustive")
    return kind(learner, **settings)


# ---- one mechanism -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "code"), [(OneVsRestClassifier, "one_vs_rest"), (OneVsOneClassifier, "one_vs_one")]
)
@pytest.mark.parametrize("decoding", ["hamming", "logistic_loss", "coupling", "votes", "euclidean"])
def test_reductions_are_one_mechanism_over_a_code(kind, code, decoding):
    special = kind(LINE, decoding=decoding).fit(X, NAMES)
    general = OutputCodeClassifier(LINE, code=code, decoding=decoding).fit(X, NAMES)
    np.testing.assert_array_equal(special.code_matrix_, general.code_matrix_)
    np.testing.assert_array_equal(special.predict(X), general.predict(X))


@pytest.mark.parametrize("kind", KINDS)
def test_prediction_is_decide_of_combine_of_outputs(kind):
    model = named(kind).fit(X, NAMES)
    outputs = model.member_outputs(X)
    assert outputs.shape[:2] == (len(X), model.code_matrix_.shape[1])
    np.testing.assert_array_equal(model.decide_(model.combine_(outputs)), model.predict(X))


def test_given_code_is_used():
    code = [[1, 1, -1], [1, -1, 1], [-1, 1, 1]]
    model = OutputCodeClassifier(LINE, code=code).fit(X, Y)
    np.testing.assert_array_equal(model.code_matrix_, code)
    assert model.score(X, Y) > 0.9
    np.testing.assert_array_equal(model.estimators_[0].predict(X[:2]), [1, 1])


@pytest.mark.parametrize("kind", KINDS)
def test_members_see_only_the_rows_of_their_sides(kind):
    model = named(kind, KNeighborsClassifier(1)).fit(X, Y)
    for member, column in zip(model.estimators_, model.code_matrix_.T, strict=True):
        assert member.n_samples_fit_ == np.isin(Y, np.flatnonzero(column)).sum()


def test_members_are_named_after_their_problems():
    rest, pairs = OneVsRestClassifier(LINE).fit(X, NAMES), OneVsOneClassifier(LINE).fit(X, NAMES)
    assert rest.members_[2].name == "virginica against the rest"
    assert pairs.members_[1].name == "setosa against virginica"


# ---- probabilities -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_coupled_probabilities_agree_with_predictions(kind):
    model = named(kind, decoding="coupling").fit(X[::2], NAMES[::2])
    probabilities = model.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(model.classes_[probabilities.argmax(axis=1)], model.predict(X))
    assert log_loss(NAMES, probabilities) < 0.35


def test_output_code_has_probabilities_where_its_learner_has():
    """Issue 18, item A.10: they were offered with decoding='coupling' only."""
    assert not hasattr(named(OutputCodeClassifier, LinearSVC()), "predict_proba")
    assert hasattr(named(OutputCodeClassifier), "predict_proba")
    model = named(OutputCodeClassifier).fit(X, NAMES)
    probabilities = model.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(model.classes_[probabilities.argmax(axis=1)], model.predict(X))


@given(arrays(float, (5, 4), elements=st.floats(0, 1)), arrays(int, 5, elements=st.integers(0, 3)))
def test_put_first_is_the_nearest_point_with_that_arg_max(weights, chosen):
    """The projection: no feasible mixture of it and another point is nearer."""
    probabilities = (weights + 0.01) / (weights + 0.01).sum(axis=1, keepdims=True)
    agreed = put_first(probabilities, chosen)
    np.testing.assert_array_equal(agreed.argmax(axis=1), chosen)
    np.testing.assert_allclose(agreed.sum(axis=1), 1)
    for row in range(5):
        for target in (np.eye(4)[chosen[row]], np.full(4, 0.25)):
            nearer = 0.999 * agreed[row] + 0.001 * target
            distance = np.sum((agreed[row] - probabilities[row]) ** 2)
            assert np.sum((nearer - probabilities[row]) ** 2) >= distance - 1e-9


def test_output_code_of_scores_has_no_probabilities_even_with_a_constant_column():
    code = OutputCodeClassifier(LinearSVC(), code_size=1, random_state=2)
    code.fit(X, Y)
    assert np.ptp(code.code_matrix_[:, 0]) == 0
    assert not hasattr(code, "predict_proba")


# ---- learners with few methods -----------------------------------------------------------------


class ScoresOnly(ClassifierMixin, BaseEstimator):
    """A learner that has decision_function, and no predict."""

    def fit(self, X, y):
        self.line_ = RidgeClassifier().fit(X, y)
        return self

    def decision_function(self, X):
        return self.line_.decision_function(X)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("decoding", [None, "hamming", "votes"])
def test_learner_with_scores_only_predicts_like_one_with_predict(kind, decoding):
    """Issue 18, item A.10: such learners were refused."""
    small = named(kind, ScoresOnly(), decoding=decoding).fit(X, Y)
    whole = named(kind, RidgeClassifier(), decoding=decoding).fit(X, Y)
    np.testing.assert_array_equal(small.predict(X), whole.predict(X))


@pytest.mark.parametrize("kind", KINDS)
def test_fit_rejects_a_learner_without_predictions(kind):
    with pytest.raises(ValueError, match="with predict, decision_function or predict_proba"):
        named(kind, SparseRandomProjection()).fit(X, Y)


# ---- one class only ----------------------------------------------------------------------------


@pytest.mark.parametrize("label", [0, 1, 7, "only"])
@pytest.mark.parametrize(
    "decoding", [None, "probabilities", "hamming", "coupling", "logistic_loss"]
)
def test_constant_target_against_sklearn(label, decoding):
    """Issue 18, item A.10: a constant target was refused."""
    target = np.full(len(Y), label)
    with pytest.warns(UserWarning, match="y holds one class only, "):
        ours = OneVsRestClassifier(LINE, decoding=decoding, balanced=True).fit(X, target)
    with pytest.warns(UserWarning, match="present in all training examples"):
        reference = sklearn.multiclass.OneVsRestClassifier(LINE).fit(X, target)
    np.testing.assert_array_equal(ours.predict(X), reference.predict(X))
    np.testing.assert_array_equal(ours.classes_, reference.classes_)
    if decoding != "coupling":
        np.testing.assert_array_equal(ours.predict_proba(X), reference.predict_proba(X))
        assert ours.decision_function(X).shape == reference.decision_function(X).shape


def test_pairs_of_a_kernel_count_all_its_columns():
    """Net B of issue 18: n_features_in_ was that of the first pair."""
    kernel = X[:-1] @ X[:-1].T
    pairs = OneVsOneClassifier(SVC(kernel="precomputed")).fit(kernel, Y[:-1])
    assert pairs.n_features_in_ == len(kernel)


def test_two_classes_of_all_reductions_agree():
    two = Y < 2
    predictions = [
        named(kind, code="one_vs_rest").fit(X[two], NAMES[two]).predict(X)
        if kind is OutputCodeClassifier
        else kind(LINE).fit(X[two], NAMES[two]).predict(X)
        for kind in KINDS
    ]
    for other in predictions[1:]:
        np.testing.assert_array_equal(other, predictions[0])


# ---- silence -----------------------------------------------------------------------------------


def test_one_vs_rest_is_silent_where_no_member_says_yes():
    model = OneVsRestClassifier(
        LINE, decoding="probabilities", decide=Abstain(0.5, abstain_label="none")
    ).fit(X, NAMES)
    predicted = model.member_outputs(X)
    np.testing.assert_array_equal(model.predict(X) == "none", (predicted < 0.5).all(axis=1))
    assert (model.predict(X) == "none").any()


def test_one_vs_one_is_silent_where_votes_are_tied():
    """Three members, each class wins once."""
    centres = np.array([[0.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    points, labels = make_blobs(90, centers=centres, cluster_std=0.7, random_state=0)
    model = OneVsOneClassifier(
        Perceptron(random_state=3),
        decoding="votes",
        decide=Argmax(tie="abstain", abstain_label=-1),
    ).fit(points, labels)
    grid = np.stack(np.meshgrid(*[np.linspace(-2, 2, 41)] * 2), axis=-1).reshape(-1, 2)
    votes = model.combine_(model.member_outputs(grid))
    tied = (votes == 0.5).all(axis=1)
    assert tied.any()
    np.testing.assert_array_equal(model.predict(grid) == -1, tied)


def test_costs_move_the_decision():
    costs = [[0, 1, 1], [1, 0, 1], [1, 50, 0]]  # calling virginica versicolor is expensive
    plain = OneVsOneClassifier(LINE, decoding="coupling").fit(X, Y)
    careful = OneVsOneClassifier(LINE, decoding="coupling", decide=MinimumCost(costs)).fit(X, Y)
    assert (careful.predict(X) == 2).sum() > (plain.predict(X) == 2).sum()


def test_silent_inner_ensemble_casts_no_vote():
    shy = VotingClassifier([("line", LINE)], voting="soft", decide=Abstain(0.9, abstain_label=-1))
    model = OneVsOneClassifier(shy, decoding="votes").fit(X, Y)
    assert (model.member_outputs(X) == 0).any()


# ---- uneven sides ------------------------------------------------------------------------------


def test_balanced_sides_weigh_the_same_against_naive():
    model = OneVsRestClassifier(LINE, balanced=True).fit(X, Y)
    for positive, member in enumerate(model.estimators_):
        by_class = LogisticRegression(max_iter=2000, class_weight="balanced")
        expected = by_class.fit(X, positive == Y)
        np.testing.assert_allclose(member.coef_, expected.coef_, rtol=1e-3)


def test_balanced_sides_multiply_given_weights():
    weight = np.random.default_rng(0).uniform(0.5, 2, len(Y))
    model = OneVsRestClassifier(LINE, balanced=True).fit(X, Y, sample_weight=weight)
    own = np.where(Y == 0, weight / weight[Y == 0].sum(), weight / weight[Y != 0].sum())
    expected = LogisticRegression(max_iter=2000).fit(X, Y == 0, own * weight.sum() / 2)
    np.testing.assert_allclose(model.estimators_[0].coef_, expected.coef_, rtol=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_mean_repetition(kind):
    counts = np.random.default_rng(1).integers(1, 4, len(Y))
    learner = DecisionTreeClassifier(max_depth=3, random_state=0)
    weighted = named(kind, learner).fit(X, Y, sample_weight=counts)
    repeated = named(kind, learner).fit(np.repeat(X, counts, axis=0), np.repeat(Y, counts))
    np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))


@pytest.mark.parametrize("kind", KINDS)
def test_routed_metadata_reach_the_learner(kind):
    weight = np.random.default_rng(0).integers(1, 5, len(Y)).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        learner = LogisticRegression(max_iter=2000).set_fit_request(sample_weight=True)
        routed = named(kind, learner).fit(X, Y, sample_weight=weight)
    plain = named(kind).fit(X, Y, sample_weight=weight)
    np.testing.assert_allclose(routed.estimators_[0].coef_, plain.estimators_[0].coef_)


# ---- frames, order, jobs -----------------------------------------------------------------------


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
@pytest.mark.parametrize("kind", KINDS)
def test_frames_keep_their_names(kind, frame):
    table = frame({f"x{i}": X[:, i] for i in range(4)})
    model = named(kind).fit(table, NAMES)
    assert model.feature_names_in_.tolist() == ["x0", "x1", "x2", "x3"]
    np.testing.assert_array_equal(model.predict(table), named(kind).fit(X, NAMES).predict(X))


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_an_earlier_fit_are_forgotten(kind):
    table = pd.DataFrame(X, columns=list("abcd"))
    assert not hasattr(named(kind).fit(table, Y).fit(X, Y), "feature_names_in_")


@pytest.mark.parametrize("kind", KINDS)
def test_order_of_rows_changes_nothing(kind):
    order = np.random.default_rng(0).permutation(len(Y))
    learner = DecisionTreeClassifier(max_depth=2, random_state=0)
    predictions = named(kind, learner).fit(X, Y).predict(X)
    np.testing.assert_array_equal(
        named(kind, learner).fit(X[order], Y[order]).predict(X), predictions
    )


def test_verbose_counts_the_binary_problems(capsys):
    OneVsRestClassifier(LINE, verbose=2).fit(X, NAMES)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(", ")[0] for line in lines] == [
        f"[nonet] OneVsRestClassifier: {n} of 3 binary problems" for n in (1, 2, 3)
    ]


# ---- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [OneVsOneClassifier, OutputCodeClassifier])
def test_fit_rejects_one_class(kind):
    with pytest.raises(ValueError, match=r"needs at least two classes, .* one class only: .*7"):
        named(kind).fit(X, np.full(len(Y), 7))


@pytest.mark.parametrize("kind", KINDS[1:])
def test_fit_rejects_several_targets(kind):
    with pytest.raises(ValueError, match="one target, but y has 2 columns"):
        named(kind).fit(X, np.column_stack([Y, Y]))


@pytest.mark.parametrize("kind", KINDS)
def test_fit_rejects_probabilities_nobody_has(kind):
    with pytest.raises(TypeError, match="'coupling' needs a learner with predict_proba, which"):
        named(kind, LinearSVC(), decoding="coupling").fit(X, Y)


@pytest.mark.parametrize("kind", KINDS[1:])
def test_fit_rejects_own_scores_without_own_members(kind):
    with pytest.raises(ValueError, match="'decoding' must be other than 'scores', which needs"):
        named(kind, decoding="scores").fit(X, Y)


@pytest.mark.parametrize("kind", KINDS)
def test_fit_rejects_balance_without_weights(kind):
    with pytest.raises(TypeError, match="balanced=True needs a learner that takes sample_weight"):
        named(kind, KNeighborsClassifier(), balanced=True).fit(X, Y)


@pytest.mark.parametrize("kind", KINDS)
def test_fit_rejects_a_rule_to_be_tuned(kind):
    X2, y2 = make_classification(60, random_state=0)
    settings = {"code": "one_vs_rest"} if kind is OutputCodeClassifier else {}
    with pytest.raises(ValueError, match="'decide' must be a rule that is not tuned"):
        kind(LINE, decide="tuned_threshold", **settings).fit(X2, y2)


@pytest.mark.parametrize("kind", KINDS)
def test_fit_rejects_metadata_without_routing(kind):
    with pytest.raises(ValueError, match=r"passes on sample_weight alone, but got \['groups'\]"):
        named(kind).fit(X, Y, groups=Y)


@pytest.mark.parametrize("kind", KINDS)
def test_failing_member_is_named(kind):
    with pytest.raises(ValueError, match=r"member '.*' \(1 of 3\) failed to fit: .*NaN"):
        named(kind).fit(np.full_like(X, np.nan), Y)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ([[1, -1], [-1, 1]], "matrix of -1, 0 and .1 with 3 rows"),
        ([[1, 2], [-1, 1], [1, -1]], "matrix of -1, 0 and .1 with 3 rows"),
        ([[1, 1], [1, -1], [1, 0]], "both sides in every column, but column 0 does not"),
        ([[1, 1], [-1, -1], [1, 1]], "rows all differ"),
    ],
)
def test_output_code_rejects_bad_code(code, message):
    with pytest.raises(ValueError, match=message):
        OutputCodeClassifier(LINE, code=code).fit(X, Y)


def test_output_code_rejects_a_code_without_columns():
    with pytest.raises(ValueError, match="'code_size' must be large enough for one column"):
        OutputCodeClassifier(LINE, code_size=0.2).fit(X, Y)


@pytest.mark.parametrize("decoding", ["scores", "probabilities"])
def test_multilabel_prediction_is_the_decision_on_the_combined_outputs(decoding):
    """Issue 19, part 2: there was no decide_, and predict went a way of its own."""
    labels = np.column_stack([Y == 0, Y > 0, X[:, 0] > 5.5]).astype(int)
    model = OneVsRestClassifier(LINE, decoding=decoding).fit(X, labels)
    support = model.combine_(model.member_outputs(X), X)
    np.testing.assert_array_equal(model.decide_(support, X), model.predict(X))


def test_multilabel_rejects_rules_for_one_label():
    labels = np.eye(3, dtype=int)[Y]
    labels[0] = 1
    with pytest.raises(ValueError, match="'decide' must be None for a multilabel target"):
        OneVsRestClassifier(LINE, decide="argmax").fit(X, labels)
    with pytest.raises(ValueError, match="'decoding' must be None, 'scores' or 'probabilities'"):
        OneVsRestClassifier(LINE, decoding="hamming").fit(X, labels)


@pytest.mark.parametrize("kind", KINDS[:2])
def test_partial_fit_rejects_strange_labels_and_balance(kind):
    model = kind(SGDClassifier(random_state=0)).partial_fit(X, NAMES, classes=np.unique(NAMES))
    with pytest.raises(ValueError, match="label 'rose' is not one of the classes"):
        model.partial_fit(X[:1], ["rose"])
    with pytest.raises(ValueError, match="'balanced' must be False in partial_fit"):
        model.set_params(balanced=True).partial_fit(X, NAMES)


@pytest.mark.parametrize("kind", KINDS[:2])
def test_partial_fit_learns_words(kind):
    model = kind(SGDClassifier(random_state=0))
    for _ in range(5):
        model.partial_fit(X, NAMES, classes=np.unique(NAMES))
    assert model.score(X, NAMES) > 0.6


def test_partial_fit_is_there_only_if_the_learner_has_it():
    assert not hasattr(OneVsRestClassifier(LINE), "partial_fit")
    assert not hasattr(OutputCodeClassifier(SGDClassifier()), "partial_fit")


def test_longer_codes_help_trees():
    """Two blobs a class: single columns are hard for shallow trees, many columns make it up."""
    points, labels = make_blobs(600, centers=12, cluster_std=1.2, random_state=3)
    labels = labels % 6
    tree = DecisionTreeClassifier(max_depth=4, random_state=0)
    scores = [
        OutputCodeClassifier(
            tree, code=make_code("dense", 6, n, random_state=0), decoding="hamming"
        )
        .fit(points[::2], labels[::2])
        .score(points[1::2], labels[1::2])
        for n in (3, 24)
    ]
    assert scores[1] > scores[0] + 0.05


def test_ridge_classifier_is_a_learner_too():
    assert OneVsOneClassifier(RidgeClassifier()).fit(X, Y).score(X, Y) > 0.9


RULES_OF_NUMBERS = (
    Abstain(0.7, abstain_label=-1),
    Abstain(min_margin=0.4, abstain_label=-1),
    MinimumCost(abstain_cost=0.3, abstain_label=-1),
)


@pytest.mark.parametrize("rule", RULES_OF_NUMBERS)
@pytest.mark.parametrize("kind", KINDS)
def test_rule_of_numbers_reads_probabilities_by_default(kind, rule):
    """Issue 18, item A.5: a bar of 0.5 was compared with log-odds, votes or distances."""
    decoding = "probabilities" if kind is OneVsRestClassifier else "coupling"
    model = named(kind, decide=rule).fit(X, Y)
    explicit = named(kind, decoding=decoding, decide=rule).fit(X, Y)
    np.testing.assert_array_equal(model.predict(X), explicit.predict(X))
    assert 0 < np.mean(model.predict(X) == -1) < 0.5


def test_rule_of_numbers_keeps_the_units_of_a_decoding_that_is_named():
    scores = OneVsRestClassifier(LINE, decoding="scores", decide=Abstain(0.0, abstain_label=-1))
    probabilities = OneVsRestClassifier(LINE, decide=Abstain(0.5, abstain_label=-1))
    np.testing.assert_array_equal(scores.fit(X, Y).predict(X), probabilities.fit(X, Y).predict(X))


@pytest.mark.parametrize("kind", KINDS)
def test_rule_of_numbers_rejects_learner_without_probabilities(kind):
    """Issue 18, item A.5: two classes too, where a threshold of 0.5 met a margin."""
    with pytest.raises(
        TypeError, match=r"decide=Threshold\(\) .* LinearSVC does not have; .* such as '"
    ):
        named(kind, LinearSVC(), decide=Threshold()).fit(X, Y > 0)
