"""Short names of the decision rules, and the lookup of a ``decide=`` parameter."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from nonet._base.names import look_up
from nonet._base.params import bad_parameter
from nonet.decide.abstain import Abstain
from nonet.decide.argmax import Argmax
from nonet.decide.callable_rule import CallableRule
from nonet.decide.minimum_cost import MinimumCost
from nonet.decide.rule import DecisionRule
from nonet.decide.sign import Sign
from nonet.decide.threshold import Threshold

DECISION_RULES: dict[str, DecisionRule] = {
    "argmax": Argmax(),
    "random_argmax": Argmax(tie="random"),
    "threshold": Threshold(),
    "tuned_threshold": Threshold(threshold="tune"),
    "sign": Sign(),
    "abstain": Abstain(),
    "minimum_cost": MinimumCost(),
}


def resolve_decision_rule(decide: Any, classes: ArrayLike, owner: Any = "ensemble") -> DecisionRule:
    """Return the checked rule for a ``decide=`` parameter, bound to the classes.

    Parameters
    ----------
    decide : None, str, DecisionRule or callable
        None is the arg max; a short name of ``DECISION_RULES``; a rule object; or a custom function
        ``f(support) -> codes``.
    classes : array-like of shape (n_classes,)
        The labels of the classes, sorted.
    owner : estimator or str, default="ensemble"
        Whose parameter it is, for messages.

    Returns
    -------
    rule : DecisionRule
        A copy that stores the classes; the argument is not changed.

    Examples
    --------
    >>> from nonet.decide import resolve_decision_rule
    >>> resolve_decision_rule("abstain", [-1, 1])
    Abstain()
    """
    return as_decision_rule(decide, owner).bind(classes)


def as_decision_rule(decide: Any, owner: Any = "ensemble") -> DecisionRule:
    """Return the rule for a ``decide=`` parameter, not bound to classes."""
    if decide is None:
        return DECISION_RULES["argmax"]
    if isinstance(decide, str):
        return look_up(DECISION_RULES, decide, "decision rule")
    if isinstance(decide, DecisionRule):
        return decide
    if callable(decide) and not isinstance(decide, type):
        return CallableRule(decide)
    allowed = (
        f"None, one of {list(DECISION_RULES)}, a rule object of nonet.decide such as Threshold(0.3)"
        ", or a function of the support"
    )
    raise bad_parameter(owner, "decide", allowed, decide)
