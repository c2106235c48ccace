"""Inverse links of losses as nodes: scores in, predictions out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nonet.losses import ExponentialLoss, LogisticLoss, Loss, MultinomialLoss
from nonet.losses.joint import JointLoss, QuantilesLoss
from nonet.losses.log_mean import _MAX_SCORE, LogMeanLoss
from nonet.losses.objective_function import ObjectiveFunction
from nonet.persist.onnx.graph import Graph


def inverse_link(graph: Graph, loss: Loss, scores: str, n_scores: int) -> str:
    """Add the inverse link of a loss.

    Parameters
    ----------
    graph : Graph
    loss : Loss
    scores : str
        Doubles of shape (n, n_scores).
    n_scores : int

    Returns
    -------
    predictions : str
        Of the same shape.
    """
    link = type(loss).inverse_link
    if link not in _LINKS:
        raise graph.refusal(
            f"has a loss, {type(loss).__name__}, whose inverse link has no form in ONNX",
            "use a loss of nonet.losses",
        )
    return _LINKS[link](graph, loss, scores, n_scores)


def _identity(graph: Graph, loss: Any, scores: str, n_scores: int) -> str:
    return scores


def _logistic(graph: Graph, loss: Any, scores: str, n_scores: int) -> str:
    return graph.add("Sigmoid", scores)


def _exponential(graph: Graph, loss: Any, scores: str, n_scores: int) -> str:
    return graph.add("Sigmoid", graph.apply("Mul", scores, 2.0))


def _softmax(graph: Graph, loss: Any, scores: str, n_scores: int) -> str:
    return graph.add("Softmax", scores, axis=1)


def _exp(graph: Graph, loss: Any, scores: str, n_scores: int) -> str:
    return graph.add("Exp", graph.apply("Min", scores, _MAX_SCORE))


def _sorted(graph: Graph, loss: Any, scores: str, n_scores: int) -> str:
    k = graph.constant(np.array([n_scores]))
    return graph.add_many("TopK", scores, k, n_outputs=2, axis=1, largest=0)[0]


def _joint(graph: Graph, loss: JointLoss, scores: str, n_scores: int) -> str:
    columns = [
        inverse_link(graph, part, graph.columns(scores, [k]), 1)
        for k, part in enumerate(loss.losses)
    ]
    return graph.concat(columns)


def _of_function(graph: Graph, loss: ObjectiveFunction, scores: str, n_scores: int) -> str:
    if not loss.is_class:
        return scores
    return (_logistic if n_scores == 1 else _softmax)(graph, loss, scores, n_scores)


# By the methods: a loss of the user's may inherit a link, or have one of its own.
_LINKS: dict[Any, Callable[[Graph, Any, str, int], str]] = {
    Loss.inverse_link: _identity,
    LogisticLoss.inverse_link: _logistic,
    ExponentialLoss.inverse_link: _exponential,
    MultinomialLoss.inverse_link: _softmax,
    LogMeanLoss.inverse_link: _exp,
    QuantilesLoss.inverse_link: _sorted,
    JointLoss.inverse_link: _joint,
    ObjectiveFunction.inverse_link: _of_function,
}
