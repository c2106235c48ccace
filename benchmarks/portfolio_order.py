"""Greedy zero-shot selection: an order of configurations that serves tables nobody has seen.

The excess of a set of configurations on a table is the logarithm of the loss of their blend over
that of all candidates together, bounded so that no single table decides for all others. Tables
count by their number of rows n as n / (n + 1000), because losses on a few rows are noisy. The next
configuration is the one that lowers the mean excess over tables most, per square root of its cost;
every second one is of a family that is not there yet, because a new table may be one on which just
that family is good, as a line is where nothing else was needed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from portfolio_blends import BlendTable

MAX_EXCESS = 0.1
ROWS_OF_HALF_WEIGHT = 1000
OTHER_TASK_WEIGHT = 0.4
COST_EXPONENT = 0.5
FREE_COST = 0.3  # added to costs: fits, blends and predictions also cost what is not counted
MAX_FIRST_COST = 0.5  # of the first configuration, in units of the default's
N_TRIED = 8  # candidates that are tried again at a step, those of largest gain at the last one


class Selector:
    """Selects configurations for one task.

    Tables of the other task count as well, though less: some configurations are good in general,
    and a selection on a few tables adapts to their noise.
    """

    def __init__(
        self,
        tables: Sequence[BlendTable],
        others: Sequence[BlendTable],
        family_of: Mapping[str, str],
        prepared: Collection[str] = (),
    ) -> None:
        self.tables, self.names = list(tables), list(family_of)
        self._family_of, self._prepared = family_of, prepared
        self._others = list(others)
        self._reference = {table: table.losses(self.names) for table in (*tables, *others)}

    def excess(self, chosen: Sequence[str], table: BlendTable) -> float:
        """Return the excess of a blend on a table: mean of held-out rows and test part."""
        ratios = np.log(table.losses(chosen) / self._reference[table])
        return float(np.mean(MAX_EXCESS * np.tanh(ratios / MAX_EXCESS)))

    def costs(self, tables: Sequence[BlendTable]) -> dict[str, float]:
        """Return mean seconds over tables, in units of the default's."""
        seconds = {name: np.mean([table.seconds[name] for table in tables]) for name in self.names}
        return {name: float(mean / seconds["default"]) for name, mean in seconds.items()}

    def order(self, n_chosen: int, without: Collection[BlendTable] = ()) -> list[str]:
        """Return configurations in the order in which they are to be tried.

        The first is the best of those that are cheap and read no prepared columns, for a quick and
        safe model; the second the best of all on its own. All others are selected greedily.
        """
        known = [*self.tables, *self._others]
        tables = [table for table in known if table not in without]
        costs = self.costs(tables)
        alone = {name: self._mean([name], tables) for name in self.names}
        plain = [name for name in self.names if name not in self._prepared]
        most = max(MAX_FIRST_COST, min(costs[name] for name in plain))
        cheap = [name for name in plain if costs[name] <= most]
        first = min(cheap, key=alone.__getitem__)
        second = min((name for name in self.names if name != first), key=alone.__getitem__)
        chosen = [first, second]
        gains = {name: np.inf for name in self.names if name not in chosen}
        while len(chosen) < n_chosen and gains:
            self._update_gains(gains, chosen, costs, tables)
            best = max(self._allowed(gains, chosen), key=gains.__getitem__)
            chosen.append(best)
            del gains[best]
        return chosen

    def _allowed(self, left: Collection[str], chosen: Sequence[str]) -> list[str]:
        """Return who may be next: at every second step, only those of new families."""
        families = {self._family_of[name] for name in chosen}
        new = [name for name in left if self._family_of[name] not in families]
        return new if new and len(chosen) % 2 else list(left)

    def _update_gains(
        self,
        gains: dict[str, float],
        chosen: list[str],
        costs: Mapping[str, float],
        tables: Sequence[BlendTable],
    ) -> None:
        """Compute the gains per cost of adding each of those that may be next.

        Gains mostly shrink from step to step, so that those far behind need not be tried again.
        """
        now = self._mean(chosen, tables)
        allowed = self._allowed(gains, chosen)
        tried = sorted(allowed, key=gains.__getitem__, reverse=True)
        for number, name in enumerate(tried):
            if number < N_TRIED or gains[name] == np.inf:
                gain = now - self._mean([*chosen, name], tables)
                gains[name] = gain / (costs[name] + FREE_COST) ** COST_EXPONENT

    def mean(self, chosen: Sequence[Sequence[str]], tables: Sequence[BlendTable]) -> float:
        """Return the mean excess over tables, each with configurations of its own."""
        pairs = zip(chosen, tables, strict=True)
        excesses = [self.excess(names, table) for names, table in pairs]
        return float(np.average(excesses, weights=[self._weight(table) for table in tables]))

    def _weight(self, table: BlendTable) -> float:
        weight = table.n_rows / (table.n_rows + ROWS_OF_HALF_WEIGHT)
        return weight * OTHER_TASK_WEIGHT if table in self._others else weight

    def _mean(self, chosen: Sequence[str], tables: Sequence[BlendTable]) -> float:
        return self.mean([chosen] * len(tables), tables)
