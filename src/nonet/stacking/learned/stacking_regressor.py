"""Stacking of regressors: a final model learns to combine their predictions.

Members: the given models. F: a model fitted on the members' held-out predictions. C: the
identity, or a function of the values.

References
----------
D. H. Wolpert, Stacked generalization, Neural Networks 5, 1992.
L. Breiman, Stacked regressions, Machine Learning 24, 1996.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sklearn.base import is_regressor
from sklearn.linear_model import RidgeCV

from nonet._base.aliases import Array
from nonet._base.params import Anything, Choice, Nothing, Rule, check_params
from nonet.ensemble import EnsembleRegressor
from nonet.stacking.learned.stacked import StackedModels, final_has
from nonet.stacking.model_docs import with_model_docs


@with_model_docs
class StackingRegressor(StackedModels, EnsembleRegressor):
    """Stack regressors under a final model fitted on their held-out predictions.

    The final model is fitted on predictions for rows that the members were not fitted on. It takes
    the parameters of scikit-learn's class of the same name; ``level_one`` and later parameters are
    new, and ``cv`` may be any splitter.

    Parameters
    ----------
    {members}
    final_estimator : estimator, default=None
        The final model; None is ridge regression with a penalty found by cross-validation. It
        may itself be a stack, as a third level.
    cv : int, splitter, iterable or 'prefit', default=None
        How rows are held out: any splitter, with repeated, overlapping, grouped or forward
        folds; None is 5 folds. 'prefit' uses the members as they are, and the rows passed to
        ``fit`` count as held out: do not pass rows the members were trained on.
    {fold_n_jobs}
    {passthrough}
    level_one : {'ranks'}, default=None
        The input of the final model: the predictions, or the rank of a prediction among the
        held-out ones.
    {stacking_options}
    {out_of_bag}
    decide : callable, default=None
        C: a function of the values of the final model (rounding, clipping); None is the identity.
    random_state : int, RandomState, Generator or None, default=None
        Assigns the rows for ``partition``.

    Attributes
    ----------
    {predicting_members}
    estimators_ : list of regressors
        Their models.
    {named_models}
    combine_ : FinalModel
        F: maps member outputs, and X where it passes through, to values of the final model.
    decide_ : callable
        C: the identity or the given function.
    final_estimator_ : regressor
        The fitted final model.
    stack_method_ : list of str
        The method of each member: 'predict'.
    {stacking_attributes}
    {columns}

    See Also
    --------
    StackingClassifier : Stacking for classification.

    References
    ----------
    L. Breiman, Stacked regressions, Machine Learning 24, 1996.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.model_selection import RepeatedKFold
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from nonet import StackingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> members = [("linear", LinearRegression()), ("near", KNeighborsRegressor(20))]
    >>> cv = RepeatedKFold(n_splits=5, n_repeats=3, random_state=0)
    >>> stack = StackingRegressor(members, cv=cv).fit(X, y)
    >>> stack.final_estimator_.coef_.round(1)
    array([0.7, 0.4])
    """

    _task = "regression"
    _rules: ClassVar[Mapping[str, Rule]] = {
        **StackedModels._rules,
        "level_one": Nothing() | Choice("ranks"),
        "decide": Anything(),
    }

    def __init__(
        self,
        estimators: list[tuple[str, Any]],
        final_estimator: Any = None,
        *,
        cv: Any = None,
        n_jobs: int | None = None,
        passthrough: bool | str = False,
        verbose: int = 0,
        level_one: str | None = None,
        refit: str = "all",
        partition: str | None = None,
        out_of_bag: bool = False,
        decide: Any = None,
        random_state: Any = None,
    ) -> None:
        self.estimators = estimators
        self.final_estimator = final_estimator
        self.cv = cv
        self.n_jobs = n_jobs
        self.passthrough = passthrough
        self.verbose = verbose
        self.level_one = level_one
        self.refit = refit
        self.partition = partition
        self.out_of_bag = out_of_bag
        self.decide = decide
        self.random_state = random_state

    def fit(self, X: Any, y: Any, **fit_params: Any) -> StackingRegressor:
        """Collect held-out predictions, and fit the final model on them.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        **fit_params : dict
            ``sample_weight`` goes to every member and to the final model; with scikit-learn's
            metadata routing enabled, all metadata they request. ``groups``, the group of each row,
            goes to the splitter ``cv``. ``ledger``, made by :func:`nonet.make_ledger`,
            replaces the cross-validated fits of the members.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        values = self._check_target(y)
        if not is_regressor(self._final_prototype()):
            raise ValueError(
                "'final_estimator' parameter should be a regressor, but got "
                f"{self.final_estimator!r}."
            )
        decide = self._bind_decide(self.decide)
        self._fit_stack(X, values, fit_params)
        self.combine_, self.decide_ = self._bind_final("values"), decide
        return self

    def _default_final(self) -> Any:
        return RidgeCV()

    def fit_transform(self, X: Any, y: Any, **fit_params: Any) -> Any:
        """Fit the stack, and return the outputs of its members on the rows it was fitted on.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        **fit_params : dict
            As in ``fit``.

        Returns
        -------
        columns : ndarray, sparse matrix or frame of shape (n_samples, n_columns)
        """
        return super().fit_transform(X, y, **fit_params)

    @final_has("predict")
    def predict(self, X: Any, **predict_params: Any) -> Array:
        """Predict X: C(F(outputs of the members)), where F is the final model.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        **predict_params : dict
            Passed to ``predict`` of the final model, for example ``return_std``.

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        return self._decided(X, predict_params)
