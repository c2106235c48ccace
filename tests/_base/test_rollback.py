"""Methods that restore their owner if they fail (issue 17, item 5)."""

from __future__ import annotations

import pytest

from nonet._base.rollback import restores_on_error


class Learner:
    def __init__(self):
        self.classes_ = ["old"]

    @restores_on_error
    def fit(self, error=None):
        self.classes_ = ["new"]
        self.n_features_in_ = 3
        if error:
            raise error
        return self


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_what_was_learned_before_an_error_is_forgotten(error):
    learner = Learner()
    with pytest.raises(error):
        learner.fit(error)
    assert vars(learner) == {"classes_": ["old"]}


def test_what_was_learned_without_an_error_stays():
    learner = Learner()
    assert learner.fit() is learner
    assert learner.classes_ == ["new"]
