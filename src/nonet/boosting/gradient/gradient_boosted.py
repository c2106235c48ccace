"""What all gradient boosters share: fits that go on, and the three parts of the formula.

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
    """Parent of the estimators that are made of a `Booster`."""

    _rules: ClassVar[Mapping[str, Rule]]
    _member_role = "step"  # members add to a sum, and predict nothing by themselves
    _rounds_name: ClassVar[str] = "n_estimators"  # the parameter that limits the rounds

    # ---- Fits that go on -----------------------------------------------------------------------

    def _earlier_rounds(self) -> Booster | None:
        """Return a copy of the rounds in use if this fit is to add others to them."""
        if not (self.warm_start and self.__sklearn_is_fitted__()):
            return None
        return self._booster.copy(len(self._answering_rounds()))

    def _last_round(self, earlier: Booster | None) -> int:
        """Return how many rounds there are to be in the end, those of earlier fits included."""
        n_grown = 0 if earlier is None else len(earlier.rounds)
        wanted = int(getattr(self, self._rounds_name))
        if wanted < n_grown:
            allowed = f"at least {n_grown} with warm_start=True, the rounds that are there already"
            raise bad_parameter(self, self._rounds_name, allowed, wanted)
        return wanted

    # ---- The formula ---------------------------------------------------------------------------

    @property
    def members_(self) -> list[Member]:  # type: ignore[override]
        """The rounds as models of what they add to the scores, made when asked for."""
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
        """Return what every round adds to the scores.

        ``combine_(member_outputs(X))`` are the raw scores, and ``decide_`` makes predictions of
        them. `predict` gives the same without storing the steps.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, in any form that `fit` takes.

        Returns
        -------
        outputs : ndarray of shape (n_samples, n_rounds) or (n_samples, n_rounds, n_scores)
            The learning rate is in the steps. A starting model that was given as ``init`` is the
            first member; a ``base_margin`` is no member, it is added to what ``combine_`` gives.
        """
        self._check_is_fitted()
        table = self._check_rows(X)
        by_member = np.stack([scores(table) for _, scores in self._steps()])
        outputs = np.moveaxis(by_member, 2, 0)
        return outputs[:, :, 0] if outputs.shape[2] == 1 else outputs

    def _steps(self) -> list[tuple[str, Callable[[Any], Floats]]]:
        """Return a name and a function, checked rows to scores, for each member."""
        rounds = self._answering_rounds()
        return [(f"step[{i}]", partial(round_scores, trees)) for i, trees in enumerate(rounds)]

    def _start_of_sum(self) -> Floats:
        """Return the scores before the first step."""
        return self._booster.start

    def _support(self, X: Any) -> Floats:
        self._check_is_fitted()
        return by_row(self._table_scores(self._check_rows(X)))

    def _threads(self) -> AbstractContextManager[None]:
        return nullcontext()  # rounds follow one another: threads work inside a round

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

    # ---- What children say ---------------------------------------------------------------------

    def _check_rows(self, X: Any) -> Any:
        """Return X as the trees read it."""
        raise NotImplementedError

    def _table_scores(self, table: Any) -> Floats:
        """Return the scores of rows that have been checked."""
        raise NotImplementedError

    def _staged_table_scores(self, table: Any) -> Iterator[Floats]:
        raise NotImplementedError

    def _make_loss(self) -> Loss:
        raise NotImplementedError

    def _read_target(
        self, y: Any, sample_weight: Any, n_rows: int, *, goes_on: bool = False
    ) -> tuple[Array, Floats | None]:
        """Return the targets as the loss takes them, and the weights of rows."""
        raise NotImplementedError

    def _encode_known(self, y: Any) -> Array:
        """Return targets of other rows as the loss takes them."""
        raise NotImplementedError

    def _labels_of(self, target: Array) -> Array:
        """Return targets as the user knows them."""
        raise NotImplementedError

    def _strata(self, target: Array) -> Array | None:
        """Return what held-out rows are stratified by."""
        raise NotImplementedError

    def _plan_decide(self) -> Any:
        """Return the rule C, checked, before the first round."""
        raise NotImplementedError

    def _begin_decide(self, rule: Any, X: Any, target: Array) -> None:
        """Tie C to the loss, for the rounds to be scored by it."""
        raise NotImplementedError

    def _tune_decide(self, rule: Any, X: Any, target: Array, given: Mapping[str, Any]) -> None:
        """Tune C if it asks for that; `given` is what fit got for each row, such as weights."""


def check_same_length(n_rows: int, y: Array) -> None:
    """Raise unless there is a target for each row."""
    if len(y) != n_rows:
        raise ValueError(f"X has {n_rows} rows, but y has {len(y)}.")
