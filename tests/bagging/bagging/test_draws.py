from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nonet.bagging import (
    DRAW_RULES,
    BalancedDraw,
    BlockDraw,
    GroupDraw,
    PartitionDraw,
    RowDraw,
    StratifiedDraw,
)
from nonet.bagging.bagging.draws import resolve_draw_rule
from nonet.bagging.bagging.population import Population


def population(n_rows=30, **settings):
    defaults = {"n_members": 4, "max_samples": None, "replace": True, "seed": 7}
    return Population(n_rows=n_rows, **(defaults | settings))


CLASSES = np.repeat([0, 1, 2], [20, 8, 2])
GROUPS = np.arange(30) // 5


def knowing(rule, **settings):
    known = {"classes": CLASSES} if rule.needs_classes else {}
    known |= {"groups": GROUPS} if rule.needs_groups else {}
    return population(**(known | settings))


@pytest.mark.parametrize("name", DRAW_RULES)
def test_draw_is_deterministic_and_differs_between_members(name):
    rule = DRAW_RULES[name]
    rows = [rule.draw(knowing(rule), member) for member in range(4)]
    again = [rule.draw(knowing(rule), member) for member in range(4)]
    for one, other in zip(rows, again, strict=True):
        np.testing.assert_array_equal(one, other)
    assert len({tuple(sorted(one)) for one in rows}) == 4
    assert all(one.min() >= 0 and one.max() < 30 for one in rows)


@pytest.mark.parametrize("name", sorted(set(DRAW_RULES) - {"partition"}))
def test_draw_does_not_depend_on_the_number_of_members(name):
    rule = DRAW_RULES[name]
    few, many = knowing(rule, n_members=4), knowing(rule, n_members=40)
    np.testing.assert_array_equal(rule.draw(few, 3), rule.draw(many, 3))


@pytest.mark.parametrize("name", ["rows", "stratified", "blocks"])
def test_without_replacement_no_row_comes_twice(name):
    rule = DRAW_RULES[name]
    rows = rule.draw(knowing(rule, replace=False, max_samples=20), 0)
    assert len(np.unique(rows)) == len(rows) == 20


def test_bag_sizes_are_numbers_fractions_or_all():
    sizes = [population(max_samples=size).bag_size() for size in (None, 7, 0.5, 0.001, 90)]
    assert sizes == [30, 7, 15, 1, 90]


def test_fraction_of_weighted_rows_is_one_of_the_weight():
    assert population(max_samples=0.5, probabilities=np.full(30, 3.0)).bag_size() == 45


def test_row_draw_follows_the_probabilities():
    probabilities = np.arange(30.0)
    drawn = RowDraw().draw(population(probabilities=probabilities, max_samples=200_000), 0)
    fractions = np.bincount(drawn, minlength=30) / 200_000
    expected = probabilities / probabilities.sum()
    error = np.sqrt(expected * (1 - expected) / 200_000)
    assert (np.abs(fractions - expected) <= 4.5 * error).all()
    assert fractions[0] == 0


def test_fraction_of_distinct_rows_against_theory():
    """A bag of n rows holds 1 - 1/e = 63.2 % of them, not the 67 % of the notes."""
    large = population(n_rows=200_000)
    fraction = len(np.unique(RowDraw().draw(large, 0))) / 200_000
    assert fraction == pytest.approx(0.6321205588, abs=0.003)


@given(st.lists(st.integers(1, 40), min_size=2, max_size=5), st.floats(0.3, 1.0), st.booleans())
def test_stratified_draw_keeps_the_fractions_of_classes(numbers, fraction, replace):
    codes = np.repeat(np.arange(len(numbers)), numbers)
    rows = population(len(codes), classes=codes, max_samples=fraction, replace=replace)
    size = rows.bag_size()
    if size < len(numbers):
        with pytest.raises(ValueError, match="at least one row from each"):
            StratifiedDraw().check(rows)
        return
    drawn = np.bincount(codes[StratifiedDraw().draw(rows, 0)], minlength=len(numbers))
    assert drawn.sum() == size
    assert (drawn >= 1).all()
    exact = np.array(numbers) / len(codes) * size
    assert (drawn >= np.floor(exact) - (len(numbers) - 1)).all()
    assert (drawn <= np.maximum(np.ceil(exact), 1)).all()


def test_stratified_draw_with_weights_follows_the_weight_of_classes():
    probabilities = np.where(CLASSES == 2, 10.0, 1.0)
    rows = population(classes=CLASSES, probabilities=probabilities)
    drawn = np.bincount(CLASSES[StratifiedDraw().draw(rows, 0)])
    np.testing.assert_array_equal(drawn, [13, 5, 12])


def test_balanced_draw_takes_the_same_of_each_class():
    drawn = BalancedDraw().draw(population(classes=CLASSES), 0)
    np.testing.assert_array_equal(np.bincount(CLASSES[drawn]), [2, 2, 2])
    drawn = BalancedDraw().draw(population(classes=CLASSES, max_samples=30), 0)
    np.testing.assert_array_equal(np.bincount(CLASSES[drawn]), [10, 10, 10])


def test_balanced_draw_rejects_more_than_the_smallest_class_has():
    rows = population(classes=CLASSES, max_samples=30, replace=False)
    with pytest.raises(ValueError, match="bag of size 30, and the smallest class has 2"):
        BalancedDraw().check(rows)


@pytest.mark.parametrize("replace", [True, False])
def test_group_draw_takes_whole_groups(replace):
    rows = population(groups=GROUPS, replace=replace, max_samples=4)
    for member in range(20):
        counts = np.bincount(GroupDraw().draw(rows, member), minlength=30).reshape(6, 5)
        assert (counts == counts[:, :1]).all()
        assert counts[:, 0].sum() == 4


def test_group_draw_rejects_one_group():
    with pytest.raises(ValueError, match="at least two groups"):
        GroupDraw().check(population(groups=np.zeros(30, dtype=int)))


def test_blocks_follow_one_another_in_time():
    drawn = BlockDraw(6).draw(population(), 0).reshape(5, 6)
    assert (np.diff(drawn, axis=1) == 1).all()


def test_default_block_length_is_the_cube_root():
    drawn = BlockDraw().draw(population(n_rows=27), 0).reshape(9, 3)
    assert (np.diff(drawn, axis=1) == 1).all()


def test_blocks_without_replacement_are_whole_blocks():
    drawn = BlockDraw(6).draw(population(replace=False, max_samples=18), 0)
    assert sorted(np.bincount(drawn // 6, minlength=5).tolist()) == [0, 0, 6, 6, 6]


@pytest.mark.parametrize("length", [30, 31])
def test_block_draw_rejects_a_block_as_long_as_the_series(length):
    with pytest.raises(ValueError, match=r"below the number of rows \(n_samples=30\)"):
        BlockDraw(length).check(population())


@pytest.mark.parametrize("n_parts", [None, 2, 4])
def test_parts_are_disjoint_and_cover_the_rows(n_parts):
    rule, rows = PartitionDraw(n_parts), population()
    size = n_parts or 4
    for start in range(0, 4, size):
        dealt = np.concatenate([rule.draw(rows, start + part) for part in range(size)])
        np.testing.assert_array_equal(np.sort(dealt), np.arange(30))


def test_partition_rejects_more_parts_than_rows():
    with pytest.raises(ValueError, match="'n_parts' must be at most the number of rows"):
        PartitionDraw(31).check(population())


def test_partition_rejects_max_samples():
    with pytest.raises(ValueError, match="'max_samples' must be None with draw='partition'"):
        PartitionDraw(3).check(population(max_samples=0.5))


def test_draw_without_replacement_rejects_more_rows_than_there_are():
    with pytest.raises(ValueError, match="31 draws without replacement, but there are 30"):
        RowDraw().check(population(max_samples=31, replace=False))


@pytest.mark.parametrize(
    ("draw", "has_groups", "message"),
    [
        ("groups", False, "needs the groups"),
        ("rows", True, "does not draw by groups"),
        ("stratifed", False, "did you mean 'stratified'"),
        (3, False, "'draw' must be None"),
    ],
)
def test_draw_parameter_rejects_what_cannot_be_done(draw, has_groups, message):
    with pytest.raises(ValueError, match=message):
        resolve_draw_rule(draw, has_groups)


def test_groups_alone_mean_a_draw_by_groups():
    assert isinstance(resolve_draw_rule(None, True), GroupDraw)
    assert isinstance(resolve_draw_rule(None, False), RowDraw)
