from __future__ import annotations

import pytest

from nonet._base.errors import MemberError, MemberTypeError, ParameterError, member_error


def test_parameter_error_is_of_both_families():
    assert issubclass(ParameterError, ValueError)
    assert issubclass(ParameterError, TypeError)


@pytest.mark.parametrize(
    ("why", "kind"),
    [
        (ValueError("too few rows"), MemberError),
        (ZeroDivisionError("by zero"), MemberError),
        (TypeError("not a number"), MemberTypeError),
    ],
    ids=repr,
)
def test_member_error_names_the_member_and_keeps_the_family_of_the_cause(why, kind):
    error = member_error("tree", 1, 3, "fit", why)
    assert type(error) is kind
    assert str(error) == f"member 'tree' (2 of 3) failed to fit: {why}."


def test_member_type_error_is_of_both_families():
    assert issubclass(MemberTypeError, ValueError)
    assert issubclass(MemberTypeError, TypeError)


def test_member_error_of_a_cause_without_words_names_its_kind():
    error = member_error("tree", 0, 1, "predict labels", KeyError())
    assert str(error) == "member 'tree' (1 of 1) failed to predict labels: KeyError."
