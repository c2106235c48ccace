"""Draw rules: how the rows of a bag are sampled.

Rules: rows one by one (bagging; pasting without replacement), a fixed number of rows per class,
whole groups, blocks of consecutive rows in time, or a partition of the rows. For every rule, the
rows that are not drawn are out of the bag.

References
----------
L. Breiman, "Bagging predictors", *Machine Learning* 24, 1996; H. R. Kuensch, "The jackknife and
the bootstrap for general stationary observations", *Annals of Statistics* 17, 1989; C. Chen,
A. Liaw and L. Breiman, *Using random forest to learn imbalanced data*, 2004.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.names import look_up
from nonet._base.params import Integer, Nothing, Rule, bad_parameter
from nonet._native.bags import ForestBags, Strata
from nonet.bagging.bagging.draw_rule import DrawRule
from nonet.bagging.bagging.population import Population, pick


class RowDraw(DrawRule):
    """Draw rows one by one: the bootstrap, or a subsample without replacement.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet.bagging import BaggingClassifier, RowDraw
    >>> X, y = load_iris(return_X_y=True)
    >>> pasting = BaggingClassifier(draw=RowDraw(), bootstrap=False, max_samples=50).fit(X, y)
    >>> len(set(pasting.estimators_samples_[0].tolist()))
    50
    """

    draws_single_rows = True
    way_out = "draw='stratified' puts every class in every bag"

    def check(self, population: Population) -> None:
        """Check that there are enough rows."""
        super().check(population)
        population.bag_size()

    def draw(self, population: Population, member: int) -> Array:
        """Return the rows of one member's bag."""
        random = population.generator(member)
        size = population.bag_size()
        return pick(random, population.n_rows, size, population.replace, population.probabilities)

    def core_bags(self, population: Population) -> ForestBags:
        """Return the bags in the form in which the core draws them."""
        return population.core_bags("rows", population.bag_size())


class ClassDraw(DrawRule):
    """Parent of the rules that fix the number of rows per class."""

    draws_single_rows = True
    needs_classes = True

    def check(self, population: Population) -> None:
        """Check that every class has enough rows."""
        super().check(population)
        self.class_sizes(population)

    def draw(self, population: Population, member: int) -> Array:
        """Return the rows of one member's bag, ordered by class."""
        assert population.classes is not None
        random = population.generator(member)
        bags = []
        for code, size in enumerate(self.class_sizes(population)):
            rows = np.flatnonzero(population.classes == code)
            probabilities = (
                None if population.probabilities is None else population.probabilities[rows]
            )
            if size:
                bags.append(rows[pick(random, len(rows), size, population.replace, probabilities)])
        return np.concatenate(bags)

    def core_bags(self, population: Population) -> ForestBags:
        """Return the bags in the form in which the core draws them."""
        assert population.classes is not None
        sizes = self.class_sizes(population)
        strata = Strata.of(population.classes, sizes)
        return population.core_bags("strata", int(sizes.sum()), strata=strata)

    def class_sizes(self, population: Population) -> Codes:
        """Return the number of rows of each class in a bag."""
        raise NotImplementedError


class StratifiedDraw(ClassDraw):
    """Draw a stratified sample: each class in proportion, and at least one row of it.

    With weights the proportion of a class is that of its weight.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.bagging import BaggingClassifier, StratifiedDraw
    >>> X, y = np.arange(20.0).reshape(-1, 1), np.repeat([0, 1], [18, 2])
    >>> bagging = BaggingClassifier(draw=StratifiedDraw(), random_state=0).fit(X, y)
    >>> {int(y[rows].sum()) for rows in bagging.estimators_samples_}
    {2}
    """

    def class_sizes(self, population: Population) -> Codes:
        """Return the number of rows of each class in a bag."""
        assert population.classes is not None
        mass = np.bincount(population.classes, weights=population.probabilities).astype(np.float64)
        size = population.bag_size()
        if size < np.count_nonzero(mass):
            raise ValueError(
                f"a stratified draw needs at least one row from each of {np.count_nonzero(mass)} "
                "classes (with several targets: combinations of labels), but parameter "
                f"'max_samples' gives a bag of size {size}; raise it."
            )
        return _round_to_total(mass / mass.sum() * size, size)


class BalancedDraw(ClassDraw):
    """Draw the same number of rows from each class.

    With ``max_samples=None`` that is the size of the smallest class, as in balanced forests;
    otherwise ``max_samples`` is divided evenly.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.bagging import BaggingClassifier, BalancedDraw
    >>> X, y = np.arange(20.0).reshape(-1, 1), np.repeat([0, 1], [17, 3])
    >>> bagging = BaggingClassifier(draw=BalancedDraw(), random_state=0).fit(X, y)
    >>> np.bincount(y[bagging.estimators_samples_[0]])
    array([3, 3])
    """

    def class_sizes(self, population: Population) -> Codes:
        """Return the number of rows of each class in a bag."""
        assert population.classes is not None
        can_come = True if population.probabilities is None else population.probabilities > 0
        rows = np.bincount(population.classes, weights=np.broadcast_to(can_come, population.n_rows))
        smallest, n_classes = int(rows[rows > 0].min()), int(np.count_nonzero(rows))
        each = smallest
        if population.max_samples is not None:
            each = population.bag_size() // n_classes
        if each < 1 or (not population.replace and each > smallest):
            raise ValueError(
                f"a balanced draw takes equally many rows from each of {n_classes} classes (with "
                "several targets: combinations of labels), but parameter 'max_samples' gives a bag "
                f"of size {population.bag_size()}, and the smallest class has {smallest}; leave "
                "max_samples=None to take that many of each."
            )
        return np.where(rows > 0, each, 0)


class GroupDraw(DrawRule):
    """Draw whole groups: all rows of a group are in the bag, or all of them are out of it.

    ``max_samples`` is a number of groups here. Pass the groups to ``fit`` as ``groups=``.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.bagging import BaggingRegressor
    >>> X, y = np.arange(12.0).reshape(-1, 1), np.arange(12.0)
    >>> patients = np.repeat([0, 1, 2, 3], 3)
    >>> bagging = BaggingRegressor(draw="groups", random_state=0).fit(X, y, groups=patients)
    >>> out = patients[bagging.members_[0].unseen_rows]
    >>> set(np.bincount(out).tolist()) <= {0, 3}
    True
    """

    needs_groups = True

    def check(self, population: Population) -> None:
        """Check that there are at least two groups."""
        super().check(population)
        assert population.groups is not None
        n_groups = int(population.groups.max()) + 1
        if n_groups < 2:
            raise ValueError(
                "a draw by groups needs at least two groups, but all rows are in one: no group "
                "could be out of the bag; omit groups to draw rows."
            )
        population.bag_size(n_groups)

    def draw(self, population: Population, member: int) -> Array:
        """Return the rows of the groups drawn."""
        assert population.groups is not None
        n_groups = int(population.groups.max()) + 1
        size = population.bag_size(n_groups)
        drawn = pick(population.generator(member), n_groups, size, population.replace)
        times = np.bincount(drawn, minlength=n_groups)
        return np.repeat(np.arange(population.n_rows), times[population.groups])

    def core_bags(self, population: Population) -> ForestBags:
        """Return the bags in the form in which the core draws them."""
        assert population.groups is not None
        n_draws = population.bag_size(int(population.groups.max()) + 1)
        return population.core_bags("groups", n_draws, groups=population.groups.astype(np.int32))


class BlockDraw(DrawRule):
    """Draw blocks of consecutive rows in time.

    With replacement, blocks start anywhere and may overlap (the moving-block bootstrap) until
    the bag is full; without, the rows are divided into blocks and some of these are drawn. Rows
    must be in the order of time.

    Parameters
    ----------
    length : int, default=None
        Rows in a block; None is the cube root of the number of rows, rounded up.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.bagging import BaggingRegressor, BlockDraw
    >>> X, y = np.arange(12.0).reshape(-1, 1), np.arange(12.0)
    >>> bagging = BaggingRegressor(draw=BlockDraw(4), bootstrap=False, max_samples=8)
    >>> rows = bagging.fit(X, y).estimators_samples_[0]
    >>> np.diff(rows.reshape(2, 4), axis=1).tolist()
    [[1, 1, 1], [1, 1, 1]]
    """

    _rules: ClassVar[Mapping[str, Rule]] = {"length": Nothing() | Integer(1)}

    def __init__(self, length: int | None = None) -> None:
        self.length = length

    def check(self, population: Population) -> None:
        """Check that a block is shorter than the number of rows."""
        super().check(population)
        population.bag_size()
        if self._length(population) >= population.n_rows:
            allowed = f"a whole number below the number of rows (n_samples={population.n_rows})"
            raise bad_parameter(self, "length", allowed, self.length)

    def draw(self, population: Population, member: int) -> Array:
        """Return the rows of the blocks drawn, up to the size of the bag."""
        random = population.generator(member)
        length, size = self._length(population), population.bag_size()
        n_blocks = math.ceil(size / length)
        if population.replace:
            starts = random.integers(population.n_rows - length + 1, size=n_blocks)
            return (starts[:, np.newaxis] + np.arange(length)).ravel()[:size]
        blocks = np.arange(population.n_rows) // length
        order = random.permutation(int(blocks[-1]) + 1)
        return np.concatenate([np.flatnonzero(blocks == block) for block in order])[:size]

    def _length(self, population: Population) -> int:
        if self.length is not None:
            return int(self.length)
        return math.ceil(round(math.cbrt(population.n_rows), 9))


class PartitionDraw(DrawRule):
    """Partition the rows at random among the members, each row to one of them.

    This makes costly learners cheap: k kernel machines on n/k rows each take about 1/k of the
    time of one on all rows, or less. ``max_samples`` and ``bootstrap`` have no effect.

    Parameters
    ----------
    n_parts : int, default=None
        Number of parts; None is the number of members. With fewer parts than members the rows are
        shuffled and partitioned again.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> from nonet.bagging import BaggingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> machines = BaggingClassifier(SVC(), 5, draw="partition", random_state=0).fit(X, y)
    >>> np.array_equal(np.sort(np.concatenate(machines.estimators_samples_)), np.arange(150))
    True
    """

    _rules: ClassVar[Mapping[str, Rule]] = {"n_parts": Nothing() | Integer(1)}

    def __init__(self, n_parts: int | None = None) -> None:
        self.n_parts = n_parts

    @property
    def can_grow(self) -> bool:
        """Whether the bags do not change when members are added."""
        return self.n_parts is not None

    def check(self, population: Population) -> None:
        """Check that no part is empty."""
        super().check(population)
        if self._n_parts(population) > population.n_rows:
            allowed = f"at most the number of rows ({population.n_rows})"
            raise bad_parameter(self, "n_parts", allowed, self._n_parts(population))
        if population.max_samples is not None:
            allowed = "None with draw='partition', where n_parts sets the size of a bag"
            raise bad_parameter("bagging", "max_samples", allowed, population.max_samples)

    def draw(self, population: Population, member: int) -> Array:
        """Return the rows of one member's part."""
        partition, part = divmod(member, self._n_parts(population))
        order = population.partition_generator(partition).permutation(population.n_rows)
        return np.sort(order[part :: self._n_parts(population)])

    def _n_parts(self, population: Population) -> int:
        return population.n_members if self.n_parts is None else int(self.n_parts)


DRAW_RULES: dict[str, DrawRule] = {
    "rows": RowDraw(),
    "stratified": StratifiedDraw(),
    "balanced": BalancedDraw(),
    "groups": GroupDraw(),
    "blocks": BlockDraw(),
    "partition": PartitionDraw(),
}
FOREST_DRAW_RULES = {
    name: rule
    for name, rule in DRAW_RULES.items()
    if type(rule).core_bags is not DrawRule.core_bags
}


def resolve_draw_rule(draw: Any, has_groups: bool) -> DrawRule:
    """Return the rule for a ``draw=`` parameter; groups alone mean a draw by groups."""
    rule = _as_rule(draw, has_groups)
    if rule.needs_groups and not has_groups:
        raise ValueError("a draw by groups needs the groups: call fit(X, y, groups=...).")
    if has_groups and not rule.needs_groups:
        raise ValueError(
            f"groups were given to fit, but {type(rule).__name__} does not draw by groups; "
            "leave draw=None or choose draw='groups'."
        )
    return rule


def _as_rule(draw: Any, has_groups: bool) -> DrawRule:
    if draw is None:
        return DRAW_RULES["groups" if has_groups else "rows"]
    if isinstance(draw, str):
        return look_up(DRAW_RULES, draw, "draw rule")
    if isinstance(draw, DrawRule):
        return draw
    allowed = f"None, one of {list(DRAW_RULES)} or a rule object of nonet.bagging"
    raise bad_parameter("bagging", "draw", allowed, draw)


def _round_to_total(fractions: Floats, total: int) -> Codes:
    """Round to integers with the given sum; no positive fraction becomes 0."""
    sizes = np.where(fractions > 0, np.maximum(np.floor(fractions), 1), 0).astype(np.intp)
    while sizes.sum() < total:
        sizes[np.argmax(fractions - sizes)] += 1
    while sizes.sum() > total:
        sizes[np.argmax(np.where(sizes > 1, sizes - fractions, -np.inf))] -= 1
    return sizes
