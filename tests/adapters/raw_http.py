"""An HTTP server that answers with the bytes of a test, or not at all."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Request:
    """A request: its first line, its headers by lower-case name, its body."""

    line: str
    headers: dict[str, str]
    body: bytes


@dataclass
class RawServer:
    """A server that sends the bytes that `answer` returns for each request; None hangs up."""

    url: str
    answer: Callable[[Request], Awaitable[bytes | None]]
    requests: list[Request] = field(default_factory=list)
    connections: list[asyncio.StreamWriter] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0
    cut_off: int = 0  # connections that the client closed before it was answered

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections.append(writer)
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while answer := await self._answered(await read_request(reader), reader):
                writer.write(answer)
                await writer.drain()

        writer.close()

    async def _answered(self, request: Request, reader: asyncio.StreamReader) -> bytes | None:
        self.requests.append(request)
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        left = asyncio.ensure_future(reader.read(1))
        answering = asyncio.ensure_future(self.answer(request))

        try:
            await asyncio.wait([left, answering], return_when=asyncio.FIRST_COMPLETED)
            if not answering.done():
                self.cut_off += 1
                return None

            return answering.result()
        finally:
            self.under_way -= 1
            for task in (left, answering):
                task.cancel()
            await asyncio.wait([left, answering])

    def hang_up(self) -> None:
        """Closes all connections."""
        for connection in self.connections:
            connection.close()


async def read_request(reader: asyncio.StreamReader) -> Request:
    """Reads one request from a connection.

    Raises:
        asyncio.IncompleteReadError: The client has closed the connection.
    """
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    line, *lines = head.strip().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(line, headers, body)


def answer_of(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    """Returns the bytes of an answer."""
    head = "\r\n".join([f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers])
    return f"{head}\r\n\r\n".encode() + body


async def says_done(_: Request) -> bytes:
    """Answers as the Bot API does when all is well."""
    return answer_of(b'{"ok": true, "result": true}')


@asynccontextmanager
async def raw_server(
    answer: Callable[[Request], Awaitable[bytes | None]] = says_done, *, tls: ssl.SSLContext | None = None
) -> AsyncIterator[RawServer]:
    server = RawServer("", answer)
    listener = await asyncio.start_server(server.serve, "127.0.0.1", ssl=tls)
    scheme = "http" if tls is None else "https"
    port = listener.sockets[0].getsockname()[1]
    server.url = f"{scheme}://127.0.0.1:{port}"

    try:
        yield server
    finally:
        listener.close()
        server.hang_up()
