"""One-vs-rest: a member for each class; the class of the highest score is predicted.

Members: class i against all others. F: the output of each member. C: the arg max, or any
rule; it can abstain where no member predicts its class.

Reference: R. Rifkin & A. Klautau (2004), In defense of one-vs-all classification, JMLR 5, 101-141.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.preprocessing import LabelBinarizer
from sklearn.utils import check_consistent_length
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.params import Boolean, Integer, Rule, bad_parameter, check_params
from nonet._base.warn import warn_caller
from nonet.combine.values import normalize_rows
from nonet.ensemble import check_is_given
from nonet.multiclass.batches import LearnsInBatches
from nonet.multiclass.code_matrix import make_code
from nonet.multiclass.coded import CodedClassifier, members_have
from nonet.multiclass.side_predictions import predict_sides


@dataclass(frozen=True)
class LabelsAbove:
    """C of a multilabel target: return every label whose support is above the threshold.

    Attributes
    ----------
    threshold : float
    binarizer : LabelBinarizer
        Converts the labels to the form of the target in fit, dense or sparse.
    """

    threshold: float
    binarizer: LabelBinarizer

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"labels with a support above {self.threshold:.4g}"

    def __call__(self, support: Floats, X: Any = None) -> Any:
        """Return the indicator matrix of the labels."""
        named = sp.csc_array((support > self.threshold).astype(np.int64))
        return self.binarizer.inverse_transform(named)


class OneVsRestClassifier(LearnsInBatches):
    """One-vs-rest (one-vs-all): one binary member per class, this class against all others.

    Column i of the code matrix has +1 in row i and -1 elsewhere. ``F`` passes the outputs of the
    members on, ``C`` takes the maximum. It takes the parameters of scikit-learn's class of the same
    name; ``decoding`` and later parameters are new.

    Parameters
    ----------
    estimator : estimator
        The learner of the binary problems: a classifier with ``decision_function`` or
        ``predict_proba``, or a regressor.
    n_jobs : int, default=None
        The number of members fitted in parallel; None means 1, -1 all processors.
    verbose : int, default=0
        What is shown of the progress, on stderr: 0 nothing, 1 some members, 2 all of them; see
        `nonet.show_progress`.
    decoding : str, default=None
        F. None is 'probabilities' for a rule that needs them (see ``decide``), else 'scores'.
        'scores': the decision function of the class's own member, or its probability where it
        has none. 'probabilities': the member's probability, not normalised.
        'coupling': probabilities that agree best with all members. Also 'votes',
        'confident_votes', 'hamming', 'euclidean', 'exponential_loss', 'logistic_loss' and
        'hinge_loss', as in :class:`OutputCodeClassifier`.
    decide : str or rule, default=None
        C: the arg max if None; an object such as ``nonet.decide.Abstain(0.5)``, which abstains
        where no member predicts its class. A rule that compares the support with numbers
        (``Abstain``, ``Threshold``, ``MinimumCost``) reads probabilities unless you set a
        decoding; its numbers are then in the units of that decoding.
    balanced : bool, default=False
        Whether the two sides of each problem get equal total weight, since one class against
        k - 1 others is imbalanced. The learner must take ``sample_weight``.

    Attributes
    ----------
    members_ : list of Member
        The fitted members, named after their classes.
    combine_ : callable
        F: maps outputs of the members to support of the classes.
    decide_ : callable
        C: maps support to labels.
    estimators_ : list of estimators
        The fitted models: one per class, a single one for two classes.
    classes_ : ndarray of shape (n_classes,)
        The classes; for a multilabel target the positions of its columns.
    n_classes_ : int
        Number of classes.
    code_matrix_ : ndarray of shape (n_classes, n_columns)
        The code of -1 and +1.
    label_binarizer_ : LabelBinarizer
        Converts labels to indicator columns and back, as in scikit-learn.
    multilabel_ : bool
        Whether the target was an indicator matrix with several labels per row.
    n_features_in_ : int
        Number of features seen during fit, if the learner reports it.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    OneVsOneClassifier : One member per pair of classes.
    OutputCodeClassifier : One member per column of any code matrix.

    Notes
    -----
    ``predict_proba`` scales the members' probabilities to sum to one, as scikit-learn does; a row
    where all are zero becomes uniform.

    A target with a single class gives a warning and is always predicted. As in scikit-learn,
    ``predict_proba`` then has two columns: 1 for the class, and 0 for any other.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from nonet import OneVsRestClassifier
    >>> from nonet.decide import Abstain
    >>> X, y = load_iris(return_X_y=True)
    >>> rest = OneVsRestClassifier(LogisticRegression(max_iter=1000)).fit(X, y)
    >>> rest.predict(X[[0, 60, 140]])
    array([0, 1, 2])

    Abstain where no member predicts its class:

    >>> shy = OneVsRestClassifier(
    ...     LogisticRegression(max_iter=1000), decide=Abstain(0.5, abstain_label=-1)
    ... )
    >>> int((shy.fit(X, y).predict(X) == -1).sum())
    27
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **CodedClassifier._rules,
        "verbose": Boolean() | Integer(0),
    }
    _usual_decoding = "scores"
    _probability_decoding = "probabilities"
    _min_classes = 1

    def __init__(
        self,
        estimator: Any,
        *,
        n_jobs: int | None = None,
        verbose: int = 0,
        decoding: str | None = None,
        decide: Any = None,
        balanced: bool = False,
    ) -> None:
        self.estimator = estimator
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.decoding = decoding
        self.decide = decide
        self.balanced = balanced

    def fit(self, X: Any, y: Any, **fit_params: Any) -> OneVsRestClassifier:
        """Fit one member per class, or per label of a multilabel target.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), or indicator matrix (n_samples, n_classes)
            Labels of any type; an indicator matrix of 0 and 1, dense or sparse, for rows that
            may have several labels or none.
        **fit_params : dict
            ``sample_weight`` goes to every member; with scikit-learn's metadata routing
            enabled, all metadata that the learner requests.

        Returns
        -------
        self : object
        """
        check_is_given(self, y)
        self.label_binarizer_ = LabelBinarizer(sparse_output=True)
        if not _is_multilabel(y):
            super().fit(X, y, **fit_params)
            self.label_binarizer_.fit(self.classes_)
            self._warn_of_one_class()
            return self
        check_params(self, self._rules)
        self._check_multilabel_rules()
        check_consistent_length(X, y)
        indicator = self.label_binarizer_.fit_transform(y).tocsc()
        self.classes_ = self.label_binarizer_.classes_
        self.code_matrix_ = make_code("one_vs_rest", max(3, self.n_classes_))
        self.code_matrix_ = self.code_matrix_[: self.n_classes_, : self.n_classes_]
        labels = ((name, _sides(indicator, i)) for i, name in enumerate(map(str, self.classes_)))
        self._fit_problems(X, labels, fit_params)
        self.combine_ = self._bind_decoding()
        middle = 0.5 if self.combine_.reads == "probabilities" else self.combine_.middle
        self.decide_ = LabelsAbove(middle, self.label_binarizer_)
        self._warn_of_one_sided()
        return self

    _takes_sparse_labels = True  # indicators of several labels

    def _make_code(self, n_classes: int) -> Codes:
        if n_classes == 1:  # as with two classes, the single member stands for the second
            return np.array([[-1]], dtype=np.int8)
        return make_code("one_vs_rest", n_classes)

    def _problem_name(self, position: int) -> str:
        positive = self.classes_[position if self.n_classes_ > 2 else -1]
        return f"{positive} against the rest"

    def _check_multilabel_rules(self) -> None:
        if self.decide is not None:
            allowed = "None for a multilabel target, where each label is decided separately"
            raise bad_parameter(self, "decide", allowed, self.decide)
        if self._decoding_name() not in ("scores", "probabilities"):
            allowed = "None, 'scores' or 'probabilities' for a multilabel target"
            raise bad_parameter(self, "decoding", allowed, self.decoding)

    def _warn_of_one_class(self) -> None:
        if self.n_classes_ == 1:
            only = self.classes_.tolist()[0]
            warn_caller(f"y holds one class only, {only!r}, which is predicted for every row.")

    def _warn_of_one_sided(self) -> None:
        for member in self.members_:
            side = getattr(member.estimator, "side_", None)
            if side is not None:
                has = "all rows have" if side else "no row has"
                warn_caller(f"{has} label {member.name} in training.")

    def _start_batches(self) -> None:
        super()._start_batches()
        self.label_binarizer_ = LabelBinarizer(sparse_output=True).fit(self.classes_)

    @property
    def multilabel_(self) -> bool:
        """Whether rows may have several labels."""
        return bool(self.label_binarizer_.y_type_.startswith("multilabel"))

    @available_if(members_have("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class, or of each label of a multilabel target.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``. Rows sum to one, except for a multilabel
            target, where each label has its own probability. With ``decoding='coupling'``
            they are the coupled ones.
        """
        check_is_fitted(self)
        if self.combine_.name == "coupling":
            coupled: Floats = super().predict_proba(X)
            return coupled
        of_members = predict_sides(self.members_, X, "probabilities")
        if self.multilabel_:
            return of_members
        return normalize_rows(
            np.column_stack([1 - of_members, of_members])
            if of_members.shape[1] == 1
            else of_members
        )

    @available_if(members_have("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Floats:
        """Return the scores of the members.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
        """
        check_is_fitted(self)
        scores = predict_sides(self.members_, X, "scores")
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _is_multilabel(y: Any) -> bool:
    is_table = sp.issparse(y) or np.asarray(y).ndim == 2
    return is_table and bool(type_of_target(y, input_name="y").startswith("multilabel"))


def _sides(indicator: Any, column: int) -> Array:
    has_label = indicator[:, [column]].toarray().ravel()
    return np.where(has_label > 0, 1, -1).astype(np.int8)
