"""The people that the bot remembers."""

from dataclasses import replace

from bot.people import People, Servers
from bot.storage import Database, PlayerStore, ServerStore
from tests.bot.chat import ROOM
from tests.bot.running_bot import ANNA


def people_in(database: Database) -> People:
    return People(PlayerStore(database), Servers(ServerStore(database)), default_language="en")


async def test_a_stranger_is_spoken_to_in_the_language_of_their_chat(database: Database) -> None:
    people = people_in(database)
    await people.meet(replace(ANNA, locale="de"), ROOM.server)
    assert (await people.translator_for(ANNA.ref)).locale == "de"


async def test_a_stranger_who_is_put_on_record_meanwhile_is_known_as_the_record_says(
    database: Database,
) -> None:
    people = people_in(database)
    store = PlayerStore(database)
    await people.meet(ANNA, ROOM.server)
    await store.remember(ANNA)
    await people.set_reachable(ANNA.ref, reachable=True)
    assert (await people.profile(ANNA.ref)).reachable is True
