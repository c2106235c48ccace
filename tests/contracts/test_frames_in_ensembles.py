"""Parts of an ensemble that read X beside its members, on frames with categories."""

import warnings
from datetime import date
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import cross_val_predict

import nonet
from nonet.decide import Abstain, Argmax, Threshold
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


ESTIMATORS = [
    nonet.HistGradientBoostingClassifier,
    nonet.GradientBoostingClassifier,
    nonet.RandomForestClassifier,
    nonet.AdaBoostClassifier,
]
DATES = [date(2020, 1, 1 + i % 28) for i in range(120)]


@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize(
    "column",
    [
        pl.Series(DATES),
        pl.Series(DATES).cast(pl.Datetime),
        pd.Series(pd.to_datetime(DATES).tz_localize("UTC")),
        pd.Series(DATES, dtype=object),
    ],
    ids=["polars date", "polars datetime", "pandas with time zone", "objects"],
)
def test_dates_are_refused_in_every_kind_of_frame(kind, column):
    frame = (pl if isinstance(column, pl.Series) else pd).DataFrame(
        {"size": TABLE["size"].to_numpy(), "day": column}
    )
    with pytest.raises(ValueError, match="column 'day' of X holds dates or times where numbers"):
        kind().fit(frame, LABELS)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_complex_column_is_refused_beside_others(kind):
    numbers = TABLE[["size"]].assign(flag=TABLE["size"] > 0, wave=1j)
    with pytest.raises(ValueError, match="Complex data not supported, but column 'wave'"):
        kind().fit(numbers, LABELS)


@pytest.mark.parametrize("kind", [nonet.AdaBoostClassifier, nonet.BaggingClassifier])
def test_column_that_is_no_number_is_named_after_one_of_categories(kind):
    table = TABLE.assign(flag=TABLE["size"] > 0)
    model = kind().fit(table, LABELS)
    with pytest.raises(ValueError, match="column 'flag' of X holds the string 'False'"):
        model.predict(table.assign(flag="False"))
    with pytest.raises(ValueError, match="infinity .* in column 'far'"):
        kind().fit(table.assign(far=np.inf), LABELS)


@pytest.mark.parametrize("kind", [nonet.RandomForestRegressor, nonet.BoostedTreesRegressor])
@pytest.mark.parametrize("decide", [lambda values: values[:2], lambda values: values.astype(str)])
def test_function_for_decide_must_return_a_number_per_row(kind, decide):
    model = kind(decide=decide).fit(TABLE[["size"]], TABLE["size"])
    with pytest.raises(ValueError, match="decide: the function must return one number per row"):
        model.predict(TABLE[["size"]])


def test_vote_warns_where_all_members_abstain():
    unsure = nonet.RandomForestClassifier(
        10, decide=Abstain(0.95, abstain_label="?"), random_state=0
    )
    vote = nonet.VotingClassifier([("a", unsure), ("b", unsure)]).fit(TABLE, LABELS)
    with pytest.warns(UserWarning, match=r"all members abstained on \d+ of 120 rows.*'no'"):
        vote.predict(TABLE)
    vote.set_params(decide=Argmax(tie="abstain", abstain_label="?")).fit(TABLE, LABELS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "?" in vote.predict(TABLE)


@pytest.mark.parametrize("rule", [Threshold(80), Abstain(80, abstain_label="?")])
def test_threshold_above_every_probability_warns(rule):
    model = nonet.HistGradientBoostingClassifier(decide=rule).fit(TABLE, LABELS)
    with pytest.warns(UserWarning, match="=80 is above 1, but the support is a probability"):
        model.predict(TABLE)


@pytest.mark.parametrize("rule", [Threshold(0.3, pos_label="yes"), Abstain(0.8, abstain_label="?")])
def test_label_of_a_rule_under_a_tool_that_encodes_y_gets_a_hint(rule):
    model = nonet.HistGradientBoostingClassifier(decide=rule)
    with pytest.raises(ValueError, match="if y holds text, a tool such as scikit-learn's"):
        cross_val_predict(model, TABLE, LABELS, method="predict_proba")
