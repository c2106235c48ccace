"""One against one: a member for each pair of classes, and the class that wins most duels.

Members: class i against class j, on the rows of these two. F: votes, the sum of scores between
equals. C: the arg max, or any rule; silence where votes are tied.

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
from nonet.multiclass.answers import ask_sides
from nonet.multiclass.batches import LearnsInBatches
from nonet.multiclass.code_matrix import make_code
from nonet.multiclass.decoding import DECODINGS


class OneVsOneClassifier(LearnsInBatches):
    """One binary member for each pair of classes, fitted on the rows of these two alone.

    A column of the code matrix has -1 in the row of the first class, +1 in that of the second
    and 0 elsewhere. It takes the parameters of scikit-learn's class of the same name;
    ``decoding`` and what follows is new, and so are the probabilities.

    Parameters
    ----------
    estimator : estimator
        The learner of the binary problems: a classifier with ``decision_function`` or
        ``predict_proba``, or a regressor.
    n_jobs : int, default=None
        How many members are fitted at once; None means 1, -1 all processors.
    decoding : str, default=None
        F. None is 'coupling' for a rule that needs probabilities (see ``decide``), else
        'confident_votes'. 'confident_votes': the duels a class wins, and the sum of scores where
        these are equal. 'votes': the share of its duels that a class wins. 'coupling': the class
        probabilities that agree best with all members. Also 'hamming', 'euclidean',
        'exponential_loss', 'logistic_loss' and 'hinge_loss', as in
        :class:`OutputCodeClassifier`.
    decide : str or rule, default=None
        C: the arg max if None; ``nonet.decide.Argmax(tie="abstain")`` with
        ``decoding='votes'`` is silent where classes win equally often. A rule that compares the
        support with numbers (``Abstain``, ``Threshold``, ``LeastCost``) reads probabilities
        unless you name a decoding; its numbers are then in the units of that decoding.
    balanced : bool, default=False
        Whether the two sides of each problem weigh the same. The learner must take
        ``sample_weight``.

    Attributes
    ----------
    members_ : list of Member
        The fitted members, named after their pairs.
    combine_ : callable
        F: answers of the members in, support of the classes out.
    decide_ : callable
        C: support in, labels out.
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
        The rows, and columns, each member saw of a kernel matrix; None for other learners.
    n_features_in_ : int
        Number of features seen during fit, if the learner says.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    OneVsRestClassifier : A member for each class.
    OutputCodeClassifier : A member for each column of any code matrix.

    Notes
    -----
    ``predict_proba`` couples the members' probabilities; scikit-learn's class has none. A
    regressor votes for the second class above one half, where scikit-learn counts its vote only
    if it says exactly 0 or 1.

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

    def _problem_name(self, place: int) -> str:
        first, second = self.classes_[np.flatnonzero(self.code_matrix_[:, place])]
        return f"{first} against {second}"

    @property
    def pairwise_indices_(self) -> list[Array] | None:
        """The rows and columns that each member saw of a kernel matrix; None otherwise."""
        check_is_fitted(self)
        if not get_tags(self.estimator).input_tags.pairwise:
            return None
        every = np.arange(self.n_features_in_)
        return [every if m.columns is None else m.columns for m in self.members_]

    def decision_function(self, X: Any) -> Floats:
        """Return the votes of each class, with the squeezed sum of scores between equals.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        support : ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
        """
        check_is_fitted(self)
        kind, function = DECODINGS["confident_votes"]
        answers = ask_sides(self.members_, X, kind)
        support = function(answers, self.code_matrix_, self.combine_.middle)
        return support[:, 1] if self.n_classes_ == 2 else support
