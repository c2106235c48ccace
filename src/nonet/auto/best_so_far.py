"""The best configuration of a run that is going on, for those who watch it."""

from __future__ import annotations

from nonet.auto.fold_task import AutoData
from nonet.auto.held_out import HeldOutRecord
from nonet.auto.metric import Metric, as_metric_reads


class BestSoFar:
    """Scores of configurations, once each, when they are done on all folds.

    The ensemble is usually better, but its weights are found when the run ends.

    Parameters
    ----------
    data : AutoData
    record : HeldOutRecord
    metric : Metric
    """

    def __init__(self, data: AutoData, record: HeldOutRecord, metric: Metric) -> None:
        self._data, self._record, self._metric = data, record, metric
        self._losses: dict[str, float] = {}
        self._values: dict[str, float] = {}

    def values(self) -> dict[str, float]:
        """Return the best score and its standard error, named for a line of progress."""
        for name in self._record.complete():
            if name not in self._losses:
                self._add(name)
        return dict(self._values)

    def _add(self, name: str) -> None:
        page = self._record.page([name], range(len(self._data.folds)))
        y, weights = self._data.y[page.rows], self._data.weights_of(page.rows)
        predictions = as_metric_reads(page.outputs[:, 0])
        loss = self._metric.loss(y, predictions, weights)
        if loss < min(self._losses.values(), default=float("inf")):
            self._values = {
                f"best {self._metric.name}": self._metric.shown(loss),
                "+-": self._metric.standard_error(y, predictions, weights),
            }
        self._losses[name] = loss
