"""Losses for classification, whose predictions are probabilities."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, log_softmax, softmax

from nonet._base.aliases import Array, Floats
from nonet._native.loss import fill_class_gradients, sum_class_losses
from nonet._native.sums import ExactSum, exact_mean, exact_sum, log_of
from nonet.losses.loss import Loss, logit, refuse_targets
from nonet.losses.native import NativeLoss


class LogisticLoss(NativeLoss):
    """Cross-entropy of two classes, L(y, f) = log(1 + exp(f)) - y f; f are the log-odds.

    The target is 0 or 1, or a probability between them (soft labels).

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import LogisticLoss
    >>> round(LogisticLoss().start(np.array([0.0, 1.0, 1.0, 1.0])), 6)  # log(3)
    1.098612
    """

    _name = "logistic"
    is_self_concordant = True

    def value(self, y: Array, score: Floats) -> Floats:
        return np.logaddexp(0, score) - y * score

    def inverse_link(self, score: Floats) -> Floats:
        return np.asarray(expit(score))

    def start(self, y: Array, sample_weight: Floats | None = None) -> float:
        return self.start_of_mean(exact_mean(y, sample_weight))

    def start_of_mean(self, mean: float) -> float:
        return logit(mean)

    def check_targets(self, y: Array) -> None:
        refuse_targets(y, (y >= 0) & (y <= 1), "logistic", "between 0 and 1")


class ExponentialLoss(NativeLoss):
    """AdaBoost's loss, L(y, f) = y exp(-f) + (1 - y) exp(f); f is half the log-odds.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import ExponentialLoss
    >>> ExponentialLoss().value(np.array([1.0, 0.0]), np.zeros(2))
    array([1., 1.])
    """

    _name = "exponential"
    is_self_concordant = True

    def value(self, y: Array, score: Floats) -> Floats:
        return np.asarray(y * np.exp(-score) + (1 - y) * np.exp(score))

    def inverse_link(self, score: Floats) -> Floats:
        return np.asarray(expit(2 * score))

    def start(self, y: Array, sample_weight: Floats | None = None) -> float:
        return self.start_of_mean(exact_mean(y, sample_weight))

    def start_of_mean(self, mean: float) -> float:
        return 0.5 * logit(mean)

    def check_targets(self, y: Array) -> None:
        refuse_targets(y, (y >= 0) & (y <= 1), "exponential", "between 0 and 1")


class MultinomialLoss(Loss):
    """Cross-entropy of several classes: minus the log of the probability of the true class.

    Parameters
    ----------
    n_classes : int
        Number of classes; there is one score for each.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import MultinomialLoss
    >>> loss = MultinomialLoss(4)
    >>> loss.value(np.array([2]), np.zeros((4, 1))) == np.log(4)
    array([ True])
    """

    is_self_concordant = True  # in each score

    def __init__(self, n_classes: int) -> None:
        self.n_scores = n_classes

    def __repr__(self) -> str:
        return f"MultinomialLoss(n_classes={self.n_scores})"

    def value(self, y: Array, score: Floats) -> Floats:
        codes = np.asarray(y, dtype=np.intp)
        return np.asarray(-log_softmax(score, axis=0)[codes, np.arange(len(codes))])

    def gradient_hessian(self, y: Array, score: Floats) -> tuple[Floats, Floats]:
        gradients, hessians = np.empty_like(score), np.empty_like(score)
        self.fill(y, score, gradients, hessians)
        return gradients, hessians

    def fill(self, y: Array, score: Floats, gradients: Floats, hessians: Floats | None) -> None:
        known = np.empty_like(gradients) if hessians is None else hessians
        fill_class_gradients(np.ascontiguousarray(y, np.int32), score, gradients, known)

    def sum_losses(self, y: Array, score: Floats, sample_weight: Floats | None = None) -> ExactSum:
        return sum_class_losses(np.ascontiguousarray(y, np.int32), score, sample_weight)

    def inverse_link(self, score: Floats) -> Floats:
        return np.asarray(softmax(score, axis=0))

    def start(self, y: Array, sample_weight: Floats | None = None) -> Floats:
        codes = np.asarray(y, dtype=np.intp)
        return self.start_of_weights(class_weights(codes, self.n_scores, sample_weight))

    def start_of_weights(self, weights: Floats) -> Floats:
        """Return the best constant scores, given the weights of the classes."""
        minimum = np.finfo(np.float64).eps
        fractions = np.clip(weights / exact_sum(weights).value, minimum, 1 - minimum)
        logs = np.array([log_of(fraction) for fraction in fractions])
        return np.asarray(logs - exact_mean(logs))

    def check_targets(self, y: Array) -> None:
        allowed = (y >= 0) & (y < self.n_scores) & (y == np.floor(y))
        refuse_targets(y, allowed, "multinomial", f"that are codes 0 to {self.n_scores - 1}")


def class_weights(codes: Array, n_classes: int, sample_weight: Floats | None) -> Floats:
    """Return the number of rows, or their weight, of each class; the same in any order of rows."""
    if sample_weight is None:
        return np.bincount(codes, minlength=n_classes).astype(np.float64)
    return np.array([exact_sum(sample_weight[codes == k]).value for k in range(n_classes)])


class CrossEntropyLoss(MultinomialLoss):
    """Cross-entropy of soft labels, whose targets are the probabilities of all classes.

    Parameters
    ----------
    n_classes : int
        Number of classes; there is one score, and one column of the target, for each.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import CrossEntropyLoss
    >>> loss = CrossEntropyLoss(2)
    >>> loss.inverse_link(loss.start(np.array([[0.5, 0.5], [0.1, 0.9]]))).round(6)
    array([0.3, 0.7])
    """

    def __repr__(self) -> str:
        return f"CrossEntropyLoss(n_classes={self.n_scores})"

    def value(self, y: Array, score: Floats) -> Floats:
        return np.asarray(-(y.T * log_softmax(score, axis=0)).sum(axis=0))

    def fill(self, y: Array, score: Floats, gradients: Floats, hessians: Floats | None) -> None:
        super().fill(np.zeros(len(y), np.int32), score, gradients, hessians)
        gradients[0] += 1  # undo the subtraction for the label of class 0
        gradients -= y.T

    def sum_losses(self, y: Array, score: Floats, sample_weight: Floats | None = None) -> ExactSum:
        return exact_sum(self.value(y, score), sample_weight)

    def start(self, y: Array, sample_weight: Floats | None = None) -> Floats:
        minimum = np.finfo(np.float64).eps
        logs = np.log(np.clip(np.average(y, axis=0, weights=sample_weight), minimum, 1 - minimum))
        return np.asarray(logs - logs.mean())

    def check_targets(self, y: Array) -> None:
        outside = (y < 0).any(axis=1) | (np.abs(y.sum(axis=1) - 1) > 1e-6)
        if outside.any():
            raise ValueError(
                "The cross-entropy of soft labels needs targets y of at least 0 that add up to 1 "
                f"in every row, which fails in row {int(np.argmax(outside))}."
            )
