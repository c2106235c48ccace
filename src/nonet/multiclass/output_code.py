"""Output codes: a member for each column of any code matrix; the nearest codeword is predicted.

Members: a binary learner per column. F: closeness of the outputs to each codeword. C: the arg
max, or any rule.

References: T. Dietterich & G. Bakiri (1995), Solving multiclass learning problems via
error-correcting output codes, JAIR 2, 263-286; E. Allwein, R. Schapire & Y. Singer (2000),
Reducing multiclass to binary, JMLR 1, 113-141.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet._base.params import (
    ArrayLike,
    Choice,
    Instance,
    Integer,
    Nothing,
    Real,
    Rule,
    bad_parameter,
)
from nonet._base.streams import as_random_state
from nonet.multiclass.code_matrix import CODES, make_code
from nonet.multiclass.coded import CodedClassifier

_MAX_COLUMNS = 1_000_000


class OutputCodeClassifier(CodedClassifier):
    """Output codes: one binary member per column of a code matrix; predict the nearest codeword.

    With a longer code than necessary, some members may err and the class is still right. It
    takes the parameters of scikit-learn's class of the same name; ``code`` and later parameters
    are new, and so is ``predict_proba``.

    Parameters
    ----------
    estimator : estimator
        The learner of the binary problems: a classifier with ``decision_function`` or
        ``predict_proba``, or a regressor.
    code_size : float, default=1.5
        Members per class, for the codes whose length is free: 'random', 'dense', 'sparse' and
        'bch' (at least as many).
    random_state : int, RandomState or None, default=None
        Seeds the random choice of the code.
    n_jobs : int, default=None
        The number of members fitted in parallel; None means 1, -1 all processors.
    code : str or array-like of shape (n_classes, n_columns), default='random'
        'random' is scikit-learn's: random signs, which may repeat codewords or leave a column
        constant. 'dense', 'sparse', 'bch', 'exhaustive', 'one_vs_rest' and 'one_vs_one' are those
        of :func:`make_code`. Or a matrix of -1, 0 and +1, rows in the order of the sorted classes.
    decoding : str, default=None
        F. None is 'coupling' for a rule that needs probabilities (see ``decide``), else
        'euclidean'. 'euclidean': the codeword nearest to the scores. 'hamming': nearest to the
        votes, 0 counting one half. 'exponential_loss', 'logistic_loss', 'hinge_loss': the
        codeword with the minimum loss of the margins. 'coupling': the class probabilities that
        agree best with all members, those that ``predict_proba`` returns. 'votes' and
        'confident_votes' count the members that vote for a class.
    decide : str or rule, default=None
        C: the arg max if None; an object such as ``nonet.decide.Abstain(min_margin=0.2)`` with
        ``decoding='hamming'``, which abstains where two codewords are about as near. A rule that
        compares the support with numbers (``Abstain``, ``Threshold``, ``MinimumCost``) reads
        probabilities unless you set a decoding; its numbers are then in the units of that
        decoding.
    balanced : bool, default=False
        Whether the two sides of each problem get equal total weight. The learner must take
        ``sample_weight``.

    Attributes
    ----------
    members_ : list of Member
        The fitted members.
    combine_ : callable
        F: maps outputs of the members to support of the classes.
    decide_ : callable
        C: maps support to labels.
    estimators_ : list of estimators
        The fitted models, one per column; label 1 is the side +1.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_classes_ : int
        Number of classes.
    code_matrix_ : ndarray of shape (n_classes, n_columns)
        The code of -1, 0 and +1.
    code_book_ : ndarray of shape (n_classes, n_columns)
        The same in scikit-learn's form: 0 in place of -1 for a learner without
        ``decision_function``, unless the code has zeros of its own.
    n_features_in_ : int
        Number of features seen during fit, if the learner reports it.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    make_code : Make a code matrix.
    nonet.theory.correctable_errors : The number of wrong members that a code corrects.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from nonet import OutputCodeClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> learn, test = slice(None, None, 2), slice(1, None, 2)
    >>> for code in ("one_vs_rest", "dense"):
    ...     codes = OutputCodeClassifier(
    ...         DecisionTreeClassifier(random_state=0), code=code, code_size=3, random_state=0
    ...     ).fit(X[learn], y[learn])
    ...     print(codes.code_matrix_.shape, codes.score(X[test], y[test]) > 0.9)
    (10, 10) False
    (10, 30) True
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **CodedClassifier._rules,
        "code_size": Real(0, open_low=True),
        "random_state": Nothing() | Integer(0) | Instance("a RandomState", np.random.RandomState),
        "code": Choice("random", *CODES) | ArrayLike(),
    }
    _usual_decoding = "euclidean"

    def __init__(
        self,
        estimator: Any,
        *,
        code_size: float = 1.5,
        random_state: Any = None,
        n_jobs: int | None = None,
        code: Any = "random",
        decoding: str | None = None,
        decide: Any = None,
        balanced: bool = False,
    ) -> None:
        self.estimator = estimator
        self.code_size = code_size
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.code = code
        self.decoding = decoding
        self.decide = decide
        self.balanced = balanced

    def _make_code(self, n_classes: int) -> Codes:
        if not isinstance(self.code, str):
            return self._check_code(n_classes)
        n_columns = int(n_classes * self.code_size)
        if n_columns < 1:
            allowed = f"large enough for one column, that is at least 1/{n_classes} here"
            raise bad_parameter(self, "code_size", allowed, self.code_size)
        if n_columns > _MAX_COLUMNS:
            allowed = f"small enough for at most {_MAX_COLUMNS} columns, each with a learner"
            raise bad_parameter(self, "code_size", allowed, self.code_size)
        if self.code == "random":
            tosses = as_random_state(self.random_state).uniform(size=(n_classes, n_columns))
            return np.where(tosses > 0.5, 1, -1).astype(np.int8)
        return make_code(self.code, n_classes, n_columns, self.random_state)

    def _check_code(self, n_classes: int) -> Codes:
        code = np.asarray(self.code)
        allowed = f"a matrix of -1, 0 and +1 with {n_classes} rows, one for each class"
        if code.ndim != 2 or len(code) != n_classes or not code.size:
            raise bad_parameter(self, "code", allowed, code)
        if not np.isin(code, (-1, 0, 1)).all():
            raise bad_parameter(self, "code", allowed, code)
        sided = (code > 0).any(axis=0) & (code < 0).any(axis=0)
        if not sided.all():
            allowed = f"with both sides in every column, but column {sided.argmin()} does not"
            raise bad_parameter(self, "code", allowed, code)
        if len(np.unique(code, axis=0)) < n_classes:
            allowed = "a matrix whose rows all differ: equal codewords cannot be distinguished"
            raise bad_parameter(self, "code", allowed, code)
        return code.astype(np.int8)

    @property
    def code_book_(self) -> Floats:
        """The code in scikit-learn's form."""
        if "members_" not in vars(self):
            raise AttributeError("OutputCodeClassifier has no code before fit is called.")
        code = self.code_matrix_.astype(np.float64)
        if hasattr(self.estimator, "decision_function") or not code.all():
            return code
        return (code + 1) / 2
