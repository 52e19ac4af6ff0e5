"""The whole bot on a server that behaves as Telegram's do, where that is unusual."""

import pytest

from adapters.telegram.refs import room_ref
from bot.handlers.commands import COMMANDS
from bot.model.table import Phase
from tests.adapters.contract import eventually
from tests.adapters.live_bot import LiveBot
from tests.wire.telegram import Chat, Person, TelegramServer

CANNOT_PLAY = (
    "You write as a group or a channel, and those can't play. Press “Join”: then you play as yourself."
)
UNKNOWN_ASKER = (
    "You write as a group or a channel, so I can't tell who you are. Write as yourself and ask again."
)


class Place:
    """A group whose owner Anna may write as the group, or as a channel of hers."""

    def __init__(self, server: TelegramServer) -> None:
        self.server = server
        self.anna, self.boris = server.person("Anna"), server.person("Boris")
        self.group = server.supergroup("Players", self.anna, self.boris)
        self.channel = server.channel("Anna's news", self.anna)

    def texts(self, chat: Chat | None = None, reader: Person | None = None) -> list[str]:
        return [each.text for each in (reader or self.anna).sees(chat or self.group)]

    async def shown(self, words: str) -> None:
        """Wait until the group sees these words."""
        await eventually(lambda: [text for text in self.texts() if words in text])


@pytest.fixture
def place(server: TelegramServer) -> Place:
    return Place(server)


@pytest.mark.parametrize("writer", ["group", "channel"])
@pytest.mark.parametrize("typed", ["/durak", "/durak perevodnoy bots=expert"])
async def test_who_writes_as_a_group_or_channel_opens_a_table_and_joins_by_a_press(
    bot: LiveBot, place: Place, writer: str, typed: str
) -> None:
    place.anna.says(typed, in_=place.group, as_=getattr(place, writer))
    await place.shown(CANNOT_PLAY)
    await place.shown("0 of")
    lobby = next(each for each in place.anna.sees(place.group) if "0 of" in each.text)
    await place.anna.presses("Join", lobby)
    await place.shown("Anna (host)")
    assert not bot.trouble


@pytest.mark.parametrize("writer", ["group", "channel"])
async def test_a_group_or_channel_is_not_seated_where_others_gather(
    bot: LiveBot, place: Place, writer: str
) -> None:
    place.boris.says("/durak", in_=place.group)
    await place.shown("Boris")
    place.anna.says("/durak bots", in_=place.group, as_=getattr(place, writer))
    await place.shown(CANNOT_PLAY)
    (table_id,) = bot.app.tables.tables_in(room_ref(place.group.id))
    table = await bot.app.tables.table(table_id)
    assert (table.phase, [each.name for each in table.players]) == (Phase.LOBBY, ["Boris"])
    assert not bot.trouble


@pytest.mark.parametrize("writer", ["group", "channel"])
@pytest.mark.parametrize("name", COMMANDS)
async def test_every_command_answers_who_writes_as_a_group_or_channel(
    bot: LiveBot, place: Place, writer: str, name: str
) -> None:
    place.anna.says(f"/{name}", in_=place.group, as_=getattr(place, writer))
    await eventually(place.texts)
    if COMMANDS[name].people_only or name == "stats":
        assert place.texts() == [UNKNOWN_ASKER]
    assert not bot.trouble
