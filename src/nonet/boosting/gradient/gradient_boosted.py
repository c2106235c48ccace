"""What all gradient boosters share: fits that go on, and scores that become predictions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.estimator import Estimator
from nonet._base.params import Rule, bad_parameter
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.explained_trees import ExplainedTrees
from nonet.losses import Loss


class GradientBoosted(ExplainedTrees, Estimator):
    """Parent of the estimators that are made of a `Booster`."""

    _member_role = "step"
    _rules: ClassVar[Mapping[str, Rule]]
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

    # ---- Predictions ---------------------------------------------------------------------------

    def _scores(self, X: Any) -> Floats:
        """Return the scores of rows, of shape (n_scores, n_rows)."""
        if "_booster" not in vars(self):
            check_is_fitted(self)
        return self._table_scores(self._check_rows(X))

    def _staged_scores(self, X: Any) -> Iterator[Floats]:
        """Return the scores of rows after each round."""
        if "_booster" not in vars(self):
            check_is_fitted(self)
        return self._staged_table_scores(self._check_rows(X))

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

    def _check_target(
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

    def _predict_scores(self, scores: Floats, X: Any) -> Array:
        """Turn scores of shape (n_scores, n_rows) into predictions of the rows of X."""
        raise NotImplementedError


def check_same_length(n_rows: int, y: Array) -> None:
    """Raise unless there is a target for each row."""
    if len(y) != n_rows:
        raise ValueError(f"X has {n_rows} rows, but y has {len(y)}.")
