"""The leaderboard in words and in a notebook."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np

from nonet.auto.leaderboard import Leaderboard, LeaderboardRow

ROWS = [
    LeaderboardRow("ensemble", 0.25, 0.01, 1.0, 4.0, "100 held-out rows of 5 folds"),
    LeaderboardRow("<default>", 0.3, 0.02, 1.0, 2.5, "100 held-out rows of 5 folds"),
    LeaderboardRow("linear", float("nan"), float("nan"), 0.0, 0.0, "not run: the run ended before"),
]
BOARD = Leaderboard("log_loss", "smaller", ROWS)


def test_leaderboard_in_words_has_a_line_for_each_configuration():
    lines = str(BOARD).splitlines()
    assert lines[0] == "Leaderboard: log_loss, smaller is better"
    assert [line.split()[0] for line in lines[1:]] == ["name", "ensemble", "<default>", "linear"]


def test_leaderboard_in_a_notebook_shows_what_was_run():
    tree = ElementTree.fromstring(BOARD._repr_html_())
    caption = tree.find("caption").text
    assert caption == "Leaderboard: log_loss, smaller is better; 1 of 2 configurations not run"
    assert [[cell.text for cell in row] for row in tree.iter("tr")] == [
        ["name", "score", "error", "weight", "seconds", "rows"],
        ["ensemble", "0.25", "0.01", "1.000", "4.0", "100 held-out rows of 5 folds"],
        ["<default>", "0.3", "0.02", "1.000", "2.5", "100 held-out rows of 5 folds"],
    ]


def test_leaderboard_of_configurations_that_all_ran_names_no_others():
    assert "not run" not in Leaderboard("rmse", "smaller", ROWS[:2])._repr_html_()


def test_costs_are_those_of_members_and_their_sum():
    board = BOARD.with_costs({"<default>": 2.5})
    costs = board.as_columns()["us_per_row"]
    assert costs[:2] == [2.5, 2.5]
    assert np.isnan(costs[2])
