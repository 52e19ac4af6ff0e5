"""Requests to the Bot API that take too long."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from telegram import Bot
from telegram.error import TimedOut

from adapters.telegram.request import Timeouts
from tests.adapters.contract import eventually
from tests.adapters.raw_http import Request, answer_of, raw_server, says_done
from tests.adapters.telegram.requests import UNSENT, ask, bot_at, connected, never, without_proxies

SHORT = 0.05
PLENTY = 2**24  # bytes, more than a connection holds that no one reads from


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    without_proxies(monkeypatch)


async def test_an_answer_that_does_not_come_times_out() -> None:
    async with raw_server(never) as server, connected(server.url, Timeouts(read=SHORT)) as request:
        with pytest.raises(TimedOut) as late:
            await ask(request, server.url)
        assert UNSENT not in str(late.value)
        await eventually(lambda: server.cut_off)


async def test_an_answer_that_stops_midway_times_out() -> None:
    async def half(_: Request) -> bytes:
        return answer_of(b'{"ok": true, "result": true}')[:-5]

    async with raw_server(half) as server, connected(server.url, Timeouts(read=SHORT)) as request:
        with pytest.raises(TimedOut):
            await ask(request, server.url)


async def test_waiting_for_a_free_connection_times_out_and_says_that_nothing_was_sent() -> None:
    short = Timeouts(pool=SHORT, connect=SHORT, write=60, read=60)
    async with raw_server(never) as server, connected(server.url, short, connections=1) as request:
        waiting = asyncio.create_task(ask(request, server.url))
        await eventually(lambda: server.under_way)
        with pytest.raises(TimedOut, match=UNSENT):
            await ask(request, server.url)

        waiting.cancel()


async def test_a_connection_that_does_not_come_about_times_out_and_says_that_nothing_was_sent() -> None:
    async def silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)

    writers = list[asyncio.StreamWriter]()
    async with await asyncio.start_server(silent, "127.0.0.1") as listener:
        url = f"https://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
        async with connected(url, Timeouts(connect=SHORT)) as request:
            with pytest.raises(TimedOut, match=UNSENT):
                await ask(request, url)

        for writer in writers:
            writer.close()


@pytest.mark.parametrize(
    ("send", "timeouts"),
    [
        (
            lambda bot: bot.send_message(5, "x" * PLENTY),
            Timeouts(pool=SHORT, connect=SHORT, write=SHORT, media_write=60, read=SHORT),
        ),
        (
            lambda bot: bot.send_document(5, b"x" * PLENTY),
            Timeouts(pool=SHORT, connect=SHORT, write=60, media_write=SHORT, read=SHORT),
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning")
async def test_what_nobody_takes_times_out(
    send: Callable[[Bot], Awaitable[object]], timeouts: Timeouts
) -> None:
    async def deaf(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.pause_reading()  # type: ignore[attr-defined] # a socket's transport can
        writers.append(writer)

    writers = list[asyncio.StreamWriter]()
    async with await asyncio.start_server(deaf, "127.0.0.1") as listener:
        url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
        async with connected(url, timeouts) as request:
            with pytest.raises(TimedOut):
                await send(bot_at(url, request))

        for writer in writers:
            writer.close()


async def test_a_request_may_have_timeouts_of_its_own() -> None:
    given_up = asyncio.Event()

    async def late(request: Request) -> bytes:
        await given_up.wait()
        return await says_done(request)

    async with raw_server(late) as server, connected(server.url, Timeouts(read=SHORT)) as request:
        assert request.read_timeout == SHORT
        patient = asyncio.create_task(ask(request, server.url, read_timeout=60))
        with pytest.raises(TimedOut):
            await ask(request, server.url)

        given_up.set()
        assert await patient is True
