"""Guests who never joined a table are forgotten with everything stored about them; others are kept."""

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from sqlmodel import delete

from adapters.port import RoomRef, ServerRef, User, UserRef
from adapters.web import Draft, Guest
from bot.storage import Database, PlayerStore, PrivacyStore, SqlGuestStore, SqlJournal
from bot.storage.models import SeatRow
from engine import Outcome
from engine.runtime import Entry
from tests.bot.storage.samples import BORIS, OPENING, open_table, playing, saved, unpacked

ROOM = RoomRef(ServerRef("web", "local"), "main")


def guest(name: str, seen_at: float) -> Guest:
    return Guest(name.lower(), name, f"hash of {name}", seen_at, seen_at)


def user(name: str) -> User:
    return User(UserRef("web", name.lower()), name)


async def names(store: SqlGuestStore) -> list[str]:
    return [guest.name for guest in await store.guests()]


async def joins(database: Database, name: str) -> None:
    await saved(database, (await open_table(database, ROOM, BORIS)).join(user(name)))


async def opens(database: Database, name: str) -> None:
    await open_table(database, ROOM, user(name))


async def played_once(database: Database, name: str) -> None:
    table = await playing(database, ROOM, people=(BORIS, user(name)))
    outcome = Outcome(fool=1, losers=(1,), is_draw=False, order=(0,), points=(0, 0))
    entry = Entry(table.id, 1, 1, None, OPENING.to_text(), None, at=1.0)
    await SqlJournal(database).append(entry, snapshot="", outcome=outcome)
    # It is recorded for two games, and the result permanently.
    await database.write(lambda session: session.exec(delete(SeatRow)).close())


@pytest.mark.parametrize("plays", [joins, opens, played_once])
async def test_who_was_at_a_table_is_no_newcomer_any_more(
    database: Database, plays: Callable[[Database, str], Coroutine[Any, Any, None]]
) -> None:
    store = SqlGuestStore(database)
    for name in ("Anna", "Eve"):
        await store.add_guest(guest(name, seen_at=1.0))
        await PlayerStore(database).remember(user(name))

    assert await store.count_newcomers() == 2
    await plays(database, "Anna")
    assert await store.count_newcomers() == 1
    assert await store.free_newcomers(unused_since=9.0) == 1
    assert await names(store) == ["Anna"]


async def test_whoever_has_been_away_longest_goes_first(database: Database) -> None:
    store = SqlGuestStore(database)
    for name, seen_at in (("Anna", 3.0), ("Boris", 1.0), ("Clara", 2.0), ("Dmitri", 9.0)):
        await store.add_guest(guest(name, seen_at))

    await store.make_owner("dmitri")
    await store.note_visits(["boris"], 4.0)
    assert await store.free_newcomers(3.0, most=1) == 1
    assert set(await names(store)) == {"Anna", "Boris", "Dmitri"}
    assert await store.free_newcomers(9.0, besides=["anna"]) == 1
    assert set(await names(store)) == {"Anna", "Dmitri"}


async def test_nothing_is_kept_about_who_was_let_go(database: Database) -> None:
    store = SqlGuestStore(database)
    await store.add_guest(guest("Eve", seen_at=1.0))
    await PlayerStore(database).remember(user("Eve"))
    await store.add_message(Draft("main", "eve", "post", {"text": "for you alone"}, 1.0), {})
    await store.free_newcomers(1.0)
    assert not unpacked(await PrivacyStore(database).everything_about(UserRef("web", "eve"), None, 1_000_000))


async def test_a_renewed_secret_is_the_guests_and_the_one_before_is_nobodys(database: Database) -> None:
    store = SqlGuestStore(database)
    anna = guest("Anna", seen_at=1.0)
    await store.add_guest(anna)
    assert await store.guest_by_secret(anna.secret_hash) == anna
    await store.renew_secret(anna.id, "f" * 64)
    assert await store.guest_by_secret(anna.secret_hash) is None
    renewed = await store.guest_by_secret("f" * 64)
    assert renewed is not None
    assert renewed.id == anna.id
