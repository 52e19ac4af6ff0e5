"""People, rooms and tables for the tests of the storage."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.app import SCHEMA
from bot.model.table import Phase, Table
from bot.storage import Database, TableStore
from engine import PRESETS, Opening

RULES = PRESETS["podkidnoy-36"]
SERVER = ServerRef("telegram", "-100")
ROOM = RoomRef(SERVER, "-100")
SEED = "5ec2e7"
OPENING = Opening(RULES, players=2, seed=SEED)


def person(number: int, name: str = "") -> User:
    return User(UserRef("telegram", str(number)), name or f"Person {number}", "de")


ANNA, BORIS, CLARA = person(1, "Anna"), person(2, "Boris"), person(3, "Clara")


@asynccontextmanager
async def opened(url: str = "sqlite+aiosqlite://") -> AsyncIterator[Database]:
    """Opens a database; without an address one in memory."""
    database = Database(url, SCHEMA)
    try:
        await database.open()
        yield database
    finally:
        await database.close()


async def open_table(database: Database, room: RoomRef = ROOM, opener: User = ANNA) -> Table:
    return await TableStore(database).open(
        room=room, opener=opener, preset="podkidnoy-36", rules=RULES, seed=SEED, locale="en"
    )


async def saved(database: Database, table: Table) -> Table:
    await TableStore(database).save(table)
    return table


async def playing(
    database: Database, room: RoomRef = ROOM, *, people: tuple[User, ...] = (ANNA, BORIS), houses: int = 0
) -> Table:
    """Opens a table at which these people and some house players play."""
    table = await open_table(database, room, people[0])
    for user in people[1:]:
        table = table.join(user)

    for _ in range(houses):
        table = table.add_house(people[0].ref)

    return await saved(database, table.with_phase(Phase.PLAYING))


def unpacked(parts: Sequence[bytes]) -> dict[str, list[dict[str, Any]]]:
    """Returns the contents of ZIP files about a person, by topic."""
    found = dict[str, list[dict[str, Any]]]()
    for part in parts:
        with ZipFile(BytesIO(part)) as files:
            for name in files.namelist():
                rows = json.loads(files.read(name))
                found.setdefault(name.removesuffix(".json").rstrip(" 0123456789"), []).extend(rows)

    return found
