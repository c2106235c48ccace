"""One-vs-one: a member for each pair of classes; the class with most votes is predicted.

Members: class i against class j, on the rows of these two. F: votes, with ties broken by the sum
of scores. C: the arg max, or any rule; it can abstain where votes are tied.

References: S. Knerr, L. Personnaz & G. Dreyfus (1990), Single-layer learning revisited, in
Neurocomputing, NATO ASI; T. Hastie & R. Tibshirani (1998), Classification by pairwise coupling,
Annals of Statistics 26, 451-471.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Codes, Floats
from nonet.multiclass.batches import LearnsInBatches
from nonet.multiclass.code_matrix import make_code
from nonet.multiclass.decoding import DECODINGS
from nonet.multiclass.side_predictions import predict_sides


class OneVsOneClassifier(LearnsInBatches):
    """One-vs-one: one binary member per pair of classes, fitted on the rows of these two.

    A column of the code matrix has -1 in the row of the first class, +1 in that of the second
    and 0 elsewhere. It takes the parameters of scikit-learn's class of the same name;
    ``decoding`` and later parameters are new, and so is ``predict_proba``.

    Parameters
    ----------
    estimator : estimator
        The learner of the binary problems: a classifier with ``decision_function`` or
        ``predict_proba``, or a regressor.
    n_jobs : int, default=None
        The number of members fitted in parallel; None means 1, -1 all processors.
    decoding : str, default=None
        F. None is 'coupling' for a rule that needs probabilities (see ``decide``), else
        'confident_votes'. 'confident_votes': the votes for a class, with ties broken by the sum
        of scores. 'votes': the fraction of its pairs that a class wins. 'coupling': the class
        probabilities that agree best with all members. Also 'hamming', 'euclidean',
        'exponential_loss', 'logistic_loss' and 'hinge_loss', as in
        :class:`OutputCodeClassifier`.
    decide : str or rule, default=None
        C: the arg max if None; ``nonet.decide.Argmax(tie="abstain")`` with
        ``decoding='votes'`` abstains where classes win equally often. A rule that compares the
        support with numbers (``Abstain``, ``Threshold``, ``MinimumCost``) reads probabilities
        unless you set a decoding; its numbers are then in the units of that decoding.
    balanced : bool, default=False
        Whether the two sides of each problem get equal total weight. The learner must take
        ``sample_weight``.

    Attributes
    ----------
    members_ : list of Member
        The fitted members, named after their pairs.
    combine_ : callable
        F: maps outputs of the members to support of the classes.
    decide_ : callable
        C: maps support to labels.
    estimators_ : list of estimators
        The fitted models, pairs in the order (0, 1), (0, 2), ..., (1, 2), ...; label 1 is the
        second class of the pair.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_classes_ : int
        Number of classes.
    code_matrix_ : ndarray of shape (n_classes, n_pairs)
        The code of -1, 0 and +1.
    pairwise_indices_ : list of ndarray or None
        The rows, and columns, of a kernel matrix each member uses; None for other learners.
    n_features_in_ : int
        Number of features seen during fit, if the learner reports it.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    OneVsRestClassifier : One member per class.
    OutputCodeClassifier : One member per column of any code matrix.

    Notes
    -----
    ``predict_proba`` couples the members' probabilities; scikit-learn's class does not have it. A
    regressor votes for the second class above one half, where scikit-learn counts its vote only
    if its prediction is exactly 0 or 1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from nonet import OneVsOneClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> pairs = OneVsOneClassifier(LogisticRegression(max_iter=1000)).fit(X, y)
    >>> pairs.predict(X[[0, 60, 140]])
    array([0, 1, 2])
    >>> pairs.predict_proba(X[[60]]).round(2)
    array([[0.03, 0.94, 0.03]])
    """

    _usual_decoding = "confident_votes"

    def __init__(
        self,
        estimator: Any,
        *,
        n_jobs: int | None = None,
        decoding: str | None = None,
        decide: Any = None,
        balanced: bool = False,
    ) -> None:
        self.estimator = estimator
        self.n_jobs = n_jobs
        self.decoding = decoding
        self.decide = decide
        self.balanced = balanced

    def _make_code(self, n_classes: int) -> Codes:
        return make_code("one_vs_one", n_classes)

    def _problem_name(self, position: int) -> str:
        first, second = self.classes_[np.flatnonzero(self.code_matrix_[:, position])]
        return f"{first} against {second}"

    @property
    def pairwise_indices_(self) -> list[Array] | None:
        """The rows and columns of a kernel matrix that each member uses; None otherwise."""
        check_is_fitted(self)
        if not get_tags(self.estimator).input_tags.pairwise:
            return None
        every = np.arange(self.n_features_in_)
        return [every if m.columns is None else m.columns for m in self.members_]

    def decision_function(self, X: Any) -> Floats:
        """Return the votes of each class, with ties broken by the squeezed sum of scores.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        support : ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
        """
        check_is_fitted(self)
        kind, function = DECODINGS["confident_votes"]
        predictions = predict_sides(self.members_, X, kind)
        support = function(predictions, self.code_matrix_, self.combine_.middle)
        return support[:, 1] if self.n_classes_ == 2 else support
