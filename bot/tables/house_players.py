"""Chooses moves for house players; slow ones think without blocking anything else."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import structlog
from cachetools import LRUCache

import engine
from bot.cache import LIMITS
from bot.model.table import Table
from bot.thinking.queue import MAX_THOUGHT_SECONDS, Purpose, ThoughtQueue
from bot.thinking.thoughts import ADVISER, SLOW, Thought
from engine.runtime import GameSession

log = structlog.get_logger()

STAND_IN = "regular"  # the strength that plays for absent people
QUICK_SECONDS = 0.2  # the most that players who aren't slow take, even to solve an endgame


def strength_of(table: Table, seat: engine.Seat) -> str:
    """Returns the strength of a house player, or of a person's stand-in."""
    return table.options.strength if table.players[seat].user is None else STAND_IN


def thinking_seconds(table: Table, seats: Iterable[engine.Seat]) -> float:
    """Returns how long these seats take for a move, regardless of their cards and number of moves."""
    is_slow = any(strength_of(table, seat) in SLOW for seat in seats)
    return MAX_THOUGHT_SECONDS if is_slow else QUICK_SECONDS


@dataclass(frozen=True, slots=True)
class _Advice:
    """The advice for a person, finished or still being computed."""

    version: int  # the oldest version at which they had the same choices
    thought: asyncio.Task[engine.Move]

    def holds_for(self, version: int, moves: Sequence[engine.Move]) -> bool:
        """Returns whether the advice is for this version and, if it is finished, one of these moves."""
        if self.version != version or self.thought.cancelled():
            return False
        return not self.thought.done() or self.thought.result() in moves


class HousePlayers:
    """Chooses moves for house players."""

    def __init__(self, thinking: ThoughtQueue) -> None:
        self._thinking = thinking
        self._advice = LRUCache[tuple[int, engine.Seat], _Advice](LIMITS.known)

    def expect(self, strength: str) -> None:
        """Prepares for a move of a house player that is due soon."""
        if strength in SLOW:
            self._thinking.warm_up()

    async def choose(
        self, strength: str, state: engine.State, events: Sequence[engine.Event], seat: engine.Seat
    ) -> engine.Move:
        """Chooses a move for a seat, only from what that seat knows.

        If this takes too long or fails, a simpler player chooses, so that a table never waits for a thought.
        """
        view = state.view_for(seat)
        moves = state.fair_moves(seat)
        kind = Purpose.HINT if strength == ADVISER else Purpose.GAME

        for thinker in (strength, STAND_IN):
            try:
                memory = engine.Memory.of(view, engine.seen_by(events, seat))
                thought = Thought(thinker, view, moves, memory)

                if thinker not in SLOW or len(moves) == 1:
                    move = thought.best_move()
                else:
                    move = await self._thinking.think(kind, thought)

                if move in moves:
                    return move
            except TimeoutError:
                log.debug("thought_too_long", strength=thinker)
            except Exception as error:  # after any error, the game continues
                # Without the trace, which could contain cards.
                log.error("thought_failed", strength=thinker, error=type(error).__name__)

        return engine.Absent().choose(view, moves)

    async def advise(self, session: GameSession, seat: engine.Seat) -> engine.Move:
        """Returns an expert's move for a person, computed once however often they ask, and wherever."""
        state = session.state
        assert state is not None  # the person has a choice
        version = session.version_for(seat)
        key = session.table_id, seat

        advice = self._advice.get(key)
        if advice is None or not advice.holds_for(version, state.fair_moves(seat)):
            thought = asyncio.create_task(self.choose(ADVISER, state, session.events, seat))
            advice = self._advice[key] = _Advice(version, thought)

        return await asyncio.shield(advice.thought)  # another request may also wait for it

    async def choose_together(
        self,
        strengths: Mapping[engine.Seat, str],
        state: engine.State,
        events: Sequence[engine.Event],
        *,
        seconds: float,
    ) -> Mapping[engine.Seat, engine.Move]:
        """Chooses moves for seats, which takes `seconds` for any cards.

        Otherwise people could notice that a seat has only one legal move, which needs no thought.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        moves = await asyncio.gather(
            *[self.choose(strength, state, events, seat) for seat, strength in strengths.items()]
        )
        await asyncio.sleep(began + seconds - loop.time())
        return dict(zip(strengths, moves, strict=True))
