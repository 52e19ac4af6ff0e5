"""Provides puzzles.

A person gets a puzzle from the bot's own games if there is one that they have not answered. If there is none,
a process of low priority searches finished games for more. If it finds none, the puzzles that come with the
program (`collection.py`) are added to the stored ones.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

import structlog

from adapters.port import Offer, PuzzleBoard, ServerRef, User, UserRef
from bot.features.puzzles.buttons import AnswerPuzzle
from bot.features.puzzles.collection import collection
from bot.features.puzzles.model import KeptPuzzle
from bot.features.puzzles.screens import OF_THE_DAY, TASK, challenge, puzzle_board, solved_board, tally_line
from bot.features.puzzles.store import NOT_PLAYED_HERE, PuzzleStore
from bot.locale import Translator, gettext_noop
from bot.screens.server_settings import ServerSetting
from bot.screens.text import Line
from bot.storage import RecordStore
from bot.thinking.queue import Purpose, ThoughtQueue
from engine import Puzzle, Record, puzzles_in

log = structlog.get_logger()

DAY = 24 * 60 * 60
FIRST_SEARCH_SECONDS = 60.0 * DAY  # how far back the first search goes
MAX_GAMES_SEARCHED = 60  # the most games to search for one puzzle
SEARCH_TIMEOUT = 30.0  # seconds after which a search counts as failed

SETTING = ServerSetting(
    name="puzzle",
    rank=120,
    label=gettext_noop("Puzzle of the day"),
    about=gettext_noop("Every day an ending with one winning move."),
    example=lambda translator: f"{translator.text(OF_THE_DAY)}: {translator.text(TASK)}",
    is_news=True,
)


class _Ask(Protocol):
    """A question to the store for one puzzle."""

    async def __call__(self, *, played_here: bool = False) -> KeptPuzzle | None: ...


class Puzzles:
    """Provides puzzles, and searches games for more."""

    def __init__(
        self,
        store: PuzzleStore,
        records: RecordStore,
        now: Callable[[], float],
        thinking: ThoughtQueue,
        pages: str = "",
    ) -> None:
        """Provides puzzles; `pages` is the address of their pages, without a number; empty for none."""
        self.store = store
        self._records = records
        self._now = now
        self._thinking = thinking
        self._pages = pages
        self._searched_until: float | None = None
        self._has_collection = False
        self._search_lock = asyncio.Lock()

    async def of_today(self) -> KeptPuzzle | None:
        """Returns the puzzle of the day, the same for all servers; None if none is left."""
        return await self._first_of(partial(self.store.of_day, self._today))

    async def for_person(self, user: UserRef) -> KeptPuzzle | None:
        """Returns a puzzle that a person has not answered; None if none is left."""
        return await self._first_of(partial(self.store.hand_out, user, self._today))

    @property
    def _today(self) -> int:
        """The number of the day (UTC), the same for all servers."""
        return int(self._now() // DAY)

    async def _first_of(self, ask: _Ask) -> KeptPuzzle | None:
        """Returns a puzzle that was played here, from games not searched yet, or else from the collection."""
        puzzle = await ask(played_here=True)
        if puzzle is None and await self._search():
            puzzle = await ask(played_here=True)

        if puzzle is not None:
            return puzzle

        await self._add_collection()
        return await ask()

    async def answer(self, user: User, number: int, *, is_right: bool) -> bool | None:
        """Stores a person's first answer; if there is an earlier one, returns whether that was right."""
        return await self.store.answer(user, number, self._now(), is_right=is_right)

    async def by_number(self, number: int, token: str, translator: Translator) -> PuzzleBoard | None:
        """Returns a puzzle that somebody was shown; with the token of a move, the verdict on it."""
        kept_puzzle = await self.store.get(number)
        if kept_puzzle is None or not kept_puzzle.was_shown:
            return None

        puzzle = kept_puzzle.puzzle
        answer = next((move for move in puzzle.moves if token == str(AnswerPuzzle(number, str(move)))), None)
        if answer is None:
            return puzzle_board(number, puzzle, translator)

        return solved_board(number, puzzle, answer, translator)

    async def offer(self, _: UserRef, translator: Translator) -> Offer | None:
        """Offers the puzzle of the day, as a link to its page; None without one."""
        kept_puzzle = await self.store.of_day(self._today) if self._pages else None
        if kept_puzzle is None:
            return None

        return challenge(kept_puzzle.puzzle, f"{self._pages}{kept_puzzle.id}", translator)

    async def in_stats(self, _: ServerRef, user: UserRef, translator: Translator) -> Line:
        """Counts the puzzles that a person solved, on all servers."""
        return tally_line(await self.store.tally(user), translator)

    async def _add_collection(self) -> None:
        """Adds the puzzles that come with the program, once in the life of a process."""
        if not self._has_collection:
            self._has_collection = True
            await self.store.add(await asyncio.to_thread(collection), NOT_PLAYED_HERE)

    async def _search(self) -> bool:
        """Searches games finished since the last search, up to the first with puzzles.

        Returns whether puzzles were found.
        """
        async with self._search_lock:
            if self._searched_until is None:
                self._searched_until = await self.store.newest_game() or self._now() - FIRST_SEARCH_SECONDS

            games = await self._records.finished_since(self._searched_until, MAX_GAMES_SEARCHED)
            if not games:
                return False

            try:
                async with asyncio.timeout(SEARCH_TIMEOUT):
                    for at, record in games:
                        self._searched_until = at  # the next search skips this game, also if this one fails
                        if record is None:
                            continue

                        puzzles = await self._thinking.work(Purpose.PUZZLE, partial(_found_in, record))
                        await self.store.add(puzzles, at)
                        if puzzles:
                            return True
            except Exception as error:
                # Without the trace: it could hold names.
                log.error("puzzle_search_failed", error=type(error).__name__)

        return False


def _found_in(record: Record) -> Sequence[Puzzle]:
    return list(puzzles_in(record))
