"""Ensembles that choose their members by the row: gates, routers, cascades, trees of classes."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from sklearn.cluster import KMeans

from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.parts.ensembles import DecidedPart
from nonet.persist.onnx.parts.member_predictions import predict_member, predict_members
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_for, part_of
from nonet.persist.onnx.rules.decision import argmax
from nonet.persist.onnx.rules.probability_rules import normalized
from nonet.persist.onnx.tables import Table
from nonet.stacking.routed.arbiter import ArbiterClassifier, EnoughVotes
from nonet.stacking.routed.arbiter_tree import ArbiterTree, Leaf, Node
from nonet.stacking.routed.cascade import CascadeClassifier
from nonet.stacking.routed.class_tree import ClassTreeClassifier
from nonet.stacking.routed.competence import _SMALL, ModelGate
from nonet.stacking.routed.gating import Gated
from nonet.stacking.routed.routed_models import Routed
from nonet.stacking.routed.router import Router


@part_for(Gated, Routed)
class GatedPart(DecidedPart):
    """A mean of the members with weights that depend on the row."""

    @cached_property
    def support(self) -> str:
        """The gated mean."""
        graph, combine = self.graph, self.model.combine_
        classes = self.classes if combine.reads == "probabilities" else None
        with graph.within("the gate"):
            weights = _gate_weights(self, combine.gate)
        members = self.model.members_
        tensor, n_axes = predict_members(graph, members, self.table, combine.reads, classes)
        total = graph.sum(weights, keepdims=True)
        shared = graph.add("Div", weights, total)
        shared = graph.expand(shared, 2) if n_axes == 3 else shared
        return graph.sum(graph.add("Mul", tensor, shared))


def _gate_weights(part: Part, gate: Any) -> str:
    """Return the weights of the members: doubles of shape (n, k)."""
    if type(gate) is Router:
        return _routes(part, gate)
    if type(gate) is ModelGate:
        return _weights_of_model(part, gate)
    raise part.refusal(
        "weighs the members by the nearest training rows, which a graph would have to hold",
        "give a classifier as gate=",
    )


def _weights_of_model(part: Part, gate: ModelGate) -> str:
    graph, n_members = part.graph, gate.n_members_
    if gate.model_ is not None:
        known = part_of(graph, gate.model_, part.table).probabilities
        placed = np.eye(n_members)[gate.known_]
        weights = graph.apply("MatMul", known, placed)
    else:
        fixed = np.zeros(n_members)
        fixed[gate.known_] = 1
        even = np.full(n_members, 1 / n_members)
        weights = graph.for_each_row(part.table.first, fixed if gate.known_.size else even)
    if not gate.select_best:
        return weights
    top = graph.apply("Sub", graph.extreme("Max", weights, keepdims=True), _SMALL)
    return graph.cast(graph.add("GreaterOrEqual", weights, top), "double")


def _routes(part: Part, router: Router) -> str:
    graph, table = part.graph, part.table
    if router.columns is not None:
        table = _distance_columns(part, router.columns)
    if router.mix == "soft":
        return part_of(graph, router.model, table).probabilities
    if isinstance(router.model, KMeans):
        codes = _nearest_centre(graph, router.model, table)
    else:
        model = part_of(graph, router.model, table)
        routes = graph.constant(np.append(model.classes.astype(np.int64), -1))
        codes = graph.add("Gather", routes, model.codes, axis=0)
    return graph.one_hot(codes, router.n_routes)


def _distance_columns(part: Part, columns: Any) -> Table:
    if columns.indicators_ is not None:
        raise part.refusal("routes rows by categories of text", "give a classifier as router=")
    matrix = part.table.matrix()
    if columns.means_ is not None:
        means = part.graph.constant(columns.means_)
        matrix = part.graph.where(part.graph.add("IsNaN", matrix), means, matrix)
    return Table(part.graph, None, matrix, part.table.n_columns)


def _nearest_centre(graph: Graph, model: KMeans, table: Table) -> str:
    centres = model.cluster_centers_.astype(np.float64)
    product = graph.apply("MatMul", table.matrix(), -2 * centres.T)
    distances = graph.apply("Add", product, (centres**2).sum(axis=1))
    return graph.add("ArgMin", distances, axis=1, keepdims=0)


@part_for(CascadeClassifier)
class CascadePart(DecidedPart):
    """The probabilities of the first confident member; a graph computes all of them."""

    @cached_property
    def support(self) -> str:
        """Those of the first member that reaches its bar, or of the last."""
        graph, members = self.graph, self.model.members_
        found = []
        for member in members:
            with graph.within(f"member {member.name!r}"):
                part = part_of(graph, member.estimator, self.table.take(member.columns))
                found.append(predict_member(part, "probabilities", self.classes))
        support = found[-1]
        bars = np.asarray(self.model.combine_.bars, dtype=np.float64)
        for of_member, bar in zip(found[-2::-1], bars[::-1], strict=True):
            top = graph.extreme("Max", of_member, keepdims=True)
            support = graph.where(graph.apply("GreaterOrEqual", top, bar), of_member, support)
        return support


@part_for(ClassTreeClassifier)
class ClassTreePart(DecidedPart):
    """Decisions down a tree of classes, or the product of probabilities on the way."""

    @cached_property
    def support(self) -> str:
        """The product over the branchings."""
        graph, combine = self.graph, self.model.combine_
        pairs = zip(self.model.members_, combine.branchings, strict=True)
        factors = []
        for member, branching in pairs:
            with graph.within(f"member {member.name!r}"):
                part = part_of(graph, member.estimator, self.table.take(member.columns))
                factors.append(self._factor(part, branching))
        product = factors[0]
        for factor in factors[1:]:
            product = graph.add("Mul", product, factor)
        return product

    def _factor(self, part: Part, branching: Any) -> str:
        """Return what a branching multiplies each class with: 1 where it is not on the path."""
        graph, branches = self.graph, branching.branches
        kind = self.model.combine_.reads
        output = predict_member(part, kind, branches)
        if kind == "labels":
            output = graph.one_hot(output, len(branches))
        is_here = branching.branch_of >= 0
        placed = (branches[:, np.newaxis] == branching.branch_of).astype(np.float64)
        chosen = graph.apply("MatMul", output, placed)
        return graph.apply("Add", chosen, (~is_here).astype(np.float64))


@part_for(ArbiterClassifier)
class ArbiterPart(DecidedPart):
    """Votes, and an arbiter for the rows that they leave open."""

    @cached_property
    def support(self) -> str:
        """The fractions of the votes, or 1 for the class of the root of a tree of arbiters."""
        graph = self.graph
        tensor, _ = predict_members(graph, self.model.members_, self.table, "labels", self.classes)
        combine = self.model.combine_
        if isinstance(combine, ArbiterTree):
            return graph.one_hot(self._decided_by(combine.root, tensor), len(self.classes))
        named = graph.one_hot(tensor, len(self.classes))
        return graph.apply("Div", graph.sum(named), float(len(self.model.members_)))

    def _decided_by(self, node: Leaf | Node, outputs: str) -> str:
        graph = self.graph
        if isinstance(node, Leaf):
            return graph.column(outputs, node.position)
        left, right = (self._decided_by(child, outputs) for child in (node.left, node.right))
        if node.arbiter is None:
            return left
        agree = graph.add("Equal", left, right)
        return graph.where(agree, left, self._codes_of(node.arbiter))

    def _codes_of(self, member: Any) -> str:
        with self.graph.within("the arbiter"):
            part = part_of(self.graph, member.estimator, self.table.take(member.columns))
            return predict_member(part, "labels", self.classes)

    @cached_property
    def _is_open(self) -> str:
        """Which rows have no class with enough votes: shape (n,)."""
        return self.graph.add("Not", _has_enough(self, self.model.decide_.rule.dispute))

    @cached_property
    def codes(self) -> str:
        """The class with enough votes, or that of the arbiter."""
        graph, decision = self.graph, self.model.decide_
        codes = argmax(graph, self.support)
        if not isinstance(decision.rule, EnoughVotes):
            return codes
        none = graph.constant(np.int64(-1))
        arbiter = getattr(self.model, "_arbiter_member", None)
        other = none if decision.arbiter is None else self._codes_of(arbiter)
        return graph.where(self._is_open, other, codes)

    @cached_property
    def probabilities(self) -> str:
        """The fractions of the votes; in a dispute those of the arbiter."""
        graph, decision = self.graph, self.model.decide_
        if decision.arbiter is None:
            return normalized(graph, self.support, len(self.classes))
        member = self.model._arbiter_member
        with graph.within("the arbiter"):
            part = part_of(graph, member.estimator, self.table.take(member.columns))
            of_arbiter = predict_member(part, "probabilities", self.classes)
        return graph.where(graph.expand(self._is_open, 1), of_arbiter, self.support)


def _has_enough(part: ArbiterPart, dispute: str) -> str:
    """Return which rows have a class with enough votes, by the limits of the rule itself."""
    from nonet.stacking.routed.arbiter import _ROUNDING

    graph, top = part.graph, part.graph.extreme("Max", part.support)
    if dispute == "majority":
        return graph.apply("Greater", top, 0.5 + _ROUNDING)
    if dispute == "disagreement":
        return graph.apply("GreaterOrEqual", top, 1 - _ROUNDING)
    two = graph.constant(np.array([2]))
    best, _ = graph.add_many("TopK", part.support, two, n_outputs=2, axis=1)
    gap = graph.add("Sub", graph.column(best, 0), graph.column(best, 1))
    return graph.apply("Greater", gap, _ROUNDING)
