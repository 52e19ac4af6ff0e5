"""Games in channels that the bot is no member of."""

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.discord import DiscordAdapter
from bot.app import REGISTRY
from tests.adapters.contract import eventually
from tests.adapters.live_bot import LiveBot, live_bot
from tests.e2e.discord import Member
from tests.e2e.game import play_on, press
from tests.wire.discord import TOKEN, DiscordServer, Message


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
    """Three people in a group of their own, without a server."""

    def __init__(self, server: DiscordServer) -> None:
        self.server = server
        people = [server.person(name) for name in ("Anna", "Boris", "Clara")]
        self.channel = server.state.group("Friends", *(person.account for person in people))
        self.members = [Member(server, self.channel, person) for person in people]

    @property
    def public(self) -> list[Message]:
        return [message for message in self.members[0].person.sees(self.channel) if message.only is None]


@pytest.fixture
def friends(server: DiscordServer) -> Friends:
    return Friends(server)


async def test_three_play_in_a_group_of_friends_in_one_message(bot: LiveBot, friends: Friends) -> None:
    anna, boris, clara = friends.members
    await anna.types("/durak hand_size=9 throw_in=none")
    await eventually(lambda: friends.public)
    (table,) = friends.public
    await press(boris, "Join")
    await press(clara, "Join")
    await eventually(lambda: "3 of" in table.text)
    await press(anna, "Start", "Start now")
    await play_on(friends.members, random.Random(5))
    await eventually(lambda: "🃏" in table.text)
    await press(anna, "Rematch")
    await eventually(lambda: "game 2" in table.text)
    assert friends.public == [table]
    assert not bot.trouble
