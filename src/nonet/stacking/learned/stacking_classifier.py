"""Stacking of classifiers: a final model learns to combine their predictions.

Members: the given models. F: a model fitted on the members' held-out predictions. C: the class
that the model predicts, or any rule of ``nonet.decide`` on its probabilities.

References
----------
D. H. Wolpert, Stacked generalization, Neural Networks 5, 1992.
K. M. Ting and I. H. Witten, Issues in stacked generalization, JAIR 10, 1999.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from sklearn.base import is_classifier, is_regressor
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Kind, Params
from nonet._base.params import Anything, Boolean, Choice, Nothing, Rule, check_params
from nonet.decide.abstain import Abstain
from nonet.decide.calibrate import resolve_calibration
from nonet.decide.rule import DecisionRule
from nonet.decide.table import resolve_decision_rule
from nonet.ensemble import EnsembleClassifier, HeldOutPredictions
from nonet.members.cross_fitted import make_tuning_folds
from nonet.members.ledger import cross_fit
from nonet.members.outputs import Targets
from nonet.members.plan import MemberPlan
from nonet.stacking.learned.class_by_class import ClassByClass
from nonet.stacking.learned.guard import guard_final_model, warn_if_worse
from nonet.stacking.learned.stacked import FinalTask, StackedModels, final_has
from nonet.stacking.model_docs import with_model_docs


@with_model_docs
class StackingClassifier(StackedModels, EnsembleClassifier):
    """Stack classifiers under a final model fitted on their held-out predictions.

    The final model is fitted on predictions for rows that the members were not fitted on. It takes
    the parameters of scikit-learn's class of the same name; ``level_one`` and later parameters are
    new, and ``cv`` may be any splitter.

    Parameters
    ----------
    {members}
        Regressors may be among them; they are fitted on the position of the class in ``classes_``.
    final_estimator : estimator, default=None
        The final model; None is logistic regression. It may itself be a stack, as a third level.
    cv : int, splitter, iterable or 'prefit', default=None
        How rows are held out: any splitter, with repeated, overlapping, grouped or forward
        folds; None is 5 stratified folds. 'prefit' uses the members as they are, and the rows
        passed to ``fit`` count as held out: do not pass rows the members were trained on.
    stack_method : {'auto', 'predict_proba', 'decision_function', 'predict'}, default='auto'
        The method of the members; 'auto' is the first of these that a member has.
    {fold_n_jobs}
    {passthrough}
    level_one : {'labels', 'probabilities', 'logits', 'scores', 'ranks'}, default=None
        The input of the final model: labels as one column per class, probabilities, their
        logarithms, scores, or the rank of a prediction among the held-out ones. None is what
        ``stack_method`` gives, as in scikit-learn.
    {stacking_options}
    {out_of_bag}
    decide : str or rule, default=None
        C, on the probabilities of the final model: a threshold, given or tuned on held-out rows,
        costs, a rule that abstains. None is the class that the model itself predicts.
    calibrate : {'temperature', 'sigmoid', 'isotonic'} or Calibration, default=None
        The calibration of the probabilities, learned on held-out ones.
    per_class : bool, default=False
        Whether each class has a separate final model, which reads the outputs of the members
        for that class. It may then be a regressor too, such as non-negative least squares.
    guard : bool, default=False
        Whether to compare the held-out log loss of the final model with that of the best
        member and of the members' mean, and to warn if it is worse.
    random_state : int, RandomState, Generator or None, default=None
        Assigns the rows for ``partition``.

    Attributes
    ----------
    {predicting_members}
    estimators_ : list of estimators
        Their models. They are fitted on the user's own labels; one that accepts only the codes
        0..k-1 is wrapped in a ``LabelEncodedClassifier``.
    {named_models}
    combine_ : FinalModel
        F: maps member outputs, and X where it passes through, to probabilities of the final model.
        Where the model itself decides (``decide=None`` without ``calibrate``), the class that it
        predicts gets the support 1 and the others 0.
    decide_ : callable
        C: maps support to labels.
    final_estimator_ : classifier
        The final model, fitted on the user's own labels.
    stack_method_ : list of str
        The method of each member.
    classes_ : ndarray of shape (n_classes,), or a list of them
        The classes; a list for several targets.
    {stacking_attributes}
    calibration_ : Calibration
        The fitted calibration, if ``calibrate`` is set.
    guard_ : MetaGuard
        The compared log losses, if ``guard=True``.
    {columns}

    See Also
    --------
    StackingRegressor : Stacking for regression.
    make_ledger : Held-out predictions for many combinations.

    Notes
    -----
    Rows that no fold holds out (the first ones in forward chaining) are used to fit members, but
    not in level one. Deliberate differences from scikit-learn: members and final model
    are fitted on the user's labels, so that ``class_weight={'a': 1, 'b': 2}`` works inside;
    ``predict_proba`` of several targets is a list with one array each.

    References
    ----------
    D. H. Wolpert, Stacked generalization, Neural Networks 5, 1992.
    K. M. Ting and I. H. Witten, Issues in stacked generalization, JAIR 10, 1999.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from nonet import StackingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> members = [
    ...     ("bayes", GaussianNB()),
    ...     ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ... ]
    >>> stack = StackingClassifier(members, level_one="logits").fit(X, y)
    >>> stack.predict(X[:3])
    array([0, 0, 0])
    >>> stack.transform(X[:3]).shape
    (3, 6)
    """

    _task = "classification"
    _rules: ClassVar[Mapping[str, Rule]] = {
        **StackedModels._rules,
        "stack_method": Choice("auto", "predict_proba", "decision_function", "predict"),
        "level_one": Nothing() | Choice("labels", "probabilities", "logits", "scores", "ranks"),
        "decide": Anything(),
        "calibrate": Anything(),
        "per_class": Boolean(),
        "guard": Boolean(),
    }

    def __init__(
        self,
        estimators: list[tuple[str, Any]],
        final_estimator: Any = None,
        *,
        cv: Any = None,
        stack_method: str = "auto",
        n_jobs: int | None = None,
        passthrough: bool | str = False,
        verbose: int = 0,
        level_one: str | None = None,
        refit: str = "all",
        partition: str | None = None,
        out_of_bag: bool = False,
        decide: Any = None,
        calibrate: Any = None,
        per_class: bool = False,
        guard: bool = False,
        random_state: Any = None,
    ) -> None:
        self.estimators = estimators
        self.final_estimator = final_estimator
        self.cv = cv
        self.stack_method = stack_method
        self.n_jobs = n_jobs
        self.passthrough = passthrough
        self.verbose = verbose
        self.level_one = level_one
        self.refit = refit
        self.partition = partition
        self.out_of_bag = out_of_bag
        self.decide = decide
        self.calibrate = calibrate
        self.per_class = per_class
        self.guard = guard
        self.random_state = random_state

    def fit(self, X: Any, y: Any, **fit_params: Any) -> StackingClassifier:
        """Collect held-out predictions, and fit the final model on them.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Labels of any type.
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
        labels = self._check_target(y)
        _check_two_classes(self, self._classes_by_target or [])
        if not is_classifier(self._final_prototype()):
            raise ValueError(
                "'final_estimator' parameter should be a classifier (or per_class=True), but got "
                f"{self.final_estimator!r}."
            )
        rules = self._resolve_rules()
        task = self._fit_stack(X, labels, fit_params)
        self._settle(rules, X, labels, task, fit_params)
        return self

    def _resolve_rules(self) -> list[DecisionRule]:
        """Return C for each target; every rule reads probabilities of the final model."""
        final = self._final_prototype()
        if self._reads_probabilities() and not hasattr(final, "predict_proba"):
            name = "decide" if self.decide is not None else "calibrate"
            raise TypeError(
                f"{type(self).__name__}: {name!r} reads probabilities of the final model, but "
                f"{type(final).__name__} has no predict_proba; leave {name} out, or choose a "
                "final_estimator that has it."
            )
        return [
            resolve_decision_rule(self.decide, of, self) for of in self._classes_by_target or []
        ]

    def _reads_probabilities(self) -> bool:
        return self.decide is not None or self.calibrate is not None

    def _check_role(self, name: str, model: Any) -> None:
        if not (is_classifier(model) or is_regressor(model)):
            raise ValueError(
                f"{type(self).__name__}: member {name!r} must be a classifier or a regressor, but "
                f"{type(model).__name__} is not one."
            )

    def _default_final(self) -> Any:
        # Logits are of larger size than probabilities, and the solver needs more steps.
        return LogisticRegression(max_iter=1000 if self.level_one == "logits" else 100)

    def _final_prototype(self) -> Any:
        final = super()._final_prototype()
        if not self.per_class:
            return final
        return ClassByClass(final, len(self._kept()), getattr(self, "classes_", None))

    def _every_class(self) -> bool:
        return bool(self.per_class)

    def _kind(self, name: str, model: Any) -> Kind:
        kind = super()._kind(name, model)
        if (
            self.per_class
            and kind not in ("probabilities", "scores")
            and self.level_one != "labels"
        ):
            raise ValueError(
                f"per_class=True reads a column for each class, but member {name!r} returns "
                f"{kind}; use level_one='labels', or members with predict_proba."
            )
        return kind

    def _settle(
        self,
        rules: list[DecisionRule],
        X: Any,
        labels: Array,
        task: FinalTask,
        fit_params: Params,
    ) -> None:
        """Set up F and C, and fit the calibration, on held-out probabilities of final models."""
        for name in {"calibration_", "guard_"} & set(vars(self)):
            delattr(self, name)  # of an earlier fit
        held_out = None
        if self.calibrate is not None or self.guard or rules[0].needs_held_out:
            held_out = self._held_out_probabilities(task)
        if self.guard and held_out is not None:
            self._guard(held_out)
        if self.calibrate is not None and held_out is not None:
            calibration = resolve_calibration(self.calibrate)
            (support,), (truth,) = held_out.predictions, held_out.truth
            self.calibration_ = calibration.learn(support, truth, held_out.sample_weight)
            held_out = replace(held_out, predictions=[self.calibration_(support)])
        passed_on = {k: v for k, v in fit_params.items() if k not in ("ledger", "groups")}
        own = self._reads_probabilities()
        rules = rules if own else [self._own_decision(rule) for rule in rules]
        self.combine_ = self._bind_final("probabilities" if own else "labels")
        self.decide_ = self._bind_decide(rules, X, labels, held_out, passed_on)

    def _own_decision(self, rule: DecisionRule) -> DecisionRule:
        """Return C where the final model decides: its class, or its abstention."""
        label = getattr(getattr(self.final_estimator_, "decide_", None), "abstain_label", None)
        return rule if label is None else Abstain(abstain_label=label).bind(rule.classes_)

    def _guard(self, held_out: HeldOutPredictions) -> None:
        if set(self.level_one_.kinds) != {"probabilities"} or "ledger_" not in vars(self):
            raise ValueError(
                f"{type(self).__name__}: guard=True compares held-out probabilities, so that all "
                "members need predict_proba and none may be prefit or leaking."
            )
        outputs = self.ledger_.outputs[self.ledger_.covered_rows]
        (support,), (truth,) = held_out.predictions, held_out.truth
        self.guard_ = guard_final_model(support, outputs, truth, held_out.sample_weight)
        warn_if_worse(self.guard_)

    def _held_out_probabilities(self, task: FinalTask) -> HeldOutPredictions:
        """Return probabilities of final models that were fitted without the row, or its group."""
        if task.target.ndim > 1 and (self.calibrate is not None or self.guard):
            name = "guard" if self.calibrate is None else "calibrate"
            raise ValueError(
                f"{type(self).__name__}: {name!r} takes one target, but there are "
                f"{task.target.shape[1]}."
            )
        plan = MemberPlan("final_estimator", self._final_prototype(), fit_params=task.params)
        ledger = cross_fit(
            [plan],
            task.table,
            task.target,
            reads="probabilities",
            classes=self._classes_by_target,
            cv=None if task.groups is None else make_tuning_folds(task.target, task.groups),
        )
        truth = self._truth(task.target)
        probabilities = [predictions[:, 0] for predictions in ledger.predictions]
        return HeldOutPredictions(probabilities, truth, task.sample_weight, combined=True)

    @final_has("predict")
    def predict(self, X: Any, **predict_params: Any) -> Array:
        """Predict X: C(F(outputs of the members)), where F is the final model.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        **predict_params : dict
            Passed to ``predict`` of the final model, if that decides (``decide=None``).

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        return self._decided(X, predict_params)

    @final_has("predict_proba")
    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the final model, calibrated if ``calibrate`` is set.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``; a list of such arrays for several targets.
        """
        check_is_fitted(self)
        return self.combine_.probabilities(self.member_outputs(X), X)

    @final_has("decision_function")
    def decision_function(self, X: Any) -> Any:
        """Return the scores of the final model.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        check_is_fitted(self)
        return self.final_estimator_.decision_function(self.transform(X))


def _check_two_classes(owner: Any, targets: Targets) -> None:
    for classes in targets:
        if len(classes) < 2:
            raise ValueError(
                f"{type(owner).__name__} needs at least two classes to learn from, but y has one "
                f"class: {classes.tolist()}."
            )
