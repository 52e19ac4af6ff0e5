"""Fixtures of a wire server and a Discord adapter connected to it."""

from collections.abc import AsyncIterator

import pytest

from tests.adapters.discord.harness import DiscordHarness, harness_of
from tests.wire.discord import DiscordServer, Person


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    async with DiscordServer() as server:
        yield server


@pytest.fixture
async def harness(server: DiscordServer) -> AsyncIterator[DiscordHarness]:
    async with harness_of(server) as harness:
        yield harness


@pytest.fixture
async def anna(harness: DiscordHarness) -> Person:
    return harness.people[await harness.newcomer("Anna")]
