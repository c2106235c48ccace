"""A tree of classes: decide between groups of classes first, then within the chosen group.

Members: a classifier at each branching, between its branches, on the rows of its classes. F: the
class at the end of the predicted branches, or the product of the probabilities on the path to
each class. C: the arg max, or any rule.

References: C. Silla & A. Freitas (2011), A survey of hierarchical classification across different
application domains, Data Mining and Knowledge Discovery 22, 31-72 (top-down prediction); E. Frank &
S. Kramer (2004), Ensembles of nested dichotomies for multi-class problems, ICML (the product).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.base import MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats, Kind
from nonet._base.arrays import check_sample_weight, encode_labels
from nonet._base.frames import make_indexable
from nonet._base.params import (
    Boolean,
    Choice,
    Having,
    Instance,
    Integer,
    Nothing,
    Rule,
    bad_parameter,
    check_params,
)
from nonet._base.progress import Steps
from nonet.decide.rule import DecisionRule
from nonet.ensemble import EnsembleClassifier
from nonet.members.fit import fit_members
from nonet.members.outputs import predict_member
from nonet.members.plan import MemberPlan
from nonet.stacking.model_docs import with_model_docs
from nonet.stacking.single_target import SingleTarget


@dataclass(frozen=True)
class Branching:
    """One decision: the branch of each class, -1 for classes that are not below it.

    Attributes
    ----------
    name : str
    branch_of : ndarray of int of shape (n_classes,)
    """

    name: str
    branch_of: Array

    @property
    def branches(self) -> Array:
        """The numbers of the branches."""
        return np.arange(self.branch_of.max() + 1)


@dataclass(frozen=True)
class PathToClass:
    """F of a class tree, from the labels or the probabilities of its branchings.

    With labels, which are branch numbers, the class that the predicted branches lead to gets 1
    and the others 0; a row on which a member on the path abstains gets no class. With
    probabilities, a class gets the product of those of the branches on its path.
    """

    branchings: tuple[Branching, ...]
    n_classes: int
    reads: Kind

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        product = "product of " if self.reads == "probabilities" else ""
        return f"{product}{self.reads} along a path"

    def __call__(self, outputs: list[Array], X: Any = None) -> Floats:
        """Return the support of each class from the outputs of the branchings."""
        support = np.ones((len(outputs[0]), self.n_classes))
        for branching, output in zip(self.branchings, outputs, strict=True):
            if self.reads == "labels":
                output = output[:, np.newaxis] == branching.branches
            here = np.flatnonzero(branching.branch_of >= 0)
            support[:, here] *= output[:, branching.branch_of[here]]
        return support


_READS: dict[str, Kind] = {"top_down": "labels", "product": "probabilities"}


def _multiplies(ensemble: Any) -> bool:
    if ensemble.combine != "product":
        raise AttributeError(
            "ClassTreeClassifier has predict_proba with combine='product' only: a prediction made "
            "step by step need not be the class with the highest product of probabilities."
        )
    return True


@with_model_docs
class ClassTreeClassifier(SingleTarget, MetaEstimatorMixin, EnsembleClassifier):
    """Classify step by step down a tree of classes.

    The member at the root predicts a branch, the member at that branch the next one, until a
    class is reached. With ``combine="product"`` the class with the highest probability is
    predicted instead, ``P(class) = product of P(branch | its branching)`` over the branches on
    the path to it.

    Parameters
    ----------
    estimator : estimator
        The classifier at every branching. It needs ``predict_proba`` for ``combine="product"``.
    tree : list, default=None
        Classes and, in place of a class, lists of classes that are separated later:
        ``[1, 2, [3, 4]]``. None is one branching per class: it against those after it.
    combine : {'top_down', 'product'}, default='top_down'
        F. 'top_down' follows the predicted branch at each step without backtracking. 'product'
        compares the probabilities of all classes. The two differ where the probability of the
        likeliest branch is divided among its classes: with P(1) = 0.4 and P(3 or 4) = 0.5 at the
        root, 'top_down' predicts 3 or 4, and 'product' predicts 1 unless 3 or 4 has a probability
        over 0.8 at its branching.
    decide : str or rule, default=None
        C: 'argmax' if None. With 'top_down' the support of a class is 1 or 0, so a rule that
        compares it with numbers, such as ``nonet.decide.Abstain(0.6)``, needs 'product'.
    {n_jobs}
    {verbose}

    Attributes
    ----------
    members_ : list of Member
        The fitted members, one per branching, named after its branches.
    combine_ : callable
        F: maps outputs of the branchings to support of the classes.
    decide_ : callable
        C: maps support to labels.
    estimators_ : list of classifiers
        The fitted models; their labels are the positions of the branches.
    {classes}
    {columns}

    See Also
    --------
    CascadeClassifier : Early exit when a cheap member is confident.

    Notes
    -----
    ``predict_proba`` exists with ``combine="product"`` only. A prediction made step by step need
    not be the class with the highest product.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from nonet import ClassTreeClassifier
    >>> iris = load_iris()
    >>> y = iris.target_names[iris.target]
    >>> steps = ClassTreeClassifier(
    ...     LogisticRegression(max_iter=1000), ["setosa", ["versicolor", "virginica"]]
    ... ).fit(iris.data, y)
    >>> [member.name for member in steps.members_]
    ['setosa | versicolor, virginica', 'versicolor | virginica']
    >>> round(steps.score(iris.data, y), 2)
    0.97

    With members that use only the class frequencies, half of the rows are of class 3 or 4,
    and yet class 1 is the most frequent.

    >>> from sklearn.dummy import DummyClassifier
    >>> rows, labels = [[0]] * 10, [1] * 4 + [2] * 1 + [3] * 3 + [4] * 2
    >>> for combine in ("top_down", "product"):
    ...     model = ClassTreeClassifier(DummyClassifier(), [1, 2, [3, 4]], combine=combine)
    ...     print(combine, model.fit(rows, labels).predict([[0]]))
    top_down [3]
    product [1]
    >>> model.predict_proba([[0]])
    array([[0.4, 0.1, 0.3, 0.2]])
    """

    _member_role = "side"
    _rules: ClassVar[Mapping[str, Rule]] = {
        "estimator": Having("a classifier with fit and predict", "fit", "predict"),
        "tree": Nothing() | Instance("a list of classes and lists of classes", list, tuple),
        "combine": Choice(*_READS),
        "n_jobs": Nothing() | Integer(),
        "verbose": Boolean() | Integer(0),
    }

    def __init__(
        self,
        estimator: Any,
        tree: Any = None,
        *,
        combine: str = "top_down",
        decide: Any = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
    ) -> None:
        self.estimator = estimator
        self.tree = tree
        self.combine = combine
        self.decide = decide
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ClassTreeClassifier:
        """Fit a member at each branching, on the rows of its classes.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        labels = self._check_single_target(X, y)
        if len(self.classes_) < 2:
            raise ValueError(
                "ClassTreeClassifier needs two classes or more, but y holds one class only: "
                f"{self.classes_[0]!r}."
            )
        rules = self._resolve_untuned()
        self._check_combine(rules[0])
        branchings = tuple(self._branchings())
        codes = self._truth(labels)[0]
        weight = check_sample_weight(sample_weight, len(labels))
        plans = [_plan(self.estimator, branching, codes, weight) for branching in branchings]
        self.members_ = fit_members(
            plans,
            make_indexable(X),
            labels,
            n_jobs=self.n_jobs,
            steps=Steps(self, "branchings", self.verbose),
        )
        root = self.members_[0].estimator
        if hasattr(root, "feature_names_in_"):
            self.feature_names_in_ = root.feature_names_in_
        self.combine_ = PathToClass(branchings, len(self.classes_), _READS[self.combine])
        self.decide_ = self._bind_decide(rules, X, labels, None, {})
        return self

    def _check_combine(self, rule: DecisionRule) -> None:
        if self.combine == "top_down" and rule.needs_probabilities:
            allowed = f"'product' for decide={self.decide!r}, which reads probabilities"
            raise bad_parameter(self, "combine", allowed, self.combine)
        if self.combine == "product" and not hasattr(self.estimator, "predict_proba"):
            name = type(self.estimator).__name__
            allowed = f"'top_down' for {name}, which has no predict_proba"
            raise bad_parameter(self, "combine", allowed, self.combine)

    @property
    def n_features_in_(self) -> int:
        """Number of features seen during fit."""
        return int(self.estimators_[0].n_features_in_)

    def _branchings(self) -> Iterator[Branching]:
        tree = self._chain() if self.tree is None else self.tree
        leaves = list(_leaves(tree))
        codes = self._check_leaves(leaves)
        position = dict(zip(leaves, codes.tolist(), strict=True))
        yield from _walk(self, tree, position, len(self.classes_))

    def _chain(self) -> list[Any]:
        """Return the default tree: each class against those after it."""
        labels = self.classes_.tolist()
        tree: list[Any] = labels[-2:]
        for label in reversed(labels[:-2]):
            tree = [label, tree]
        return tree

    def _check_leaves(self, leaves: list[Any]) -> Array:
        known = self.classes_.tolist()
        unreachable = [leaf for leaf in leaves if leaf not in known]
        if unreachable:
            raise ValueError(
                f"ClassTreeClassifier: class {unreachable[0]!r} of the tree does not occur in y, "
                f"so nothing can be learned about it; the classes are {known}."
            )
        missing = [label for label in known if label not in leaves]
        twice = [leaf for leaf in known if leaves.count(leaf) > 1]
        if missing or twice:
            what = f"lacks {missing[0]!r}" if missing else f"names {twice[0]!r} twice"
            raise ValueError(
                f"ClassTreeClassifier: every class must be in the tree once, but it {what}."
            )
        return encode_labels(np.asarray(leaves, dtype=self.classes_.dtype), self.classes_)

    def member_outputs(self, X: Any) -> list[Array]:
        """Return the outputs of the member of every branching for X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        outputs : list of ndarray of shape (n_samples,) or (n_samples, n_branches)
            For each branching the numbers of the predicted branches (-1 for a member that
            abstains), or with ``combine="product"`` the probabilities of its branches.
        """
        check_is_fitted(self)
        total = len(self.members_)
        return [
            predict_member(member, X, self.combine_.reads, [branching.branches], position, total)[0]
            for position, (member, branching) in enumerate(
                zip(self.members_, self.combine_.branchings, strict=True)
            )
        ]

    @available_if(_multiplies)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Return the product of the probabilities on the path to each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        product: Floats = super().predict_proba(X)
        return product

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator).input_tags
        tags.input_tags.sparse, tags.input_tags.allow_nan = inner.sparse, inner.allow_nan
        return tags


def _leaves(tree: Any) -> Iterator[Any]:
    for branch in tree:
        if isinstance(branch, (list, tuple)):
            yield from _leaves(branch)
        else:
            yield branch


def _walk(owner: Any, tree: Any, position: dict[Any, int], n_classes: int) -> Iterator[Branching]:
    if len(tree) < 2:
        allowed = "a tree with two branches or more at every branching"
        raise bad_parameter(owner, "tree", allowed, owner.tree)
    groups = [
        list(_leaves(branch)) if isinstance(branch, (list, tuple)) else [branch] for branch in tree
    ]
    branch_of = np.full(n_classes, -1)
    for number, group in enumerate(groups):
        branch_of[[position[leaf] for leaf in group]] = number
    yield Branching(" | ".join(", ".join(map(str, group)) for group in groups), branch_of)
    for branch in tree:
        if isinstance(branch, (list, tuple)):
            yield from _walk(owner, branch, position, n_classes)


def _plan(estimator: Any, branching: Branching, codes: Array, weight: Any) -> MemberPlan:
    sides = branching.branch_of[codes]
    rows = None if (sides >= 0).all() else np.flatnonzero(sides >= 0)
    return MemberPlan(branching.name, estimator, rows=rows, sample_weight=weight, y=sides)
