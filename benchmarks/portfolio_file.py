"""Writes the selected portfolio: the file of the package, and the orders that leave tables out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nonet.auto.configuration import Configuration

ROOT = Path(__file__).parents[1]
PORTFOLIO = ROOT / "src" / "nonet" / "auto" / "portfolio.toml"
ORDERS = Path(__file__).with_name("portfolio_orders.json")
Orders = Mapping[str, Sequence[str]]

_HEAD = """\
# The portfolio of the auto-ensembler: configurations, and the order in which they are tried.
#
# Written by benchmarks/select_portfolio.py; change that, not this. Selected from {n_candidates}
# candidates on {n_tables} tables: the next configuration is the one that lowers the mean loss of
# the weighted blend most for its cost. The first one of an order is cheap, for a model within
# seconds; the second is the best one alone. What the order is worth on tables that were left out
# of the selection: docs/decisions/0028-portfolio.md and 0029-prepared-features.md.
"""


def portfolio_text(orders: Orders, known: Sequence[Configuration], n_tables: int) -> str:
    """Return the text of portfolio.toml."""
    used = {name for order in orders.values() for name in order}
    parts = [_HEAD.format(n_candidates=len(known), n_tables=n_tables), "[order]"]
    parts += [f"{task} = {_as_toml(list(order))}" for task, order in orders.items()]
    for configuration in known:
        if configuration.name in used:
            parts += ["", "[[configuration]]", f'name = "{configuration.name}"']
            parts.append(f'family = "{configuration.family}"')
            if configuration.params:
                parts.append(f"params = {_as_toml(dict(configuration.params))}")
            if configuration.is_prepared:
                parts.append(f'prep = "{configuration.prep}"')
    return "\n".join(parts) + "\n"


def _as_toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_as_toml(v)}" for key, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_as_toml, value)) + "]"
    return json.dumps(value)


def orders_text(orders: Orders, known: Sequence[Configuration]) -> str:
    """Return JSON: for each table the order selected without it, and all configurations in use."""
    used = {name for order in orders.values() for name in order}
    configurations = [c.as_dict() for c in known if c.name in used]
    lines = [f"  {json.dumps(table)}: {json.dumps(list(o))}" for table, o in orders.items()]
    entries = [f"  {json.dumps(entry)}" for entry in configurations]
    return (
        '{"orders": {\n' + ",\n".join(lines) + "\n},\n"
        '"configurations": [\n' + ",\n".join(entries) + "\n]}\n"
    )
