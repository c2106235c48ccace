"""Programs for LightGBM and XGBoost run with our classes, and score as well.

The test is one-sided: a score that is better than the peer's is no failure. Over folds, the mean
difference may be below 0 by three standard errors and by 0.01, which is the difference that the
defaults left out by a program make: theirs are other than ours.
"""

from __future__ import annotations

import numpy as np
import pytest

from boosting.gradient.peers import lightgbm_programs, xgboost_programs
from boosting.gradient.peers.migrated_tables import SCORES, split
from nonet import BoostedTreesClassifier, BoostedTreesRegressor

REASON = "a peer to compare with, not needed otherwise"
lightgbm = pytest.importorskip("lightgbm", reason=REASON)
xgboost = pytest.importorskip("xgboost", reason=REASON)

CLASS_TASKS = ("binary", "rare", "classes", "frame", "labels")
TOLERANCE = 0.01

PEERS = {
    "lightgbm": (lightgbm_programs, lightgbm.LGBMClassifier, lightgbm.LGBMRegressor),
    "xgboost": (xgboost_programs, xgboost.XGBClassifier, xgboost.XGBRegressor),
}
CASES = [
    pytest.param(program, peer, id=f"{peer}-{program.__name__}")
    for peer, (programs, *_) in PEERS.items()
    for program in programs.PROGRAMS
]


@pytest.mark.parametrize(("program", "peer"), CASES)
@pytest.mark.filterwarnings("ignore:The argument 'eval_set' is deprecated")
def test_program_scores_as_well_as_with_the_peer(program, peer):
    programs, classifier, regressor = PEERS[peer]
    task, score = programs.PROGRAMS[program]
    is_class = task in CLASS_TASKS
    theirs = classifier if is_class else regressor
    ours = BoostedTreesClassifier if is_class else BoostedTreesRegressor
    scores = np.array(
        [
            [SCORES[score](program(Model, part), *part.test) for Model in (theirs, ours)]
            for part in split(task)
        ]
    )
    differences = scores[:, 1] - scores[:, 0]
    noise = 3 * differences.std(ddof=1) / np.sqrt(len(differences))
    assert differences.mean() > -noise - TOLERANCE, scores
    assert scores[:, 1].min() > 0.2  # a model that learns nothing scores 0, or an AUC of one half
