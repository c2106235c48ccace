"""Decompose the error of an ensemble into member error and ambiguity.

For the squared loss and a weighted mean: error of the ensemble = mean error of the members less
their ambiguity, the weighted variance of their predictions (Krogh & Vedelsby). For labels: error of
the vote = mean error of the members - good diversity + bad diversity, where disagreement is good
if the vote is right and bad if the vote is wrong (Brown & Kuncheva). Both are identities, row by
row.

References: A. Krogh & J. Vedelsby (1995), Neural network ensembles, cross validation and active
learning, NIPS 7; N. Ueda & R. Nakano (1996), Generalization error of ensemble estimators, ICNN;
G. Brown & L. Kuncheva (2010), "Good" and "bad" diversity in majority vote ensembles, MCS.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Floats, Kind
from nonet._base.params import Choice, Nothing, bad_parameter
from nonet._base.results import PlottableResult
from nonet.diagnostics.diagnostics_docs import with_diagnostics_docs
from nonet.diagnostics.ensemble_predictions import gather_predictions
from nonet.diagnostics.member_predictions import MemberPredictions

_LOSS = Nothing() | Choice("squared", "zero_one", "brier")


class _Gains:
    """Base of decompositions: the gain of an ensemble over its members, for any loss."""

    error: float
    member_error: float
    member_errors: Floats

    @property
    def gain_over_random(self) -> float:
        """Mean loss of the members minus the loss of the ensemble."""
        return self.member_error - self.error

    @property
    def gain_over_best(self) -> float:
        """Loss of the best member on these rows minus the loss of the ensemble."""
        return float(self.member_errors.min() - self.error)


@dataclass(frozen=True)
class Ambiguity(_Gains, PlottableResult):
    """The error of an ensemble of values or probabilities: member error less ambiguity.

    Attributes
    ----------
    loss : str
        'squared' or 'brier'.
    error : float
        Mean loss of the ensemble; ``member_error - ambiguity - off_mean``.
    member_error : float
        Weighted mean of the members' losses: the error of a member picked at random.
    ambiguity : float
        Weighted mean squared distance of the members from the ensemble.
    off_mean : float
        What is left where the ensemble is not the weighted mean of its members (a median, for
        example); 0 where it is.
    member_errors : ndarray of shape (n_members,)
        The loss of each member.
    member_ambiguities : ndarray of shape (n_members,)
        How far each member is from the ensemble.
    bias, variance, covariance : float or None
        Over the rows, of the members' errors: squared mean error, part of the members' own
        variances, part of their covariances; their sum is the loss of the weighted mean. None if
        predictions are missing.
    names : tuple of str
        The members.

    Examples
    --------
    >>> import nonet
    >>> from nonet.diagnostics import record_predictions
    >>> result = nonet.ambiguity(record_predictions([[1.0, 2.0, 4.0]], [3.0], weights=[2, 3, 5]))
    >>> print(f"{result.error:.2f} = {result.member_error:.2f} - {result.ambiguity:.2f}")
    0.04 = 1.60 - 1.56
    """

    loss: str
    error: float
    member_error: float
    ambiguity: float
    off_mean: float
    member_errors: Floats
    member_ambiguities: Floats
    bias: float | None
    variance: float | None
    covariance: float | None
    names: tuple[str, ...]

    _shown: ClassVar[tuple[str, ...]] = (
        "loss",
        "error",
        "member_error",
        "ambiguity",
        "off_mean",
        "gain_over_random",
        "gain_over_best",
        "bias",
        "variance",
        "covariance",
    )
    _plot: ClassVar[str] = "plot_ambiguity"


@dataclass(frozen=True)
class VoteAmbiguity(_Gains, PlottableResult):
    """The error of a vote: member error, less good diversity, plus bad.

    Attributes
    ----------
    error : float
        Fraction of rows the ensemble gets wrong; ``member_error - good + bad``.
    member_error : float
        Weighted mean of the members' errors: the error of a member picked at random.
    good : float
        Fraction of wrong predictions that were outvoted by a right ensemble.
    bad : float
        Fraction of right predictions that were outvoted by a wrong ensemble.
    ambiguity : float
        Fraction of predictions that differ from the ensemble's; with two classes it is good + bad.
    member_errors : ndarray of shape (n_members,)
        The error of each member.
    member_ambiguities : ndarray of shape (n_members,)
        How often each member differs from the ensemble.
    names : tuple of str
        The members.

    Examples
    --------
    >>> import nonet
    >>> from nonet.diagnostics import record_predictions
    >>> result = nonet.ambiguity(record_predictions([[1, 1, 0], [1, 0, 0], [0, 1, 1]], [1, 1, 1]))
    >>> print(f"{result.error:.2f} = {result.member_error:.2f} - {result.good:.2f} + "
    ...       f"{result.bad:.2f}")
    0.33 = 0.44 - 0.22 + 0.11
    """

    error: float
    member_error: float
    good: float
    bad: float
    ambiguity: float
    member_errors: Floats
    member_ambiguities: Floats
    names: tuple[str, ...]

    _shown: ClassVar[tuple[str, ...]] = (
        "error",
        "member_error",
        "good",
        "bad",
        "ambiguity",
        "gain_over_random",
        "gain_over_best",
    )
    _plot: ClassVar[str] = "plot_ambiguity"


@with_diagnostics_docs
def ambiguity(
    ensemble: Any,
    X: Any = None,
    y: Any = None,
    *,
    loss: str | None = None,
    out_of_bag: bool = False,
) -> Ambiguity | VoteAmbiguity:
    """Decompose the error of an ensemble into the members' errors and the gain from combining.

    Parameters
    ----------
    {any_ensemble}
    {unseen_rows}
    loss : {'squared', 'zero_one', 'brier'}, default=None
        None is the squared loss in regression, the 0-1 loss in classification; 'brier' is the
        squared loss of probabilities, summed over the classes.
    out_of_bag : bool, default=False
        Evaluate each member only on training rows it was not fitted on; the ensemble is then, for
        each row, the vote or mean of the members evaluated on it.

    Returns
    -------
    result : Ambiguity or VoteAmbiguity
        The latter for the 0-1 loss. ``plot`` draws the parts.

    Notes
    -----
    A larger ambiguity is a gain for the squared loss only because the members' errors are held
    fixed; members made more different usually err more, too.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.ensemble import BaggingRegressor
    >>> import nonet
    >>> X, y = load_diabetes(return_X_y=True)
    >>> bagging = BaggingRegressor(random_state=0).fit(X[::2], y[::2])
    >>> result = nonet.ambiguity(bagging, X[1::2], y[1::2])
    >>> bool(abs(result.error - (result.member_error - result.ambiguity)) < 1e-8)
    True
    """
    if not _LOSS.allows(loss):
        raise bad_parameter("ambiguity", "loss", _LOSS.describe(), loss)
    kind: Kind = "probabilities" if loss == "brier" else "labels"
    predictions = gather_predictions(ensemble, X, y, kind=kind, out_of_bag=out_of_bag)
    suits = {"values": "squared", "labels": "zero_one", "probabilities": "brier"}[predictions.kind]
    if loss is not None and loss != suits:
        allowed = f"None or {suits!r}, as the members predict {predictions.kind}"
        raise bad_parameter("ambiguity", "loss", allowed, loss)
    return _of_votes(predictions) if suits == "zero_one" else _of_means(predictions, suits)


def _of_votes(predictions: MemberPredictions) -> VoteAmbiguity:
    correct, right = predictions.correct, predictions.is_correct
    fraction_right = predictions.row_means(correct)
    apart = predictions.outputs != np.asarray(predictions.prediction)[:, np.newaxis]
    return VoteAmbiguity(
        error=predictions.error,
        member_error=float(1 - fraction_right.mean()),
        good=float(np.mean(np.where(right, 1 - fraction_right, 0.0))),
        bad=float(np.mean(np.where(right, 0.0, fraction_right))),
        ambiguity=float(predictions.row_means(apart).mean()),
        member_errors=1 - predictions.member_means(correct),
        member_ambiguities=predictions.member_means(apart),
        names=predictions.names,
    )


def _of_means(predictions: MemberPredictions, loss: str) -> Ambiguity:
    outputs, ensemble, truth = predictions.outputs, predictions.prediction, predictions.truth
    if loss == "brier":
        truth = _indicators(predictions)
    else:  # one target, where probabilities have one for each class
        outputs, ensemble, truth = (a[..., np.newaxis] for a in (outputs, ensemble, truth))
    if predictions.present is not None:  # a missing prediction has weight 0, and must not be NaN
        outputs = np.where(predictions.present[:, :, np.newaxis], outputs, truth[:, np.newaxis])
    losses = ((outputs - truth[:, np.newaxis]) ** 2).sum(axis=2)
    distances = ((outputs - ensemble[:, np.newaxis]) ** 2).sum(axis=2)
    means = np.einsum("nkt,nk->nt", outputs, predictions.row_weights())
    off_mean = 2 * ((means - ensemble) * (ensemble - truth)).sum(axis=1)
    bias, variance, covariance = _covariance_form(predictions, outputs - truth[:, np.newaxis])
    return Ambiguity(
        loss=loss,
        error=float(((ensemble - truth) ** 2).sum(axis=1).mean()),
        member_error=float(predictions.row_means(losses).mean()),
        ambiguity=float(predictions.row_means(distances).mean()),
        off_mean=float(off_mean.mean()),
        member_errors=predictions.member_means(losses),
        member_ambiguities=predictions.member_means(distances),
        bias=bias,
        variance=variance,
        covariance=covariance,
        names=predictions.names,
    )


def _indicators(predictions: MemberPredictions) -> Floats:
    assert predictions.classes is not None
    return np.asarray(np.eye(len(predictions.classes))[predictions.truth])


def _covariance_form(
    predictions: MemberPredictions, errors: Floats
) -> tuple[float | None, float | None, float | None]:
    """Return the three parts of the loss of the weighted mean, summed over targets."""
    if predictions.present is not None:
        return None, None, None
    weights = predictions.weights
    means = errors.mean(axis=0)
    centred = np.moveaxis(errors - means, 1, 0).reshape(len(weights), -1)
    covariances = centred @ centred.T / len(errors)
    weighted = np.outer(weights, weights) * covariances
    own = float(np.trace(weighted))
    return float(((weights @ means) ** 2).sum()), own, float(weighted.sum() - own)
