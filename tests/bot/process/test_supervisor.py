"""What ends the line to one chat ends no other, and is mended by itself."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
import pytest_asyncio
from aiohttp.test_utils import TestClient, TestServer
from structlog.testing import capture_logs

from adapters.port import AccessDeniedError
from bot.process.lifecycle import FIRST_PAUSE, LONGEST_PAUSE, START_SECONDS, Supervisor
from tests.adapters.contract import ListeningInbox
from tests.bot.chat import PLATFORM, Chat
from tests.bot.fake_clock import FakeClock
from tests.bot.running_bot import ANNA, RunningBot

INBOX = ListeningInbox()


class Chats:
    """Two chats under one supervisor."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.good, self.bad = Chat(platform="good"), Chat(platform="bad")
        self.supervisor = Supervisor([self.good, self.bad])
        self.running = asyncio.create_task(self.supervisor.run(INBOX))

    async def settle(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    async def skip(self, seconds: float) -> None:
        self.clock.skip(seconds)
        await self.settle()

    async def crash(self, error: BaseException) -> None:
        self.bad.inbox = None
        self.bad.crashes.put_nowait(error)
        await self.settle()


@pytest_asyncio.fixture
async def chats() -> AsyncIterator[Chats]:
    chats = Chats()
    await chats.settle()
    yield chats
    chats.running.cancel()
    with suppress(asyncio.CancelledError, BaseExceptionGroup):
        await chats.running


@pytest.mark.parametrize(
    "error",
    [KeyError("message"), ExceptionGroup("many", [TypeError()]), asyncio.CancelledError()],
    ids=lambda error: type(error).__name__,
)
async def test_a_chat_that_fails_is_connected_again_and_the_other_plays_on(
    chats: Chats, error: BaseException
) -> None:
    with capture_logs() as lines:
        await chats.crash(error)
    assert [(line["event"], line["platform"]) for line in lines] == [("chat_failed", "bad")]
    assert chats.supervisor.missing == ["bad"]
    assert chats.good.inbox is not None
    await chats.skip(FIRST_PAUSE)
    assert chats.supervisor.missing == []
    assert chats.bad.inbox is INBOX


async def test_the_pause_before_the_next_attempt_grows_until_it_went_well_for_a_while(chats: Chats) -> None:
    for pause in (FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE):
        await chats.crash(ValueError())
        await chats.skip(pause - 0.1)
        assert chats.supervisor.missing == ["bad"]
        await chats.skip(0.1)
        assert chats.supervisor.missing == []
    await chats.skip(LONGEST_PAUSE + 1)
    await chats.crash(ValueError())
    await chats.skip(FIRST_PAUSE)
    assert chats.supervisor.missing == []


async def test_a_token_that_is_refused_at_the_start_ends_the_start(chats: Chats) -> None:
    await chats.crash(AccessDeniedError("Mend DURAK_TOKEN."))
    with pytest.raises(BaseExceptionGroup) as group:
        await chats.running
    assert group.group_contains(AccessDeniedError, match="DURAK_TOKEN")


async def test_a_token_that_is_revoked_later_ends_one_chat_only(chats: Chats) -> None:
    await chats.skip(START_SECONDS)
    with capture_logs() as lines:
        await chats.crash(AccessDeniedError("Mend DURAK_TOKEN."))
    assert [line.get("why") for line in lines] == ["Mend DURAK_TOKEN."]
    assert chats.supervisor.missing == ["bad"]
    assert not chats.running.done()


async def test_a_bot_whose_chat_failed_is_not_ready_says_which_and_comes_back(bot: RunningBot) -> None:
    async with TestClient(TestServer(bot.app.http)) as http:
        bot.chat.crashes.put_nowait(KeyError("message"))
        await bot.settle()
        answer = await http.get("/readyz")
        assert (answer.status, await answer.text()) == (503, f"not ready: {PLATFORM}\n")
        await bot.skip(FIRST_PAUSE)
        assert (await http.get("/readyz")).status == 200
    await bot.opened(ANNA)
