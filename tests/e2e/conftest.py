"""The same tests on every chat."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.chats import Chat
from tests.e2e.discord import discord_server
from tests.e2e.process import BotProcess
from tests.e2e.record import seeds
from tests.e2e.telegram import telegram_group
from tests.e2e.web import local_page

CHATS: dict[str, Callable[[], AbstractAsyncContextManager[Any]]] = {
    "telegram": telegram_group,
    "discord": discord_server,
    "web": local_page,
}

TROUBLE = re.compile(r"\[warning|\[error|\[critical|Traceback|Warning")
SLOW_MACHINE = "Can't keep up"
"""What discord.py warns of when the machine is busy with other tests."""


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
    assert await process.stop() == 0
    tokens = [value for name, value in chat.settings.items() if name.endswith("TOKEN")]
    for secret in (*tokens, *seeds(process.database), *"♠♥♦♣", "m:1:"):
        assert secret not in process.output
    lines = process.output.splitlines()
    assert not [line for line in lines if TROUBLE.search(line) and SLOW_MACHINE not in line]
