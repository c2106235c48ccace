"""Base class of the reductions to binary problems: one member per column of a code matrix.

Members: one binary learner per column. F: a decoding, which computes the support of the classes
from the outputs of the members. C: the arg max, or any rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, NoReturn

import numpy as np
from sklearn import get_config
from sklearn.base import MetaEstimatorMixin
from sklearn.utils import check_consistent_length, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Codes, Floats, Params
from nonet._base.arrays import encode_labels
from nonet._base.frames import count_rows, make_indexable
from nonet._base.params import (
    Anything,
    Boolean,
    Choice,
    Having,
    Integer,
    Nothing,
    Rule,
    bad_parameter,
    check_params,
)
from nonet._base.progress import Steps
from nonet.decide.rule import DecisionRule
from nonet.decide.table import resolve_decision_rule
from nonet.ensemble import EnsembleClassifier
from nonet.members.member import Member
from nonet.multiclass.code_matrix import make_code
from nonet.multiclass.coupling import couple_probabilities, put_first
from nonet.multiclass.decoding import DECODINGS, ONE_VS_REST_ONLY, Decoding
from nonet.multiclass.side_predictions import middle_of, predict_sides
from nonet.multiclass.sides import Learner, fit_sides


def members_have(method: str) -> Callable[[Any], bool]:
    """Return a check of whether the learner, or every fitted member, has a method."""

    def check(ensemble: Any) -> bool:
        fitted = vars(ensemble).get("members_")
        models = [ensemble.estimator] if fitted is None else [m.estimator for m in fitted]
        for model in models:
            getattr(model, method)  # its AttributeError is the reason that is shown
        return True

    return check


class CodedClassifier(MetaEstimatorMixin, EnsembleClassifier):
    """Parent of the classifiers that reduce a multiclass problem to binary problems."""

    estimator: Any
    code_matrix_: Codes
    _n_kernel_columns: int | None = None
    _member_role = "side"
    _rules: ClassVar[Mapping[str, Rule]] = {
        "estimator": Having(
            "an estimator with fit, and with predict, decision_function or predict_proba",
            "fit",
            any_of=("predict", "decision_function", "predict_proba"),
        ),
        "n_jobs": Nothing() | Integer(),
        "decoding": Nothing() | Choice(*DECODINGS),
        "decide": Anything(),
        "balanced": Boolean(),
    }
    _usual_decoding: ClassVar[str]
    _probability_decoding: ClassVar[str] = "coupling"
    _min_classes: ClassVar[int] = 2

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Any:
        """Fit one member per column of the code, and set up F and C.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of any type.
        **fit_params : dict
            ``sample_weight`` goes to every member; with scikit-learn's metadata routing
            enabled, all metadata that the learner requests.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        labels = self._check_one_target(y)
        check_consistent_length(X, labels)
        rule = self._resolve_rule()
        self.code_matrix_ = self._make_code(len(self.classes_))
        self._check_decoding()
        codes = self._truth(labels)[0]
        self._fit_problems(X, self._problems(codes), fit_params)
        self._settle(rule, X, labels, fit_params)
        return self

    def _make_code(self, n_classes: int) -> Codes:
        """Return the code matrix, which distinguishes the reductions."""
        raise NotImplementedError

    def _check_one_target(self, y: Any) -> Array:
        labels = self._check_target(y)
        if labels.ndim > 1:
            raise ValueError(
                f"{type(self).__name__} decides between the classes of one target, but y has "
                f"{labels.shape[1]} columns; fit one model for each target."
            )
        if not labels.size:
            raise ValueError(f"{type(self).__name__} got 0 rows in y: at least two are needed.")
        if len(self.classes_) < self._min_classes:
            raise ValueError(
                f"{type(self).__name__} needs at least two classes, but y holds "
                f"one class only: {self.classes_[0]!r}."
            )
        return labels

    def _resolve_rule(self) -> DecisionRule:
        rule = resolve_decision_rule(self.decide, self.classes_, self)
        if rule.needs_held_out:
            allowed = "a rule that is not tuned, as there are no held-out predictions here"
            raise bad_parameter(self, "decide", allowed, self.decide)
        return rule

    def _decoding_name(self) -> str:
        if self.decoding is not None:
            return str(self.decoding)
        return self._probability_decoding if self._needs_probabilities() else self._usual_decoding

    def _needs_probabilities(self) -> bool:
        """Return whether C compares the support with numbers that require probabilities."""
        if self.decide is None:
            return False
        return resolve_decision_rule(self.decide, self.classes_).needs_probabilities

    def _check_decoding(self) -> None:
        name = self._decoding_name()
        if name in ONE_VS_REST_ONLY and not _has_member_per_class(self.code_matrix_):
            allowed = f"other than {name!r}, which needs one member per class"
            raise bad_parameter(self, "decoding", allowed, name)
        if DECODINGS[name][0] == "probabilities" and not hasattr(self.estimator, "predict_proba"):
            self._refuse_without_probabilities(name)

    def _refuse_without_probabilities(self, name: str) -> NoReturn:
        requirement = f"decoding {name!r} needs"
        way_out = "choose a decoding that reads scores or votes such as 'hamming'"
        if self.decoding is None:
            requirement = f"decide={self.decide!r} compares the support with numbers, which needs"
            way_out = f"or choose a decoding in the same units, such as {self._usual_decoding!r}"
        raise TypeError(
            f"{type(self).__name__}: {requirement} a learner with predict_proba, which "
            f"{type(self.estimator).__name__} does not have; {way_out}."
        )

    def _problems(self, codes: Codes) -> Iterator[tuple[str, Codes]]:
        """Yield the name of each binary problem and the side of every row in it."""
        for position, column in enumerate(self.code_matrix_.T):
            yield self._problem_name(position), column[codes]

    def _problem_name(self, position: int) -> str:
        return f"column {position}"

    def _fit_problems(
        self, X: Any, problems: Iterator[tuple[str, Codes]], fit_params: Params
    ) -> None:
        pairwise = bool(get_tags(self.estimator).input_tags.pairwise)
        params = self._route("fit", fit_params)
        self._n_kernel_columns = count_rows(X) if pairwise else None
        learner = Learner(self.estimator, params, self.balanced, pairwise)
        learner.check_takes_weights(self)
        total = self.code_matrix_.shape[1]
        self._remember_members(
            fit_sides(
                learner,
                make_indexable(X),
                problems,
                total,
                n_jobs=self.n_jobs,
                steps=Steps(self, "binary problems", getattr(self, "verbose", 0)),
            )
        )

    def _remember_members(self, members: list[Member]) -> None:
        self.members_ = members
        named = [m.estimator for m in members if hasattr(m.estimator, "feature_names_in_")]
        if named:
            self.feature_names_in_ = named[0].feature_names_in_
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # from an earlier fit

    @property
    def n_features_in_(self) -> int:
        """Number of features seen during fit, as reported by the members."""
        if self._n_kernel_columns is not None:  # of which a member may have seen a subset
            return self._n_kernel_columns
        # A member with one side only has not read the features.
        seen = [m for m in self.estimators_ if hasattr(m, "n_features_in_")]
        if not seen:
            raise AttributeError(f"the members of {type(self).__name__} report no feature count.")
        return int(seen[0].n_features_in_)

    def _settle(self, rule: DecisionRule, X: Any, labels: Array, fit_params: Params) -> None:
        self.combine_ = self._bind_decoding()
        self.decide_ = self._bind_decide([rule], X, labels, None, fit_params)

    def _bind_decoding(self) -> Decoding:
        name = self._decoding_name()
        return Decoding(name, DECODINGS[name][0], self.code_matrix_, middle_of(self.estimator))

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    def member_outputs(self, X: Any) -> Array:
        """Return the outputs of the member of every column for X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        outputs : ndarray of shape (n_samples, n_columns) or (n_samples, n_columns, 2)
            Scores, probabilities of the side +1, or votes (+1, -1, 0 for an abstention), as given
            by ``combine_.reads``; votes and scores are side by side in the last axis.
        """
        check_is_fitted(self)
        return predict_sides(self.members_, X, self.combine_.reads)

    @available_if(members_have("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class, coupled from those of the members.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``; rows sum to one. Where coupling finds other
            classes more likely than the prediction, which is decoded by ``decoding``, these
            and the prediction get equal probabilities; a custom ``decide`` changes nothing.
        """
        check_is_fitted(self)
        of_members = predict_sides(self.members_, X, "probabilities")
        coupled = couple_probabilities(of_members, self.code_matrix_)
        if self.decide is not None or self._decoding_name() == "coupling":
            return coupled
        return put_first(coupled, encode_labels(self.predict(X), self.classes_))

    def _route(self, method: str, params: Params) -> Params:
        """Return the parameters to pass to the learner's method."""
        if get_config()["enable_metadata_routing"]:
            routed: Params = process_routing(self, method, **params).estimator[method]
            return routed
        extra = [name for name in params if name != "sample_weight"]
        if extra:
            raise ValueError(
                f"{type(self).__name__}.{method} passes on sample_weight alone, but got {extra}; "
                "sklearn.set_config(enable_metadata_routing=True) lets the learner request more."
            )
        return {name: value for name, value in params.items() if value is not None}

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the metadata routing of the learner.

        Returns
        -------
        routing : MetadataRouter
        """
        mapping = MethodMapping().add(caller="fit", callee="fit")
        if hasattr(self, "partial_fit"):
            mapping.add(caller="partial_fit", callee="partial_fit")
        router = MetadataRouter(owner=self).add_self_request(self)
        return router.add(estimator=self.estimator, method_mapping=mapping)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator).input_tags
        tags.input_tags.pairwise = inner.pairwise
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.allow_nan = inner.allow_nan
        return tags


def _has_member_per_class(code: Codes) -> bool:
    """Return whether column i separates class i from the rest, if there are other classes."""
    n_classes = len(code)
    return n_classes == 1 or np.array_equal(code, make_code("one_vs_rest", n_classes))
