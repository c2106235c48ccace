"""Incremental fitting of a code's members, for learners with ``partial_fit``."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_consistent_length
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import _check_partial_fit_first_call
from sklearn.utils.validation import _check_method_params

from nonet._base.aliases import Array, Codes, Params
from nonet._base.errors import member_error
from nonet._base.frames import make_indexable, take_rows
from nonet._base.inputs import checks_inputs
from nonet._base.parallel import run_all
from nonet._base.params import bad_parameter, check_params
from nonet._base.rollback import restores_on_error
from nonet.members.member import Member
from nonet.multiclass.coded import CodedClassifier, members_have

_LABELS = np.array([0, 1])


class LearnsInBatches(CodedClassifier):
    """Parent of the reductions whose code depends only on the classes."""

    @available_if(members_have("partial_fit"))  # type: ignore[untyped-decorator]
    @restores_on_error
    @checks_inputs
    def partial_fit(self, X: Any, y: Any, classes: Any = None, **partial_fit_params: Any) -> Any:
        """Fit incrementally on a batch of rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), default=None
            All classes that any batch may hold; required in the first call only.
        **partial_fit_params : dict
            ``sample_weight`` goes to every member; with scikit-learn's metadata routing
            enabled, all metadata that the learner requests.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        if self.balanced:
            allowed = "False in partial_fit, as sides are balanced over all rows at once"
            raise bad_parameter(self, "balanced", allowed, True)
        if _check_partial_fit_first_call(self, classes):
            self._start_batches()
        labels = np.asarray(y)
        check_consistent_length(X, labels)
        codes = self._truth(labels)[0]
        params = self._route("partial_fit", partial_fit_params)
        table, total = make_indexable(X), len(self.members_)
        calls = (
            (member, table, sides, params, position, total)
            for position, (member, (_, sides)) in enumerate(
                zip(self.members_, self._problems(codes), strict=True)
            )
        )
        self._remember_members(run_all(_learn_batch, calls, n_jobs=self.n_jobs))
        self._settle(self._resolve_rule(), X, labels, {})
        return self

    def _start_batches(self) -> None:
        self.code_matrix_ = self._make_code(len(self.classes_))
        self._check_decoding()
        self.members_ = [
            Member(self._problem_name(position), clone(self.estimator))
            for position in range(self.code_matrix_.shape[1])
        ]


def _learn_batch(
    member: Member, X: Any, sides: Codes, params: Params, position: int, total: int
) -> Member:
    rows: Array | None = None if sides.all() else np.flatnonzero(sides)
    if rows is not None and not rows.size:
        return member  # the batch holds neither of its classes
    own = params if rows is None else _check_method_params(X, dict(params), indices=rows)
    positive = take_rows((sides > 0).astype(np.int64), rows)
    # A copy is fitted, so that a batch on which a later member fails changes none of them.
    learned = replace(member, estimator=deepcopy(member.estimator))
    try:
        learned.estimator.partial_fit(take_rows(X, rows), positive, classes=_LABELS, **own)
    except Exception as why:
        raise member_error(member.name, position, total, "learn a batch", why) from why
    return learned
