"""The selection of the portfolio: blends, the order, the store and the files it writes."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from nonet.auto.configuration import Configuration, read_portfolio
from nonet.combine.weights import GreedySelection

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(autouse=True)
def _scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))


def stored_table(n_classes, outcomes):
    """Give a table of 300 rows to fit and 100 to test, with noisy predictions of the truth."""
    from portfolio_store import Outcome, StoredTable

    rng = np.random.default_rng(0)
    y, y_test = (
        rng.integers(0, n_classes, n) if n_classes else rng.normal(size=n) for n in (300, 100)
    )
    found = {}
    for name, (noise, seconds) in outcomes.items():
        parts = [_predictions(part, n_classes, noise, rng) for part in (y, y_test)]
        found[name] = Outcome(seconds, *parts)
    return StoredTable("drawn", n_classes, y, y_test), found


def _predictions(y, n_classes, noise, rng):
    if not n_classes:
        return y + noise * rng.normal(size=len(y))
    scores = np.eye(n_classes)[y] + noise * rng.normal(size=(len(y), n_classes))
    return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)


@pytest.mark.parametrize("n_classes", [0, 2, 4])
def test_blends_against_greedy_selection(n_classes):
    from portfolio_blends import N_PICKS, BlendTable
    from portfolio_store import mean_loss

    table, outcomes = stored_table(n_classes, {"a": (0.5, 1), "b": (0.7, 1), "c": (0.9, 1)})
    blends = BlendTable(table, outcomes)
    held_out = np.stack([outcomes[name].held_out for name in "ac"], axis=1)
    classes = range(n_classes) if n_classes else None
    weights = GreedySelection(n_rounds=N_PICKS).find(held_out, table.y, classes=classes)
    test = sum(w * outcomes[name].test for w, name in zip(weights, "ac", strict=True))
    expected = mean_loss(table.y_test, test)
    assert blends.losses(["a", "c"])[1] == pytest.approx(expected, rel=1e-3)


def test_blend_without_any_configuration_that_finished_is_infinitely_bad():
    from portfolio_blends import BlendTable
    from portfolio_store import Outcome

    table, outcomes = stored_table(0, {"a": (0.5, 1)})
    blends = BlendTable(table, outcomes | {"late": Outcome(60.0)})
    assert np.isinf(blends.losses(["late"])).all()
    assert np.array_equal(blends.losses(["late", "a"]), blends.losses(["a"]))


def test_order_begins_with_a_cheap_one_then_the_best_then_what_helps_for_its_cost():
    from portfolio_blends import BlendTable
    from portfolio_order import Selector

    outcomes = {"default": (0.6, 10), "quick": (0.9, 1), "best": (0.4, 20), "late": (0.6, 90)}
    tables = [BlendTable(*stored_table(n_classes, outcomes)) for n_classes in (0, 0)]
    order = Selector(tables, [], dict.fromkeys(outcomes, "boosted_trees")).order(4)
    assert order == ["quick", "best", "default", "late"]


def test_every_second_configuration_is_of_a_new_family():
    from portfolio_blends import BlendTable
    from portfolio_order import Selector

    outcomes = {"default": (0.5, 10), "quick": (0.6, 1), "tree": (0.5, 1), "line": (2.0, 1)}
    families = dict.fromkeys(outcomes, "boosted_trees") | {"line": "linear"}
    outcomes["other"] = (0.5, 1)
    families["other"] = "boosted_trees"
    order = Selector([BlendTable(*stored_table(0, outcomes))], [], families).order(5)
    assert order.index("line") == 3  # though it helps less than the other trees


def test_order_without_a_table_does_not_depend_on_it():
    from portfolio_blends import BlendTable
    from portfolio_order import Selector

    ways = [
        {"default": (0.6, 1), "a": (0.4, 0.1), "b": (0.9, 0.1)},
        {"default": (0.6, 1), "a": (0.9, 0.1), "b": (0.4, 0.1)},
    ]
    tables = [BlendTable(*stored_table(0, way)) for way in ways]
    selector = Selector(tables[:1], tables[1:], dict.fromkeys(ways[0], "boosted_trees"))
    assert selector.order(1)[0] == "a"
    assert selector.order(1, without=tables[1:])[0] == "a"
    assert selector.order(1, without=tables[:1])[0] == "b"


def test_store_gives_back_what_it_was_given_and_knows_what_is_missing(tmp_path):
    from portfolio_scores import run_missing
    from portfolio_store import PortfolioStore, write_scores
    from portfolio_tables import quick_tables

    few = [Configuration("few", "neighbors", {"n_neighbors": 3})]
    store = PortfolioStore(tmp_path / "store")
    run_missing(quick_tables(), few, store)
    scores = write_scores(store, tmp_path / "scores.csv")
    assert [(s.table, s.configuration) for s in scores] == [
        ("breast_cancer", "few"),
        ("diabetes", "few"),
        ("wine", "few"),
    ]
    before = store.outcomes("wine")["few"]
    run_missing(quick_tables(), few, store)
    assert store.outcomes("wine")["few"].seconds == before.seconds
    assert len((tmp_path / "scores.csv").read_text().splitlines()) == 4


def test_written_portfolio_is_read_as_it_was_meant():
    from portfolio_candidates import candidates
    from portfolio_file import orders_text, portfolio_text

    known = candidates()
    orders = {"classification": [c.name for c in known], "regression": ["default"]}
    found = tomllib.loads(portfolio_text(orders, known, 3))
    assert found["order"] == orders
    expected = [c.as_dict() for c in known]
    assert [{"params": {}} | entry for entry in found["configuration"]] == expected
    again = json.loads(orders_text({"iris": ["default"]}, known))
    assert again["orders"] == {"iris": ["default"]}
    assert again["configurations"] == [{"name": "default", "family": "boosted_trees", "params": {}}]


def test_names_of_candidates_are_unique():
    from portfolio_candidates import candidates

    names = [c.name for c in candidates()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_portfolio_of_the_package_is_made_of_candidates(task):
    from portfolio_candidates import candidates

    known = {c.name: c for c in candidates()}
    order = read_portfolio(task)
    assert 15 <= len(order) <= 25
    assert all(known[c.name] == c for c in order)


def test_orders_without_a_table_name_known_configurations():
    found = json.loads((BENCHMARKS / "portfolio_orders.json").read_text())
    known = {entry["name"] for entry in found["configurations"]}
    assert len(found["orders"]) > 20
    assert all(set(order) <= known for order in found["orders"].values())
