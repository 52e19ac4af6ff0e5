"""People, rooms and tables for the tests of the storage."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.model.table import Lobby, Phase
from bot.storage import Database, Lobbies
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
    database = Database(url)
    try:
        await database.open()
        yield database
    finally:
        await database.close()


async def open_table(database: Database, room: RoomRef = ROOM, opener: User = ANNA) -> Lobby:
    return await Lobbies(database).open(
        room=room, opener=opener, preset="podkidnoy-36", rules=RULES, seed=SEED, locale="en"
    )


async def saved(database: Database, lobby: Lobby) -> Lobby:
    await Lobbies(database).save(lobby)
    return lobby


async def playing(
    database: Database, room: RoomRef = ROOM, *, people: tuple[User, ...] = (ANNA, BORIS), houses: int = 0
) -> Lobby:
    """Opens a table at which these people and some house players play."""
    lobby = await open_table(database, room, people[0])
    for user in people[1:]:
        lobby = lobby.join(user)
    for _ in range(houses):
        lobby = lobby.add_house(people[0].ref)
    return await saved(database, lobby.entered(Phase.PLAYING))
