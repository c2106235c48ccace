"""Inner representations of the members as columns of level one.

What a fitted model computes on the way to its prediction can help a final model more than the
prediction: the leaves of trees (one column per leaf), the last hidden layer of a network, or
whatever the model returns from ``transform``. Models fitted on different rows have different
representations, whose columns cannot be compared; so the members have to be fitted before, on rows
that the final model does not see.

References
----------
X. He et al., "Practical lessons from predicting clicks on ads at Facebook", ADKDD 2014 (leaves of
boosted trees as columns of a logistic regression).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit
from sklearn.preprocessing import OneHotEncoder

from nonet._base.aliases import Floats
from nonet.members.label_codes import LabelEncodedClassifier
from nonet.members.member import Member

_ACTIVATIONS: dict[str, Callable[[Floats], Floats]] = {
    "identity": lambda x: x,
    "logistic": expit,
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
}


class InnerColumns:
    """The inner representations of fitted members, side by side.

    Parameters
    ----------
    members : sequence of Member
        Fitted members.
    X : array-like of shape (n_samples, n_features)
        Rows whose leaves get columns; other leaves get none.
    """

    def __init__(self, members: Sequence[Member], X: Any) -> None:
        self._members = list(members)
        self._encoders = [self._make_encoder(member, X) for member in self._members]
        self._widths = [block.shape[1] for block in self._blocks(X)]

    def __call__(self, X: Any) -> Any:
        """Return the columns of all members; sparse if those of one are."""
        blocks = self._blocks(X)
        if any(map(sparse.issparse, blocks)):
            return sparse.csr_array(sparse.hstack(blocks))
        return np.hstack(blocks)

    def names(self) -> list[str]:
        """Return the names of the columns: that of the member, numbered."""
        return [
            f"{member.name}_inner{column}"
            for member, width in zip(self._members, self._widths, strict=True)
            for column in range(width)
        ]

    def _make_encoder(self, member: Member, X: Any) -> OneHotEncoder | None:
        if not _has_leaves(_model_of(member)):
            return None
        encoder = OneHotEncoder(handle_unknown="ignore", dtype=np.float64)
        return encoder.fit(_leaves(member, X))

    def _blocks(self, X: Any) -> list[Any]:
        return [
            _represent(member, X) if encoder is None else encoder.transform(_leaves(member, X))
            for member, encoder in zip(self._members, self._encoders, strict=True)
        ]


def _model_of(member: Member) -> Any:
    model = member.estimator
    return model.estimator_ if isinstance(model, LabelEncodedClassifier) else model


def _has_leaves(model: Any) -> bool:
    return hasattr(model, "apply") and not hasattr(model, "transform")


def _leaves(member: Member, X: Any) -> Any:
    leaves = np.asarray(_model_of(member).apply(member.view(X)))
    return leaves.reshape(len(leaves), -1)


def _represent(member: Member, X: Any) -> Any:
    model = _model_of(member)
    if hasattr(model, "transform"):
        columns = model.transform(member.view(X))
        return columns if sparse.issparse(columns) else np.asarray(columns, dtype=np.float64)
    if hasattr(model, "coefs_") and hasattr(model, "hidden_layer_sizes"):
        return _last_hidden_layer(model, member.view(X))
    raise TypeError(
        f"member {member.name!r} ({type(model).__name__}) has no inner representation: "
        "passthrough='inner' needs transform, apply (leaves of trees) or the hidden layers of a "
        "multi-layer perceptron."
    )


def _last_hidden_layer(model: Any, X: Any) -> Floats:
    activate = _ACTIVATIONS[model.activation]
    layer = X if sparse.issparse(X) else np.asarray(X, dtype=np.float64)
    for weights, intercept in zip(model.coefs_[:-1], model.intercepts_[:-1], strict=True):
        layer = activate(layer @ weights + intercept)
    return np.asarray(layer)
