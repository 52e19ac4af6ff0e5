"""Puzzles in the database, on SQLite and PostgreSQL alike."""

from bot.features.puzzles.model import PuzzleTally
from bot.features.puzzles.store import PuzzleStore
from bot.storage import Database
from engine import puzzles_in
from tests.bot.databases import on_every_database
from tests.bot.storage.samples import ANNA
from tests.engine.test_puzzles import SEEDS, played

pytestmark = on_every_database

NOW = 1000.0


async def test_a_puzzle_is_kept_once_and_each_day_has_its_own(database: Database) -> None:
    store = PuzzleStore(database)
    found = [puzzle for seed in SEEDS for puzzle in puzzles_in(played(seed))]
    await store.add(found, NOW)
    await store.add(found, NOW)
    days = [await store.of_day(day) for day in (1, 2, 1)]
    assert days[0] is not None
    assert days[0] == days[2] != days[1]
    assert await store.newest_game() == NOW
    for number, is_right in ((days[0].id, True), (days[0].id, False)):
        await store.answer(ANNA, number, NOW, is_right=is_right)

    assert await store.tally(ANNA.ref) == PuzzleTally(1, 1)
    newest = await store.hand_out(ANNA.ref, today=1)
    assert newest is not None
    await store.answer(ANNA, newest.id, NOW + 1, is_right=False)
    assert await store.tally(ANNA.ref) == PuzzleTally(1, 0)
