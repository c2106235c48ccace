"""F of a stack: the final model, which reads the outputs of the members.

References
----------
D. H. Wolpert, Stacked generalization, Neural Networks 5, 1992.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from nonet._base.aliases import Array, Floats, Kind
from nonet._base.arrays import encode_labels
from nonet._base.rule_words import class_in_words
from nonet.decide.calibrate import Calibration
from nonet.members.ensemble_parts import kind_of
from nonet.members.outputs import Targets
from nonet.stacking.learned.level_one import LevelOneTable


@dataclass(frozen=True)
class FinalModel:
    """F of a fitted stack: maps outputs of the members to the output of the final model.

    Attributes
    ----------
    model : fitted estimator
    level_one : LevelOneTable
        Converts outputs, and X where it passes through, to the columns that the model reads.
    reads : {'values', 'labels', 'probabilities', 'scores'}
        The kind of output of the members; 'scores' if it is not the same for all.
    gives : {'values', 'labels', 'probabilities'}
        The support: the values that the model predicts; 1 for the class it predicts and 0 for the
        others, where the model itself decides; or its probabilities.
    classes : list of ndarray or None
        The classes of each target; None in regression.
    calibration : Calibration or None
        Applied to the probabilities.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from nonet import StackingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> members = [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(max_depth=2))]
    >>> stack = StackingClassifier(members).fit(X, y)
    >>> stack.combine_(stack.member_outputs(X[:2]))
    array([[1., 0., 0.],
           [1., 0., 0.]])
    """

    model: Any
    level_one: LevelOneTable
    reads: Kind
    gives: Literal["values", "labels", "probabilities"]
    classes: Targets | None = None
    calibration: Calibration | None = None

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        name = kind_of(self.model)
        columns = " and columns of X" if self.level_one.passthrough else ""
        method = "" if self.calibration is None else class_in_words(self.calibration)
        calibrated = method and f", {method}"
        return f"{name} on {self.reads}{columns}{calibrated}"

    def __call__(self, outputs: Any, X: Any = None, **predict_params: Any) -> Any:
        """Return the support, one array for each target if there are several.

        ``predict_params`` are for ``predict`` of the model.
        """
        if self.gives == "probabilities":
            return self.probabilities(outputs, X)
        predicted = self.model.predict(self.table(outputs, X), **predict_params)
        return predicted if self.gives == "values" else self._votes(np.asarray(predicted))

    def table(self, outputs: Any, X: Any = None) -> Any:
        """Return level one: the table that the model reads."""
        return self.level_one.build(outputs if isinstance(outputs, list) else [outputs], X)

    def probabilities(self, outputs: Any, X: Any = None) -> Any:
        """Return the probabilities of the model, calibrated if it has a calibration."""
        probabilities = self.model.predict_proba(self.table(outputs, X))
        return probabilities if self.calibration is None else self.calibration(probabilities)

    def _votes(self, predicted: Array) -> Floats | list[Floats]:
        """Return 1 for the class that the model predicts, 0 for the others."""
        assert self.classes is not None
        columns = [predicted.ravel()] if len(self.classes) == 1 else list(predicted.T)
        votes: list[Floats] = []
        for labels, classes in zip(columns, self.classes, strict=True):
            # A final model that is an ensemble may abstain: then no class gets its vote.
            codes = encode_labels(labels, classes, unknown="silent")
            votes.append((codes[:, np.newaxis] == np.arange(len(classes))).astype(np.float64))
        return votes[0] if len(votes) == 1 else votes
