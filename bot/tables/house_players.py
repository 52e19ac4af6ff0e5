"""Chooses moves for house players, the slow ones of which think where they hold up nothing else."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import structlog
from cachetools import LRUCache

import engine
from bot.cache import LIMITS
from bot.model.table import Table
from bot.thinking.line import MAX_THOUGHT_SECONDS, Purpose, ThoughtLine
from bot.thinking.thoughts import ADVISER, SLOW, Thought
from engine.runtime import GameSession

log = structlog.get_logger()

STAND_IN = "regular"  # the strength that plays for absent people
QUICK_SECONDS = 0.2  # in which players that aren't slow have chosen, at the latest when they solve an end


def strength_of(table: Table, seat: engine.Seat) -> str:
    """Returns the strength of a house player, or of a person's stand-in."""
    return table.options.strength if table.players[seat].user is None else STAND_IN


def thinking_seconds(table: Table, seats: Iterable[engine.Seat]) -> float:
    """Returns how long these seats take over a move, whatever they hold, and however many moves they have."""
    is_slow = any(strength_of(table, seat) in SLOW for seat in seats)
    return MAX_THOUGHT_SECONDS if is_slow else QUICK_SECONDS


@dataclass(frozen=True, slots=True)
class _Advice:
    """The advice for a person, thought out or still being thought about."""

    version: int  # the oldest at which their choices meant the same
    thought: asyncio.Task[engine.Move]

    def holds_for(self, version: int, moves: Sequence[engine.Move]) -> bool:
        """Returns whether it is, or will be, one of these moves at the same version."""
        if self.version != version or self.thought.cancelled():
            return False
        return not self.thought.done() or self.thought.result() in moves


class HousePlayers:
    """Chooses moves for house players."""

    def __init__(self, line: ThoughtLine) -> None:
        self._line = line
        self._advice = LRUCache[tuple[int, engine.Seat], _Advice](LIMITS.known)

    def expect(self, strength: str) -> None:
        """Prepares for a move of a house player that is due soon."""
        if strength in SLOW:
            self._line.warm_up()

    async def choose(
        self, strength: str, state: engine.State, events: Sequence[engine.Event], seat: engine.Seat
    ) -> engine.Move:
        """Chooses a move for a seat, from that seat's knowledge alone.

        One that takes too long, or fails, is replaced by a simpler one: a table never waits for a thought.
        """
        view = state.view_for(seat)
        moves = state.legal_moves(seat)
        kind = Purpose.HINT if strength == ADVISER else Purpose.GAME

        for thinker in (strength, STAND_IN):
            try:
                memory = engine.Memory.of(view, engine.seen_by(events, seat))
                thought = Thought(thinker, view, moves, memory)

                if thinker not in SLOW or len(moves) == 1:
                    move = thought.best_move()
                else:
                    move = await self._line.think(kind, thought)

                if move in moves:
                    return move
            except TimeoutError:
                log.debug("thought_too_long", strength=thinker)
            except Exception as error:  # after any error, the game continues
                # Without the trace: it could hold hands.
                log.error("thought_failed", strength=thinker, error=type(error).__name__)

        return engine.Absent().choose(view, moves)

    async def advise(self, session: GameSession, seat: engine.Seat) -> engine.Move:
        """Returns an expert's move for a person; thought out once, however often and from where they ask."""
        state = session.state
        assert state is not None  # the person has a choice
        version = session.version_for(seat)
        key = session.table_id, seat

        advice = self._advice.get(key)
        if advice is None or not advice.holds_for(version, state.legal_moves(seat)):
            thought = asyncio.create_task(self.choose(ADVISER, state, session.events, seat))
            advice = self._advice[key] = _Advice(version, thought)

        return await asyncio.shield(advice.thought)  # another may also wait for it

    async def choose_together(
        self,
        strengths: Mapping[engine.Seat, str],
        state: engine.State,
        events: Sequence[engine.Event],
        *,
        seconds: float,
    ) -> Mapping[engine.Seat, engine.Move]:
        """Chooses moves for seats, which takes so many seconds for any cards.

        A seat with one legal move needs no thought, which nobody is to notice.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        moves = await asyncio.gather(
            *[self.choose(strength, state, events, seat) for seat, strength in strengths.items()]
        )
        await asyncio.sleep(began + seconds - loop.time())
        return dict(zip(strengths, moves, strict=True))
