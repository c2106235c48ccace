"""Forests: many native trees, each grown on its own bag, whose predictions are combined.

Members: trees that differ by their rows and by the columns, or thresholds, sampled at their nodes.
F: the mean, or any rule. C: the arg max, or any rule; the identity in regression.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats, Task
from nonet._base.arrays import check_sample_weight
from nonet._base.frames import check_columns_have_values
from nonet._base.metadata import GROUPS_ON_REQUEST
from nonet._base.params import (
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
from nonet._base.progress import Progress, Steps
from nonet._base.streams import root_seed
from nonet._native.bags import ForestBags
from nonet._native.grow import GrowParams, count_trees, grow_forest
from nonet._native.runtime import get_num_threads
from nonet._native.tree import Tree, TreeSum, UnseenSum
from nonet.bagging.bagging.bagged import is_mean
from nonet.bagging.bagging.bags import check_enough_columns
from nonet.bagging.bagging.draw_rule import DrawRule
from nonet.bagging.bagging.draws import resolve_draw_rule
from nonet.bagging.bagging.out_of_bag import (
    OutOfBag,
    combine_out_of_bag,
    curve_stops,
    mean_out_of_bag,
)
from nonet.bagging.bagging.population import Population, number_distinct, number_groups
from nonet.bagging.forest.fitted_forest import GrownTrees
from nonet.bagging.forest.forest_data import ForestData, make_bags, seen_bits
from nonet.bagging.forest.forest_size import FlatCurve, resolve_stop
from nonet.combine.table import bind_rule, resolve_combination_rule
from nonet.ensemble import Ensemble, PerTarget, check_is_given, check_same_classes
from nonet.members.deadline import has_deadline, is_past_deadline
from nonet.members.ledger import predict_out_of_bag
from nonet.members.member import Member
from nonet.trees.binned_table import BinnedTable, fit_arguments, needs_values
from nonet.trees.columns import learn_columns, read_columns
from nonet.trees.growth import GROWTH_RULES, grow_params
from nonet.trees.score_trees import ScoreTrees
from nonet.trees.shared_bins import bin_columns
from nonet.trees.single_tree import SingleTree

_TREE_RULES = {name: rule for name, rule in GROWTH_RULES.items() if name != "splitter"}


class Forest(GrownTrees, Ensemble):
    """Parent of the forests, whose trees grow in one native call and predict in another."""

    __metadata_request__fit = GROUPS_ON_REQUEST
    _task: ClassVar[Task]
    _shares_bins: ClassVar[bool] = True  # and is fitted on folds in threads
    _settings_of_bags: ClassVar[tuple[str, ...]] = ("max_samples", "oob_score", "stop_when")
    _rules: ClassVar[Mapping[str, Rule]] = {
        **_TREE_RULES,
        "n_estimators": Integer(1),
        "bootstrap": Boolean(),
        "oob_score": Boolean()
        | Instance("the name of a scorer", str)
        | Having("a metric(y, predictions)", "__call__"),
        "n_jobs": Nothing() | Integer(),
        "verbose": Boolean() | Integer(0),
        "warm_start": Boolean(),
        "max_samples": Nothing() | Integer(1) | Real(0, open_low=True),
        "max_bins": Integer(2, 65_535),
        "draw_features": Choice("split", "tree"),
        "stop_when": Nothing() | Choice("flat") | Instance("a FlatCurve", FlatCurve),
    }

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> Any:
        """Draw the bags, grow a tree on each, and resolve F and C.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or BinnedTable
            Rows; NaN is a missing value. Or a bins file (`make_bins`).
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Labels of any type, or numeric targets; None for those of a bins file, whose weights
            are taken, too.
        sample_weight : array-like of shape (n_samples,), default=None
            With ``bootstrap=True`` the relative probability to draw a row, otherwise (or if groups
            are drawn) its weight in the trees.
        groups : array-like of shape (n_samples,), default=None
            The group of each row. Whole groups are drawn, so that all rows of a group are out of
            the bag together. With ``bootstrap=False`` groups are used only to tune ``decide``, on
            folds of whole groups.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        self._check_settings()
        y, sample_weight = fit_arguments(self, X, y, sample_weight)
        grows = self._goes_on()
        data = self._check_data(X, y, sample_weight, groups, grows)
        given = check_sample_weight(sample_weight, len(data.y))
        combine = resolve_combination_rule(self._combine_name(), self._task)
        decide = self._resolve_decide(self.decide, combine)
        self._check_groups(groups, decide)
        if isinstance(X, BinnedTable) and (
            self._predicts_out_of_bag(decide) or self._tunes(decide)
        ):
            raise needs_values("An out-of-bag prediction (oob_score, a tuned rule, stop_when)")
        self._forget_score()
        self.combine_ = self._bind_trees(combine, self.n_estimators)
        self._bind_early(decide, X, data.y)
        with self._threads():
            unseen = self._grow(data, grows, self._predicts_out_of_bag(decide))
        self.combine_ = self._bind_trees(combine, len(self))
        if self._predicts_out_of_bag(decide):
            out_of_bag = self._out_of_bag(data, unseen)
            self._score_out_of_bag(decide, X, data.y, given, out_of_bag)
        elif self._tunes(decide):
            params = {} if given is None else {"sample_weight": given}
            self._tune_on_folds(decide, X, data.y, given, groups, params)
        return self

    def _leaves_rows_out(self) -> bool:
        """Return whether there are trees that have not seen all rows."""
        return bool(self.bootstrap)

    # ---- Checks of the data --------------------------------------------------------------------

    def _check_settings(self) -> None:
        if self.stop_when is not None and self._combine_name() != "mean":
            allowed = "None with a rule F other than the mean"
            raise bad_parameter(self, "stop_when", allowed, self.stop_when)
        if self.bootstrap:
            return
        for name in self._settings_of_bags:
            if getattr(self, name):
                allowed = "left as it is with bootstrap=False, where every tree sees every row"
                raise bad_parameter(self, name, allowed, getattr(self, name))

    def _check_groups(self, groups: Any, decide: Any) -> None:
        if groups is not None and not self.bootstrap and not self._tunes(decide):
            raise ValueError(
                "groups are what a bag is drawn from, but bootstrap=False draws nothing; set "
                "bootstrap=True."
            )

    def _check_data(
        self, X: Any, y: Any, sample_weight: Any, groups: Any, grows: bool
    ) -> ForestData:
        known = self._classes_by_target if grows else None
        table, y = self._check_table(X, y, grows)
        check_columns_have_values(self, table)
        check_enough_columns(self, self.max_features, self.n_features_in_)
        self.estimator_ = self._make_prototype()
        target = self.estimator_._target(y if y.ndim == 2 else y[:, np.newaxis])
        self._take_classes(self.estimator_)
        if grows:
            check_same_classes(self, known)
        self.n_outputs_ = len(target.n_classes)
        weights = self._row_weights(y, check_sample_weight(sample_weight, len(y)))
        seed = self._bags[0].seed if grows else root_seed(self.random_state) % 2**64
        if not self.bootstrap:
            return ForestData(table, y, target, weights, ForestBags(len(y), 0, seed))
        rule = self._draw_rule(groups is not None)
        population = Population(
            n_rows=len(y),
            n_members=self.n_estimators,
            max_samples=self.max_samples,
            replace=True,
            seed=seed,
            probabilities=weights if groups is None else None,
            classes=number_distinct(y) if rule.needs_classes else None,
            groups=None if groups is None else number_groups(groups, len(y)),
        )
        population.warn_of_small_bags()
        return ForestData(table, y, target, weights, make_bags(rule, population), rule.way_out)

    def _draw_rule(self, has_groups: bool) -> DrawRule:
        return resolve_draw_rule(None, has_groups)

    def _check_table(self, X: Any, y: Any, grows: bool) -> tuple[Any, Array]:
        check_is_given(self, y)
        earlier = self._category_codes if grows else None
        table, self._category_codes = learn_columns(
            self, X, self.categorical_features, earlier=earlier
        )
        self.is_categorical_ = self._category_codes.mask(self.n_features_in_)
        y = check_array(y, ensure_2d=False, dtype=None, input_name="y")
        if len(y) != table.shape[0]:
            raise ValueError(f"X has {table.shape[0]} rows, but y has {len(y)}.")
        return table, self._check_target(y)

    def _take_classes(self, prototype: SingleTree) -> None:
        """Store the classes that the prototype has found in the labels."""

    def _row_weights(self, y: Array, sample_weight: Floats | None) -> Floats | None:
        return sample_weight

    def _balanced_codes(self, y: Array) -> Array | None:
        """Return the class codes to balance within each bag."""
        return None

    def _grow_params(self, data: ForestData) -> GrowParams:
        categories = list(self._category_codes.known)
        params = grow_params(
            self.estimator_, data.target, self.n_features_in_, data.weights, categories
        )
        if data.weights is None and self.bootstrap and not data.bags.n_groups:
            minimum = self.min_weight_fraction_leaf * data.bags.n_draws
            params = replace(params, min_weight_leaf=minimum)
        if self.draw_features == "tree":
            params = replace(params, columns_per_split=None)
        return replace(params, threshold_draw=getattr(self, "threshold_draw", "all"))

    # ---- Growing -------------------------------------------------------------------------------

    def _grow(self, data: ForestData, grows: bool, predicts_out_of_bag: bool) -> UnseenSum | None:
        """Add trees until there are ``n_estimators``, the score is flat, or the time is over."""
        trees, bags = (self._trees, list(self._bags)) if grows else (TreeSum([]), [])
        self._check_growth(trees.trees, data, predicts_out_of_bag)
        watches = predicts_out_of_bag and self._predicts_by_mean()
        unseen = UnseenSum(data.table, sum(data.target.n_classes)) if watches else None
        if unseen is not None and bags:
            self._add_unseen(unseen, trees, seen_bits(bags), data.y)
        stop = resolve_stop(self.stop_when)
        positions = range(len(bags), self.n_estimators)
        with Steps(self, "trees", self.verbose).track(len(positions)) as progress:
            for grown, seen in self._grow_batches(data, positions, watches, progress):
                batch = TreeSum(grown)
                if unseen is not None:
                    self._add_unseen(unseen, batch, seen, data.y, len(bags))
                trees = TreeSum([*trees.trees, *grown]) if bags else batch
                bags += [data.bags] * len(grown)
                if is_past_deadline() or (stop is not None and stop.is_flat(self._curve)):
                    break
        if not grows:
            self._check_classes_drawn(data, len(bags))
        self._trees, self._bags, self._views = trees, bags, []
        return unseen

    def _check_classes_drawn(self, data: ForestData, n_trees: int) -> None:
        """Raise if no tree has seen some class."""

    def _check_growth(self, trees: list[Tree], data: ForestData, predicts_out_of_bag: bool) -> None:
        self._check_adds_trees(len(trees))
        if not trees:
            return
        if trees[0].n_outputs != sum(data.target.n_classes):
            raise ValueError(
                f"{type(self).__name__}: warm_start adds trees to those of an earlier fit, but y "
                "has other classes or targets now; fit without warm_start."
            )
        before, now = self._bags[0].n_rows, len(data.y)
        if predicts_out_of_bag and before != now:
            raise ValueError(
                f"{type(self).__name__}: out-of-bag rows need one table for all members, but there "
                f"were {before} rows before and {now} now; fit without warm_start, or without an "
                "out-of-bag score and a tuned rule."
            )

    def _grow_batches(
        self, data: ForestData, positions: range, notes_seen: bool, progress: Progress
    ) -> Iterator[tuple[list[Tree], Array]]:
        """Yield trees and the rows they saw, in batches if the score may stop the growth."""
        dataset = bin_columns(
            data.table,
            lambda X: read_columns(self, X, self._category_codes),
            max_bins=self.max_bins,
            categories=sorted(self._category_codes.known),
        )
        options = {
            "criterion": data.target.criterion,
            "n_classes": data.target.n_classes[0],
            "weights": data.weights,
            "balanced": self._balanced_codes(data.y),
            "columns_per_tree": self.max_features_ if self.draw_features == "tree" else None,
            "impurity_unit": data.target.impurity_unit,
            "pruning": self.ccp_alpha,
        }
        params = self._grow_params(data)
        for part in self._batches(positions):
            n_words = -(-data.bags.n_rows // 64) if notes_seen else 0
            seen = np.zeros((len(part), n_words), dtype=np.uint64)
            inputs = (dataset, data.target.values, params, data.bags, part)
            with count_trees(progress) as counter:
                trees = grow_forest(*inputs, seen=seen, counter=counter, **options)
            yield trees, seen

    def _batches(self, positions: range) -> Iterator[range]:
        stop = resolve_stop(self.stop_when)
        size = len(positions) if stop is None else stop.every
        if has_deadline():  # the trees are the same ones, but there is a look at the clock
            size = min(size, get_num_threads())
        for first in range(positions.start, positions.stop, max(size, 1)):
            yield range(first, min(first + size, positions.stop))

    # ---- Out of bag ----------------------------------------------------------------------------

    def _add_unseen(
        self, unseen: UnseenSum, trees: TreeSum, seen: Array, y: Array, n_before: int = 0
    ) -> None:
        watch, total = self._watch(y), len(trees.trees)
        stops = curve_stops(total) if resolve_stop(self.stop_when) is None else [total]
        for n_trees in unseen.add(trees, seen, stops):
            watch(n_before + n_trees, self._mean_unseen(unseen))

    def _mean_unseen(self, unseen: UnseenSum) -> OutOfBag:
        return mean_out_of_bag(self._by_target(unseen.sums), unseen.coverage)

    def _out_of_bag(self, data: ForestData, unseen: UnseenSum | None) -> OutOfBag:
        """Return the trees' predictions for their out-of-bag rows, combined by F."""
        if unseen is not None:
            return self._mean_unseen(unseen)
        reads, classes = self.combine_.reads, self._classes_by_target
        ledger = predict_out_of_bag(self.members_, data.table, reads=reads, classes=classes)
        parts = self.combine_.parts if isinstance(self.combine_, PerTarget) else [self.combine_]
        return combine_out_of_bag(ledger, parts, self._watch(data.y))

    @property
    def members_(self) -> list[Member]:  # type: ignore[override]
        """The trees with the rows that they have not seen."""
        return self._make_members()

    def _combine_name(self) -> Any:
        return "mean" if self.combine is None else self.combine

    def _bind_trees(self, rule: Any, n_trees: int) -> Any:
        """Bind F to the classes; trees can give any kind of output that it reads."""
        targets: Any = self._classes_by_target or [None]
        bound = [bind_rule(rule, n_trees, None, classes) for classes in targets]
        return bound[0] if len(bound) == 1 else PerTarget(tuple(bound))

    @property
    def joined_categories_(self) -> dict[int, Array]:
        """For each column with too many categories, the rare ones, which count as one."""
        check_is_fitted(self)
        return self._category_codes.joined

    # ---- Predictions ---------------------------------------------------------------------------

    def _support(self, X: Any) -> Any:
        if not self._predicts_by_mean():
            return super()._support(X)
        parts = self._by_target(self._mean_of_trees(self._check_rows(X)))
        return parts[0] if len(parts) == 1 else parts

    def _score_trees(self) -> ScoreTrees:
        trees = self._trees.trees
        return ScoreTrees(
            [trees],
            np.zeros(trees[0].n_outputs),
            scale=1 / len(trees),
            is_number=self._task == "regression",
            besides="" if self._predicts_by_mean() else "another rule than the mean",
            categories=self._category_codes.names,
        )

    def _predicts_by_mean(self) -> bool:
        if self.combine is None:
            return True
        check_is_fitted(self)
        return is_mean(self.combine_)

    def member_outputs(self, X: Any) -> Any:
        """Return the outputs of every tree on X, in the form that F reads.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        outputs : ndarray of shape (n_samples, n_members[, n_classes])
            Values, class codes, probabilities or scores, as given by ``combine_.reads``. For
            multi-output classification, a list with one such array per target.
        """
        rows = self._check_rows(X)
        return super().member_outputs(X if hasattr(X, "columns") else rows)
