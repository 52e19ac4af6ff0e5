"""Lets house players think where they hold nobody up: the strongest one in a process of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from random import Random, SystemRandom

import structlog

from bot.tables.worker import Worker
from engine import (
    STRENGTHS,
    Absent,
    Adviser,
    Event,
    HousePlayer,
    Memory,
    Move,
    Seat,
    SeatView,
    State,
    seen_by,
)

log = structlog.get_logger()

STAND_IN = "regular"
"""The strength that plays for people who are away."""

ADVISER = "adviser"
"""Who thinks for people that ask for a hint."""

THINKERS: Mapping[str, Callable[[Random], HousePlayer]] = {**STRENGTHS, ADVISER: lambda _: Adviser()}
"""Who thinks, by the name under which it is asked to."""

SLOW = frozenset({"expert", ADVISER})
"""Strengths that think for longer than a loop may be kept waiting."""

LONGEST_THOUGHT = 1.0
"""Seconds after which somebody quicker answers."""


class HousePlayers:
    """Chooses moves for house players."""

    def __init__(self) -> None:
        self._worker = Worker()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """End the process for slow thoughts together with whoever needs it; it begins with the first one."""
        try:
            yield
        finally:
            self._worker.end()

    async def choose(self, strength: str, state: State, events: Sequence[Event], seat: Seat) -> Move:
        """Choose a move for a seat, from what that seat may know and nothing else.

        Whoever takes too long, or fails, is replaced by somebody simpler: a table never waits for a thought.
        """
        view, moves = state.view_for(seat), state.legal_moves(seat)
        for thinker in (strength, STAND_IN):
            try:
                memory = Memory.of(view, seen_by(events, seat))
                chosen = await self._thought(thinker, view, moves, memory)
                if chosen in moves:
                    return chosen
            except TimeoutError:
                log.debug("thought_too_long", strength=thinker)
            except Exception as error:  # whatever it is, the game goes on
                # Without the trace: it could hold hands.
                log.error("thought_failed", strength=thinker, error=type(error).__name__)
        return Absent().choose(view, moves)

    async def _thought(self, strength: str, view: SeatView, moves: Sequence[Move], memory: Memory) -> Move:
        if strength not in SLOW or len(moves) == 1:
            return _think(strength, view, moves, memory)
        async with asyncio.timeout(LONGEST_THOUGHT):
            return await self._worker.do(partial(_think, strength, view, moves, memory))


def _think(strength: str, view: SeatView, moves: Sequence[Move], memory: Memory) -> Move:
    return THINKERS[strength](SystemRandom()).choose(view, moves, memory)
