"""The trouble of one chat does not affect others, and is reported to the owner once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
import pytest_asyncio
from aiohttp.test_utils import TestClient, TestServer
from structlog.testing import capture_logs

from adapters.port import AccessDeniedError
from bot.process.connections import (
    CONNECTING,
    GLANCE_SECONDS,
    GLANCES,
    OUTAGE_SECONDS,
    START_SECONDS,
    Connections,
    NoChatError,
)
from bot.process.supervisor import RECOVERED_SECONDS, RESTARTS, Supervisor
from tests.adapters.contract import ListeningInbox
from tests.bot.chat import PLATFORM, Chat
from tests.bot.fake_clock import FakeClock, a_few_turns
from tests.bot.running_bot import ANNA, RunningBot

INBOX = ListeningInbox()
DENIED = AccessDeniedError("Mend DURAK_TOKEN.")


class Chats:
    """Two chats under one supervisor."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.good = Chat(platform="good")
        self.bad = Chat(platform="bad")
        self.connections = Connections([self.good, self.bad], Supervisor())
        self.running = asyncio.create_task(self.connections.run(INBOX))

    async def skip(self, seconds: float) -> None:
        await self.clock.passes(seconds)
        await self.connections.check()

    async def ends(self, chat: Chat, error: BaseException) -> None:
        chat.inbox = None
        chat.crashes.put_nowait(error)
        await a_few_turns()


@pytest_asyncio.fixture
async def chats() -> AsyncIterator[Chats]:
    chats = Chats()
    await a_few_turns()
    yield chats
    chats.running.cancel()
    with suppress(asyncio.CancelledError, BaseExceptionGroup):
        await chats.running


async def test_a_chat_that_fails_is_connected_again_and_the_other_plays_on(chats: Chats) -> None:
    with capture_logs() as lines:
        await chats.ends(chats.bad, KeyError("message"))

    assert [(line["event"], line["task"]) for line in lines] == [("task_failed", "bad")]
    assert chats.connections.missing.keys() == {"bad"}
    assert chats.good.inbox is not None
    await chats.skip(RESTARTS.first)

    assert chats.connections.missing == {}
    assert chats.bad.inbox is INBOX


@pytest.mark.parametrize("after", [0.0, START_SECONDS])
async def test_a_token_that_is_refused_ends_one_chat_only(chats: Chats, after: float) -> None:
    await chats.skip(after)
    with capture_logs():
        await chats.ends(chats.bad, DENIED)

    assert chats.connections.missing == {"bad": "Mend DURAK_TOKEN."}
    assert chats.connections.ready == ["good"]
    assert not chats.running.done()


async def test_when_all_tokens_are_refused_at_the_start_there_is_no_bot(chats: Chats) -> None:
    with capture_logs():
        await chats.ends(chats.bad, DENIED)
        await chats.ends(chats.good, AccessDeniedError("Mend the other."))

    with pytest.raises(BaseExceptionGroup) as group:
        await chats.running

    assert group.group_contains(NoChatError, match=r"Mend DURAK_TOKEN\. Mend the other\.")


async def test_tokens_that_are_all_revoked_later_are_waited_for(chats: Chats) -> None:
    await chats.skip(START_SECONDS)
    with capture_logs():
        await chats.ends(chats.bad, DENIED)
        await chats.ends(chats.good, DENIED)
    assert not chats.running.done()


async def test_an_outage_is_reported_once_with_its_reason_and_its_end(chats: Chats) -> None:
    with capture_logs() as lines:
        chats.bad.ready = False
        chats.bad.trouble = "its name cannot be found"
        for _ in range(60):
            await chats.skip(1.0)

        chats.bad.ready = True
        await chats.skip(1.0)
        await chats.skip(1.0)

    assert lines == [
        {
            "event": "chat_out_of_reach",
            "log_level": "warning",
            "platform": "bad",
            "why": "its name cannot be found",
        },
        {"event": "chat_in_reach_again", "log_level": "info", "platform": "bad", "seconds": 60},
    ]


async def test_each_time_that_a_token_is_refused_is_one_line_until_it_is_accepted_again(chats: Chats) -> None:
    for _ in range(2):
        with capture_logs() as lines:
            for _ in range(3):
                await chats.ends(chats.bad, DENIED)

            for _ in range(15):
                await chats.skip(1.0)

        assert [(line["event"], line.get("why")) for line in lines] == [
            ("chat_out_of_reach", DENIED.args[0]),
            ("chat_in_reach_again", None),
        ]
        await chats.skip(RESTARTS.most + 1)


async def test_a_chat_that_only_connects_again_is_not_reported(chats: Chats) -> None:
    with capture_logs() as lines:
        for _ in range(10):
            chats.bad.ready = False
            await chats.skip(OUTAGE_SECONDS - 1)
            chats.bad.ready = True
            await chats.skip(1.0)

    assert lines == []


async def test_a_start_waits_for_each_chat_or_for_its_reason(chats: Chats) -> None:
    chats.good.ready = chats.bad.ready = False
    settling = asyncio.create_task(chats.connections.settled())
    await a_few_turns()
    await chats.skip(1.0)
    chats.bad.trouble = "nothing answers at its address"
    await chats.skip(1.0)
    assert not settling.done()

    chats.good.ready = True
    await chats.skip(1.0)
    assert settling.done()


async def test_a_start_waits_for_no_chat_longer_than_is_useful(chats: Chats) -> None:
    chats.bad.ready = False
    settling = asyncio.create_task(chats.connections.settled())
    await a_few_turns()

    for _ in range(GLANCES - 1):
        await chats.skip(GLANCE_SECONDS)

    assert not settling.done()
    await chats.skip(GLANCE_SECONDS)
    assert settling.done()
    assert chats.connections.missing == {"bad": CONNECTING}


async def test_a_bot_whose_chat_failed_is_not_ready_says_which_and_comes_back(bot: RunningBot) -> None:
    async with TestClient(TestServer(bot.app.http)) as http:
        with capture_logs():
            bot.chat.crashes.put_nowait(KeyError("message"))
            await bot.settle()

        answer = await http.get("/readyz")
        assert (answer.status, await answer.text()) == (503, f"not ready: {PLATFORM}\n")

        await bot.skip(RESTARTS.first)
        assert (await http.get("/readyz")).status == 200

    await bot.skip(RECOVERED_SECONDS)
    await bot.opened(ANNA)


async def test_while_another_process_may_be_at_work_nothing_is_sent(bot: RunningBot) -> None:
    bot.app.connections.suspend(True)
    await bot.chat.types(ANNA, "/durak")
    await bot.skip(60.0)
    assert bot.chat.sent == []
    bot.app.connections.suspend(False)
    await bot.settle()
    assert bot.table_message().text.startswith("Durak")
