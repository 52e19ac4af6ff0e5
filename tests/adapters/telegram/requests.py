"""Requests to the Bot API, for tests that act as the server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from telegram import Bot
from telegram.request import BaseRequest

from adapters.telegram.request import AiohttpRequest, Timeouts
from tests.adapters.raw_http import Request

TOKEN = "7:the-secret-of-the-bot"
UNSENT = "nothing was sent"
PATIENT = Timeouts(pool=60, connect=60, write=60, media_write=60, read=60)


def without_proxies(environment: pytest.MonkeyPatch) -> None:
    """Removes every proxy from the environment."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        environment.delenv(name, raising=False)
        environment.delenv(name.lower(), raising=False)


@asynccontextmanager
async def connected(url: str, timeouts: Timeouts = PATIENT, **more: Any) -> AsyncIterator[AiohttpRequest]:
    async with AiohttpRequest(url, timeouts=timeouts, **more) as request:
        yield request


async def ask(request: BaseRequest, url: str, **timeouts: Any) -> object:
    return await request.post(f"{url}/bot{TOKEN}/getMe", **timeouts)


def bot_at(url: str, request: BaseRequest) -> Bot:
    return Bot(TOKEN, base_url=f"{url}/bot", request=request, get_updates_request=request)


async def never(_: Request) -> bytes:
    """Answers no one."""
    await asyncio.Event().wait()
    raise AssertionError


async def nothing(_: Request) -> None:
    """Hangs up instead of answering."""
