"""The outcome of a search: the blend, its honest score, the leaderboard, the fitted members."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.auto.auto_score import AutoScore
from nonet.auto.blend import Blend, find_blend
from nonet.auto.fold_blend import FoldModels
from nonet.auto.held_out import Page
from nonet.auto.leaderboard import Leaderboard, LeaderboardRow
from nonet.auto.metric import Metric, as_metric_reads
from nonet.auto.prediction_cost import blend_within, measure_costs
from nonet.auto.preparation import PreparedColumns
from nonet.auto.search import Search
from nonet.members.member import Member

_MOST = 0.7  # of the folds must be done for a configuration to enter the blend


class NoModelError(ValueError):
    """A search has ended before any configuration was fitted."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a search has found.

    Attributes
    ----------
    search : Search
    page : Page
        Held-out predictions of the configurations that can be blended.
    blend : Blend
    groups : ndarray or None
        Rows that belong together, for standard errors.
    """

    search: Search
    page: Page
    blend: Blend
    groups: Array | None = None

    @property
    def truth(self) -> Array:
        """Class codes, or values, of the rows of the page."""
        return self.search.data.y[self.page.rows]

    @property
    def weights(self) -> Floats | None:
        """The weights of these rows."""
        return self.search.data.weights_of(self.page.rows)

    def weight_of(self) -> dict[str, float]:
        """Return the weights of the configurations of the blend, which sum to one."""
        total = self.blend.weights.sum()
        fractions = (self.blend.weights / total).tolist()
        return dict(zip(self.blend.names, fractions, strict=True))

    def preparations(self) -> list[PreparedColumns]:
        """Return the preparations that models of the blend read, in the order of their columns."""
        data = self.search.data
        return [data.preparation_of(fold, prep).columns for fold, prep in self._prepared_folds()]

    def _prepared_folds(self) -> list[tuple[int, str]]:
        record = self.search.record
        read = ((name, record.prep_of(name)) for name in self.blend.names)
        used = {(fold, prep) for name, prep in read for fold in record.folds_of(name)}
        return sorted((fold, prep) for fold, prep in used if prep != "none")

    def members(self, classes: Array | None) -> list[Member]:
        """Return one fitted member for each configuration of the blend.

        They read the columns of the table, followed by those of all `preparations`.
        """
        return [Member(name, self._fold_models(name, classes)) for name in self.blend.names]

    def _fold_models(self, name: str, classes: Array | None) -> FoldModels:
        record, data = self.search.record, self.search.data
        is_plain = data.columns is None and not self._prepared_folds()
        read = None if is_plain else [self._read(name, fold) for fold in record.folds_of(name)]
        return FoldModels(record.models_of(name), classes, read)

    def _read(self, name: str, fold: int) -> Array:
        """Return which columns the model of a fold reads."""
        prep, data = self.search.record.prep_of(name), self.search.data
        if prep == "none":
            return data.columns_of(fold)
        position = self._prepared_folds().index((fold, prep))
        ends = data.X.shape[1] + np.cumsum([0, *(p.n_features for p in self.preparations())])
        prepared = np.arange(ends[position], ends[position + 1])
        return np.concatenate([data.columns_of(fold), prepared])

    def score(self) -> AutoScore:
        """Return the honest score of the blend."""
        metric = self.search.metric
        support = as_metric_reads(self.blend.support)
        error = metric.standard_error(self.truth, support, self.weights, self._page_groups())
        shown = metric.shown(self.blend.loss)
        return AutoScore(metric.name, metric.better, shown, error, self._rows_in_words())

    def leaderboard(self) -> Leaderboard:
        """Return all configurations, the best first."""
        metric = self.search.metric
        rows = [self._row_of_blend(), *self._rows_of_configurations(), *self._rows_not_run()]
        rows.sort(key=lambda row: np.nan_to_num(metric.sign * row.score, nan=np.inf))
        return Leaderboard(metric.name, metric.better, rows)

    def _row_of_blend(self) -> LeaderboardRow:
        score = self.score()
        seconds = sum(record.seconds for record in self.search.store.records())
        rows = f"{score.rows}, weights found without each fold"
        return LeaderboardRow("ensemble", score.score, score.standard_error, 1.0, seconds, rows)

    def _rows_of_configurations(self) -> list[LeaderboardRow]:
        metric, found = self.search.metric, []
        weight_of = self.weight_of()
        for position, name in enumerate(self.page.names):
            predictions = as_metric_reads(self.page.outputs[:, position])
            loss = metric.loss(self.truth, predictions, self.weights)
            error = metric.standard_error(
                self.truth, predictions, self.weights, self._page_groups()
            )
            found.append(
                LeaderboardRow(
                    name,
                    metric.shown(loss),
                    error,
                    weight_of.get(name, 0.0),
                    self._seconds_of(name),
                    self._rows_in_words(),
                )
            )
        return found

    def _rows_not_run(self) -> list[LeaderboardRow]:
        """Return the configurations that are not in the page, with the reason."""
        nan, found = float("nan"), []
        for configuration in self.search.configurations:
            name = configuration.name
            if name not in self.page.names:
                why, seconds = self._why_not(name), self._seconds_of(name)
                found.append(LeaderboardRow(name, nan, nan, 0.0, seconds, why))
        return found

    def _why_not(self, name: str) -> str:
        failed = [r for r in self.search.store.records() if r.configuration == name and r.error]
        if failed:
            return f"failed: {failed[0].error}"
        n_done, n_folds = len(self.search.record.folds_of(name)), len(self.search.data.folds)
        if n_done:
            return f"done on {n_done} of {n_folds} folds only"
        return f"not run: {self.search.skipped.get(name, 'the run ended before')}"

    def _seconds_of(self, name: str) -> float:
        records = self.search.store.records()
        return float(sum(record.seconds for record in records if record.configuration == name))

    def _page_groups(self) -> Array | None:
        # A row that was held out several times counts once.
        is_repeated = np.bincount(self.page.rows).max() > 1
        if self.groups is None:
            return self.page.rows if is_repeated else None
        return self.groups[self.page.rows]

    def _rows_in_words(self) -> str:
        n_folds = len(self.page.done_folds)
        folds = f"{n_folds} folds" if n_folds > 1 else "one split"
        return f"{len(self.page.rows)} held-out rows of {folds}"


def settle(search: Search, groups: Array | None, max_us_per_row: float | None = None) -> Outcome:
    """Blend what a search has done.

    Parameters
    ----------
    search : Search
        After its run.
    groups : ndarray or None
    max_us_per_row : float, optional
        Microseconds that the prediction of a row may take.

    Returns
    -------
    outcome : Outcome

    Raises
    ------
    NoModelError
        If no configuration is done.
    KeyboardInterrupt
        If the user interrupted the search before the first was done.
    """
    page = _blendable(search)
    weights = search.data.weights_of(page.rows)

    def find(page: Page) -> Blend:
        return find_blend(page, search.data.y[page.rows], search.metric, weights)

    if max_us_per_row is None:
        blend = find(page)
    else:
        blend = blend_within(max_us_per_row, measure_costs(search, page.names), page, find)
    return Outcome(search, page, blend, groups)


def _blendable(search: Search) -> Page:
    """Return the page of the configurations that are done on all folds.

    If there is none, because the time was short, it is that of the configurations which are done on
    most folds, on the folds that they have in common.
    """
    record = search.record
    done = {one.name: record.folds_of(one.name) for one in search.configurations}
    most = max(map(len, done.values()))
    if not most and search.is_interrupted:
        raise KeyboardInterrupt
    if not most:
        raise NoModelError(_nothing_done(search))
    is_complete = most == len(search.data.folds)
    least = most if is_complete else _MOST * most
    names = [name for name, folds in done.items() if len(folds) >= least]
    common = set.intersection(*(set(done[name]) for name in names))
    if len(common) <= most / 2:
        names = [name for name, folds in done.items() if len(folds) == most]
        common = set.intersection(*(set(done[name]) for name in names))
    if not common:
        names = names[:1]
        common = set(done[names[0]])
    return record.page(names, sorted(common))


def _nothing_done(search: Search) -> str:
    errors = [record.error for record in search.store.records() if record.error]
    skipped = next(iter(search.skipped.values()), "the time was over before")
    why = f"the first one failed with {errors[0]}" if errors else skipped
    return f"no configuration could be fitted: {why}; give more time or memory, or other families."


def untouched_score(
    score: AutoScore, metric: Metric, y: Array, predictions: Any, groups: Array | None
) -> AutoScore:
    """Return the score with that of rows which nothing has touched added.

    Parameters
    ----------
    score : AutoScore
    metric : Metric
    y : ndarray of shape (n_spared,)
        Class codes, or values.
    predictions : ndarray
        Of the ensemble: probabilities, or values.
    groups : ndarray or None
    """
    return replace(
        score,
        untouched_score=metric.shown(metric.loss(y, predictions)),
        untouched_error=metric.standard_error(y, predictions, None, groups),
        untouched_rows=f"{len(y)} rows kept away from members and weights",
    )
