"""The parent of the auto-ensemblers: columns, rows, the search and its store."""

from __future__ import annotations

import platform
import time
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any, ClassVar, Self

import numpy as np
import scipy
import sklearn
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats, Task
from nonet._base.arrays import check_sample_weight
from nonet._base.metadata import GROUPS_ON_REQUEST
from nonet._base.parallel import count_jobs
from nonet._base.params import (
    Anything,
    Boolean,
    Choice,
    Instance,
    Integer,
    Nothing,
    Real,
    Rule,
    check_params,
)
from nonet._base.progress import Steps
from nonet._base.streams import RANDOM_STATE, root_seed
from nonet._base.warn import warn_caller
from nonet._native.runtime import available_cores
from nonet.auto.configuration import Configuration, read_portfolio, without_preparations
from nonet.auto.dense_columns import MAX_LEVELS
from nonet.auto.fold_preparation import max_prepared
from nonet.auto.fold_task import AutoData
from nonet.auto.fold_text import columns_of_folds, fit_text_features, join_text_features
from nonet.auto.folds import make_run_folds, spare_rows
from nonet.auto.guests import choose_configurations
from nonet.auto.held_out_rows import keep_held_out
from nonet.auto.killable import run_killable
from nonet.auto.memory import read_memory_limit
from nonet.auto.memory_store import MemoryStore
from nonet.auto.metric import Metric, check_metric, resolve_metric
from nonet.auto.outcome import Outcome, settle, untouched_score
from nonet.auto.pace import Pace, TaskSize
from nonet.auto.poisson_loss import with_poisson_loss
from nonet.auto.prediction_cost import members_costs
from nonet.auto.preparation import PreparedColumns
from nonet.auto.run_rows import RunRows, keep_rows
from nonet.auto.search import Search, SearchSettings
from nonet.auto.store import Store
from nonet.auto.table_warnings import group_repeated_rows, warn_about_rows
from nonet.auto.task_key import hash_arrays
from nonet.auto.task_memory import predict_task_bytes
from nonet.auto.time_order import make_time_folds
from nonet.ensemble import Ensemble
from nonet.members.folds import CrossValidation
from nonet.tables.encoder import TableEncoder
from nonet.tables.probes import shifted_table

_MIN_ROWS = 4
_ROWS_TO_TIME = 512  # of predictions, for the leaderboard


class AutoEnsemble(Ensemble):
    """Parent of the two auto-ensemblers: the search, its store, and the columns."""

    __metadata_request__fit = GROUPS_ON_REQUEST
    extra_members: Mapping[str, Any] | None = None  # files of earlier versions have none
    _guest_names: Sequence[str] = ()
    _task: ClassVar[Task]
    preparations_: Sequence[PreparedColumns] = ()  # also of files that know of none
    _rules: ClassVar[Mapping[str, Rule]] = {
        "time_limit": Nothing() | Real(0, open_low=True),
        "metric": Anything(),
        "random_state": RANDOM_STATE,
        "decide": Anything(),
        "cv": CrossValidation(),
        "families": Nothing() | Choice("all") | Instance("a list of names of families", list),
        "extra_members": Nothing() | Instance("a dict of names to estimators", dict),
        "kinds": Nothing() | Instance("a dict of column names to kinds", dict),
        "max_tasks": Nothing() | Integer(1),
        "memory_limit": Anything(),
        "max_us_per_row": Nothing() | Real(0, open_low=True),
        "n_jobs": Nothing() | Integer(),
        "verbose": Boolean() | Integer(0),
    }

    def __init__(
        self,
        time_limit: float | None = 600,
        metric: Any = None,
        random_state: Any = None,
        *,
        decide: Any = None,
        cv: Any = None,
        families: Iterable[str] | None = None,
        extra_members: Mapping[str, Any] | None = None,
        kinds: Mapping[str, str] | None = None,
        max_tasks: int | None = None,
        memory_limit: int | str | None = None,
        max_us_per_row: float | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.time_limit = time_limit
        self.metric = metric
        self.random_state = random_state
        self.decide = decide
        self.cv = cv
        self.families = families
        self.extra_members = extra_members
        self.kinds = kinds
        self.max_tasks = max_tasks
        self.memory_limit = memory_limit
        self.max_us_per_row = max_us_per_row
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, *, groups: Any = None, sample_weight: Any = None) -> Self:
        """Search for the best ensemble.

        Parameters
        ----------
        X : frame, array or table of shape (n_samples, n_features)
            Columns of any kind: numbers, categories, dates, text. An array of numbers is taken as
            it is.
        y : array-like of shape (n_samples,)
        groups : array-like of shape (n_samples,), default=None
            Groups of rows that stay together in folds.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows, in members, weights of members and scores.

        Returns
        -------
        self : object
        """
        return self._fit(X, y, groups, sample_weight, MemoryStore())

    def _fit(
        self,
        X: Any,
        y: Any,
        groups: Any,
        sample_weight: Any,
        store: Store,
        times: Array | None = None,
    ) -> Self:
        check_params(self, self._rules)
        began = time.monotonic()
        self.encoder_ = TableEncoder(self.kinds)
        self.encoder_notes_: list[str] = []
        table = self.encoder_.fit_transform(X, notes=self.encoder_notes_)
        self._note_columns()
        given = _check_groups(groups, table.n_rows)
        finds_groups = given is None and self.cv is None and times is None
        target = self._read_target(y, table.n_rows)
        rows = RunRows(
            table,
            target,
            group_repeated_rows(table, target) if finds_groups else given,
            check_sample_weight(sample_weight, table.n_rows),
            times,
        )
        is_repeated = finds_groups and rows.groups is not None
        store.update_facts(paced_for=self.time_limit, has_repeated_rows=is_repeated)
        keep_rows(store, rows, self.encoder_, self._labels())
        return self._search_on(rows, store, began)

    def _resume(self, rows: RunRows, store: Store, began: float) -> Self:
        """Go on with the search of a run, on the rows that its store has kept."""
        check_params(self, self._rules)
        self.encoder_ = store.load_model("encoder")
        self.encoder_notes_ = list(store.facts.get("notes", []))
        self._note_columns()
        if store.has("classes"):
            self.classes_ = store.load_array("classes")
        return self._search_on(rows, store, began)

    def _search_on(self, rows: RunRows, store: Store, began: float) -> Self:
        """Search on encoded rows; results that the store has are not computed again."""
        data, spared = self._plan_rows(rows)
        self.warnings_ = warn_about_rows(
            rows,
            self._labels(),
            len(data.folds),
            data.seed,
            dates=self.encoder_.date_positions_,
            is_grouped=bool(store.facts.get("has_repeated_rows")),
        )
        metric = resolve_metric(self.metric, self._task, self._labels())
        check_metric(metric, rows.target, data.n_classes)
        search = self._search(data, metric, store, began)
        self._run(search)
        self._keep(search, rows.groups)
        if len(spared):
            self._score_spared(rows, data.X[spared], spared, metric)
        return self

    # ---- Rows ----------------------------------------------------------------------------------

    def _plan_rows(self, rows: RunRows) -> tuple[AutoData, Array]:
        """Return the rows of the search with their folds, and the rows that it does not see."""
        seed = root_seed(self.random_state) % (1 << 31)
        labels, values = self._labels(), rows.table.values
        n_classes = 0 if labels is None else len(labels)
        spared = np.array([], dtype=np.intp)
        if self.cv is None:
            spared = spare_rows(rows.target, rows.groups, n_classes, seed, rows.times)
        is_used = np.ones(len(values), dtype=bool)
        is_used[spared] = False
        used = np.flatnonzero(is_used)
        if rows.times is not None:
            found = make_time_folds(rows.times[used], rows.target[used], n_classes)
        else:
            groups = None if rows.groups is None else rows.groups[used]
            y = rows.target[used]
            found = make_run_folds(self.cv, values[used], y, groups, n_classes, seed)
        folds = tuple((used[train], used[test]) for train, test in found)
        self.text_features_ = fit_text_features(rows.table, folds, seed)
        X = join_text_features(rows.table, self.text_features_)
        is_code = np.zeros(X.shape[1], dtype=bool)
        is_code[: values.shape[1]] = rows.table.categorical
        columns = columns_of_folds(rows.table, self.text_features_)
        return AutoData(
            X, rows.target, is_code, n_classes, folds, rows.weights, seed, columns
        ), spared

    # ---- Search --------------------------------------------------------------------------------

    def _search(self, data: AutoData, metric: Metric, store: Store, began: float) -> Search:
        n_at_once = available_cores() if self.n_jobs is None else count_jobs(self.n_jobs)
        n_prepared = max_prepared(data)
        size = _task_size(data, n_prepared)
        pace = Pace(size, self.time_limit, n_at_once, began, store.facts.get("paced_for"))
        folds = [part for fold in data.folds for part in fold]
        identity = hash_arrays(data.X, data.y, data.sample_weight), hash_arrays(*folds)
        store.update_facts(
            data_hash=identity[0], fold_hash=identity[1], n_folds=size.n_folds, versions=_versions()
        )
        portfolio = self._portfolio(data.y)
        if not n_prepared:
            portfolio = without_preparations(portfolio)
        needed = n_at_once * predict_task_bytes(portfolio[0], size)
        settings = SearchSettings(self.max_tasks, n_at_once, self._max_bytes(needed), run_killable)
        return Search(data, portfolio, store, metric, pace, settings, identity)

    def _max_bytes(self, needed: int) -> int | None:
        """Return the limit of memory: without a time limit nothing may depend on the machine.

        The first configuration, which needs some bytes, is refused by a limit of the user alone.
        """
        if self.memory_limit is None and self.time_limit is None:
            return None
        limit = read_memory_limit(self.memory_limit, self)
        return max(limit, needed) if self.memory_limit is None else limit

    def _run(self, search: Search) -> None:
        n_tasks = len(search.configurations) * len(search.data.folds)
        steps = Steps(self, "tasks", self.verbose)
        with steps.track(min(n_tasks, self.max_tasks or n_tasks)) as search.progress:
            search.run()

    def _portfolio(self, y: Array) -> list[Configuration]:
        portfolio = read_portfolio(self._task)
        if self._task == "regression":
            portfolio = with_poisson_loss(portfolio, y)
        return choose_configurations(self, portfolio, self.families, self.extra_members)

    def _keep(self, search: Search, groups: Array | None) -> None:
        outcome = settle(search, groups, self.max_us_per_row)
        guests = [one.name for one in search.configurations if one.guest is not None]
        self._guest_names = [name for name in guests if name in outcome.blend.names]
        self.honest_score_ = outcome.score()
        self.preparations_ = outcome.preparations()
        self.ensemble_ = self._settle(outcome)
        some = self._add_prepared(search.data.X[:_ROWS_TO_TIME])
        costs = members_costs(search, self.ensemble_.members_, some)
        self.leaderboard_ = outcome.leaderboard().with_costs(costs)
        keep_held_out(search.store, outcome, self._labels())
        # The same three parts: this estimator is the ensemble of encoded tables.
        self.members_ = self.ensemble_.members_
        self.combine_ = self.ensemble_.combine_
        self.decide_ = self.ensemble_.decide_
        if search.is_interrupted:
            warn_caller("the search was interrupted; the best ensemble so far is kept.")

    def _score_spared(self, rows: RunRows, values: Floats, spared: Array, metric: Metric) -> None:
        X = self._add_prepared(values)
        predictions = self.combine_(self.ensemble_.member_outputs(X), X)
        groups = None if rows.groups is None else rows.groups[spared]
        self.honest_score_ = untouched_score(
            self.honest_score_, metric, rows.target[spared], predictions, groups
        )

    def _compare_with(self, X: Any, unseen: Any) -> list[str]:
        """Warn if rows to be predicted can be told apart from those of the fit."""
        fitted, new = (self.encoder_.transform(rows, notes=[]) for rows in (X, unseen))
        seed = root_seed(self.random_state) % (1 << 31)
        found = [warning.sentence for warning in shifted_table(fitted, new, seed)]
        self.warnings_ += found
        return found

    # ---- Columns and predictions ---------------------------------------------------------------

    def _note_columns(self) -> None:
        self.n_features_in_ = self.encoder_.n_features_in_
        names = getattr(self.encoder_, "feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = names

    def _encode(self, X: Any) -> Floats:
        check_is_fitted(self, "ensemble_")
        table = self.encoder_.transform(X)
        return self._add_prepared(join_text_features(table, self.text_features_))

    def _add_prepared(self, X: Floats) -> Floats:
        """Return columns of tables with those that some models read besides."""
        if not self.preparations_:
            return X
        return np.hstack([X, *(columns.compute(X) for columns in self.preparations_)])

    def member_outputs(self, X: Any) -> Any:
        """Return the predictions of every configuration of the ensemble.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        outputs : ndarray of shape (n_samples, n_members[, n_classes])
        """
        return super().member_outputs(self._encode(X))

    def _labels(self) -> Array | None:
        return None

    def _read_target(self, y: Any, n_rows: int) -> Array:
        raise NotImplementedError

    def _settle(self, outcome: Outcome) -> Any:
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.non_deterministic = self.max_tasks is None
        return tags


def _task_size(data: AutoData, n_prepared: int) -> TaskSize:
    n_train = max(len(train) for train, _ in data.folds)
    columns = data.columns_of(0)
    categories = columns[data.categorical[columns]]
    n_levels = (np.nanmax(data.X[:, j], initial=0.0) + 1 for j in categories)
    n_one_hot = sum(min(MAX_LEVELS, int(n)) for n in n_levels)
    n_numbers = len(columns) - len(categories)
    return TaskSize(
        n_train,
        data.n_columns,
        data.n_scores,
        len(data.folds),
        n_prepared,
        n_numbers,
        n_numbers + n_one_hot,
        data.n_classes > 0,
    )


def _versions() -> dict[str, str]:
    """Return the versions that results depend on."""
    named = {one.__name__: one.__version__ for one in (np, scipy, sklearn)}
    return {"nonet": version("nonet"), "python": platform.python_version(), **named}


def _check_groups(groups: Any, n_rows: int) -> Array | None:
    if groups is None:
        return None
    found = np.asarray(groups)
    if found.shape != (n_rows,):
        raise ValueError(
            f"groups must hold one group for each of the {n_rows} rows, but has shape "
            f"{found.shape}."
        )
    codes: Array = np.unique(found, return_inverse=True)[1]
    if codes.max() < 1:
        raise ValueError(
            f"groups must hold at least 2 different groups, but all rows are of {found[0]!r}; "
            "leave groups out."
        )
    return codes
