"""The perceptron, and the pocket perceptron, which keeps its best hyperplane.

References
----------
F. Rosenblatt, "The perceptron: a probabilistic model for information storage and organization in
the brain", *Psychological Review* 65, 386-408, 1958; A. Novikoff, "On convergence proofs for
perceptrons", *Symposium on the Mathematical Theory of Automata* 12, 615-622, 1962; S. I. Gallant,
"Perceptron-based learning algorithms", *IEEE Transactions on Neural Networks* 1, 179-191, 1990.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.estimator import Estimator
from nonet._base.number_tables import read_numbers
from nonet._base.params import Integer, Rule, check_params
from nonet._base.streams import RANDOM_STATE, root_seed, stream


class _LinearLearner(ClassifierMixin, Estimator):
    """A hyperplane between two classes, moved by misclassified rows one at a time."""

    _rules: ClassVar[Mapping[str, Rule]] = {
        "max_updates": Integer(1),
        "random_state": RANDOM_STATE,
    }

    def __init__(self, max_updates: int = 1000, random_state: Any = None) -> None:
        self.max_updates = max_updates
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the hyperplane.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of two classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, in the error and in the random draws.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        X, y = read_numbers(self, X, y, dtype=np.float64)
        signs = self._check_labels(y)
        weights = check_sample_weight(sample_weight, len(y))
        probabilities = np.full(len(y), 1 / len(y)) if weights is None else weights / weights.sum()
        line = self._find_line(np.column_stack([np.ones(len(X)), X]), signs, probabilities)
        self.intercept_, self.coef_ = line[:1], line[np.newaxis, 1:]
        return self

    def _check_labels(self, y: Array) -> Floats:
        """Return the labels as -1 and +1, and store the classes."""
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) != 2:
            number = f"{len(self.classes_)} class{'es' if len(self.classes_) > 1 else ''}"
            raise ValueError(
                f"Only binary classification is supported: {type(self).__name__} separates two "
                f"classes, but y has {number}."
            )
        return np.where(y == self.classes_[1], 1.0, -1.0)

    def _find_line(self, points: Floats, signs: Floats, probabilities: Floats) -> Floats:
        """Run the updates: store their number and the error, and return the hyperplane."""
        self.n_iter_, self.training_error_ = 0, 1.0
        *_, (line, self.training_error_) = self._lines(points, signs, probabilities)
        return line

    def _lines(
        self, points: Floats, signs: Floats, probabilities: Floats
    ) -> Iterator[tuple[Floats, float]]:
        """Yield each hyperplane with its (weighted) error, the first one zero."""
        random = stream(root_seed(self.random_state))
        line = np.zeros(points.shape[1])
        wrong = np.flatnonzero(_mistakes(points, signs, line))
        yield line, float(probabilities[wrong].sum())
        while self.n_iter_ < self.max_updates and probabilities[wrong].any():
            row = random.choice(wrong, p=probabilities[wrong] / probabilities[wrong].sum())
            line = line + signs[row] * points[row]
            wrong = np.flatnonzero(_mistakes(points, signs, line))
            self.n_iter_ += 1
            yield line, float(probabilities[wrong].sum())

    def decision_function(self, X: Any) -> Floats:
        """Return the score of each row, positive on the side of the second class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        X = read_numbers(self, X, dtype=np.float64, reset=False)
        return _heights(
            np.column_stack([np.ones(len(X)), X]), np.append(self.intercept_, self.coef_)
        )

    def predict(self, X: Any) -> Array:
        """Return the class on whose side each row lies; on the hyperplane, the second.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        """
        above = (self.decision_function(X) >= 0).astype(np.intp)
        labels: Array = self.classes_[above]
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class PocketPerceptron(_LinearLearner):
    """A linear classifier for two classes: the perceptron with a pocket.

    1. Draw a row that the current hyperplane misclassifies, with probability proportional to its
       weight, and add the row, signed by its class, to the coefficients.
    2. If the new hyperplane makes fewer errors on all rows than the best one so far, store it.
    3. Stop after ``max_updates`` updates or at zero errors; predict with the best hyperplane.

    With few updates it is unstable, which makes it a good member for bagging.

    Parameters
    ----------
    max_updates : int, default=1000
        Maximum number of updates.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws of misclassified rows.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features)
    intercept_ : ndarray of shape (1,)
    classes_ : ndarray of shape (2,)
    n_iter_ : int
        Number of updates.
    training_error_ : float
        The (weighted) fraction of training rows that the stored hyperplane misclassifies.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from nonet.bagging import BaggingClassifier, PocketPerceptron
    >>> X, y = make_moons(200, noise=0.2, random_state=0)
    >>> bagging = BaggingClassifier(PocketPerceptron(), 25, random_state=0).fit(X, y)
    >>> bagging.score(X, y) > 0.8
    True
    """

    def _find_line(self, points: Floats, signs: Floats, probabilities: Floats) -> Floats:
        self.n_iter_, self.training_error_ = 0, np.inf
        pocket: Floats = np.zeros(points.shape[1])
        for line, error in self._lines(points, signs, probabilities):
            if error < self.training_error_:
                pocket, self.training_error_ = line, error
        return pocket


class RandomPerceptron(_LinearLearner):
    """A linear classifier for two classes: Rosenblatt's perceptron learning algorithm (PLA).

    1. Draw a row that the current hyperplane misclassifies, with probability proportional to its
       weight, and add the row, signed by its class, to the coefficients.
    2. Stop at zero errors or after ``max_updates`` updates; predict with the last hyperplane.

    If a hyperplane separates the classes with margin g, and no row is longer than R, it stops after
    at most (R / g)^2 updates, at a hyperplane that depends on the draws: members with different
    seeds differ, and their mean is close to a hyperplane of large margin. If the classes overlap it
    never settles; `PocketPerceptron` keeps the best hyperplane then.

    Parameters
    ----------
    max_updates : int, default=1000
        Maximum number of updates.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws of misclassified rows.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features)
    intercept_ : ndarray of shape (1,)
    classes_ : ndarray of shape (2,)
    n_iter_ : int
        Number of updates.
    training_error_ : float
        The (weighted) fraction of training rows that the last hyperplane misclassifies.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    sklearn.linear_model.Perceptron : Passes over the rows in order, for any number of classes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet.bagging import RandomPerceptron
    >>> X, y = load_iris(return_X_y=True)
    >>> RandomPerceptron(random_state=0).fit(X[:100], y[:100]).training_error_
    0.0
    """


def _heights(points: Floats, line: Floats) -> Floats:
    """Return the scalar product of each row with the coefficients."""
    with np.errstate(over="ignore", invalid="ignore"):
        heights: Floats = points @ line
    if not np.isfinite(heights).all():
        raise ValueError(
            "the products of the perceptron overflow, because X has values as large "
            f"as {np.abs(points).max():g}; scale its columns."
        )
    return heights


def _mistakes(points: Floats, signs: Floats, line: Floats) -> Array:
    """Return which rows lie on the wrong side; sign(0) is +1."""
    wrong: Array = np.where(_heights(points, line) >= 0, 1.0, -1.0) != signs
    return wrong
