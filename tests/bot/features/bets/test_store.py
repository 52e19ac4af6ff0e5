"""Bets in the database, on SQLite and PostgreSQL alike: the result of a seat settles them."""

from bot.features.bets.model import BetTally, GameProphets, WeekProphets
from bot.features.bets.store import BetStore
from bot.storage import Database
from tests.bot.databases import on_every_database
from tests.bot.storage.samples import ANNA, BORIS, SERVER, person, playing
from tests.bot.storage.test_titles import finished

pytestmark = on_every_database

CLARA = person(7)
GAMES = 3  # the first two of which Boris loses


async def test_bets_are_settled_by_the_results_of_their_seats(database: Database) -> None:
    store = BetStore(database)
    table = await playing(database)
    for game in range(1, GAMES + 1):
        assert await store.place(CLARA, table.id, game, 1) is None
        assert await store.place(ANNA, table.id, game, 1 if game == 1 else 0) is None
        assert await store.game_prophets(table.id, game) == GameProphets((), 0)
        await finished(database, table.id, game, loser=int(game < GAMES), first=int(game == GAMES))

    assert await store.game_prophets(table.id, 1) == GameProphets((ANNA.name, CLARA.name), 2)
    assert await store.game_prophets(table.id, 2) == GameProphets((CLARA.name,), 2)
    assert await store.tally(SERVER, CLARA.ref) == BetTally(right=2, bets=3)
    assert await store.tally(SERVER, BORIS.ref) == BetTally(right=0, bets=0)
    assert await store.week_prophets(SERVER, 0.0, GAMES + 1.0) == WeekProphets(2, 3, [ANNA.name, CLARA.name])
    assert await store.week_prophets(SERVER, 1.0, 3.0) == WeekProphets(2, 2, [CLARA.name])
    assert await store.week_prophets(SERVER, 1.0, 2.0) is None


async def test_the_first_bet_stands(database: Database) -> None:
    store = BetStore(database)
    table = await playing(database)
    assert await store.place(CLARA, table.id, 1, 1) is None
    assert await store.place(CLARA, table.id, 1, 0) == 1
    assert await store.of(CLARA.ref, table.id, 1) == 1
    assert await store.of(BORIS.ref, table.id, 1) is None
