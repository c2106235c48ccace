"""Decoding: compute the support of each class from the outputs of binary members (F of a code).

Every decoding is a function of the outputs, of the code matrix and of the score at which members
change sides. Support is higher for the likelier class; the arg max is the nearest codeword.

Reference: E. Allwein, R. Schapire & Y. Singer (2000), Reducing multiclass to binary: a unifying
approach for margin classifiers, JMLR 1, 113-141.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.special import logsumexp

from nonet._base.aliases import Array, Codes, Floats
from nonet.multiclass.coupling import couple_probabilities
from nonet.multiclass.side_predictions import Prediction


@dataclass(frozen=True)
class Decoding:
    """F of a fitted coded classifier.

    Attributes
    ----------
    name : str
    reads : {'scores', 'probabilities', 'votes', 'votes_and_scores'}
        The kind of output that the members return.
    code : ndarray of shape (n_classes, n_columns)
    middle : float
        The score at which members change sides.
    """

    name: str
    reads: Prediction
    code: Codes
    middle: float

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        decoded, reads = self.name.replace("_", " "), self.reads.replace("_", " ")
        return f"decoding of {reads} by {decoded}" if decoded != reads else f"{reads} as they are"

    def __call__(self, outputs: Array, X: Any = None) -> Floats:
        """Return the support of each class, shape (n, n_classes)."""
        return DECODINGS[self.name][1](outputs, self.code, self.middle)


def _own_member(outputs: Floats, code: Codes, middle: float) -> Floats:
    """Return the output of each class's own member, for one-vs-rest."""
    if outputs.shape[1] == 1:  # the member of the second class, if there are two
        return np.column_stack([2 * middle - outputs[:, 0], outputs[:, 0]])[:, : len(code)]
    return outputs


def _own_probability(outputs: Floats, code: Codes, middle: float) -> Floats:
    return _own_member(outputs, code, 0.5)


def _votes(outputs: Array, code: Codes, middle: float) -> Floats:
    """Return the fraction of votes a class wins among the members that have it on a side."""
    return np.asarray(_count_votes(outputs, code) / np.abs(code).sum(axis=1))


def _count_votes(votes: Array, code: Codes) -> Floats:
    signed = votes.astype(np.float64)
    voted = np.abs(signed) @ np.abs(code).T.astype(np.float64)
    return np.asarray((signed @ code.T.astype(np.float64) + voted) / 2)


def _confident_votes(outputs: Floats, code: Codes, middle: float) -> Floats:
    """Count votes, and break ties by the sum of scores, squeezed into (-1/3, 1/3).

    Scores and probabilities are used unchanged: this is scikit-learn's rule for one-vs-one.
    """
    votes, scores = outputs[..., 0], outputs[..., 1]
    sums = scores @ code.T.astype(np.float64)
    return np.asarray(_count_votes(votes, code) + sums / (3 * (np.abs(sums) + 1)))


def _hamming(outputs: Array, code: Codes, middle: float) -> Floats:
    """Return the fraction of agreement with each codeword; 0 agrees by half with anything."""
    agreement = outputs.astype(np.float64) @ code.T.astype(np.float64)
    return np.asarray((agreement / code.shape[1] + 1) / 2)


def _euclidean(outputs: Floats, code: Codes, middle: float) -> Floats:
    """Return minus the squared distance between the scores and each codeword."""
    scores, words = _margins(outputs, middle), code.astype(np.float64)
    own = np.einsum("ij,ij->i", scores, scores)[:, np.newaxis]
    return np.asarray(2 * scores @ words.T - (words**2).sum(axis=1) - own)


def _loss(loss: Callable[[Floats], Floats], outputs: Floats, code: Codes, middle: float) -> Floats:
    """Return minus the loss of the margins under each codeword."""
    margins = _margins(outputs, middle)
    of_class = [loss(margins * word) for word in code]
    return -np.column_stack(of_class)


def _exponential(margins: Floats) -> Floats:
    """Return the logarithm of the exponential loss, which has the same order and no overflow."""
    return np.asarray(logsumexp(-margins, axis=1))


def _logistic(margins: Floats) -> Floats:
    return np.asarray(np.logaddexp(0, -margins).sum(axis=1))


def _hinge(margins: Floats) -> Floats:
    return np.asarray(np.maximum(1 - margins, 0).sum(axis=1))


def _margins(scores: Floats, middle: float) -> Floats:
    """Scale scores so that 0 is the boundary and -1, +1 are the sides."""
    return scores if middle == 0 else 2 * scores - 1


def _coupling(outputs: Floats, code: Codes, middle: float) -> Floats:
    return couple_probabilities(outputs, code)


Decoder = Callable[[Any, Codes, float], Floats]

DECODINGS: dict[str, tuple[Prediction, Decoder]] = {
    "scores": ("scores", _own_member),
    "probabilities": ("probabilities", _own_probability),
    "votes": ("votes", _votes),
    "confident_votes": ("votes_and_scores", _confident_votes),
    "hamming": ("votes", _hamming),
    "euclidean": ("scores", _euclidean),
    "exponential_loss": ("scores", partial(_loss, _exponential)),
    "logistic_loss": ("scores", partial(_loss, _logistic)),
    "hinge_loss": ("scores", partial(_loss, _hinge)),
    "coupling": ("probabilities", _coupling),
}

ONE_VS_REST_ONLY = ("scores", "probabilities")
"""Decodings that read one member per class, and so need a member for each class."""
