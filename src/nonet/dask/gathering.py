"""Partitions as futures on the workers of a client, and tasks that read each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from dask.delayed import Delayed
from distributed import Client, get_client, wait

T = TypeVar("T")


def current_client(client: Client | None) -> Client:
    """Return the client of a fit: the one that is given, or the current one."""
    if client is None:
        try:
            client = get_client()
        except ValueError:
            raise ValueError(
                "There is no Dask client to run on; make one first, for example "
                "client = distributed.Client(), or pass client=."
            ) from None
    if client.status != "running":
        raise ValueError(
            f"The Dask client is {client.status}; make a new one, and the collections on it again."
        )
    return client


class Gathering:
    """The partitions of a dataset, computed on the workers.

    Parameters
    ----------
    client : Client
        Where they are computed.
    delayed : list of Delayed
        The partitions, in order.
    """

    def __init__(self, client: Client, delayed: Sequence[Delayed]) -> None:
        self.client, self.delayed = client, list(delayed)
        self._futures = client.compute(self.delayed)
        wait(self._futures)

    def __len__(self) -> int:
        return len(self.delayed)

    def each(
        self,
        read: Callable[..., T],
        *common: Any,
        each: Sequence[Any] | None = None,
        skips_empty: bool = False,
    ) -> list[T]:
        """Call read(part, position, *common, own) where the partitions are.

        Parameters
        ----------
        read : callable
            Reads one partition.
        *common : object
            Arguments for all of them.
        each : sequence, optional
            One more argument for each.
        skips_empty : bool
            Whether partitions are left out for which that argument is empty.
        """
        calls = []
        for p, part in enumerate(self._futures):
            own = [] if each is None else [each[p]]
            if skips_empty and not len(own[0]):
                continue
            calls.append(self.client.submit(read, part, p, *common, *own, pure=False))
        found: list[T] = self.client.gather(calls)
        return found

    def by_worker(self, chosen: Sequence[int]) -> list[tuple[str, list[int]]]:
        """Return the addresses of workers, and which of the chosen partitions lie there."""
        holders_of = self.client.who_has(self._futures)
        groups: dict[str, list[int]] = {}
        for p in chosen:
            holders = sorted(holders_of.get(self._futures[p].key) or [""])
            lightest = min(holders, key=lambda address: len(groups.get(address, [])))
            groups.setdefault(lightest, []).append(p)
        return sorted(groups.items(), key=lambda group: group[1])

    def futures(self, positions: Sequence[int]) -> list[Any]:
        """Return the partitions, computed again where they were lost or let go."""
        if not self._futures:
            return list(self.client.compute([self.delayed[p] for p in positions]))
        return [self._futures[p] for p in positions]

    def let_go(self) -> None:
        """Free the memory of the workers that hold partitions, unless somebody else needs them."""
        self._futures = []
