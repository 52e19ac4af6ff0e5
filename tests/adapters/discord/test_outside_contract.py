"""Discord fulfils the contract of chats that the bot is not a member of."""

from collections.abc import AsyncIterator

import pytest

from tests.adapters.contract import OutsideContract
from tests.adapters.discord.harness import DiscordHarness, DiscordOutsideHarness, harness_of
from tests.wire.discord import DiscordServer


@pytest.fixture
async def harness(server: DiscordServer) -> AsyncIterator[DiscordHarness]:
    async with harness_of(server, kind=DiscordOutsideHarness) as harness:
        yield harness


class TestOutside(OutsideContract):
    pass
