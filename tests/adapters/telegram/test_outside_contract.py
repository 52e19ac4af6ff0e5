"""Telegram fulfils the contract of chats that the bot is not a member of."""

from collections.abc import AsyncIterator

import pytest

from tests.adapters.contract import OutsideContract
from tests.adapters.telegram.harness import TelegramHarness, TelegramOutsideHarness, telegram_harness


@pytest.fixture
async def harness() -> AsyncIterator[TelegramHarness]:
    async with telegram_harness(TelegramOutsideHarness) as harness:
        yield harness


class TestOutside(OutsideContract):
    pass
