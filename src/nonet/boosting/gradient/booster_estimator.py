"""Base class of all gradient boosters: continued fits, members, and the rules F and C.

Members: the rounds, each a step of the scores. F: a start plus their sum. C: the inverse link of
the loss, and a decision rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.params import Rule, bad_parameter
from nonet.boosting.gradient.booster import Booster, by_row, round_scores
from nonet.boosting.gradient.explained_trees import ExplainedTrees
from nonet.boosting.gradient.steps import Step, StepSum
from nonet.combine.rule import Combination
from nonet.ensemble import Ensemble
from nonet.losses import Loss
from nonet.members.member import Member


class GradientBoosted(ExplainedTrees, Ensemble):
    """Parent of the estimators that contain a `Booster`."""

    _rules: ClassVar[Mapping[str, Rule]]
    _member_role = "step"  # members add to a sum, and predict nothing alone
    _rounds_name: ClassVar[str] = "n_estimators"  # the parameter that limits the rounds

    # ---- Continued fits ------------------------------------------------------------------------

    def _earlier_rounds(self) -> Booster | None:
        """Return a copy of the rounds in use if this fit adds rounds to them."""
        if not (self.warm_start and self.__sklearn_is_fitted__()):
            return None
        return self._booster.copy(len(self._rounds_used()))

    def _last_round(self, earlier: Booster | None) -> int:
        """Return the final number of rounds, those of earlier fits included."""
        n_grown = 0 if earlier is None else len(earlier.rounds)
        wanted = int(getattr(self, self._rounds_name))
        if wanted < n_grown:
            allowed = f"at least {n_grown} with warm_start=True, the number of existing rounds"
            raise bad_parameter(self, self._rounds_name, allowed, wanted)
        return wanted

    # ---- Members and rules ---------------------------------------------------------------------

    @property
    def members_(self) -> list[Member]:  # type: ignore[override]
        """The rounds as models of their contributions to the scores, created on access."""
        self._check_is_fitted()
        return [Member(name, Step(self._check_rows, scores)) for name, scores in self._steps()]

    @property
    def estimators_(self) -> Any:
        """The models of the members."""
        return [member.estimator for member in self.members_]

    @property
    def combine_(self) -> Combination:
        """F: steps in, scores out."""
        self._check_is_fitted()
        rule = StepSum(self._start_of_sum())
        return Combination(rule, "scores", classes=getattr(self, "classes_", None))

    def member_outputs(self, X: Any) -> Floats:
        """Return the contribution of every round to the scores.

        ``combine_(member_outputs(X))`` are the raw scores, and ``decide_`` turns them into
        predictions. `predict` gives the same without storing the steps.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, in any form that `fit` accepts.

        Returns
        -------
        outputs : ndarray of shape (n_samples, n_rounds) or (n_samples, n_rounds, n_scores)
            The learning rate is in the steps. A starting model passed as ``init`` is the first
            member; a ``base_margin`` is no member, it is added to the output of ``combine_``.
        """
        self._check_is_fitted()
        table = self._check_rows(X)
        by_member = np.stack([scores(table) for _, scores in self._steps()])
        outputs = np.moveaxis(by_member, 2, 0)
        return outputs[:, :, 0] if outputs.shape[2] == 1 else outputs

    def _steps(self) -> list[tuple[str, Callable[[Any], Floats]]]:
        """Return a name and a function from checked rows to scores, for each member."""
        rounds = self._rounds_used()
        return [(f"step[{i}]", partial(round_scores, trees)) for i, trees in enumerate(rounds)]

    def _start_of_sum(self) -> Floats:
        """Return the scores before the first step."""
        return self._booster.start

    def _support(self, X: Any) -> Floats:
        self._check_is_fitted()
        return by_row(self._table_scores(self._check_rows(X)))

    def _threads(self) -> AbstractContextManager[None]:
        return nullcontext()  # rounds are sequential: threads work inside a round

    # ---- Predictions ---------------------------------------------------------------------------

    def _scores(self, X: Any) -> Floats:
        """Return the scores of rows, of shape (n_scores, n_rows)."""
        self._check_is_fitted()
        return self._table_scores(self._check_rows(X))

    def _staged_scores(self, X: Any) -> Iterator[Floats]:
        """Return the scores of rows after each round."""
        self._check_is_fitted()
        return self._staged_table_scores(self._check_rows(X))

    def _predict_scores(self, scores: Floats, X: Any) -> Array:
        """Turn scores of shape (n_scores, n_rows) into predictions of the rows of X."""
        predictions: Array = self.decide_(by_row(scores), X)
        return predictions

    def _check_is_fitted(self) -> None:
        if "_booster" not in vars(self):
            check_is_fitted(self)

    def __sklearn_is_fitted__(self) -> bool:
        return "_booster" in vars(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    # ---- Implemented by children ---------------------------------------------------------------

    def _check_rows(self, X: Any) -> Any:
        """Return X in the form that the trees read."""
        raise NotImplementedError

    def _table_scores(self, table: Any) -> Floats:
        """Return the scores of checked rows."""
        raise NotImplementedError

    def _staged_table_scores(self, table: Any) -> Iterator[Floats]:
        raise NotImplementedError

    def _make_loss(self) -> Loss:
        raise NotImplementedError

    def _read_target(
        self, y: Any, sample_weight: Any, n_rows: int, *, goes_on: bool = False
    ) -> tuple[Array, Floats | None]:
        """Return the targets in the form of the loss, and the weights of rows."""
        raise NotImplementedError

    def _encode_known(self, y: Any) -> Array:
        """Return targets of other rows in the form of the loss."""
        raise NotImplementedError

    def _labels_of(self, target: Array) -> Array:
        """Return targets as the user's labels."""
        raise NotImplementedError

    def _strata(self, target: Array) -> Array | None:
        """Return the strata of held-out rows."""
        raise NotImplementedError

    def _plan_decide(self) -> Any:
        """Return the validated rule C, before the first round."""
        raise NotImplementedError

    def _begin_decide(self, rule: Any, X: Any, target: Array) -> None:
        """Bind C to the loss, so that rounds can be scored by it."""
        raise NotImplementedError

    def _tune_decide(self, rule: Any, X: Any, target: Array, given: Mapping[str, Any]) -> None:
        """Tune C if the rule requires it; `given` holds per-row arguments of fit."""


def check_same_length(n_rows: int, y: Array) -> None:
    """Raise unless there is a target for each row."""
    if len(y) != n_rows:
        raise ValueError(f"X has {n_rows} rows, but y has {len(y)}.")
