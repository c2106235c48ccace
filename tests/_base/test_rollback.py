from __future__ import annotations

import pytest

from nonet._base.rollback import undone_on_error


class Learner:
    def __init__(self):
        self.classes_ = ["old"]

    def fit(self, error=None):
        with undone_on_error(self):
            self.classes_ = ["new"]
            self.n_features_in_ = 3
            if error:
                raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_what_was_learned_before_an_error_is_forgotten(error):
    learner = Learner()
    with pytest.raises(error):
        learner.fit(error)
    assert vars(learner) == {"classes_": ["old"]}


def test_what_was_learned_without_an_error_stays():
    learner = Learner()
    learner.fit()
    assert learner.classes_ == ["new"]
