"""Reductions to binary problems: one against the rest, one against one, output codes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from sklearn.base import is_regressor

from nonet._base.aliases import Floats
from nonet.multiclass.coded import CodedClassifier
from nonet.multiclass.decoding import DECODINGS, Decoding
from nonet.multiclass.one_vs_one import OneVsOneClassifier
from nonet.multiclass.one_vs_rest import OneVsRestClassifier
from nonet.multiclass.sides import OneSided
from nonet.persist.onnx.parts.ensembles import DecidedPart
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_for, part_of
from nonet.persist.onnx.rules.probability_rules import normalized


@part_for(CodedClassifier)
class CodedPart(DecidedPart):
    """Binary members and a decoding."""

    @cached_property
    def _members(self) -> list[Part]:
        if getattr(self.model, "multilabel_", False):
            raise self.refusal("predicts several labels per row", "export a model per label")
        return [
            part_of(self.graph, member.estimator, self.table.take(member.columns))
            for member in self.model.members_
        ]

    @cached_property
    def side_scores(self) -> str:
        """Scores of the sides +1: doubles of shape (n, k)."""
        return self.graph.stack([_score(part) for part in self._members])

    @cached_property
    def side_probabilities(self) -> str:
        """Probabilities of the sides +1: doubles of shape (n, k)."""
        columns = [self.graph.column(part.probabilities, 1) for part in self._members]
        return self.graph.stack(columns)

    @cached_property
    def side_votes(self) -> str:
        """+1 or -1, 0 for an abstention: doubles of shape (n, k)."""
        return self.graph.stack([self._vote(part) for part in self._members])

    def _vote(self, part: Part) -> str:
        if is_regressor(part.model):
            is_positive = self.graph.apply("Greater", part.values, 0.5)
            return self.graph.where(
                is_positive, self.graph.constant(1.0), self.graph.constant(-1.0)
            )
        votes = np.append(2.0 * part.classes - 1, 0.0)  # code -1 is the last one
        return self.graph.add("Gather", self.graph.constant(votes), part.codes, axis=0)

    @cached_property
    def support(self) -> str:
        """What the decoding makes of the outputs of the members."""
        return self.decoded(self.model.combine_)

    def decoded(self, decoding: Decoding) -> str:
        """Add a decoding."""
        build = _DECODERS.get(decoding.name)
        if build is None:
            raise self.refusal(
                f"is decoded by {decoding.name!r}, an iteration that ONNX cannot express",
                "choose another decoding, such as 'votes'",
            )
        return build(self, decoding)

    @cached_property
    def probabilities(self) -> str:
        """Coupled probabilities have no form: each row is an iteration of its own."""
        raise self.refusal(
            "couples the probabilities of its members by an iteration that ONNX cannot express",
            "give probabilities=False for the labels alone, or use OneVsRestClassifier",
        )

    def words(self, decoding: Decoding) -> Floats:
        """Return the code, a column per class."""
        return decoding.code.T.astype(np.float64)

    def margins(self, decoding: Decoding) -> str:
        """Return scores with 0 as the boundary."""
        if decoding.middle == 0:
            return self.side_scores
        return self.graph.apply("Sub", self.graph.apply("Mul", self.side_scores, 2.0), 1.0)


def _score(part: Part) -> str:
    if is_regressor(part.model):
        return part.values
    return part.scores if part.has_scores else part.graph.column(part.probabilities, 1)


@part_for(OneVsRestClassifier)
class OneVsRestPart(CodedPart):
    """One member per class, whose probabilities are scaled to sum one."""

    @cached_property
    def probabilities(self) -> str:
        """The members' probabilities, scaled."""
        graph, of_members = self.graph, self.side_probabilities
        if len(self.model.members_) == 1:
            of_members = graph.both(of_members)
        return normalized(graph, of_members, max(len(self.classes), 2))

    @cached_property
    def scores(self) -> str:
        """The scores of the members."""
        single = len(self.model.members_) == 1
        return self.graph.column(self.side_scores, 0) if single else self.side_scores


@part_for(OneVsOneClassifier)
class OneVsOnePart(CodedPart):
    """One member per pair of classes."""

    @cached_property
    def scores(self) -> str:
        """Votes, with ties broken by the sums of scores."""
        decoding = self.model.combine_
        kind = DECODINGS["confident_votes"][0]
        votes = self.decoded(Decoding("confident_votes", kind, decoding.code, decoding.middle))
        return self.graph.column(votes, 1) if len(self.classes) == 2 else votes


@part_for(OneSided)
class OneSidedPart(Part):
    """A member of a problem with rows on one side only."""

    @cached_property
    def codes(self) -> str:
        """The side."""
        return self.graph.for_each_row(self.table.first, np.int64(self.model.side_))

    @cached_property
    def scores(self) -> str:
        """The side as a number."""
        return self.graph.for_each_row(self.table.first, np.float64(self.model.side_))

    @cached_property
    def probabilities(self) -> str:
        """Probability 1 for the side."""
        return self.graph.for_each_row(self.table.first, np.eye(2)[self.model.side_])


# ---- Decodings -----------------------------------------------------------------------------------


def _own_scores(part: CodedPart, decoding: Decoding) -> str:
    return _own_member(part, part.side_scores, decoding.middle)


def _own_probabilities(part: CodedPart, decoding: Decoding) -> str:
    return _own_member(part, part.side_probabilities, 0.5)


def _own_member(part: CodedPart, outputs: str, middle: float) -> str:
    """Return the output of each class's own member; one member serves two classes."""
    if len(part.model.members_) > 1:
        return outputs
    other = part.graph.apply("Mul", part.graph.apply("Sub", outputs, 2 * middle), -1.0)
    both = part.graph.concat([other, outputs])
    return part.graph.columns(both, np.arange(len(part.classes)))


def _counted(part: CodedPart, decoding: Decoding) -> str:
    """Count the votes for each class."""
    graph, words = part.graph, part.words(decoding)
    signed = graph.apply("MatMul", part.side_votes, words)
    voted = graph.apply("MatMul", graph.add("Abs", part.side_votes), np.abs(words))
    return graph.apply("Mul", graph.add("Add", signed, voted), 0.5)


def _votes(part: CodedPart, decoding: Decoding) -> str:
    n_problems = np.abs(decoding.code).sum(axis=1).astype(np.float64)
    return part.graph.apply("Div", _counted(part, decoding), n_problems)


def _confident_votes(part: CodedPart, decoding: Decoding) -> str:
    graph = part.graph
    sums = graph.apply("MatMul", part.side_scores, part.words(decoding))
    size = graph.apply("Mul", graph.apply("Add", graph.add("Abs", sums), 1.0), 3.0)
    return graph.add("Add", _counted(part, decoding), graph.add("Div", sums, size))


def _hamming(part: CodedPart, decoding: Decoding) -> str:
    agreement = part.graph.apply("MatMul", part.side_votes, part.words(decoding))
    scaled = part.graph.apply("Div", agreement, float(decoding.code.shape[1]))
    return part.graph.apply("Mul", part.graph.apply("Add", scaled, 1.0), 0.5)


def _euclidean(part: CodedPart, decoding: Decoding) -> str:
    graph, margins, words = part.graph, part.margins(decoding), part.words(decoding)
    own = graph.sum(graph.add("Mul", margins, margins), keepdims=True)
    product = graph.apply("Mul", graph.apply("MatMul", margins, words), 2.0)
    return graph.add("Sub", graph.apply("Sub", product, (words**2).sum(axis=0)), own)


def _margins_by_class(part: CodedPart, decoding: Decoding) -> str:
    """Return the margins under each codeword: doubles of shape (n, n_classes, k)."""
    wide = part.graph.expand(part.margins(decoding), 1)
    return part.graph.apply("Mul", wide, decoding.code.astype(np.float64))


def _exponential_loss(part: CodedPart, decoding: Decoding) -> str:
    graph = part.graph
    losses = graph.add("Neg", _margins_by_class(part, decoding))
    axes = graph.constant(np.array([2]))
    return graph.add("Neg", graph.add("ReduceLogSumExp", losses, axes, keepdims=0))


def _logistic_loss(part: CodedPart, decoding: Decoding) -> str:
    graph = part.graph
    margins = _margins_by_class(part, decoding)
    # log(1 + exp(-m)) without overflow: max(-m, 0) + log(1 + exp(-|m|)).
    negative = graph.apply("Max", graph.add("Neg", margins), 0.0)
    small = graph.add("Exp", graph.add("Neg", graph.add("Abs", margins)))
    losses = graph.add("Add", negative, graph.add("Log", graph.apply("Add", small, 1.0)))
    return graph.add("Neg", graph.sum(losses, axis=2))


def _hinge_loss(part: CodedPart, decoding: Decoding) -> str:
    graph = part.graph
    short = graph.apply("Sub", _margins_by_class(part, decoding), 1.0)
    return graph.sum(graph.apply("Min", short, 0.0), axis=2)


_DECODERS: dict[str, Callable[[CodedPart, Decoding], str]] = {
    "scores": _own_scores,
    "probabilities": _own_probabilities,
    "votes": _votes,
    "confident_votes": _confident_votes,
    "hamming": _hamming,
    "euclidean": _euclidean,
    "exponential_loss": _exponential_loss,
    "logistic_loss": _logistic_loss,
    "hinge_loss": _hinge_loss,
}
