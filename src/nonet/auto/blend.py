"""The blend of a run: weights of configurations, and predictions that no weight was fitted on.

Weights come from greedy selection and from ridge regression towards equal weights. Each method
finds its weights once on all held-out rows, for the model, and once without each fold, for the
score: the predictions of a fold's rows are combined by weights that were found on other rows. The
method with the lower loss of these predictions is used; greedy selection, whose weights are mostly
0, if it is within a standard error of the other. The same holds for a temperature that sharpens or
softens probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.auto.held_out import Page
from nonet.auto.metric import Metric, as_metric_reads
from nonet.combine.weight_finder import WeightFinder
from nonet.combine.weights import BestMember, GreedySelection, RidgeToUniform
from nonet.decide.calibrate import TemperatureCalibration

_MAX_ROWS = 100_000  # of the search for weights; more rows change them little
_MAX_SCORED_ROWS = 20_000  # of a search by a scorer of scikit-learn, which is slower
_SMALL = 1e-3  # weights below this fraction cost predictions and change nothing
_LEAST_PROBABILITY = 1e-15
PRIOR_ROWS = 0.25  # of no class in particular; why not 1 is decision 0036


@dataclass(frozen=True, eq=False)
class Blend:
    """Weights of configurations.

    Attributes
    ----------
    names : list of str
        The configurations with a weight.
    weights : ndarray of shape (n_names,)
    method : str
        How the weights were found.
    temperature : TemperatureCalibration or None
        What sharpens or softens the probabilities.
    support : ndarray of shape (n, t)
        Predictions of the held-out rows by weights that were found without their fold.
    loss : float
        The loss of these predictions.
    n_rows : float
        The number of held-out rows, which bounds how sure probabilities can be.
    """

    names: list[str]
    weights: Floats
    method: str
    temperature: TemperatureCalibration | None
    support: Floats
    loss: float
    n_rows: float


def find_blend(page: Page, y: Array, metric: Metric, sample_weight: Floats | None = None) -> Blend:
    """Find weights of configurations on their held-out predictions.

    Parameters
    ----------
    page : Page
    y : ndarray of shape (n,)
        Class codes or values of the rows of the page.
    metric : Metric
    sample_weight : ndarray of shape (n,), optional

    Returns
    -------
    blend : Blend
    """
    finders = _finders(metric, len(page.names), len(y))
    blends = [_cross_fit(page, y, metric, sample_weight, *named) for named in finders.items()]
    best = min(blends, key=lambda blend: blend.loss)
    for simpler in blends[: blends.index(best)]:
        error = metric.standard_error(
            y,
            as_metric_reads(best.support),
            sample_weight,
            reference=as_metric_reads(simpler.support),
        )
        if simpler.loss <= best.loss + error:
            best = simpler
            break
    if metric.classes is not None and metric.is_own:
        best = _calibrated(best, page, y, metric, sample_weight)
    return best


def _finders(metric: Metric, n_members: int, n_rows: int) -> dict[str, WeightFinder]:
    """Return the methods, the simpler ones first."""
    if n_members == 1:
        return {"one configuration": BestMember()}
    is_slow = not metric.is_own and n_rows > _MAX_SCORED_ROWS
    scoring = None if metric.is_own or is_slow else metric.scoring
    return {
        "greedy selection": GreedySelection(scoring, n_rounds=40),
        "ridge to uniform": RidgeToUniform(),
    }


def _cross_fit(
    page: Page,
    y: Array,
    metric: Metric,
    sample_weight: Floats | None,
    method: str,
    finder: WeightFinder,
) -> Blend:
    support = np.empty((len(y), page.outputs.shape[2]))
    n_rows = count_rows(y, sample_weight)
    for fold in np.unique(page.folds):
        is_out = page.folds == fold
        weights = _find(finder, page, y, metric, sample_weight, ~is_out)
        support[is_out] = combine_outputs(page.outputs[is_out], weights, metric, n_rows)
    weights = _find(finder, page, y, metric, sample_weight, np.ones(len(y), dtype=bool))
    kept = np.flatnonzero(weights > _SMALL * weights.sum())
    names = [page.names[position] for position in kept]
    loss = metric.loss(y, as_metric_reads(support), sample_weight)
    return Blend(names, weights[kept], method, None, support, loss, n_rows)


def _find(
    finder: WeightFinder,
    page: Page,
    y: Array,
    metric: Metric,
    sample_weight: Floats | None,
    mask: Array,
) -> Floats:
    rows = np.flatnonzero(mask)
    if len(rows) > _MAX_ROWS:
        rows = np.sort(np.random.default_rng(0).choice(rows, _MAX_ROWS, replace=False))
    weight = None if sample_weight is None else sample_weight[rows]
    return finder.find(page.outputs[rows], y[rows], metric.classes, weight)


def combine_outputs(outputs: Floats, weights: Floats, metric: Metric, n_rows: float) -> Floats:
    """Return the weighted predictions, (n, t); probabilities sum to one, and none is 0."""
    support: Floats = np.tensordot(outputs, weights, axes=(1, 0))
    if metric.classes is None:
        return support
    support /= np.maximum(support.sum(axis=1, keepdims=True), _LEAST_PROBABILITY)
    return smooth(support, n_rows)


def smooth(probabilities: Floats, n_rows: float, prior_rows: float = PRIOR_ROWS) -> Floats:
    """Return probabilities as if some more rows, of no class in particular, had been seen.

    No model of n rows can be surer than that; neighbors and forests are, with 0 and 1.

    Parameters
    ----------
    probabilities : ndarray of shape (n, n_classes)
    n_rows : float
        How many rows were seen.
    prior_rows : float, default=0.25
        How many more.

    Returns
    -------
    smoothed : ndarray of shape (n, n_classes)

    Examples
    --------
    >>> smooth(np.array([[0.0, 1.0]]), n_rows=9, prior_rows=1)
    array([[0.05, 0.95]])
    """
    per_class = prior_rows / probabilities.shape[1]
    smoothed: Floats = (n_rows * probabilities + per_class) / (n_rows + prior_rows)
    return smoothed


def count_rows(y: Array, sample_weight: Floats | None) -> float:
    """Return how many rows were seen: weights repeat rows, but fractions of them are rows, too.

    Examples
    --------
    >>> count_rows(np.zeros(3), np.array([0.0, 1.0, 4.0]))
    5.0
    >>> count_rows(np.zeros(3), np.array([0.0, 0.1, 0.4]))
    2.0
    """
    if sample_weight is None:
        return float(len(y))
    return max(float(sample_weight.sum()), float(np.count_nonzero(sample_weight)))


def _calibrated(
    blend: Blend, page: Page, y: Array, metric: Metric, sample_weight: Floats | None
) -> Blend:
    """Return the blend with a temperature, if it lowers the loss by more than a standard error."""
    support = np.empty_like(blend.support)
    for fold in np.unique(page.folds):
        is_out = page.folds == fold
        temperature = _learn_temperature(blend.support, y, sample_weight, ~is_out)
        support[is_out] = smooth(temperature(blend.support[is_out]), blend.n_rows)
    loss = metric.loss(y, support, sample_weight)
    error = metric.standard_error(y, support, sample_weight, reference=blend.support)
    if not loss < blend.loss - error:
        return blend
    everywhere = np.ones(len(y), dtype=bool)
    temperature = _learn_temperature(blend.support, y, sample_weight, everywhere)
    return replace(blend, temperature=temperature, support=support, loss=loss)


def _learn_temperature(
    support: Floats, y: Array, sample_weight: Floats | None, mask: Array
) -> TemperatureCalibration:
    weight = None if sample_weight is None else sample_weight[mask]
    return TemperatureCalibration().learn(support[mask], y[mask], weight)
