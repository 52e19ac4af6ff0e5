"""The fixture of a bot in the Discord of the tests."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.wire.discord import DiscordServer
from tests.wire.discord_bot import Bot


@pytest.fixture
async def bot() -> AsyncIterator[Bot]:
    async with DiscordServer() as server, aiohttp.ClientSession() as web:
        anna = server.person("Anna")
        boris = server.person("Boris")
        guild = server.state.guild("Friends", anna.account)
        guild.add_member(boris.account)
        yield Bot(server, web, guild, server.state.channel(guild, "cards"), anna, boris)
