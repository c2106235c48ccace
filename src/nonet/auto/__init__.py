"""The auto-ensembler: from a table to the best ensemble under a time limit."""

from nonet.auto.auto_ensemble import AutoEnsembleClassifier, AutoEnsembleRegressor
from nonet.auto.auto_score import AutoScore
from nonet.auto.families import MemberFacts
from nonet.auto.held_out_rows import HeldOutRows
from nonet.auto.leaderboard import Leaderboard, LeaderboardRow
from nonet.auto.member_family import MemberFamily
from nonet.auto.run import Run
from nonet.auto.started_runs import fit_table, open_run, resume
from nonet.auto.store import RunFolderError

__all__ = [
    "AutoEnsembleClassifier",
    "AutoEnsembleRegressor",
    "AutoScore",
    "HeldOutRows",
    "Leaderboard",
    "LeaderboardRow",
    "MemberFacts",
    "MemberFamily",
    "Run",
    "RunFolderError",
    "fit_table",
    "open_run",
    "resume",
]
