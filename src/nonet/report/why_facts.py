"""Why an ensemble works: what its members gain from each other, and what more could gain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from nonet._base.rule_words import rule_in_words
from nonet.decide.argmax import Argmax
from nonet.decide.identity import Identity
from nonet.diagnostics.ambiguity import Ambiguity, VoteAmbiguity, ambiguity
from nonet.diagnostics.ensemble_predictions import is_sum_of_steps
from nonet.diagnostics.gains import Gain, possible_gains
from nonet.diagnostics.member_predictions import MemberPredictions
from nonet.members.ensemble_parts import kind_of
from nonet.report.agreement_facts import (
    agreement_facts,
    correlation_facts,
    disagreement_facts,
    margin_facts,
)
from nonet.report.member_curve import members_curve, rounds_curve
from nonet.report.plain import missing
from nonet.report.sampling import sample_positions
from nonet.report.subject import Members, Missing, Subject
from nonet.report.wording import LOSS_NAMES, number, some_of

_MAX_MEMBERS = 50
_GAIN_CELLS = 4_000_000  # rows x members^2 that looking for gains may take
_MIN_GAIN_ROWS, _MAX_GAIN_ROWS = 200, 5_000
_ONE_MEMBER = "The ensemble has one member, so nothing is combined."
_LOSSES = {"squared": "squared_error", "brier": "brier"}


def why_facts(subject: Subject) -> dict[str, Any]:
    """Return why the ensemble works.

    Parameters
    ----------
    subject : Subject

    Returns
    -------
    facts : dict
    """
    members = subject.members
    if isinstance(members, Missing):
        return _without_members(subject, members)
    record = members.predictions
    head = {"rows": members.words, "n_rows": record.n_rows, "parts": parts_facts(subject)}
    curve = _curve(subject, members)
    margins = margin_facts(record)
    if record.n_members < 2:
        alone = ("decomposition", "correlation", "disagreement", "agreement")
        nothing = {name: missing(_ONE_MEMBER) for name in (*alone, "members_curve", "more_members")}
        return {**head, **nothing, "margins": margins}
    return {
        **head,
        "decomposition": decomposition_facts(record),
        "correlation": correlation_facts(record),
        "disagreement": disagreement_facts(record),
        "agreement": agreement_facts(record),
        "margins": margins,
        "members_curve": curve,
        "more_members": gain_facts(members, subject.seed),
    }


def _curve(subject: Subject, members: Members) -> dict[str, Any]:
    return rounds_curve(subject) or members_curve(members.predictions)


def _without_members(subject: Subject, why: Missing) -> dict[str, Any]:
    """Return the facts of boosting, whose members are terms of one sum; else the reason."""
    if not hasattr(subject.model, "staged_predict") or not is_sum_of_steps(subject.model):
        return missing(why.sentence)
    steps = missing(
        f"The members of {type(subject.model).__name__} are steps of one sum: each corrects those "
        "before it, and has no prediction of its own."
    )
    names = ("decomposition", "correlation", "disagreement", "agreement")
    evidence = subject.evidence
    return {
        "rows": evidence.words,
        "n_rows": evidence.n_rows,
        "parts": parts_facts(subject),
        **dict.fromkeys(names, steps),
        "margins": margin_facts(None, evidence),
        "members_curve": rounds_curve(subject) or steps,
        "more_members": steps,
    }


# ---- The formula ---------------------------------------------------------------------------------


def parts_facts(subject: Subject) -> dict[str, Any]:
    """Return members, F and C of the model.

    Parameters
    ----------
    subject : Subject

    Returns
    -------
    facts : dict
    """
    names, kinds, weights = _named_members(subject)
    order = np.argsort(-np.asarray(weights), kind="stable")[:_MAX_MEMBERS].tolist()
    return {
        "members": [{"name": names[j], "kind": kinds[j], "weight": weights[j]} for j in order],
        "n_left_out": max(len(names) - _MAX_MEMBERS, 0),
        "n_members": len(names),
        "combine": _combine_in_words(subject.model),
        "decide": _decide_in_words(subject),
    }


def _named_members(subject: Subject) -> tuple[list[str], list[str], list[float]]:
    model, members = subject.model, subject.members
    own = getattr(model, "members_", None)
    fitted = [m.estimator for m in own] if own is not None else getattr(model, "estimators_", [])
    kinds = [kind_of(one) for one in np.asarray(fitted, dtype=object).ravel()[:10_000]]
    if isinstance(members, Members):
        record = members.predictions
        kinds = kinds if len(kinds) == record.n_members else [""] * record.n_members
        return list(record.names), kinds, [float(weight) for weight in record.weights]
    names = (
        [one.name for one in own]
        if own is not None
        else [f"step {i + 1}" for i in range(len(kinds))]
    )
    return names[: len(kinds)], kinds, [1.0 / max(len(kinds), 1)] * len(kinds)


def _combine_in_words(model: Any) -> str:
    combine = getattr(model, "combine_", None)
    return f"as {type(model).__name__} combines them" if combine is None else rule_in_words(combine)


def _decide_in_words(subject: Subject) -> str:
    decide = getattr(subject.model, "decide_", None)
    if decide is None:
        decide = Identity() if subject.classes is None else Argmax()
    return rule_in_words(decide)


# ---- The gain ------------------------------------------------------------------------------------


def decomposition_facts(record: MemberPredictions) -> dict[str, Any]:
    """Return the error of the ensemble as that of its members less what combining gains.

    Parameters
    ----------
    record : MemberPredictions

    Returns
    -------
    facts : dict
    """
    found = ambiguity(record, loss="brier" if record.kind == "probabilities" else None)
    best = int(np.argmin(found.member_errors))
    facts = _of_votes(found) if isinstance(found, VoteAmbiguity) else _of_means(found)
    remainder = found.error - found.member_error + facts["ambiguity"]
    facts |= {
        "error": found.error,
        "member_error": found.member_error,
        "remainder": remainder,
        "best_member": {"name": found.names[best], "error": float(found.member_errors[best])},
        "gain_over_random": found.gain_over_random,
        "gain_over_best": found.gain_over_best,
    }
    return {**facts, "sentence": _in_words(facts)}


def _of_votes(found: VoteAmbiguity) -> dict[str, Any]:
    return {
        "loss": "zero_one",
        "ambiguity": found.good - found.bad,
        "good": found.good,
        "bad": found.bad,
        "off_mean": None,
        "bias": None,
        "variance": None,
        "covariance": None,
    }


def _of_means(found: Ambiguity) -> dict[str, Any]:
    return {
        "loss": _LOSSES[found.loss],
        "ambiguity": found.ambiguity,
        "good": None,
        "bad": None,
        "off_mean": found.off_mean,
        "bias": found.bias,
        "variance": found.variance,
        "covariance": found.covariance,
    }


def _in_words(facts: dict[str, Any]) -> str:
    name, best = LOSS_NAMES[facts["loss"]], facts["best_member"]
    gain = facts["gain_over_best"]
    beside = "less" if gain > 0 else "more"
    return (
        f"The members have a mean {name} of {number(facts['member_error'])}; their differences "
        f"take {number(facts['ambiguity'])} off, and the ensemble has {number(facts['error'])}: "
        f"{number(abs(gain))} {beside} than its best member, {best['name']}."
    )


# ---- What more could gain ------------------------------------------------------------------------


def gain_facts(members: Members, seed: int) -> dict[str, Any]:
    """Return what more members, fewer members or learned weights could gain.

    Parameters
    ----------
    members : Members
    seed : int

    Returns
    -------
    facts : dict
    """
    record = _as_votes(members.predictions)
    n_rows = int(np.clip(_GAIN_CELLS / record.n_members**2, _MIN_GAIN_ROWS, _MAX_GAIN_ROWS))
    at = sample_positions(record.n_rows, n_rows, seed)
    gains = possible_gains(_take(record, at), random_state=seed)
    harmful = np.asarray(gains.contributions) < 0
    return {
        "loss": "squared_error" if record.kind == "values" else "zero_one",
        "error": gains.error,
        "standard_error": gains.standard_error,
        "oracle_error": gains.oracle_error,
        "twice": _gain(gains.twice_the_members),
        "limit": _gain(gains.ever_more_members),
        "learned_weights": None if gains.learned_weights is None else _gain(gains.learned_weights),
        "small_enough": list(gains.small_enough),
        "harmful": [name for name, harms in zip(gains.names, harmful, strict=True) if harms],
        "rows": some_of(len(at), members.words),
        "supposes": "New members are supposed to be like these, and to have the same weights; of "
        "classes, the members are taken to vote.",
    }


def _gain(gain: Gain) -> dict[str, float]:
    return {"value": gain.value, "low": gain.low, "high": gain.high}


def _as_votes(record: MemberPredictions) -> MemberPredictions:
    """Return the classes that members, and the ensemble, give the highest probability."""
    if record.kind != "probabilities":
        return record
    labels = record.outputs.argmax(axis=2)
    return replace(
        record, kind="labels", outputs=labels, prediction=record.prediction.argmax(axis=1)
    )


def _take(record: MemberPredictions, rows: Any) -> MemberPredictions:
    return replace(
        record,
        outputs=record.outputs[rows],
        truth=record.truth[rows],
        prediction=record.prediction[rows],
        present=None if record.present is None else record.present[rows],
    )
