"""Ensembles of members, F and C: one part serves all that add no steps of their own."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from nonet.combine.rule import Combination
from nonet.decide.identity import Identity
from nonet.ensemble import Ensemble, PerTarget
from nonet.persist.onnx.parts.member_predictions import predict_member, predict_members
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_for, part_of
from nonet.persist.onnx.rules.combination import combine
from nonet.persist.onnx.rules.decision import decide
from nonet.persist.onnx.rules.member_outputs import MemberOutputs
from nonet.persist.onnx.rules.probability_rules import as_probabilities


class DecidedPart(Part):
    """A model with a support that C reads; a child implements ``support``."""

    @cached_property
    def support(self) -> str:
        """What F returns: doubles of shape (n, n_classes), (n,) or (n, n_targets)."""
        raise NotImplementedError

    @cached_property
    def decided_support(self) -> str:
        """What C reads: the support, or probabilities where the model converts its scores."""
        return self.support

    @property
    def decided_axes(self) -> int:
        """The number of axes of what C reads."""
        return 2

    @cached_property
    def codes(self) -> str:
        """Classes by C; an arbiter decides what the rule leaves open."""
        decision = self.model.decide_
        if isinstance(decision, PerTarget) or not hasattr(decision, "classes"):
            raise self.refusal("predicts several targets of classes", "export a model per target")
        codes = decide(self.graph, decision, self.decided_support, self.decided_axes)
        return codes if decision.arbiter is None else self._arbitrated(codes)

    def _arbitrated(self, codes: str) -> str:
        member = self.model.decide_.arbiter.args[0]
        with self.graph.within("the arbiter"):
            arbiter = part_of(self.graph, member.estimator, self.table.take(member.columns))
            of_arbiter = predict_member(arbiter, "labels", self.classes)
        is_open = self.graph.add("Equal", codes, self.graph.constant(np.int64(-1)))
        return self.graph.where(is_open, of_arbiter, codes)

    @cached_property
    def probabilities(self) -> str:
        """The support, scaled to sum to one."""
        return as_probabilities(self.graph, self.support, len(self.classes))

    @cached_property
    def values(self) -> str:
        """Values by C."""
        self.check_identity(self.model.decide_)
        return self.support

    def check_identity(self, decision: Any) -> None:
        """Raise unless C of a regressor returns the values as they are."""
        if not isinstance(decision, Identity):
            raise self.refusal(
                "is decided by a function of the user's",
                "leave decide=None and apply it afterwards",
            )


@part_for(Ensemble)
class EnsemblePart(DecidedPart):
    """An ensemble whose F is a rule on the outputs of its members."""

    @cached_property
    def support(self) -> str:
        """F of the outputs of the members."""
        return self.combined(self.model.combine_)

    def combined(self, combination: Any) -> str:
        """Add F with its weights."""
        if isinstance(combination, PerTarget):
            raise self.refusal("predicts several targets of classes", "export a model per target")
        if type(combination) is not Combination:
            raise self._lacks("outputs")
        tensor, n_axes = predict_members(
            self.graph, self.model.members_, self.table, combination.reads, combination.classes
        )
        weights = combination.weights
        outputs = MemberOutputs(
            self.graph,
            tensor,
            len(self.model.members_),
            n_axes,
            combination.classes,
            None if weights is None else np.asarray(weights, dtype=np.float64),
        )
        return combine(combination.rule, outputs)
