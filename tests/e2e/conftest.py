"""The same tests on every chat."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.chats import Chat
from tests.e2e.discord import discord_server
from tests.e2e.process import BotProcess
from tests.e2e.telegram import telegram_group
from tests.e2e.web import local_page

CHATS: dict[str, Callable[[], AbstractAsyncContextManager[Any]]] = {
    "telegram": telegram_group,
    "discord": discord_server,
    "web": local_page,
}


@pytest.fixture(params=CHATS)
async def chat(request: pytest.FixtureRequest) -> AsyncIterator[Chat]:
    async with CHATS[request.param]() as place:
        yield place


@pytest.fixture
async def bot(chat: Chat, tmp_path: Path) -> AsyncIterator[BotProcess]:
    process = BotProcess(tmp_path, chat.settings)
    await process.start()
    await chat.met(process)
    yield process
    await process.stop()
