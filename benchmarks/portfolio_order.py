"""Greedy zero-shot selection: an order of configurations that serves tables nobody has seen.

The excess of a set of configurations on a table is the logarithm of the loss of their blend over
that of all candidates together, bounded so that no single table decides for all others. Tables
count by their number of rows n as n / (n + 1000), because losses on a few rows are noisy. The next
configuration is the one that lowers the mean excess over tables most, per square root of its cost.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from portfolio_blends import BlendTable

MAX_EXCESS = 0.1
ROWS_OF_HALF_WEIGHT = 1000
COST_EXPONENT = 0.5
FREE_COST = 0.3  # added to costs: fits, blends and predictions also cost what is not counted
MAX_FIRST_COST = 0.5  # of the first configuration, in units of the default's
N_TRIED = 12  # candidates that are tried again at a step, those of largest gain at the last one


class Selector:
    """Selects configurations for the tables of one task."""

    def __init__(self, tables: Sequence[BlendTable], names: Sequence[str]) -> None:
        self.tables, self.names = list(tables), list(names)
        self._reference = {table.name: table.losses(self.names) for table in tables}
        self._seconds = np.array([[t.seconds[name] for name in names] for t in tables])

    def excess(self, chosen: Sequence[str], table: BlendTable) -> float:
        """Return the excess of a blend on a table: mean of held-out rows and test part."""
        ratios = np.log(table.losses(chosen) / self._reference[table.name])
        return float(np.mean(MAX_EXCESS * np.tanh(ratios / MAX_EXCESS)))

    def costs(self, tables: Sequence[BlendTable]) -> dict[str, float]:
        """Return mean seconds over tables, in units of the default's."""
        rows = [self.tables.index(table) for table in tables]
        seconds = self._seconds[rows].mean(axis=0)
        return dict(zip(self.names, seconds / seconds[self.names.index("default")], strict=True))

    def order(self, n_chosen: int, without: str | None = None) -> list[str]:
        """Return configurations in the order in which they are to be tried.

        The first is the best of those that are cheap, for a quick and safe model; the second the
        best of all on its own. All others are selected greedily.
        """
        tables = [table for table in self.tables if table.name != without]
        costs = self.costs(tables)
        alone = {name: self._mean([name], tables) for name in self.names}
        most = max(MAX_FIRST_COST, min(costs.values()))
        cheap = [name for name in self.names if costs[name] <= most]
        first = min(cheap, key=alone.__getitem__)
        second = min((name for name in self.names if name != first), key=alone.__getitem__)
        chosen = [first, second]
        gains = {name: np.inf for name in self.names if name not in chosen}
        while len(chosen) < n_chosen and gains:
            best = self._next(chosen, gains, costs, tables)
            chosen.append(best)
            del gains[best]
        return chosen

    def _next(
        self,
        chosen: list[str],
        gains: dict[str, float],
        costs: dict[str, float],
        tables: Sequence[BlendTable],
    ) -> str:
        """Return the configuration of largest gain per cost; gains are updated.

        Gains mostly shrink from step to step, so that those far behind need not be tried again.
        """
        now = self._mean(chosen, tables)
        is_first = np.inf in gains.values()
        tried = sorted(gains, key=gains.__getitem__, reverse=True)
        for name in tried if is_first else tried[:N_TRIED]:
            gain = now - self._mean([*chosen, name], tables)
            gains[name] = gain / (costs[name] + FREE_COST) ** COST_EXPONENT
        return max(gains, key=gains.__getitem__)

    def mean(self, chosen: Sequence[Sequence[str]], tables: Sequence[BlendTable]) -> float:
        """Return the mean excess over tables, each with configurations of its own."""
        pairs = zip(chosen, tables, strict=True)
        excesses = [self.excess(names, table) for names, table in pairs]
        rows = np.array([table.n_rows for table in tables])
        return float(np.average(excesses, weights=rows / (rows + ROWS_OF_HALF_WEIGHT)))

    def _mean(self, chosen: Sequence[str], tables: Sequence[BlendTable]) -> float:
        return self.mean([chosen] * len(tables), tables)
