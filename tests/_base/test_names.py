from __future__ import annotations

import pytest

from nonet._base.names import look_up

TABLE = {"mean": 1, "median": 2, "plurality": 3}


@pytest.mark.parametrize(("name", "value"), TABLE.items())
def test_known_name_is_found(name, value):
    assert look_up(TABLE, name, "rule") == value


@pytest.mark.parametrize(("name", "near"), [("medain", "median"), ("plurallity", "plurality")])
def test_unknown_name_is_answered_with_the_nearest_and_all(name, near):
    with pytest.raises(ValueError, match="is not known") as caught:
        look_up(TABLE, name, "combination rule")
    assert str(caught.value) == (
        f"combination rule {name!r} is not known (did you mean {near!r}?); "
        "the known names are 'mean', 'median', 'plurality'."
    )


@pytest.mark.parametrize("name", ["xyzzy", ""])
def test_name_like_no_other_is_answered_with_all(name):
    with pytest.raises(TypeError, match=r"is not known; the known names are 'mean'"):
        look_up(TABLE, name, "rule")


@pytest.mark.parametrize("name", [None, 3, [], {}])
def test_names_that_are_no_text_are_not_known(name):
    with pytest.raises(ValueError, match="rule .* is not known; the known names are 'a'"):
        look_up({"a": 1}, name, "rule")
