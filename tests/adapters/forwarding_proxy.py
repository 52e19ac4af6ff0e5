"""An HTTP proxy that forwards tunnels, and records everything it could read."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.adapters.raw_http import Request, read_request, says_done


@dataclass
class ForwardingProxy:
    """A proxy that opens a tunnel for each CONNECT unless it `refuses`, and answers other requests itself."""

    address: str = ""
    refuses: bool = False
    requests: list[Request] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            request = await read_request(reader)
            self.requests.append(request)
            method, target, _ = request.line.split()

            if self.refuses:
                writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            elif method == "CONNECT":
                await _tunnel(target, reader, writer)
            else:
                writer.write(await says_done(request))

        writer.close()


async def _tunnel(target: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    host, _, port = target.partition(":")
    there, back = await asyncio.open_connection(host, int(port))
    writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
    await asyncio.gather(_pass_on(reader, back), _pass_on(there, writer))


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
    writer.close()


@asynccontextmanager
async def forwarding_proxy() -> AsyncIterator[ForwardingProxy]:
    proxy = ForwardingProxy()
    listener = await asyncio.start_server(proxy.serve, "127.0.0.1")
    proxy.address = f"127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        listener.close()
