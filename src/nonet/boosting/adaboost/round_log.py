"""Round log of boosted classifiers: errors, weights, bounds and margins per round."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.params import Integer, bad_parameter
from nonet._base.results import PlottableResult
from nonet._native.loss import add_votes, add_weights
from nonet.boosting.adaboost.methods.method import (
    BoostingMethod,
    Evaluation,
    TrainingRows,
    expected_value,
    weight_of,
)
from nonet.theory.boosting_bounds import edge_bound, margin_bound, rounds_needed
from nonet.theory.margins import class_margins, margin_fraction


@dataclass(frozen=True)
class RoundLog(PlottableResult):
    """Round log of a boosted classifier: one value per round, and the final state of the rows.

    Attributes
    ----------
    error : ndarray of shape (n_rounds,)
        The weighted error eps_t of the round's member.
    alpha : ndarray of shape (n_rounds,)
        Its weight in the scale of the notes: rows are multiplied by exp(-alpha u), where u is +1
        for a right prediction and -1 for a wrong one (or y times a confidence).
    z : ndarray of shape (n_rounds,)
        The sum of the reweighted rows, Z_t; 2 sqrt(eps (1 - eps)) for discrete AdaBoost, and
        exp(-alpha) where eps is 0, as alpha is finite.
    edge : ndarray of shape (n_rounds,)
        gamma_t = 1/2 - eps_t, how much better the member is than guessing between two classes.
    product_bound : ndarray of shape (n_rounds,)
        The product of Z_1..Z_t (times K - 1 for 'm2', times K for 'mh'). It bounds the training
        error if rows are reweighted by exp(-alpha u). That is the case for all methods except
        'mada', 'logit' and 'lp', and except 'samme_r' with more than two classes.
    training_error : ndarray of shape (n_rounds,)
        Weighted fraction of training rows that the first t members together predict wrong.
    held_out_error : ndarray of shape (n_rounds,) or None
        The same on the rows held out; None if there are none.
    exponential_loss : ndarray of shape (n_rounds,)
        Weighted mean of exp(-score), the score being the sum of alpha u so far; summed over wrong
        classes for 'm2', over all classes for 'mh'.
    smallest_margin : ndarray of shape (n_rounds,)
        The minimum margin of a training row.
    effective_rows : ndarray of shape (n_rounds,)
        1 / sum of squared weights: the effective number of equally weighted rows in the round.
    margins : ndarray of shape (n_rows,)
        Margins of the training rows after the last round.
    last_weights : ndarray of shape (n_rows,)
        Weights of the training rows in the last round.
    mean_weights : ndarray of shape (n_rows,)
        Weights of the training rows, averaged over rounds.
    raw_sum : ndarray of shape (n_rows,) or (n_rows, n_classes)
        The sum of alpha_t h_t of the training rows, before it is divided by the sum of the alphas:
        with two classes positive for the second one, with more a sum for each class, in the scale
        of ``estimator_weights_``.
    weights : ndarray of shape (n_rounds + 1, n_rows) or None
        Weights of the training rows in each round, and last those after the last round; None if
        they were not kept (``keep_weights``).
    rows : ndarray of int of shape (n_rows,)
        Indices of the training rows among those given to ``fit``; the others were held out.
    stopped : str
        Why boosting stopped.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier, DecisionStump
    >>> X, y = [[1], [2], [3], [4]], [-1, 1, -1, -1]
    >>> log = AdaBoostClassifier(DecisionStump(), n_estimators=3).fit(X, y).round_log_
    >>> log.training_error
    array([0.25, 0.25, 0.  ])
    >>> log.suspects(1)
    array([0])
    >>> log.weights.round(2)
    array([[0.25, 0.25, 0.25, 0.25],
           [0.5 , 0.17, 0.17, 0.17],
           [0.3 , 0.5 , 0.1 , 0.1 ],
           [0.19, 0.31, 0.25, 0.25]])
    """

    error: Floats
    alpha: Floats
    z: Floats
    edge: Floats
    product_bound: Floats
    training_error: Floats
    held_out_error: Floats | None
    exponential_loss: Floats
    smallest_margin: Floats
    effective_rows: Floats
    margins: Floats
    last_weights: Floats
    mean_weights: Floats
    raw_sum: Floats
    weights: Floats | None
    rows: Array
    stopped: str

    _shown: ClassVar[tuple[str, ...]] = (
        "error",
        "alpha",
        "product_bound",
        "training_error",
        "held_out_error",
        "smallest_margin",
        "stopped",
    )
    _plot: ClassVar[str] = "plot_rounds"

    def __len__(self) -> int:
        return len(self.error)

    def suspects(self, n: int = 10) -> Array:
        """Return the rows with the highest mean weight, in descending order: possibly mislabelled.

        Parameters
        ----------
        n : int, default=10
            Number of rows.

        Returns
        -------
        rows : ndarray of int
            Indices into the rows given to ``fit``.
        """
        return self.rows[heaviest_rows(self.mean_weights, n)]

    def edge_bound(self) -> float:
        """Return exp(-2 sum gamma_t^2), a bound of the last training error.

        Returns
        -------
        bound : float
            1 if no member has an edge.
        """
        return float(np.asarray(edge_bound(np.clip(self.edge, 0, None))))

    def rounds_needed(self, target: float) -> int:
        """Return the number of rounds that brings the training error to at most a target.

        Parameters
        ----------
        target : float
            An error above 0 and below 1.

        Returns
        -------
        n_rounds : int
            ln(1 / target) / (2 gamma^2), with gamma the minimum edge of the rounds so far. It is
            enough if the members to come are no worse.
        """
        return int(np.asarray(rounds_needed(float(self.edge.min()), target)))

    def margin_bound(self, margin: float, vc_dimension: int, delta: float = 0.05) -> float:
        """Bound the true error by the fraction of training rows with at most a given margin.

        Parameters
        ----------
        margin : float
            Above 0 and at most 1.
        vc_dimension : int
            VC dimension of the members; 2 for stumps on one column.
        delta : float, default=0.05
            The bound fails with at most this probability.

        Returns
        -------
        bound : float
            Above 1, and thus vacuous, for data of ordinary size.
        """
        fraction = margin_fraction(self.margins, margin)
        bound = margin_bound(
            fraction, margin, len(self.margins), vc_dimension=vc_dimension, delta=delta
        )
        return float(np.asarray(bound))


def heaviest_rows(weights: Floats, n: int) -> Array:
    """Return the n rows of maximum weight, in descending order."""
    if not Integer(1).allows(n):
        raise bad_parameter("suspects", "n", Integer(1).describe(), n)
    return np.argsort(-weights, kind="stable")[:n]


@dataclass
class RoundLogBuilder:
    """A round log under construction."""

    method: BoostingMethod
    training: TrainingRows
    held_out: TrainingRows | None = None
    keep_weights: bool = False
    columns: dict[str, list[float]] = field(default_factory=dict)
    weight_total: float = 0.0

    def __post_init__(self) -> None:
        n_rows = len(self.training.weights)
        self._scores: Floats = np.zeros(n_rows)
        self._weight_sum = np.zeros(n_rows)
        self._last_weights = self.training.weights
        self._is_second = self.training.codes == 1  # ties go to the first class
        self._alpha_total = 0.0
        self._history: list[Floats] = []
        self._product = self.method.bound_factor(self.training.n_classes)
        # With two classes a row's score is enough; with more, the second best class matters.
        more = self.training.n_classes > 2
        self._support = np.zeros((n_rows, self.training.n_classes)) if more else None
        if self.held_out is not None:
            self._held_support = np.zeros((len(self.held_out.codes), self.training.n_classes))

    @property
    def n_rounds(self) -> int:
        """Number of rounds written so far."""
        return len(self.columns.get("error", ()))

    def write(
        self,
        evaluation: Evaluation,
        weights: Floats,
        predictions: Array,
        held_predictions: Array | None,
    ) -> None:
        """Add a round: the evaluation of its member and the weights of the rows."""
        self._add_scores(evaluation)
        self.weight_total += abs(evaluation.weight)
        self._last_weights = weights if weights.ndim == 1 else weights.sum(axis=1)
        squares = add_weights(self._last_weights, self._weight_sum)
        self.keep(weights)
        if self._support is not None:
            self._support += self.method.contribution(
                predictions, evaluation.weight, self.training.n_classes
            )
        z = normalization_factor(evaluation, weights)
        self._product *= z
        entries = {
            "error": evaluation.error,
            "alpha": evaluation.alpha,
            "z": z,
            "product_bound": self._product,
            "training_error": self._training_error(),
            "exponential_loss": self._exponential_loss(),
            "smallest_margin": self._smallest_margin(),
            "effective_rows": 1 / squares,
        }
        if held_predictions is not None:
            entries["held_out_error"] = self._held_out_error(held_predictions, evaluation.weight)
        for name, number in entries.items():
            self.columns.setdefault(name, []).append(number)

    def keep(self, weights: Floats) -> None:
        """Store the weights of the rows, if they are to be kept: a round's, or the last ones."""
        if self.keep_weights:
            self._history.append(weights.copy() if weights.ndim == 1 else weights.sum(axis=1))

    def _add_scores(self, evaluation: Evaluation) -> None:
        """Add the member's contribution to each row's score; update the minimum and the errors."""
        alpha = 0.0  # what is left to be added
        if evaluation.total_scores is not None:
            self._scores, self._alpha_total = evaluation.total_scores, 1.0
        else:
            self._alpha_total += abs(evaluation.alpha)
            if evaluation.steps is None:
                alpha = evaluation.alpha
            else:
                self._scores += evaluation.steps
        weights = self.training.weights
        found = add_votes(evaluation.wrong, alpha, weights, self._is_second, self._scores)
        self._min_score, self._wrong_weight = found

    def _training_error(self) -> float:
        if self._support is None:
            return self._wrong_weight
        wrong = np.argmax(self._support, axis=1) != self.training.codes
        return weight_of(self.training.weights, wrong)

    def _exponential_loss(self) -> float:
        # The weights equal exp(-score) / product of Z: no exponentials are needed.
        if self.method.weights_follow_scores:
            return self._product
        return expected_value(self.training.weights, np.exp(-self._scores))

    def _smallest_margin(self) -> float:
        if self._support is not None:
            return float(self._margins().min())
        return self._min_score / (self._alpha_total or 1)

    def _margins(self) -> Floats:
        if self._support is not None:
            return class_margins(self.training.codes, self._support / (self.weight_total or 1))
        return self._scores / (self._alpha_total or 1)

    def _raw_sum(self) -> Floats:
        if self._support is not None:
            return self._support
        return np.where(self._is_second, self._scores, -self._scores)

    def _held_out_error(self, predictions: Array, weight: float) -> float:
        assert self.held_out is not None
        self._held_support += self.method.contribution(predictions, weight, self.training.n_classes)
        wrong = np.argmax(self._held_support, axis=1) != self.held_out.codes
        return weight_of(self.held_out.weights, wrong)

    def close(self, rows: Array, stopped: str) -> RoundLog:
        """Return the finished log."""
        columns = {name: np.array(numbers) for name, numbers in self.columns.items()}
        held_out_error = columns.pop("held_out_error", None)
        return RoundLog(
            **columns,
            held_out_error=held_out_error,
            edge=0.5 - columns["error"],
            margins=self._margins(),
            last_weights=self._last_weights,
            mean_weights=self._weight_sum / self.n_rounds,
            raw_sum=self._raw_sum(),
            weights=np.stack(self._history) if self.keep_weights else None,
            rows=rows,
            stopped=stopped,
        )


def normalization_factor(evaluation: Evaluation, weights: Floats) -> float:
    """Return Z: the sum of the weights times exp(-alpha u)."""
    if evaluation.z is not None:
        return evaluation.z
    if evaluation.steps is not None:
        return expected_value(weights, np.exp(-evaluation.steps))
    with np.errstate(over="ignore"):  # an extreme weight makes Z infinite
        right, wrong = np.exp(-evaluation.alpha), np.exp(evaluation.alpha)
    return float((1 - evaluation.error) * right + evaluation.error * wrong)
