"""Fixtures of a wire server and a Telegram adapter connected to it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.telegram import TelegramAdapter
from bot.app import REGISTRY
from tests.adapters.live_bot import LiveBot, live_bot
from tests.adapters.telegram.harness import TelegramHarness, telegram_harness
from tests.wire.telegram import TelegramServer


@pytest.fixture
async def harness() -> AsyncIterator[TelegramHarness]:
    async with telegram_harness() as harness:
        yield harness


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer() as server:
        yield server


@pytest.fixture
async def bot(
    server: TelegramServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[LiveBot]:
    """Runs the whole bot on the server."""
    adapter = TelegramAdapter(server.token, api_url=server.url, commands=REGISTRY.announced())
    async with live_bot(adapter, tmp_path, caplog) as bot:
        yield bot
