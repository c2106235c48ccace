"""The fit of a booster on partitions: what an estimator does where no process has all rows.

Targets and weights are gathered, 16 bytes per row: which rows are held out, the starting score and
the sampled rows depend on all of them. The columns stay where they are.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.utils.class_weight import compute_class_weight, compute_sample_weight
from sklearn.utils.validation import _check_y

from nonet._base.aliases import Array, Floats
from nonet._base.params import bad_parameter, check_params
from nonet._base.progress import Steps
from nonet._base.rollback import restores_on_error
from nonet._native.grow import GrowParams
from nonet._native.partitions import ColumnEdges
from nonet.boosting.gradient.early_stopping.metrics import make_score
from nonet.boosting.gradient.early_stopping.round_watch import RoundWatch
from nonet.boosting.gradient.early_stopping.stop_rules import Stalled
from nonet.boosting.gradient.round_progress import RoundProgress
from nonet.boosting.gradient.rounds import Watcher, run_rounds
from nonet.boosting.gradient.rows import Rows
from nonet.boosting.gradient.summed_stage import SummedStage
from nonet.dask.checkpoint import Checkpoint
from nonet.dask.collections import is_collection, list_parts
from nonet.dask.edges import find_edges
from nonet.dask.gathering import Gathering, current_client
from nonet.dask.part_rows import FitPlan
from nonet.dask.part_sets import PartSet
from nonet.dask.predictions import decision_function, predict, predict_proba
from nonet.dask.reading import PartFacts, as_weights, describe, merge_facts
from nonet.dask.row_numbers import RowNumbers
from nonet.dask.workers import Workers

if TYPE_CHECKING:
    from nonet.boosting.gradient.class_scores import ClassScores
    from nonet.boosting.gradient.histogram.hist_gradient_boosting_base import HistGradientBoosting
else:  # the local class comes after the mixin, and checks no Dask collections
    HistGradientBoosting = ClassScores = object

# Rows times columns that a worker counts in the time of a call.
_CELLS_PER_CALL = 2_000_000


class PartitionedFit(HistGradientBoosting):
    """Mixin of boosters that are fitted on Dask collections; the local class comes after it."""

    _local: ClassVar[type]

    @restores_on_error
    def fit(  # type: ignore[override]
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
        client: Any = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> Any:
        """Grow the trees where the partitions are.

        Parameters
        ----------
        X : dask array, dask data frame or list of delayed tables
            Rows, in partitions of whole rows; NaN is a missing value.
        y : dask array, dask series or list of delayed arrays
            Targets, in the partitions of X. They are gathered, and so are the weights.
        sample_weight : like y, default=None
            Weights of rows; a weight of 2 is equivalent to a repeated row.
        X_val, y_val, sample_weight_val : array-like or Dask collections, default=None
            Rows for early stopping, which are gathered; otherwise some training rows are held out,
            and stay where they are.
        client : distributed.Client, default=None
            Where to fit; None is the current client.
        checkpoint : str or path, default=None
            A file for the rounds so far. A fit with the same settings on the same rows goes on from
            it.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        self._check_partitioned()
        parts = Gathering(current_client(client), list_parts(X, y, sample_weight))
        facts = parts.each(describe, clone(self))
        merge_facts(facts, self)
        target, weights = self._read_all_targets(facts)
        given = self._check_validation(*map(_gathered, (X_val, y_val, sample_weight_val)))
        self._draw_seeds()
        self.train_score_, self.validation_score_ = np.empty(0), np.empty(0)
        rule = self._plan_decide()
        whole = Rows(np.arange(len(target))[:, np.newaxis], target, weights)
        training, validation = self._hold_out(whole, given, None)
        self._start_booster(training, None)
        self._begin_decide(rule, None, target)
        numbers = RowNumbers([one.n_rows for one in facts])
        held_out = None
        if validation is not None and given is None:
            held_out = numbers.by_part(validation.X.ravel())
        chosen = training.X.ravel(), training.weights
        edges = find_edges(parts, numbers, *chosen, self, self._random_seed)
        kept = Checkpoint.open(checkpoint, self, (len(target), edges, target[:1000]))
        with closing(self._start_workers(parts, facts, edges, held_out)) as workers:
            self._boost_parts(workers, edges, given, held_out is not None, kept)
        self._warn_of_light_rows(weights, self.l2_regularization)
        return self

    # ---- What is not for partitions ------------------------------------------------------------

    def _check_partitioned(self) -> None:
        """Raise for what needs all rows in one process."""
        loss = self.loss if not isinstance(self.loss, str) else None
        if self.loss in ("absolute_error", "quantile") or getattr(loss, "has_exact_leaves", False):
            allowed = (
                "a loss whose leaves are sums; medians and quantiles of leaves need their rows in "
                f"one process, as nonet.{self._local.__name__} has them"
            )
            raise bad_parameter(self, "loss", allowed, self.loss)
        for name, value, what in (
            ("warm_start", False, "False; give fit a checkpoint to go on from"),
            ("decide", None, "None; set decide on the model of to_local(), before you tune it"),
            ("scoring", "loss", "'loss', which partitions can add up"),
        ):
            if getattr(self, name) != value:
                raise bad_parameter(
                    self, name, f"{what}, in a fit on partitions", getattr(self, name)
                )

    # ---- Targets -------------------------------------------------------------------------------

    def _read_all_targets(self, facts: Sequence[PartFacts]) -> tuple[Array, Floats | None]:
        """Return the targets of all partitions in the form of the loss, and the weights."""
        labels = np.concatenate([one.labels for one in facts if one.labels is not None])
        weights = [one.weights for one in facts if one.weights is not None]
        given = np.concatenate(weights) if weights else None
        n_rows = sum(one.n_rows for one in facts)
        target, of_rows = self._read_target(labels, given, n_rows)
        if getattr(self, "class_weight", None) == "balanced":
            of_class = compute_class_weight("balanced", classes=self.classes_, y=labels)
            self._class_factors = dict(zip(self.classes_.tolist(), of_class, strict=True))
        return target, of_rows

    def _read_part_labels(self, y: Any) -> Array:
        if is_classifier(self):
            return np.asarray(_check_y(y, y_numeric=False, estimator=self))
        return np.asarray(self._encode_known(y))

    def _read_part_target(self, y: Any, sample_weight: Any) -> tuple[Array, Floats | None]:
        """Return targets and weights of a partition, once the classes are known."""
        weights = as_weights(sample_weight)
        if getattr(self, "class_weight", None) is not None:
            factors = vars(self).get("_class_factors", self.class_weight)
            by_class = compute_sample_weight(factors, self._read_part_labels(y))
            weights = by_class if weights is None else weights * by_class
        return self._encode_known(y), weights

    def _reader(self) -> Any:
        """Return what workers need of this estimator to read rows."""
        reader = clone(self)
        for name in ("n_features_in_", "feature_names_in_", "_codes", "classes_", "_class_factors"):
            if name in vars(self):
                setattr(reader, name, getattr(self, name))
        return reader

    # ---- Boosting ------------------------------------------------------------------------------

    def _start_workers(
        self,
        parts: Gathering,
        facts: Sequence[PartFacts],
        edges: ColumnEdges,
        held_out: list[Array] | None,
    ) -> Workers:
        plan = FitPlan(self._reader(), edges, self._booster.loss, self._booster.start)
        groups = parts.by_worker([p for p, one in enumerate(facts) if one.n_rows])
        workers = Workers(parts, groups, held_out, plan)
        parts.let_go()
        return workers

    def _boost_parts(
        self,
        workers: Workers,
        edges: ColumnEdges,
        given: Rows | None,
        is_held_out: bool,
        kept: Checkpoint,
    ) -> None:
        booster = self._booster
        booster.rounds = kept.rounds
        workers.begin_round(booster.rounds)
        if booster.rounds:
            workers.tell("restore", booster.rounds)
            workers.begin_round(booster.rounds)
        if given is not None:
            given.scores = booster.scores(given.X)
        params: GrowParams = self._grow_params(len(edges.columns))
        stage = SummedStage(
            workers, booster, edges.without_rows(), params, self.learning_rate, _CELLS_PER_CALL
        )
        watch = self._watch_parts(workers, given, is_held_out, kept)
        if watch is not None and not booster.rounds:
            watch.look(booster)
        numbers = range(len(booster.rounds), self.max_iter)
        values = dict if watch is None else watch.last
        watchers: list[Watcher] = [] if watch is None else [watch]
        watchers.append(kept.writer(booster, watch))
        with Steps(self, "rounds", self.verbose).track(len(numbers)) as progress:
            watchers.append(RoundProgress(progress, values))
            if watch is None or not watch.is_enough():
                run_rounds(booster, stage, numbers, watchers)
        if watch is not None:
            self._note_results(watch)

    def _watch_parts(
        self, workers: Workers, given: Rows | None, is_held_out: bool, kept: Checkpoint
    ) -> RoundWatch | None:
        if not self.do_early_stopping_:
            return None
        sets: dict[str, Any] = {"training": PartSet(workers, "training")}
        if given is not None:
            sets["validation"] = given
        elif is_held_out:
            sets["validation"] = PartSet(workers, "validation")
        watch = RoundWatch(self, sets, [make_score(None)], Stalled(self.n_iter_no_change, self.tol))
        for name, by_metric in watch.results.items():
            by_metric["score"].extend(kept.scores.get(name, []))
        return watch

    # ---- Predictions ---------------------------------------------------------------------------

    def to_local(self) -> Any:
        """Return the model as one of the class of this name outside `nonet.dask`.

        Returns
        -------
        model : estimator
            The same trees. It can be saved by `nonet.save`, and needs no Dask.
        """
        local = self._local(**self.get_params(deep=False))
        local.__dict__.update(vars(self))
        vars(local).pop("_class_factors", None)
        return local

    def predict(self, X: Any) -> Any:
        """Predict rows: lazily for a Dask collection, otherwise as the local class does.

        Parameters
        ----------
        X : dask array, dask data frame, or array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        y : dask array, dask series or ndarray of shape (n_samples,)
        """
        return predict(self.to_local(), X) if is_collection(X) else super().predict(X)


class PartitionedProbabilities(ClassScores):
    """Mixin of classifiers that predict Dask collections lazily."""

    def predict_proba(self, X: Any) -> Any:
        """Predict probabilities: lazily for a Dask collection, otherwise as the local class does.

        Parameters
        ----------
        X : dask array, dask data frame, or array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        probabilities : dask array, dask data frame or ndarray of shape (n_samples, n_classes)
        """
        if is_collection(X):
            return predict_proba(self.to_local(), X)
        return super().predict_proba(X)

    def decision_function(self, X: Any) -> Any:
        """Compute scores: lazily for a Dask collection, otherwise as the local class does.

        Parameters
        ----------
        X : dask array, dask data frame, or array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        scores : dask array, series, data frame or ndarray
        """
        if is_collection(X):
            return decision_function(self.to_local(), X)
        return super().decision_function(X)


def _gathered(values: Any) -> Any:
    return values.compute() if hasattr(values, "compute") else values
