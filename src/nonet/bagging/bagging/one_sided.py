"""Members that err on one side only, for a biased Monte Carlo vote.

A biased algorithm is never wrong when it gives one of its two outputs, the certain class. Votes of
such members need no majority: one vote for the certain class is enough
(:class:`nonet.combine.AtLeastOne`), and k members that find it with probability p miss it with
probability (1 - p)^k only.

Members: any classifier with a score, its threshold moved until the certain class is never predicted
wrongly on held-out rows. F: at least one vote. C: argmax.

References
----------
G. Brassard & P. Bratley, *Fundamentals of Algorithmics*, 1996, chapter 10 (biased Monte Carlo
algorithms); X. Tong, Y. Feng & J. Li, "Neyman-Pearson classification algorithms and NP receiver
operating characteristics", *Science Advances* 4, 2018 (thresholds from order statistics).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.base import ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.estimator import Estimator
from nonet._base.number_tables import read_numbers
from nonet._base.params import Anything, Having, Nothing, Real, Rule, bad_parameter, check_params
from nonet._base.streams import RANDOM_STATE, root_seed, stream
from nonet.members.label_codes import fit_on_labels


class OneSidedClassifier(MetaEstimatorMixin, ClassifierMixin, Estimator):
    """A classifier of two classes whose predictions of one class are hardly ever wrong.

    1. Hold out a part of the rows of each class, and fit the estimator on the others.
    2. Set the threshold to the maximum score (for the certain class) among the held-out rows of
       the other class.
    3. Predict the certain class above the threshold, the other class elsewhere.

    A new row of the other class is taken for the certain one with a probability of at most
    ``false_positive_rate_``, whatever the distribution of the rows and the estimator. This is a
    mean over samples; one sample with few held-out rows may be far from it.

    Parameters
    ----------
    estimator : classifier, default=None
        With ``decision_function`` or ``predict_proba``; None is a logistic regression.
    certain_class : label, default=None
        The class that is predicted only when it is certain; None is the second of ``classes_``.
    max_error : float, default=0.0
        The fraction of the held-out rows of the other class that may be above the threshold.
    test_size : float, default=0.25
        The fraction of the rows of each class to hold out.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the split.

    Attributes
    ----------
    estimator_ : classifier
        Fitted on the rows that were not held out.
    classes_ : ndarray of shape (2,)
    certain_class_ : label
    threshold_ : float
        The certain class is predicted where its score is above.
    detection_rate_ : float
        The fraction of held-out rows of the certain class that are found: the p of
        :func:`nonet.theory.biased_accuracy`.
    false_positive_rate_ : float
        (k + 1) / (m + 1), if k of the m held-out rows of the other class may be wrong.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    Notes
    -----
    An ensemble of T members that decides by one vote is wrong on a row of the other class with a
    probability of at most T times ``false_positive_rate_``. A bootstrap sample has copies of its
    rows on both sides of the split, and flatters it; use ``bootstrap=False`` with ``max_samples``
    below 1, or with ``max_features``. Scores that take few values, such as those of shallow trees,
    may leave nothing above the threshold.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from nonet import BaggingClassifier, OneSidedClassifier
    >>> from nonet.combine import AtLeastOne
    >>> X, y = make_moons(2000, noise=0.25, random_state=0)
    >>> member = OneSidedClassifier(random_state=0).fit(X[:1000], y[:1000])
    >>> bool((y[1000:][member.predict(X[1000:]) == 1] == 1).mean() > 0.95)
    True
    >>> vote = BaggingClassifier(
    ...     OneSidedClassifier(), 10, bootstrap=False, max_samples=0.5, combine=AtLeastOne(1)
    ... ).set_params(random_state=0)
    >>> vote.fit(X[:1000], y[:1000]).score(X[1000:], y[1000:]) > member.score(X[1000:], y[1000:])
    True
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "estimator": Nothing() | Having("a classifier with fit and predict", "fit", "predict"),
        "certain_class": Anything(),
        "max_error": Real(0, 1, open_high=True),
        "test_size": Real(0, 1, open_low=True, open_high=True),
        "random_state": RANDOM_STATE,
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        certain_class: Any = None,
        max_error: float = 0.0,
        test_size: float = 0.25,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.certain_class = certain_class
        self.max_error = max_error
        self.test_size = test_size
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> OneSidedClassifier:
        """Fit the estimator and find the threshold.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of two classes.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        X, y = read_numbers(self, X, y, dtype=np.float64)
        self._store_classes(y)
        fitted, held_out = _split(y, self.test_size, stream(root_seed(self.random_state)))
        base = LogisticRegression() if self.estimator is None else self.estimator
        self.estimator_ = fit_on_labels(clone(base), X[fitted], y[fitted], {})
        self._find_threshold(self._score(X[held_out]), y[held_out] == self.certain_class_)
        return self

    def _store_classes(self, y: Array) -> None:
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) != 2:
            number = f"{len(self.classes_)} class{'es' if len(self.classes_) > 1 else ''}"
            raise ValueError(
                "Only binary classification is supported: OneSidedClassifier needs two classes, "
                f"but y has {number}."
            )
        certain = self.classes_[1] if self.certain_class is None else self.certain_class
        if np.ndim(certain) or certain not in self.classes_.tolist():
            allowed = f"None or one of the classes {self.classes_.tolist()}"
            raise bad_parameter(self, "certain_class", allowed, certain)
        self.certain_class_ = certain

    def _find_threshold(self, scores: Floats, is_certain: Array) -> None:
        others = np.sort(scores[~is_certain])[::-1]
        n_wrong = int(self.max_error * len(others))
        self.threshold_ = float(others[n_wrong])
        self.detection_rate_ = float((scores[is_certain] > self.threshold_).mean())
        self.false_positive_rate_ = (n_wrong + 1) / (len(others) + 1)

    def _score(self, X: Any) -> Floats:
        """Return the score of the certain class."""
        position = self.classes_.tolist().index(self.certain_class_)
        if hasattr(self.estimator_, "decision_function"):
            scores = np.asarray(self.estimator_.decision_function(X), dtype=np.float64)
            return scores if position else -scores
        if not hasattr(self.estimator_, "predict_proba"):
            raise TypeError(
                "OneSidedClassifier: estimator must have decision_function or predict_proba, as a "
                f"threshold needs scores, but is {self.estimator_!r}."
            )
        return np.asarray(self.estimator_.predict_proba(X)[:, position], dtype=np.float64)

    def decision_function(self, X: Any) -> Floats:
        """Return the distance of each score from the threshold, positive for the second class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        above = self._score(read_numbers(self, X, dtype=np.float64, reset=False)) - self.threshold_
        return above if self.certain_class_ == self.classes_[1] else -above

    def predict(self, X: Any) -> Array:
        """Return the certain class where its score is above the threshold, else the other.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        """
        scores = self.decision_function(X)
        is_second = scores > 0 if self.certain_class_ == self.classes_[1] else scores >= 0
        labels: Array = self.classes_[is_second.astype(np.intp)]
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def _split(y: Array, test_size: float, random: np.random.Generator) -> tuple[Array, Array]:
    """Return the rows to fit on and those to hold out, each with rows of both classes."""
    held_out = np.zeros(len(y), dtype=bool)
    for label in np.unique(y):
        rows = np.flatnonzero(y == label)
        if len(rows) < 2:
            raise ValueError(
                "OneSidedClassifier needs at least 2 rows of each class, one of them to hold out, "
                f"but class {label!r} has 1."
            )
        n_held_out = min(max(round(test_size * len(rows)), 1), len(rows) - 1)
        held_out[random.choice(rows, n_held_out, replace=False)] = True
    return np.flatnonzero(~held_out), np.flatnonzero(held_out)
