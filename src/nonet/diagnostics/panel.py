"""The members of a fitted ensemble, in the form that the diagnostics read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nonet._base.aliases import Array, Floats, Kind
from nonet.members.member import Member
from nonet.members.outputs import Targets, predict_members


@dataclass(frozen=True)
class Panel:
    """The members of a fitted ensemble, with their weights and labels.

    Attributes
    ----------
    members : list of Member
    weights : ndarray of shape (n_members,)
        Their weights in the ensemble; the sum is 1.
    classes : ndarray of shape (n_classes,) or None
        The labels of the ensemble; None in regression.
    member_classes : ndarray of shape (n_classes,) or None
        The labels that the members predict, in the same order: those of the ensemble, or their
        positions.
    averages : bool
        Whether the ensemble averages the probabilities of its members.
    """

    members: list[Member]
    weights: Floats
    classes: Array | None
    member_classes: Array | None
    averages: bool

    @property
    def known(self) -> Targets | None:
        """The labels that the members predict, for each target; there is one."""
        return None if self.member_classes is None else [self.member_classes]

    def predict(self, X: Any, kind: Kind) -> Array:
        """Return the predictions of all members on all rows."""
        return predict_members(self.members, X, kind, self.known)[0]
