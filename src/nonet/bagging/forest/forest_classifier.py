"""Base class of classification forests: mean class fractions, with out-of-bag scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import column_or_1d

from nonet._base.aliases import Array, Floats, Task
from nonet._base.arrays import find_classes
from nonet._base.params import Choice, Instance, Nothing, Rule, bad_parameter
from nonet._base.warn import warn_caller
from nonet.bagging.bagging.bags import check_classes_drawn
from nonet.bagging.bagging.draw_rule import DrawRule
from nonet.bagging.bagging.draws import FOREST_DRAW_RULES, BalancedDraw, resolve_draw_rule
from nonet.bagging.bagging.out_of_bag import OutOfBag
from nonet.bagging.bagging.out_of_bag_scoring import OutOfBagClassifier
from nonet.bagging.forest.forest import Forest
from nonet.bagging.forest.forest_data import ForestData
from nonet.trees.criteria import CLASS_CRITERIA
from nonet.trees.single_tree import SingleTree

_DRAWN_BY_THE_CORE = [type(rule) for rule in FOREST_DRAW_RULES.values()]


class ForestClassifier(Forest, OutOfBagClassifier):
    """Parent of the classification forests."""

    _task: ClassVar[Task] = "classification"
    _settings_of_bags: ClassVar[tuple[str, ...]] = (*Forest._settings_of_bags, "draw")
    _rules: ClassVar[Mapping[str, Rule]] = {
        **Forest._rules,
        "criterion": Choice(*CLASS_CRITERIA),
        "class_weight": Nothing()
        | Choice("balanced", "balanced_subsample")
        | Instance("a dict or, for several targets, a list of dicts", dict, list),
        "draw": Nothing()
        | Choice(*FOREST_DRAW_RULES)
        | Instance("an object of one of these rules", DrawRule),
    }

    def _check_target(self, y: Array) -> Array:
        return _squeeze_column(y)

    def _take_classes(self, prototype: SingleTree) -> None:
        self.classes_ = prototype.classes_
        several = isinstance(self.classes_, list)
        self.n_classes_: Any = list(prototype.n_classes_) if several else prototype.n_classes_

    def _n_classes_by_target(self) -> tuple[int, ...]:
        return tuple(np.atleast_1d(self.n_classes_).tolist())

    def _by_target(self, sums: Floats) -> list[Floats]:
        sizes = self._n_classes_by_target()
        return [sums] if len(sizes) == 1 else np.split(sums, np.cumsum(sizes)[:-1], axis=1)

    def _row_weights(self, y: Array, sample_weight: Floats | None) -> Floats | None:
        if isinstance(self.class_weight, str) and self.warm_start:
            warn_caller(
                f"class_weight={self.class_weight!r} with warm_start balances the rows of each "
                "fit separately; if they differ, pass the weights of the whole data as a dict.",
            )
        if self.class_weight is None or self._balances_bags():
            return sample_weight
        if isinstance(self.class_weight, str):
            by_class = _balancing_weights(y, sample_weight)
        else:
            by_class = compute_sample_weight(self.class_weight, y)
        return by_class if sample_weight is None else by_class * sample_weight

    def _balances_bags(self) -> bool:
        return bool(self.class_weight == "balanced_subsample" and self.bootstrap)

    def _balanced_codes(self, y: Array) -> Array | None:
        return _codes(y) if self._balances_bags() else None

    def _draw_rule(self, has_groups: bool) -> DrawRule:
        rule = resolve_draw_rule(self.draw, has_groups)
        if type(rule) not in _DRAWN_BY_THE_CORE:  # excludes subclasses, which may override draw
            names = [kind.__name__ for kind in _DRAWN_BY_THE_CORE]
            allowed = f"a rule that the core draws by, one of {names} (BaggingClassifier takes any)"
            raise bad_parameter(self, "draw", allowed, self.draw)
        if isinstance(rule, BalancedDraw) and self.class_weight is not None:
            allowed = "None with draw='balanced', whose bags hold equally many rows of each class"
            raise bad_parameter(self, "class_weight", allowed, self.class_weight)
        return rule

    def _check_classes_drawn(self, data: ForestData, n_trees: int) -> None:
        bags = data.bags
        if not bags.n_draws or bags.strata is not None:  # strata contain rows of every class
            return
        several = isinstance(self.classes_, list)
        targets = zip(
            self.classes_ if several else [self.classes_],
            _codes(data.y).T if several else [data.target.values],
            strict=True,
        )
        for position, (classes, codes) in enumerate(targets):
            check_classes_drawn(
                map(bags.counts, range(n_trees)),
                codes,
                classes,
                data.row_weights,
                data.way_out,
                position if several else None,
            )

    def _keep_score(self, out_of_bag: OutOfBag, target: Array) -> None:
        super()._keep_score(out_of_bag, target)
        pages = self.oob_decision_function_
        if isinstance(pages, list) and len({page.shape for page in pages}) == 1:
            self.oob_decision_function_ = np.stack(pages, axis=2)

    def predict_proba(self, X: Any) -> Any:
        """Return the class fractions, averaged over the trees (or combined by another F).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``; a list of such arrays for several targets.
        """
        return self._support(X) if self._predicts_by_mean() else super().predict_proba(X)

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithms of the fractions; a class without support gets minus infinity.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        log_probabilities : ndarray of shape (n_samples, n_classes)
            A list of such arrays for several targets.
        """
        probabilities = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return (
                [np.log(s) for s in probabilities]
                if isinstance(probabilities, list)
                else np.log(probabilities)
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags


def _squeeze_column(y: Array) -> Array:
    """Turn a single column into a vector, with scikit-learn's warning."""
    if y.shape[1:] != (1,):
        return y
    vector: Array = column_or_1d(y, warn=True)
    return vector


def _codes(y: Array) -> Array:
    columns = y.reshape(len(y), -1).T
    return np.column_stack([find_classes(column)[1] for column in columns])


def _balancing_weights(y: Array, sample_weight: Floats | None) -> Floats:
    """Return weights that give the classes of each target equal sums."""
    weights = np.ones(len(y))
    for codes in _codes(y).T:
        sums = np.bincount(codes, weights=sample_weight)
        with np.errstate(divide="ignore"):
            by_class = np.where(sums > 0, sums.sum() / (len(sums) * sums), 0.0)
        weights *= by_class[codes]
    return weights
