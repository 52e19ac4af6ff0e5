"""A client that sends more than a page does, on a stream or in a request, is cut off and delays nobody."""

import asyncio
import gzip
import time
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import cache

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, TCPConnector, WSMsgType, web

from adapters.port import Budget
from adapters.web import listening, server
from adapters.web.page_streams import QUESTIONS, STILL_HERE, TALKATIVE, answer_questions, open_stream
from tests.adapters.contract import eventually

QUESTION = bytes([0x81, 0x81, 0, 0, 0, 0]) + b"?"  # a masked frame of one byte
HEAD = (
    b"GET /stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
LARGE = 50_000_000


class Page:
    """A server with one stream, by a clock that a test moves."""

    def __init__(self, http: ClientSession) -> None:
        self.http = http
        self.url = ""
        self.now = 0.0
        self.ended = 0
        self.read = list[int]()

    async def stream(self, request: web.Request) -> web.WebSocketResponse:
        socket = await open_stream(request, 60.0)
        await answer_questions(socket, lambda: self.now)
        self.ended += 1
        return socket

    async def echo(self, request: web.Request) -> web.Response:
        self.read.append(len(await request.read()))
        return web.Response(text="read")

    async def socket(self) -> ClientWebSocketResponse:
        return await self.http.ws_connect(f"{self.url}/stream", autoping=False)

    async def line(self) -> tuple[StreamReader, StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", int(self.url.rpartition(":")[2]))


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    app = web.Application(client_max_size=10**9)
    async with ClientSession() as http:
        page = Page(http)
        app.add_routes([web.get("/stream", page.stream), web.post("/echo", page.echo)])
        async with listening(app, "127.0.0.1", 0) as page.url:
            yield page


# --- streams ----------------------------------------------------------------------------------------------


async def test_a_page_that_asks_as_pages_do_is_answered_for_ever(page: Page) -> None:
    async with await page.socket() as socket:
        for _ in range(3 * QUESTIONS.burst):
            await socket.send_str("?")
            assert (await socket.receive()).data == STILL_HERE
            page.now += QUESTIONS.seconds


@pytest.mark.parametrize("is_ping", [True, False])
async def test_a_page_that_asks_more_is_closed_by_questions_and_by_pings(page: Page, is_ping: bool) -> None:
    async with await page.socket() as socket:
        for _ in range(QUESTIONS.burst + 1):
            await (socket.ping() if is_ping else socket.send_str("?"))
        while (message := await socket.receive()).type in {WSMsgType.TEXT, WSMsgType.PONG}:
            pass

    assert message.type is WSMsgType.CLOSE
    assert message.data == TALKATIVE
    await eventually(lambda: page.ended)


async def test_a_flood_of_frames_is_cut_off_before_it_is_read(page: Page) -> None:
    reader, writer = await page.line()
    writer.write(HEAD)
    await reader.readuntil(b"\r\n\r\n")
    writer.write(QUESTION * (server.STREAM_BYTES // len(QUESTION) + 1))
    with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
        await reader.readexactly(LARGE)
    writer.close()


async def test_frames_that_come_with_the_request_itself_open_no_stream(page: Page) -> None:
    reader, writer = await page.line()
    writer.write(HEAD + QUESTION * server.MAX_HEAD_BYTES)
    answer = b""
    with suppress(ConnectionError):
        answer = await reader.read()
    assert not answer.startswith(b"HTTP/1.1 101")
    writer.close()


async def test_others_have_their_turns_beside_a_page_that_never_stops_asking(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No answer to a question suspended, so all that had arrived was answered in one turn of the loop."""
    monkeypatch.setattr(server, "STREAM_BYTES", LARGE)
    monkeypatch.setattr("adapters.web.page_streams.QUESTIONS", Budget(0.0, LARGE))
    others = 0

    async def takes_turns() -> None:
        nonlocal others
        while True:
            others += 1
            await asyncio.sleep(0)

    reader, writer = await page.line()
    writer.write(HEAD)
    await reader.readuntil(b"\r\n\r\n")

    frames = 2000
    writer.write(QUESTION * frames)
    turns = asyncio.create_task(takes_turns())
    await reader.readexactly(frames * (len(STILL_HERE) + 2))
    turns.cancel()
    writer.close()
    assert others > frames / 2


# --- bodies -----------------------------------------------------------------------------------------------


@cache
def bomb_and_seconds() -> tuple[bytes, float]:
    """Returns a small body that unpacks to a huge one, and the seconds of CPU for unpacking it."""
    bomb = gzip.compress(bytes(4 * LARGE))
    began = time.process_time()
    gzip.decompress(bomb)
    return bomb, time.process_time() - began


@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
@pytest.mark.parametrize("path", ["/echo", "/stream", "/nothing"])
async def test_a_compressed_body_is_refused_unread(page: Page, method: str, path: str) -> None:
    bomb, unpacking = bomb_and_seconds()
    headers = {"Content-Encoding": "gzip"}
    began = time.process_time()
    async with page.http.request(method, page.url + path, data=bomb, headers=headers) as response:
        assert response.status == 415
    assert page.read == []
    assert time.process_time() - began < unpacking / 2


async def test_a_large_body_that_nobody_wants_is_cut(page: Page) -> None:
    _, writer = await page.line()
    writer.write(b"POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n")
    sent = 0
    with suppress(ConnectionError):
        while sent < LARGE:
            writer.write(bytes(65_536))
            sent += 65_536
            await writer.drain()
    assert sent < LARGE


async def test_a_small_body_that_nobody_wants_costs_no_connection(page: Page) -> None:
    reader, writer = await page.line()
    for _ in range(2):
        writer.write(b"POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n")
        await asyncio.sleep(0.05)
        writer.write(b"{}  ")

        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        assert head.startswith(b"http/1.1 404")
        length = head.partition(b"content-length: ")[2].partition(b"\r\n")[0]
        await reader.readexactly(int(length))
    writer.close()


# --- requests ---------------------------------------------------------------------------------------------


async def test_who_asks_faster_than_people_do_waits_and_nobody_else_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "ALL_REQUESTS", Budget(0.1, 5))

    async def hello(_: web.Request) -> web.Response:
        return web.Response(text="hello")

    app = web.Application()
    app.add_routes([web.get("/", hello)])
    async with listening(app, "127.0.0.1", 0) as url:
        assert await seconds_for(url, 5, "127.0.0.2") < 0.4
        assert await seconds_for(url, 5, "127.0.0.2") > 0.4
        assert await seconds_for(url, 5, "127.0.0.3") < 0.4


async def seconds_for(url: str, requests: int, address: str) -> float:
    """Returns the seconds that so many requests of one address take, on one line."""
    began = time.monotonic()
    async with ClientSession(connector=TCPConnector(limit=1, local_addr=(address, 0))) as http:
        for _ in range(requests):
            async with http.get(url) as response:
                assert response.status == 200
    return time.monotonic() - began
