"""The diagram of a fitted ensemble in a notebook: always right, or absent."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sklearn import config_context
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import nonet
from nonet.members.ensemble_diagram import diagram_of
from report.example_facts import HOSTILE_NAMES
from report.page_tree import read_page

X, Y = load_iris(return_X_y=True)
DIAGRAM = "Members, F and C"


def vote_of(names):
    return nonet.VotingClassifier([(name, GaussianNB()) for name in names], voting="soft")


def words_of(html):
    return [text.words() for text in read_page(html).find("text")]


def test_notebook_shows_parameters_and_diagram_of_a_fitted_ensemble():
    vote = vote_of(["bayes", "again"])
    assert DIAGRAM not in vote._repr_html_()
    html = vote.fit(X, Y)._repr_html_()
    assert html.index("sk-container") < html.index(DIAGRAM)
    assert DIAGRAM in vote._repr_mimebundle_()["text/html"]
    assert "VotingClassifier(" in vote._repr_mimebundle_()["text/plain"]


def test_notebook_without_diagrams_shows_text():
    vote = vote_of(["bayes"]).fit(X, Y)
    with config_context(display="text"):
        assert "text/html" not in vote._repr_mimebundle_()
        assert not hasattr(vote, "_repr_html_")


def test_two_outputs_of_one_notebook_have_different_ids():
    vote = vote_of(["bayes"]).fit(X, Y)
    one, two = (
        {e.attributes["id"] for e in read_page(diagram_of(vote)).walk() if "id" in e.attributes}
        for _ in range(2)
    )
    assert one
    assert not one & two


def test_names_of_users_are_escaped():
    names = [name for name in dict.fromkeys(HOSTILE_NAMES) if "__" not in name]
    tree = read_page(diagram_of(vote_of(names).fit(X, Y)))
    assert {e.tag for e in tree.walk()} & {"script", "img", "iframe", "b"} <= {"b"}
    assert len(tree.find("b")) == 1


def test_forest_of_500_trees_shows_some_and_counts_the_others():
    forest = nonet.RandomForestClassifier(n_estimators=500, max_depth=2, random_state=0).fit(X, Y)
    words = words_of(diagram_of(forest))
    assert "and 495 more" in words
    assert [word[-3:] for word in words if "…[" in word] == [f"[{i}]" for i in range(5)]


@pytest.mark.parametrize("name", ["members_", "combine_", "decide_"])
def test_ensemble_that_was_changed_by_hand_is_shown_without_a_diagram(name):
    vote = nonet.BaggingClassifier(DecisionTreeClassifier(), 3).fit(X, Y)
    assert DIAGRAM in vote._repr_html_()
    delattr(vote, name)
    assert "sk-container" in vote._repr_html_()
    assert DIAGRAM not in vote._repr_html_()


def test_single_tree_is_shown_as_by_sklearn():
    assert DIAGRAM not in nonet.DecisionTreeClassifier().fit(X, Y)._repr_html_()


def test_diagram_needs_no_optional_package():
    program = (
        "import sys; sys.modules.update(dict.fromkeys(['jinja2', 'matplotlib', 'pandas']))\n"
        "import nonet\n"
        "model = nonet.RandomForestRegressor(n_estimators=2).fit([[0.0], [1.0]], [0.0, 1.0])\n"
        f"assert {DIAGRAM!r} in model._repr_html_()"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
