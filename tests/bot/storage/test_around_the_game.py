"""Games with real cards and calls in the database, on SQLite and PostgreSQL alike."""

import pytest

from adapters.port import ServerRef, UserRef
from bot.features.real_cards.model import CARD_GAMES, CardGame
from bot.features.real_cards.store import CardGameStore
from bot.model.messages import Subject
from bot.model.standings import Counted, Ranking
from bot.storage import CallStore, Database, MessageSlotStore, StandingsStore, TableStore
from tests.bot.storage.samples import ANNA, BORIS, ROOM, SERVER, person

CLARA = person(7)
NOW = 1000.0


async def counted(
    database: Database, counts: Counted, since: float | None = None
) -> list[tuple[UserRef, int, int, int]]:
    rows = await StandingsStore(database).ranking(SERVER, since, counted=counts, by=Ranking.FOOLS)
    return [(row.user, row.fools, row.games, row.cards) for row in rows]


async def test_games_with_real_cards_are_counted_apart_together_and_by_time(database: Database) -> None:
    store = CardGameStore(database)
    games = [CardGame(NOW, ANNA, (ANNA, BORIS)), CardGame(NOW + 10, BORIS, (ANNA, BORIS, CLARA))]
    number = await store.enter(ROOM, ANNA, games, NOW, is_file=True)
    assert await counted(database, Counted.TOGETHER) == []
    for _ in range(2):
        await store.count(number)

    everything = [(ANNA.ref, 1, 2, 2), (BORIS.ref, 1, 2, 2), (CLARA.ref, 0, 1, 1)]
    for counts in (Counted.CARDS, Counted.TOGETHER):
        assert sorted(await counted(database, counts), key=str) == sorted(everything, key=str)
        assert len(await counted(database, counts, NOW + 5)) == 3

    assert await counted(database, Counted.HERE) == []
    of_anna = await StandingsStore(database).stats(SERVER, ANNA.ref, Counted.TOGETHER)
    assert of_anna is not None
    assert of_anna.games == 2
    assert of_anna.expected == pytest.approx(1 / 2 + 1 / 3)
    assert set(await store.keys(SERVER)) == {key for game in games for key in game.keys}
    await store.take_back(number, ANNA)
    assert await counted(database, Counted.TOGETHER) == []
    newest = await MessageSlotStore(database).newest_change(Subject(CARD_GAMES, number))
    await store.forget_taken_back(number, newest - 1)
    assert await store.entered(number) is not None, "its messages have yet to say so"

    await store.forget_taken_back(number, newest)
    assert await store.entered(number) is None
    assert await counted(database, Counted.TOGETHER) == []


async def test_a_call_goes_with_its_room_when_that_moves(database: Database) -> None:
    store, moved = CallStore(database), ServerRef(SERVER.platform, "-1007")
    assert await store.ask(ANNA, ROOM, NOW - 1, table_id=1, game=1, now=NOW)
    assert await store.ask(ANNA, ROOM, NOW + 5, table_id=1, game=1, now=NOW)
    assert await store.waiting(ROOM, 1, 1, NOW) == []
    assert [each.user for each in await store.waiting(ROOM, 1, 2, NOW)] == [ANNA.ref]
    new = type(ROOM)(moved, moved.id, ROOM.topic)
    await TableStore(database, lambda: NOW).rename_room(ROOM, new)
    assert [each.user for each in await store.waiting(new, 2, 1, NOW)] == [ANNA.ref]
    assert await store.forget_expired(NOW + 6) == 0
    assert not await store.drop(ANNA.ref, new)
