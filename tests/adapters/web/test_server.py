"""Slow clients and those with too many connections are cut off; everyone else is served."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from urllib.parse import urlsplit

import pytest
from aiohttp import ClientSession, web

from adapters.web import listening, server

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
PIECE = b"x" * 2**16
PIECES = 200
BRIEF = 0.05

Line = tuple[StreamReader, StreamWriter]


class Server:
    """A server with a few answers, and the connections to it."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self.url = ""
        self.is_cut_off = asyncio.Event()
        """Set when an answer could not be sent."""
        self._stack = stack

    async def serve(self) -> None:
        app = web.Application()
        app.add_routes([web.route("*", "/", self._brief), web.get("/long", self._long)])
        app.add_routes([web.get("/echo", self._echo), web.get("/fault", self._fault)])
        self.url = await self._stack.enter_async_context(listening(app, "127.0.0.1", 0))

    async def line(self, address: str = "127.0.0.1") -> Line:
        """Connects from an address of this machine."""
        to = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(to.hostname, to.port, local_addr=(address, 0))
        self._stack.callback(writer.close)
        return reader, writer

    async def _brief(self, _: web.Request) -> web.Response:
        return web.Response(text="hello")

    async def _long(self, request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        try:
            for _ in range(PIECES):
                await answer.write(PIECE)
        except ConnectionError:
            self.is_cut_off.set()
            raise

        return answer

    async def _fault(self, _: web.Request) -> web.Response:
        raise LookupError("a fault")

    async def _echo(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            await socket.send_str(message.data)
        return socket


@asynccontextmanager
async def serving() -> AsyncIterator[Server]:
    async with AsyncExitStack() as stack:
        served = Server(stack)
        await served.serve()
        yield served


async def is_answered(line: Line) -> bool:
    """Returns whether a request on this line is served."""
    reader, writer = line
    try:
        writer.write(HEAD + b"\r\n")
        head = await reader.readuntil(b"hello")
        return head.startswith(b"HTTP/1.1 200")
    except asyncio.IncompleteReadError:
        return False
    except ConnectionError:
        return False


async def answers(served: Server) -> bool:
    """Returns whether new lines are served: a slow machine may cut one off as idle before it has asked."""
    return any([await is_answered(await served.line()) for _ in range(5)])


@pytest.mark.parametrize("sent", [b"", b"GET /hel", HEAD])
async def test_a_head_that_does_not_end_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(server, "IDLE_SECONDS", BRIEF)
    async with serving() as served:
        reader, writer = await served.line()
        writer.write(sent)
        assert await reader.read() == b""
        assert await answers(served)


async def test_a_request_that_does_not_end_is_answered_and_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "ENDING_SECONDS", BRIEF)
    async with serving() as served:
        reader, writer = await served.line()
        writer.write(HEAD.replace(b"GET", b"POST") + b"Content-Length: 100\r\n\r\nx")
        assert (await reader.read()).endswith(b"hello")


async def test_who_reads_nothing_of_an_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "STUCK_SECONDS", BRIEF)
    async with serving() as served:
        _, writer = await served.line()
        writer.transport.pause_reading()  # type: ignore[attr-defined] # it is a Transport
        writer.write(HEAD.replace(b"/ ", b"/long ") + b"\r\n")
        async with asyncio.timeout(10):
            await served.is_cut_off.wait()

        assert await answers(served)


async def test_who_reads_in_pieces_gets_everything() -> None:
    async with (
        serving() as served,
        ClientSession(read_bufsize=2**10) as session,
        session.get(f"{served.url}/long") as answer,
    ):
        length = sum([len(piece) async for piece in answer.content.iter_chunked(2**12)])

    assert length == len(PIECE) * PIECES


async def test_a_stream_stays_open_however_long_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "IDLE_SECONDS", BRIEF)
    async with (
        serving() as served,
        ClientSession() as session,
        session.ws_connect(f"{served.url}/echo") as stream,
    ):
        reader, _ = await served.line()
        assert await reader.read() == b"", "a line that says nothing at all is gone by now"
        await stream.send_str("still here")
        assert await stream.receive_str() == "still here"


async def test_one_address_cannot_hold_all_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_CONNECTIONS", 3)
    async with serving() as served:
        lines = [await served.line() for _ in range(4)]
        assert [await is_answered(line) for line in lines] == [True, True, True, False]
        assert await is_answered(await served.line("127.0.0.2"))
        lines[0][1].close()
        async with asyncio.timeout(10):
            while not await is_answered(await served.line()):
                assert await is_answered(lines[1])  # the others are still served


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nAuthorization: Bearer secret\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \0secret\r\n\r\n",
        b"secret",
    ],
)
async def test_what_is_no_request_leaves_no_trace_in_the_log(
    caplog: pytest.LogCaptureFixture, request_: bytes
) -> None:
    async with serving() as served:
        reader, writer = await served.line()
        writer.write(request_ + b"\r\n\r\n")
        assert b" 400 " in await reader.read()
    assert not caplog.records


async def test_a_fault_of_the_bot_is_logged_without_who_met_it(caplog: pytest.LogCaptureFixture) -> None:
    async with serving() as served, ClientSession() as session, session.get(f"{served.url}/fault") as answer:
        assert answer.status == 500

    (record,) = caplog.records
    assert record.exc_info is not None
    assert "a fault" in caplog.text
    assert "127.0.0.1" not in record.getMessage()


async def test_a_server_for_everybody_says_at_which_address_a_phone_finds_it() -> None:
    async with listening(web.Application(), "0.0.0.0", 0) as url:
        at = urlsplit(url)
        assert at.hostname not in {"0.0.0.0", None}
        _, writer = await asyncio.open_connection(at.hostname, at.port)
        writer.close()
