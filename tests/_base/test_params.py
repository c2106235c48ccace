from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from nonet._base.errors import ParameterError
from nonet._base.params import (
    Anything,
    ArrayLike,
    Boolean,
    Choice,
    Having,
    Instance,
    Integer,
    Nothing,
    Real,
    Rule,
    bad_parameter,
    check_params,
)

TREE = DecisionTreeClassifier()
ALLOWED = [
    (Nothing(), [None], [0, False, "", "None"]),
    (Choice("hard", "soft"), ["hard", "soft"], ["Hard", "", None, 0, ["hard"], b"hard"]),
    (Boolean(), [True, False, np.True_], [0, 1, None, "True"]),
    (Integer(), [0, -3, np.int8(4), np.uint64(7), 10**30], [1.0, "1", None, True, np.True_]),
    (Integer(1), [1, 9], [0, -1]),
    (Integer(None, 3), [-5, 3], [4]),
    (Integer(1, 3), [1, 2, 3], [0, 4, 2.0]),
    (Real(), [0, -1.5, np.float32(2), Fraction(1, 3)], [np.nan, np.inf, -np.inf, "1", True, 1j]),
    (Real(0, 1), [0, 1, 0.5], [-1e-9, 1.0000001]),
    (Real(0, 1, open_low=True), [1e-300, 1], [0, 0.0, 2]),
    (Real(0, 1, open_high=True), [0, np.nextafter(1, 0)], [1, 1.0]),
    (Real(0), [0, 1e308], [-1, 10**400]),
    (Having("an estimator", "fit", "predict"), [TREE], [DecisionTreeClassifier, 3, None]),
    (Instance("a number", int, float), [1, 1.5], ["1", None]),
    (ArrayLike(), [[1], (1, 2), np.ones(2), []], ["text", b"bytes", 3, None]),
    (Anything(), [None, 1, "x", object], []),
    (Nothing() | Integer(1) | Choice("all"), [None, 1, "all"], [0, "none", 1.5]),
]
GOOD = [(rule, value) for rule, good, _ in ALLOWED for value in good]
BAD = [(rule, value) for rule, _, bad in ALLOWED for value in bad]


@pytest.mark.parametrize(("rule", "value"), GOOD, ids=lambda thing: str(thing)[:30])
def test_rule_allows_good_value(rule, value):
    assert rule.allows(value)


@pytest.mark.parametrize(("rule", "value"), BAD, ids=lambda thing: str(thing)[:30])
def test_rule_rejects_bad_value(rule, value):
    assert not rule.allows(value)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Nothing(), "None"),
        (Choice("a", "b"), "one of 'a', 'b'"),
        (Choice("a"), "'a'"),  # issue 18, item A.20: "must be one of 'log_loss'"
        (Boolean(), "True or False"),
        (Integer(), "a whole number"),
        (Integer(1), "a whole number of at least 1"),
        (Integer(None, 3), "a whole number of at most 3"),
        (Integer(1, 3), "a whole number of at least 1 and at most 3"),
        (Real(), "a finite number"),
        (Real(0, 1), "a finite number of at least 0 and at most 1"),
        (Real(0, open_low=True), "a finite number above 0"),
        (Real(None, 1, open_high=True), "a finite number below 1"),
        (Real(0, 0.5, open_high=True), "a finite number of at least 0 and below 0.5"),
        (Real(0, 1, open_low=True), "a finite number above 0 and at most 1"),
        (Real(0, 1, open_low=True, open_high=True), "a finite number above 0 and below 1"),
        (Having("an estimator", "fit"), "an estimator"),
        (Instance("a path", str), "a path"),
        (ArrayLike(), "array-like"),
        (Anything(), "anything"),
        (Nothing() | Integer() | Choice("all"), "None or a whole number or 'all'"),
    ],
    ids=lambda thing: thing if isinstance(thing, str) else type(thing).__name__,
)
def test_rule_describes_itself(rule, words):
    assert rule.describe() == words


def test_parent_rule_leaves_both_questions_to_its_children():
    with pytest.raises(NotImplementedError):
        Rule().allows(1)
    with pytest.raises(NotImplementedError):
        Rule().describe()


def test_bad_parameter_says_whose_which_allowed_and_received():
    by_name = bad_parameter("borda", "ties", "one of 'a', 'b'", 3)
    assert str(by_name) == "borda: parameter 'ties' must be one of 'a', 'b', but got 3."
    by_object = bad_parameter(TREE, "depth", "a whole number", "deep")
    assert str(by_object).startswith("DecisionTreeClassifier: parameter 'depth' must be")
    assert str(by_object).endswith("but got 'deep'.")


@pytest.mark.parametrize("family", [ValueError, TypeError, ParameterError])
def test_check_params_raises_both_families_of_error(family):
    owner = SimpleNamespace(k=0)
    with pytest.raises(family, match="parameter 'k' must be a whole number of at least 1"):
        check_params(owner, {"k": Integer(1)})


def test_check_params_raises_for_the_first_bad_one():
    owner = SimpleNamespace(a=1, b=-1, c=-1)
    with pytest.raises(ValueError, match="parameter 'b'"):
        check_params(owner, {"a": Integer(0), "b": Integer(0), "c": Integer(0)})


def test_check_params_is_content_with_good_ones():
    check_params(SimpleNamespace(a=1, b=None), {"a": Integer(0), "b": Nothing() | Real()})
