"""Lets house players think where they hold nobody up: the strongest one in a process of its own."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from multiprocessing import get_context
from random import SystemRandom

import structlog

from engine import STRENGTHS, Event, Memory, Move, Seat, SeatView, State

log = structlog.get_logger()

STAND_IN = "regular"
"""The strength that plays for people who are away."""

SLOW = frozenset({"expert"})
"""Strengths that think for longer than a loop may be kept waiting."""

LONGEST_THOUGHT = 1.0
"""Seconds after which somebody quicker answers."""


class Thinking:
    """Chooses moves for house players."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """End the process for slow thoughts together with whoever needs it; it begins with the first one."""
        try:
            yield
        finally:
            self._forget_pool()

    async def choose(self, strength: str, state: State, events: Sequence[Event], seat: Seat) -> Move:
        """Choose a move for a seat, from what that seat may know and nothing else."""
        view, moves = state.view_for(seat), state.legal_moves(seat)
        seen = (event.seen_by(seat) for event in events)
        memory = Memory.of(view, [event for event in seen if event is not None])
        if strength in SLOW and len(moves) > 1:
            try:
                async with asyncio.timeout(LONGEST_THOUGHT):
                    chosen = await asyncio.wrap_future(
                        self._begun().submit(_thought, strength, view, moves, memory)
                    )
                if chosen in moves:
                    return chosen
            except TimeoutError:
                log.debug("thought_too_long", strength=strength)
            except BrokenProcessPool:
                log.warning("thought_broken_off", strength=strength)
                self._forget_pool()
            except Exception:
                log.exception("thought_failed", strength=strength)
            strength = STAND_IN
        return _thought(strength, view, moves, memory)

    def _begun(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn"))
        return self._pool

    def _forget_pool(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _thought(strength: str, view: SeatView, moves: Sequence[Move], memory: Memory) -> Move:
    return STRENGTHS[strength](SystemRandom()).choose(view, moves, memory)
