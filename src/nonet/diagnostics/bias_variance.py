"""Bias and variance of a learner, estimated by fitting it on many samples.

Samples come from a bootstrap of the rows, from repeated splits, or fresh from a generator. The
predictions are made on rows that the fitted learner has not seen; ``loss_decomposition`` has the
arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier, is_clusterer

from nonet._base.aliases import ABSTAINED, Array, Codes, Floats
from nonet._base.arrays import as_numbers, encode_labels
from nonet._base.frames import count_rows
from nonet._base.params import Choice, Having, Integer, Real, bad_parameter
from nonet._base.results import PlottableResult
from nonet._base.streams import root_seed
from nonet.diagnostics.loss_decomposition import (
    LossParts,
    label_fractions,
    mean_log,
    split_domingos,
    split_kohavi_wolpert,
    split_log,
    split_squared,
    split_variance,
)
from nonet.diagnostics.repeated_fits import Generator, RepeatedFits

_LOSSES = Choice("squared", "kohavi_wolpert", "domingos", "log")
_DRAWS = Choice("bootstrap", "splits")


@dataclass(frozen=True)
class BiasVariance(PlottableResult):
    """The expected error of a learner as a sum: error = bias + variance + noise.

    Attributes
    ----------
    loss : str
        'squared', 'kohavi_wolpert', 'domingos' or 'log'.
    error : float
        Mean expected loss over the rows.
    bias : float
        Its part that stays however often the learner is fitted (squared, for the squared loss).
    variance : float
        Its part from fitting on this sample and not another. For 'domingos' the net variance,
        which is negative where varying helps.
    noise : float
        Its part that no learner can avoid; 0 where only one label of each row is known, which
        counts the noise as bias.
    standard_errors : dict of str to float
        Of the four, over the rows.
    by_row : dict of str to ndarray of shape (n_rows,)
        The four for each row.
    rows : ndarray of int of shape (n_rows,)
        Positions of the rows that have predictions.
    n_predictions : ndarray of int of shape (n_rows,)
        The number of fits that predict each row.
    sample : float or None
        With ``by='source'``, the part of the variance that comes from the sample: the variance of
        the mean prediction over seeds.
    seed : float or None
        The part that comes from the seed of the learner: the variance among fits on one sample.
        Both are free of the bias of ``variance``, so that their sum is a little larger.

    Examples
    --------
    >>> from nonet.diagnostics import decompose_loss
    >>> print(decompose_loss([[1.0, 3.0], [2.0, 2.0]], [1.0, 2.0]))
    BiasVariance
      loss      squared
      rows      2
      error     1 (standard error 1)
      bias      0.5 (standard error 0.5)
      variance  0.5 (standard error 0.5)
      noise     0 (standard error 0)
    """

    loss: str
    error: float
    bias: float
    variance: float
    noise: float
    standard_errors: dict[str, float]
    by_row: dict[str, Floats]
    rows: Codes
    n_predictions: Codes
    sample: float | None = None
    seed: float | None = None

    _plot: ClassVar[str] = "plot_bias_variance"

    def _lines(self) -> list[tuple[str, str]]:
        parts = [
            (name, f"{getattr(self, name):.4g} (standard error {error:.2g})")
            for name, error in self.standard_errors.items()
        ]
        return [("loss", self.loss), ("rows", str(len(self.rows))), *parts]


def bias_variance(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    X_test: Any = None,
    y_test: Any = None,
    truth: ArrayLike | None = None,
    loss: str | None = None,
    draw: str | Generator = "bootstrap",
    n_rounds: int = 100,
    test_size: float = 0.25,
    by: str | None = None,
    n_seeds: int = 5,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> BiasVariance:
    """Estimate bias, variance and noise of a learner by fitting it many times.

    1. Draw a sample, fit a clone of the learner, predict rows it has not seen.
    2. Do so ``n_rounds`` times.
    3. Compare, row by row, the predictions with each other (variance) and with the truth (bias).

    Parameters
    ----------
    estimator : estimator
        Any regressor or classifier, an ensemble too; it is cloned, never fitted itself.
    X : array-like of shape (n_rows, n_features)
        The rows to draw from. With a generator: None.
    y : array-like of shape (n_rows,)
        Their truth. With a generator: None.
    X_test : array-like of shape (n_test, n_features), default=None
        The rows to predict; None lets each fit predict the rows of X outside its sample.
    y_test : array-like of shape (n_test,) or (n_test, n_replicates), default=None
        Their labels. Several columns are replicates: labels drawn anew for the same row, which
        show the noise.
    truth : array-like of shape (n_test,) or (n_test, n_classes), default=None
        If known: the mean of y given the row, or the probabilities of the classes (sorted).
    loss : {'squared', 'kohavi_wolpert', 'domingos', 'log'}, default=None
        None is 'squared' for regressors, 'kohavi_wolpert' (of the 0-1 loss) for classifiers.
    draw : {'bootstrap', 'splits'} or callable, default='bootstrap'
        Where samples come from: rows drawn with replacement; a random part of the rows without;
        or ``draw(generator) -> (X, y)``, fresh samples, the only way that shows the variance of
        the learner itself and not that of resampling.
    n_rounds : int, default=100
        How many samples.
    test_size : float, default=0.25
        The fraction of rows that a split leaves out.
    by : {'source'} or None, default=None
        'source' also splits the variance into what the sample and what the seed of the learner
        contribute: ``sample`` and ``seed``, next to ``noise``. For the losses 'squared' and
        'kohavi_wolpert'.
    n_seeds : int, default=5
        With ``by='source'``, how many times the learner is fitted on each sample.
    random_state : int, RandomState, Generator or None, default=None
        Seeds samples and learners.
    n_jobs : int or None, default=None
        Fits run in parallel through joblib.

    Returns
    -------
    result : BiasVariance
        ``plot`` draws the parts.

    Notes
    -----
    With m predictions for a row, the bias of the squared and the Kohavi-Wolpert loss is too large,
    and their variance too small, by variance / (m - 1) on average; their sum is not touched.
    Bootstrap samples hold 63 % of the rows, so they show a learner fitted on less data.

    ``by='source'`` is the law of total variance: Var = Var(E[prediction | sample]) +
    E[Var(prediction | sample)]. Both are estimated without bias, by the analysis of variance, so
    that their sum is larger than ``variance`` by the variance / (m - 1) above, and the first may be
    slightly negative. More members in a forest or in bagging reduce the seed's part only.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> import nonet
    >>> X, y = load_diabetes(return_X_y=True)
    >>> deep = nonet.bias_variance(DecisionTreeRegressor(), X, y, n_rounds=30, random_state=0)
    >>> flat = nonet.bias_variance(
    ...     DecisionTreeRegressor(max_depth=1), X, y, n_rounds=30, random_state=0
    ... )
    >>> deep.variance > flat.variance, deep.bias < flat.bias
    (True, True)
    >>> parts = nonet.bias_variance(
    ...     DecisionTreeRegressor(splitter="random"), X, y, n_rounds=20, by="source", random_state=0
    ... )
    >>> parts.seed > parts.sample
    True
    """
    loss = _check_settings(estimator, loss, draw, n_rounds, test_size)
    n_seeds = _check_sources(by, n_seeds, loss)
    if callable(draw) and X_test is None:
        raise bad_parameter("bias_variance", "X_test", "given where samples are fresh", None)
    if (X_test is None) != (y_test is None):
        raise bad_parameter("bias_variance", "y_test", "given together with X_test", y_test)
    for rows, labels, names in ((X, y, "X and y"), (X_test, y_test, "X_test and y_test")):
        _check_lengths(rows, labels, names)
    y_scored = y if X_test is None else y_test
    classes = None if loss == "squared" else _classes(y, y_scored)
    root = root_seed(random_state)
    task = RepeatedFits(estimator, X, y, X_test, draw, test_size, root, loss, classes, n_seeds)
    predictions, present = task.run(n_rounds * n_seeds, n_jobs)
    found = decompose_loss(
        predictions, y_scored, present=present, truth=truth, loss=loss, classes=classes
    )
    if by is None:
        return found
    return _add_sources(found, predictions[found.rows], present[found.rows], classes, n_seeds)


def _add_sources(
    found: BiasVariance, predictions: Array, present: Array, classes: Array | None, n_seeds: int
) -> BiasVariance:
    """Split the variance into the parts of the sample and of the seed."""
    shape = (len(predictions), -1, n_seeds)
    fits, there = predictions.reshape(shape), present.reshape(shape)[:, :, 0]
    if classes is None:
        of_sample, of_seed = split_variance(fits.astype(np.float64)[..., np.newaxis], there)
    else:
        indicators = (fits[..., np.newaxis] == classes) / np.sqrt(2)
        of_sample, of_seed = split_variance(indicators, there)
    by_row = {"sample": of_sample, "seed": of_seed}
    return replace(
        found,
        sample=float(of_sample.mean()),
        seed=float(of_seed.mean()),
        by_row=found.by_row | by_row,
        standard_errors=found.standard_errors | _standard_errors(by_row),
    )


def _check_lengths(X: Any, y: Any, names: str) -> None:
    if X is not None and y is not None and count_rows(X) != count_rows(y):
        raise ValueError(
            f"bias_variance: {names} must have as many rows, but have {count_rows(X)} and "
            f"{count_rows(y)}."
        )


def decompose_loss(
    predictions: ArrayLike,
    y: ArrayLike,
    *,
    present: ArrayLike | None = None,
    truth: ArrayLike | None = None,
    loss: str = "squared",
    classes: ArrayLike | None = None,
) -> BiasVariance:
    """Decompose a loss, from the predictions of a learner fitted on many samples.

    Parameters
    ----------
    predictions : array-like of shape (n_rows, n_fits) or (n_rows, n_fits, n_classes)
        Values, labels, or for the log loss probabilities, of every fit.
    y : array-like of shape (n_rows,) or (n_rows, n_replicates)
        The labels; several columns are replicates.
    present : array-like of bool of shape (n_rows, n_fits), default=None
        Which fit predicts which row; None means all. Rows without any are left out.
    truth : array-like of shape (n_rows,) or (n_rows, n_classes), default=None
        If known: the mean of y given the row, or the probabilities of the classes.
    loss : {'squared', 'kohavi_wolpert', 'domingos', 'log'}, default='squared'
        The loss.
    classes : array-like of shape (n_classes,), default=None
        The labels, sorted; None takes those found.

    Returns
    -------
    result : BiasVariance

    Notes
    -----
    Where several labels are the most frequent prediction of a row, 'domingos' averages over them:
    with predictions a, b and the label a the bias is 1/2, whatever the order of the labels.

    Examples
    --------
    >>> from nonet.diagnostics import decompose_loss
    >>> votes = [["a", "a", "b"], ["b", "b", "a"]]
    >>> parts = decompose_loss(votes, ["a", "a"], loss="domingos")
    >>> parts.error, parts.bias, round(parts.variance, 10)
    (0.5, 0.5, 0.0)
    """
    if not _LOSSES.allows(loss):
        raise bad_parameter("decompose_loss", "loss", _LOSSES.describe(), loss)
    given, labels = np.asarray(predictions), np.asarray(y)
    n_axes = 3 if loss == "log" else 2
    if given.ndim != n_axes or 0 in given.shape or len(given) != len(labels):
        raise ValueError(
            f"predictions must have {n_axes} axes and a row for each of the {len(labels)} labels, "
            f"but have shape {given.shape}."
        )
    there = np.ones(given.shape[:2], bool) if present is None else np.asarray(present, bool)
    rows = np.flatnonzero(there.any(axis=1))
    if not rows.size:
        raise ValueError("no row has a prediction: hold some rows out.")
    known = None if truth is None else _check_truth(truth, len(labels))[rows]
    given, there, labels = given[rows], there[rows], labels[rows]
    if loss == "squared":
        parts = _squared(given, there, labels, known)
    else:
        parts = _of_classes(given, there, labels, known, loss, classes)
    return _result(loss, parts, rows, there.sum(axis=1))


def _check_truth(truth: ArrayLike, n_rows: int) -> Floats:
    known = as_numbers(truth, "truth")
    if known.ndim not in (1, 2) or len(known) != n_rows:
        raise ValueError(
            f"truth must have an entry for each of the {n_rows} scored rows, but has shape "
            f"{known.shape}."
        )
    return known


def _squared(predictions: Array, there: Array, y: Array, truth: Floats | None) -> LossParts:
    replicates = (y if y.ndim == 2 else y[:, np.newaxis]).astype(np.float64)
    centre = replicates.mean(axis=1) if truth is None else truth
    noise = ((replicates - centre[:, np.newaxis]) ** 2).mean(axis=1)
    return split_squared(predictions.astype(np.float64), there, centre, noise)


def _of_classes(
    predictions: Array,
    there: Array,
    y: Array,
    truth: Floats | None,
    loss: str,
    classes: ArrayLike | None,
) -> LossParts:
    if classes is None:
        found = [y.ravel()] if loss == "log" else [y.ravel(), predictions[there].ravel()]
        classes = np.unique(np.concatenate(found))
    known = np.asarray(classes)
    replicates = encode_labels(y if y.ndim == 2 else y[:, np.newaxis], known)
    fractions_of_y = label_fractions(replicates, len(known)) if truth is None else truth
    if fractions_of_y.shape != (len(y), len(known)):
        raise ValueError(
            f"truth must have shape {(len(y), len(known))}, a probability for each class, but "
            f"has shape {fractions_of_y.shape}."
        )
    if loss == "log":
        return split_log(mean_log(predictions, there), fractions_of_y)
    codes = np.full(there.shape, ABSTAINED)
    codes[there] = encode_labels(predictions[there], known)
    fractions = label_fractions(codes, len(known))
    return (split_domingos if loss == "domingos" else split_kohavi_wolpert)(
        fractions, fractions_of_y
    )


def _result(loss: str, parts: LossParts, rows: Codes, n_predictions: Codes) -> BiasVariance:
    by_row = {name: getattr(parts, name) for name in ("error", "bias", "variance", "noise")}
    return BiasVariance(
        loss=loss,
        error=float(parts.error.mean()),
        bias=float(parts.bias.mean()),
        variance=float(parts.variance.mean()),
        noise=float(parts.noise.mean()),
        standard_errors=_standard_errors(by_row),
        by_row=by_row,
        rows=rows,
        n_predictions=n_predictions,
    )


def _standard_errors(by_row: dict[str, Floats]) -> dict[str, float]:
    return {
        name: float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else np.inf
        for name, values in by_row.items()
    }


def _check_sources(by: str | None, n_seeds: int, loss: str) -> int:
    """Return how many times the learner is fitted on each sample."""
    owner = "bias_variance"
    if by is None:
        return 1
    if by != "source":
        raise bad_parameter(owner, "by", "None or 'source'", by)
    if loss not in ("squared", "kohavi_wolpert"):
        allowed = "'squared' or 'kohavi_wolpert' with by='source', as their variances add up"
        raise bad_parameter(owner, "loss", allowed, loss)
    if not Integer(2).allows(n_seeds):
        raise bad_parameter(owner, "n_seeds", Integer(2).describe(), n_seeds)
    return n_seeds


def _check_settings(
    estimator: Any, loss: str | None, draw: Any, n_rounds: int, test_size: float
) -> str:
    owner = "bias_variance"
    learner = Having("an estimator with fit and predict", "fit", "predict")
    fraction = Real(0, 1, open_low=True, open_high=True)
    checks = (
        ("estimator", learner, estimator),
        ("n_rounds", Integer(2), n_rounds),
        ("test_size", fraction, test_size),
    )
    for name, rule, value in checks:
        if not rule.allows(value):
            raise bad_parameter(owner, name, rule.describe(), value)
    if is_clusterer(estimator):  # its labels are numbers of clusters, in any order
        allowed = "a classifier or a regressor, which predict y"
        raise bad_parameter(owner, "estimator", allowed, estimator)
    if not callable(draw) and not _DRAWS.allows(draw):
        raise bad_parameter(owner, "draw", _DRAWS.describe() + " or a function", draw)
    if loss is None:
        return "kohavi_wolpert" if is_classifier(estimator) else "squared"
    if not _LOSSES.allows(loss):
        raise bad_parameter(owner, "loss", "None or " + _LOSSES.describe(), loss)
    return loss


def _classes(*labels: Any) -> Array:
    return np.unique(np.concatenate([np.ravel(part) for part in labels if part is not None]))
