"""Parts of an ensemble that read X beside its members, on frames with categories."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score, make_scorer

import nonet
from nonet.decide import Argmax
from nonet.stacking.routed.distance_columns import DistanceColumns

RANDOM = np.random.default_rng(0)
TABLE = pd.DataFrame(
    {"size": RANDOM.normal(size=120), "city": RANDOM.choice(["Bern", "Kyiv", "Oslo"], size=120)}
)
LABELS = np.where(TABLE["size"] + (TABLE["city"] == "Bern") > 0.3, "yes", "no")


@pytest.mark.parametrize(
    "kind",
    [
        nonet.RandomForestClassifier,
        partial(nonet.ExtraTreesClassifier, max_depth=1),
        nonet.BaggingClassifier,
    ],
)
def test_arbiter_is_fitted_on_the_table_that_it_predicts(kind):
    arbiter = Argmax(tie="arbiter", arbiter=nonet.BoostedTreesClassifier())
    model = kind(n_estimators=2, combine="plurality", decide=arbiter, random_state=0)
    model.fit(TABLE, LABELS)
    votes = model.combine_(model.member_outputs(TABLE))
    tied = votes[:, 0] == votes[:, 1]
    assert tied.any()
    np.testing.assert_array_equal(model.predict(TABLE)[tied], model.arbiter_.predict(TABLE)[tied])


@pytest.mark.parametrize("hold_out", [None, 0.3])
def test_arbiter_of_adaboost_reads_the_table_itself(hold_out):
    arbiter = Argmax(tie="arbiter", arbiter=nonet.BoostedTreesClassifier())
    model = nonet.AdaBoostClassifier(n_estimators=3, hold_out=hold_out, decide=arbiter)
    model.fit(TABLE, LABELS)
    assert list(model.arbiter_.feature_names_in_) == ["size", "city"]
    assert set(model.arbiter_.predict(TABLE)) == {"yes", "no"}


def test_gate_by_distance_refuses_columns_in_another_order():
    columns = DistanceColumns().fit(TABLE)
    with pytest.raises(ValueError, match="feature names should match"):
        columns.transform(TABLE[["city", "size"]])


def test_final_model_that_cannot_read_passed_columns_is_named():
    stack = nonet.StackingClassifier(
        [("forest", nonet.RandomForestClassifier(5))], passthrough=True
    )
    with pytest.raises(ValueError, match="final_estimator LogisticRegression .*passthrough=False"):
        stack.fit(TABLE, LABELS)
    stack.set_params(final_estimator=nonet.BoostedTreesClassifier())
    assert stack.fit(TABLE, LABELS).score(TABLE, LABELS) > 0.9


def test_scorer_of_rounds_goes_by_the_name_of_its_function():
    codes = (LABELS == "yes").astype(int)
    model = nonet.BoostedTreesClassifier(n_estimators=3, eval_metric=make_scorer(f1_score))
    model.fit(TABLE, codes, eval_set=[(TABLE, codes)])
    assert list(model.evals_result_["validation_0"]) == ["f1_score"]
