"""Chooses moves for house players, the slow ones of which think where they hold up nothing else."""

import asyncio
from collections.abc import Mapping, Sequence

import structlog

import engine
from bot.thinking.line import MAX_THOUGHT_SECONDS, Kind, ThoughtLine
from bot.thinking.thoughts import ADVISER, SLOW, Thought

log = structlog.get_logger()

STAND_IN = "regular"  # the strength that plays for absent people


class HousePlayers:
    """Chooses moves for house players."""

    def __init__(self, line: ThoughtLine) -> None:
        self._line = line

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
        kind = Kind.HINT if strength == ADVISER else Kind.GAME

        for thinker in (strength, STAND_IN):
            try:
                memory = engine.Memory.of(view, engine.seen_by(events, seat))
                thought = Thought(thinker, view, moves, memory)

                if thinker not in SLOW or len(moves) == 1:
                    chosen = thought.chosen()
                else:
                    chosen = await self._line.think(kind, thought)

                if chosen in moves:
                    return chosen
            except TimeoutError:
                log.debug("thought_too_long", strength=thinker)
            except Exception as error:  # after any error, the game goes on
                # Without the trace: it could hold hands.
                log.error("thought_failed", strength=thinker, error=type(error).__name__)

        return engine.Absent().choose(view, moves)

    async def choose_together(
        self,
        strengths: Mapping[engine.Seat, str],
        state: engine.State,
        events: Sequence[engine.Event],
        *,
        pause: float = 1.0,
    ) -> Mapping[engine.Seat, engine.Move]:
        """Chooses moves for several seats, which takes as long for any cards.

        A seat with one legal move needs no thought, so all wait for the longest thought where one of them
        thinks slowly; that time is multiplied by `pause`.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        moves = await asyncio.gather(
            *[self.choose(strength, state, events, seat) for seat, strength in strengths.items()]
        )
        if not SLOW.isdisjoint(strengths.values()):
            await asyncio.sleep(began + pause * MAX_THOUGHT_SECONDS - loop.time())

        return dict(zip(strengths, moves, strict=True))
