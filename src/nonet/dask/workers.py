"""The workers of a fit: one actor on each, called step by step, and replaced if it is lost.

A call of an actor returns in a millisecond or two, a task of the scheduler in ten. Unlike a task an
actor is lost with its worker, but its state follows from its partitions and the trees so far: a new
one adds these trees and repeats the steps of the round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dask.distributed import TimeoutError as DaskTimeoutError

from nonet._base.aliases import Array
from nonet._native.tree import Tree
from nonet.dask.gathering import Gathering
from nonet.dask.part_rows import FitPlan, PartRows, Step

# How long to wait before looking whether a silent worker is still there.
_SECONDS_PER_LOOK = 2.0
# How often an actor may be lost within one step before the fit gives up.
_MAX_LOSSES = 10
# How long to wait for a worker if all are lost.
_SECONDS_FOR_A_WORKER = 60.0


class WorkerLostError(Exception):
    """A worker, or the actor on it, is no longer there."""


@dataclass
class _Hand:
    """The partitions of one actor, and where it is."""

    positions: list[int]
    address: str
    future: Any = None
    actor: Any = None


@dataclass
class _Round:
    """The steps of a round so far, for an actor that takes over."""

    rounds: list[list[Tree]] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)


class Workers:
    """All actors of a fit.

    Parameters
    ----------
    parts : Gathering
        The partitions.
    groups : list of (address, positions)
        Which partitions each actor reads, and the worker where they lie.
    held_out : list of arrays or None
        Rows of each partition that only stop the fit.
    plan : FitPlan
        What all actors know.
    """

    def __init__(
        self,
        parts: Gathering,
        groups: Sequence[tuple[str, list[int]]],
        held_out: Sequence[Array] | None,
        plan: FitPlan,
    ) -> None:
        self._parts, self._held_out, self._plan = parts, held_out, plan
        self._hands = [_Hand(positions, address) for address, positions in groups]
        self._round = _Round()
        self._waiting: list[Step] = []
        self._of_earlier_rounds: list[Step] = []
        self.n_trips = 0
        for hand in self._hands:
            self._submit(hand, hand.address)
        for hand in self._hands:
            self._settle(hand)

    def __len__(self) -> int:
        return len(self._hands)

    def begin_round(self, rounds: Sequence[list[Tree]]) -> None:
        """Note that the scores of all rows are those after these rounds.

        Steps of earlier rounds that actors have not been told yet belong to these rounds: an actor
        that takes over has them done when it has added the trees.
        """
        self._of_earlier_rounds += self._waiting
        self._waiting = []
        self._round = _Round(list(rounds))

    def tell(self, step: str, *arguments: Any) -> None:
        """Let all actors take a step without a result, together with the next call."""
        self._waiting.append((step, *arguments))

    def call(self, step: str, *arguments: Any) -> list[Any]:
        """Let all actors take a step; return the results of those that have rows for it."""
        self.n_trips += 1
        steps = [*self._waiting, (step, *arguments)]
        calls = [self._call(hand, self._of_earlier_rounds + steps) for hand in self._hands]
        found = [
            self._result(hand, call, steps) for hand, call in zip(self._hands, calls, strict=True)
        ]
        self._of_earlier_rounds, self._waiting = [], []
        self._round.steps += steps
        return [value for value in found if value is not None]

    def close(self) -> None:
        """Let the actors go."""
        for hand in self._hands:
            hand.actor = None
            if hand.future is not None:
                hand.future.release()

    # ---- Calls ---------------------------------------------------------------------------------

    def _call(self, hand: _Hand, steps: list[Step]) -> Any:
        try:
            return hand.actor.call(steps)
        except Exception:  # distributed raises errors of several kinds for an actor that is lost
            return None

    def _result(self, hand: _Hand, call: Any, steps: list[Step]) -> Any:
        for _ in range(_MAX_LOSSES):
            try:
                return self._wait(hand, call)
            except WorkerLostError:
                call = self._take_over(hand, steps)
        raise RuntimeError(
            f"The worker of partitions {hand.positions} was lost {_MAX_LOSSES} times in one step; "
            "give the workers more memory, or look at their logs."
        )

    def _wait(self, hand: _Hand, call: Any) -> Any:
        """Return the result of a call; raise WorkerLostError if there will be none."""
        if call is None:
            raise WorkerLostError
        while True:
            try:
                reply = call.result(timeout=_SECONDS_PER_LOOK)
            except (TimeoutError, DaskTimeoutError):
                if not self._is_there(hand):
                    raise WorkerLostError from None
                continue
            except Exception:
                self._check_client()
                raise WorkerLostError from None
            if reply.error is not None:
                raise reply.error
            return reply.value

    def _is_there(self, hand: _Hand) -> bool:
        self._check_client()
        workers = self._parts.client.scheduler_info(n_workers=-1)["workers"]
        return hand.address in workers and hand.future.status in ("finished", "pending")

    def _check_client(self) -> None:
        status = self._parts.client.status
        if status != "running":
            raise RuntimeError(
                f"The Dask client was {status} during the fit; make a new one, and go on from the "
                "checkpoint if there is one."
            )

    # ---- Actors --------------------------------------------------------------------------------

    def _submit(self, hand: _Hand, address: str | None) -> None:
        """Start an actor, on the worker that has its partitions or on any other."""
        held_out = None
        if self._held_out is not None:
            held_out = [self._held_out[p] for p in hand.positions]
        wish = {"workers": [address], "allow_other_workers": True} if address else {}
        hand.future = self._parts.client.submit(
            PartRows,
            self._parts.futures(hand.positions),
            hand.positions,
            held_out,
            self._plan,
            actor=True,
            pure=False,
            **wish,
        )

    def _settle(self, hand: _Hand) -> None:
        hand.actor = hand.future.result()
        hand.address = hand.actor._address

    def _take_over(self, hand: _Hand, steps: list[Step]) -> Any:
        """Bring a new actor to where the lost one was, and let it take these steps."""
        try:
            self._parts.client.wait_for_workers(1, timeout=_SECONDS_FOR_A_WORKER)
            self._submit(hand, None)
            self._settle(hand)
        except (TimeoutError, DaskTimeoutError):
            raise RuntimeError(
                f"No worker has come back for {_SECONDS_FOR_A_WORKER:.0f} seconds; start workers, "
                "and fit again."
            ) from None
        except (ValueError, TypeError, AssertionError):
            raise
        except Exception:
            self._check_client()
            return None
        restore: Step = ("restore", self._round.rounds)
        return self._call(hand, [restore, *self._round.steps, *steps])
