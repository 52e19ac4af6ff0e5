"""Fixtures that run the same tests on every chat."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.e2e.chats import Chat
from tests.e2e.discord import discord_friends, discord_server
from tests.e2e.process import BotProcess
from tests.e2e.record import seeds
from tests.e2e.telegram import telegram_friends, telegram_group
from tests.e2e.web import local_page
from tests.wire.chromium import Chromium, chromium, share_a_loop

__all__ = ["chromium"]

CHATS: dict[str, Callable[[Chromium], AbstractAsyncContextManager[Any]]] = {
    "telegram": lambda _: telegram_group(),
    "discord": lambda _: discord_server(),
    "web": local_page,
}

OUTSIDE: dict[str, Callable[[Chromium], AbstractAsyncContextManager[Any]]] = {
    "telegram-outside": lambda _: telegram_friends(),
    "discord-outside": lambda _: discord_friends(),
}

TROUBLE = re.compile(r"\[warning|\[error|\[critical|Traceback|Warning")
SLOW_MACHINE = "Can't keep up"  # discord.py's warnings on a machine that is busy with other tests


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    share_a_loop(items, Path(__file__).parent)


@pytest_asyncio.fixture(params=CHATS, loop_scope="session")
async def chat(request: pytest.FixtureRequest, chromium: Chromium) -> AsyncIterator[Chat]:
    async with (CHATS | OUTSIDE)[request.param](chromium) as place:
        yield place


@pytest_asyncio.fixture(loop_scope="session")
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
