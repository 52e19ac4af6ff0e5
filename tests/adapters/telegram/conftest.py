"""The Telegram adapter, connected to a server of the tests' own."""

from collections.abc import AsyncIterator

import pytest

from tests.adapters.telegram.harness import TelegramHarness, telegram_harness


@pytest.fixture
async def harness() -> AsyncIterator[TelegramHarness]:
    async with telegram_harness() as harness:
        yield harness
