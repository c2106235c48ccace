"""Workers of a fit in this process: the same steps as on a cluster, without one."""

from __future__ import annotations

from nonet.dask.part_rows import PartRows


class WorkersHere:
    """Has the interface of `nonet.dask.workers.Workers`."""

    def __init__(self, parts, plan, held_out=None):
        self.hands = [
            PartRows([part], [p], None if held_out is None else [held_out[p]], plan)
            for p, part in enumerate(parts)
        ]
        self.n_trips = 0
        self.steps = []

    def __len__(self):
        return len(self.hands)

    def begin_round(self, rounds):
        self.steps = []

    def tell(self, step, *arguments):
        for hand in self.hands:
            assert hand.call([(step, *arguments)]).error is None

    def call(self, step, *arguments):
        self.n_trips += 1
        self.steps.append(step)
        replies = [hand.call([(step, *arguments)]) for hand in self.hands]
        for reply in replies:
            if reply.error is not None:
                raise reply.error
        return [reply.value for reply in replies if reply.value is not None]
