"""Finds out in the background which moves of a game cost a player most."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from time import perf_counter

import structlog
from cachetools import LRUCache

import engine
from adapters.port import Only, UserRef
from bot.cache import LIMITS
from bot.model.findings import Findings, NoFindings
from bot.model.messages import Reader, TableSlot
from bot.storage import GameToReview
from bot.tables.events import TableEvents
from bot.thinking.queue import Purpose, ThoughtQueue
from engine.runtime import Author, Entry


def decisions_of(entries: Sequence[Entry], seat: engine.Seat) -> list[engine.Decision]:
    """Returns the choices that the person on a seat made themselves, in order.

    Moves that a house player, the clock or the table made for them are left out, as are resignations and
    moves without an alternative.

    Args:
        entries: The journal of one game, from its opening on.
        seat: The seat of the person.

    Raises:
        ValueError: The journal cannot be read or played.
    """
    opening, *moves = entries
    state = engine.Opening.from_text(opening.text).deal()
    events: list[engine.Event] = []
    decisions: list[engine.Decision] = []

    for entry in moves:
        if entry.seat is None:
            raise ValueError("a move needs a seat")

        action = engine.parse_action(entry.text)
        choices = state.fair_moves(seat)
        is_own = entry.seat == seat and entry.author is Author.PLAYER
        if is_own and len(choices) > 1 and action in choices and not isinstance(action, engine.Resign):
            view = state.view_for(seat)
            memory = engine.Memory.of(view, events)
            bout = state.bouts + 1
            decisions.append(engine.Decision(bout, view, memory, choices, action, state.wrong_cards))

        step = state.act(entry.seat, action)
        events += engine.seen_by(step.events, seat)
        state = step.state

    return decisions


# --- Reviews in the background ---


log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Effort:
    """How thoroughly to look at decisions: the guesses and seconds for each, and the seconds for all."""

    guesses: int
    seconds: float
    together: float  # seconds for all decisions together

    def share(self, spent: float, left: int) -> float:
        """Returns the seconds for the next of `left` decisions, after `spent` seconds."""
        return min(self.seconds, max(MIN_DECISION_SECONDS, (self.together - spent) / left))


MIN_DECISION_SECONDS = 0.05  # the least time for one decision
GLANCE = Effort(guesses=400, seconds=0.3, together=5.0)  # for the first look at each decision of a game

# For further looks at one decision that seems costly, and the number of such looks.
LOOK = Effort(guesses=1000, seconds=0.5, together=1.0)
LOOKS = 3

REVIEW_TIMEOUT = 60.0  # seconds after which the review of a game has failed


@dataclass(frozen=True, slots=True)
class Review:
    """The findings of a review. `reader` is None if they are shown only on the page."""

    reader: Reader | None
    findings: Findings


class Reviews:
    """Reviews one game after the other, in a process that yields to house players."""

    def __init__(self, table_events: TableEvents, thinking: ThoughtQueue) -> None:
        self._table_events = table_events
        self._thinking = thinking
        self.found = LRUCache[TableSlot, Review](LIMITS.reviews)
        self._asked: asyncio.Queue[tuple[TableSlot, GameToReview]] = asyncio.Queue()
        self._wanted: dict[TableSlot, Reader | None] = {}
        self._asked_by = LRUCache[str, TableSlot](LIMITS.reviews)

    # --- requests and findings -----------------------------------------------------------------------

    def findings(self, slot: TableSlot) -> Findings | None:
        """Returns the findings of a review; None if there are none yet."""
        review = self.found.get(slot)
        return None if review is None else review.findings

    def is_wanted(self, slot: TableSlot) -> bool:
        """Returns whether a review was requested and is not finished."""
        return slot in self._wanted

    def request(self, slot: TableSlot, reader: Reader | None, game: GameToReview, *, event: str = "") -> None:
        """Queues the review of a game, once for any number of requests; it is shown to `reader`, if any.

        `event` is the chat's id of the request, by which `asked_by` finds the review.
        """
        if slot not in self._wanted:
            self._asked.put_nowait((slot, game))
        self._wanted[slot] = reader or self._wanted.get(slot)
        if event:
            self._asked_by[event] = slot

    def asked_by(self, event: str) -> TableSlot | None:
        """Returns the review that was requested by this event."""
        return self._asked_by.get(event)

    def follow(self, slot: TableSlot, reader: Reader) -> None:
        """Shows a review to this reader, in the answer to its request."""
        if slot in self._wanted:
            self._wanted[slot] = reader
        elif (findings := self.found.get(slot)) is not None:
            self.found[slot] = replace(findings, reader=reader)

    def of(self, user: UserRef) -> list[TableSlot]:
        """Returns the reviews that a person has asked for in a chat."""
        found = {slot: found.reader for slot, found in self.found.items()}
        readers = {**found, **self._wanted}
        return [slot for slot, reader in readers.items() if slot.user == user and reader is not None]

    def forget(self, user: UserRef) -> None:
        """Drops the reviews of a person's moves."""
        for slot in [found for found in self.found if found.user == user]:
            del self.found[slot]
        self._wanted = {slot: reader for slot, reader in self._wanted.items() if slot.user != user}
        for event in [event for event, slot in self._asked_by.items() if slot.user == user]:
            del self._asked_by[event]

    # --- the work ------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Reviews requested games, until cancelled."""
        while True:
            slot, game = await self._asked.get()
            if slot not in self._wanted:
                continue  # the asker is forgotten

            findings = await looked_back(game, self._thinking)
            if slot in self._wanted:
                reader = self._wanted.pop(slot)
                self.found[slot] = Review(reader, findings)
                if isinstance(reader, Only):
                    self._table_events.outdated(slot)

                # The room still shows the asker that they have to wait, and the result may now name the
                # costliest move.
                self._table_events.changed(slot.table_id)


async def looked_back(game: GameToReview, thinking: ThoughtQueue) -> Findings:
    """Reviews a game; after any error returns `NoFindings.FAILED`."""
    try:
        async with asyncio.timeout(REVIEW_TIMEOUT):
            return await _findings(thinking, game)
    except Exception as error:  # after any error, the next game is reviewed
        # Without the trace, which could contain cards.
        log.error("review_failed", table=game.table_id, error=type(error).__name__)
        return NoFindings.FAILED


async def _findings(thinking: ThoughtQueue, game: GameToReview) -> Findings:
    async def weigh(decisions: Sequence[engine.Decision], effort: Effort) -> list[engine.Regret]:
        regrets = []
        began = perf_counter()
        for number, decision in enumerate(decisions):
            fair = effort.share(perf_counter() - began, len(decisions) - number)
            seconds = max(MIN_DECISION_SECONDS, thinking.share * fair)  # less if house players must hurry
            chance = Random()  # noqa: S311 - a guess is no secret
            look = partial(engine.weighed, decision, chance, guesses=effort.guesses, seconds=seconds)
            regrets.append(await thinking.work(Purpose.REVIEW, look))

        return [regret for regret in regrets if regret is not None]

    decisions = await thinking.work(Purpose.REVIEW, partial(decisions_of, game.entries, game.seat))
    if not decisions:
        return NoFindings.NO_CHOICE

    glances = await weigh(decisions, GLANCE)
    if not glances:
        return NoFindings.NO_LOOK_AHEAD

    return engine.dearest([await weigh([suspect] * LOOKS, LOOK) for suspect in engine.suspects(glances)])
