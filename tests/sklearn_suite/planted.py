"""Classes with defects, which the run of scikit-learn's tests must find."""

from __future__ import annotations

from contextlib import suppress

from sklearn.utils.metaestimators import available_if

import nonet


class OffByOneVoting(nonet.VotingRegressor):
    """Gives wrong numbers."""

    def predict(self, X):
        return super().predict(X) + 1


class CarelessStacking(nonet.StackingRegressor):
    """Accepts nonsense."""

    def fit(self, X, y, **fit_params):
        with suppress(ValueError, TypeError):
            super().fit(X, y, **fit_params)
        return self


def _is_soft(vote):
    if vote.voting == "hard":
        raise AttributeError("predict_proba is not available when voting='hard'")
    return True


class VotingClassifier(nonet.VotingClassifier):
    """Has no more than scikit-learn's class: a test that is listed as failing passes."""

    @available_if(_is_soft)
    def predict_proba(self, X):
        return super().predict_proba(X)
