"""Tables in Discord's channels that the bot is not a member of."""

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.discord import DiscordAdapter
from adapters.discord.refs import OUTSIDE, outside_server
from adapters.port import RoomRef, ServerRef
from bot.app import REGISTRY
from bot.model.table import Table
from tests.adapters.contract import eventually
from tests.adapters.discord.harness import DiscordHarness
from tests.adapters.live_bot import LiveBot, live_bot
from tests.e2e.discord import Member
from tests.e2e.game import Chosen, choose, press, until
from tests.wire.discord import TOKEN, Channel, DiscordServer, Message

TABLE = 1


@pytest.fixture
async def bot(
    server: DiscordServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[LiveBot]:
    server.state.can_be_installed = True
    adapter = DiscordAdapter(
        TOKEN, commands=REGISTRY.announced(), api_url=server.api_url, gateway_url=server.gateway_url
    )
    async with live_bot(adapter, tmp_path, caplog) as bot:
        yield bot


class Friends:
    """Three people in a channel without the bot."""

    def __init__(self, server: DiscordServer, channel: Channel) -> None:
        self.server = server
        self.channel = channel
        people = [server.person(name) for name in ("Anna", "Boris", "Clara")]
        for person in people:
            channel.friends.append(person.account)
            if channel.guild is not None:
                channel.guild.add_member(person.account)

        self.anna, self.boris, self.clara = [Member(server, channel, person) for person in people]

    @property
    def public(self) -> list[Message]:
        """The visible messages that all of them see."""
        return [message for message in self.anna.person.sees(self.channel) if message.only is None]

    async def table(self, shows: str) -> Message:
        """Waits until the bot's only public message shows these words."""
        await eventually(lambda: len(self.public) == 1 and shows in self.public[0].text)
        return self.public[0]


@pytest.fixture
def friends(server: DiscordServer) -> Friends:
    return Friends(server, server.state.group("Friends"))


async def sees_cards(member: Member) -> None:
    """Waits until a member sees their cards."""

    async def look() -> bool:
        return any("Your 6 cards" in shown.text for shown in await member.private())

    await until(look, "the cards")


async def table(bot: LiveBot) -> Table:
    return await bot.app.tables.table(TABLE)


async def test_a_server_that_has_not_added_the_bot_is_a_place_to_play(
    bot: LiveBot, server: DiscordServer
) -> None:
    guild = server.state.guild("Strangers", server.person("Owner").account)
    guild.has_bot = False
    friends = Friends(server, server.state.channel(guild, "cards"))
    await friends.anna.types("/durak")
    await press(friends.boris, "Join")
    await friends.table("2 of")
    assert (await table(bot)).room == RoomRef(ServerRef(OUTSIDE, str(guild.id)), str(friends.channel.id))
    assert not bot.trouble


async def test_hands_are_shown_in_the_group_without_a_direct_message(bot: LiveBot, friends: Friends) -> None:
    await friends.anna.types("/durak")
    await press(friends.boris, "Join")
    await friends.table("2 of")
    await press(friends.anna, "Start", "Start now")
    await friends.table("attacks")
    for member in (friends.anna, friends.boris):
        await sees_cards(member)
        assert not member.person.sees(member.person.direct_messages)

    assert not friends.clara.person.sees_alone()
    assert not bot.trouble


async def test_a_game_waits_while_its_message_cannot_be_edited_until_somebody_presses_it(
    bot: LiveBot, friends: Friends
) -> None:
    await friends.anna.types("/durak bots")
    shown = await friends.table("attacks")
    room = (await table(bot)).room
    await friends.anna.person.presses(shown, "My hand")
    _, hand, move = await choose([friends.anna], random.Random(1), Chosen())
    friends.server.state.token_lives = 0.0
    await friends.anna.presses(hand, move)
    await eventually(lambda: not bot.app.reachability.is_served(room))

    friends.server.state.token_lives = 900.0
    await friends.clara.person.presses(shown, "My hand")
    await eventually(lambda: bot.app.reachability.is_served(room))
    assert not bot.trouble


async def test_a_new_command_brings_the_table_down_to_the_end_of_the_chat(
    bot: LiveBot, friends: Friends
) -> None:
    await friends.anna.types("/durak")
    before = await friends.table("Anna (host) · 1 of")
    await friends.boris.types("/durak")
    await eventually(lambda: before.deleted)
    after = await friends.table("Anna (host) · 1 of")
    assert after is not before
    await press(friends.boris, "Join")
    await friends.table("2 of")
    assert not bot.trouble


async def test_a_table_whose_message_was_deleted_is_shown_again_by_the_command(
    bot: LiveBot, friends: Friends
) -> None:
    await friends.anna.types("/durak")
    lobby = await friends.table("1 of")
    lobby.deleted = True
    await friends.boris.types("/durak")
    await friends.table("1 of")
    assert not bot.trouble


async def test_the_commands_are_offered_there_only_if_the_owner_allows_it(
    server: DiscordServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    adapter = DiscordAdapter(
        TOKEN, commands=REGISTRY.announced(), api_url=server.api_url, gateway_url=server.gateway_url
    )
    friends = Friends(server, server.state.group("Friends"))
    async with live_bot(adapter, tmp_path, caplog):
        with pytest.raises(LookupError, match="not offered"):
            await friends.anna.types("/durak")


async def test_whom_the_bot_cannot_write_to_gets_the_answer_where_they_asked(
    bot: LiveBot, friends: Friends
) -> None:
    notice = await friends.anna.types("/durak 20:30")
    assert "I’m only a guest here" in notice
    assert not friends.public
    assert not bot.trouble


async def test_a_server_that_adds_the_bot_is_reported_with_the_chat_that_it_was(
    harness: DiscordHarness,
) -> None:
    await harness.expel()
    await harness.readmit()
    await eventually(lambda: harness.inbox.joined_rooms)
    assert harness.inbox.joined_rooms == [(outside_server(harness.guild.id), harness.room)]
