"""The network connection of one browser, which can be cut."""

import asyncio
from asyncio import IncompleteReadError, StreamReader, StreamWriter
from contextlib import suppress
from ipaddress import ip_address

# SOCKS 5, as far as WebKit speaks it.
NO_PASSWORD = b"\x05\x00"
IS_OPEN = b"\x05\x00\x00\x01" + bytes(6)
NAME = 3  # the kind of a host that is not a number
SIZES = {1: 4, 4: 16}  # bytes of the numbers, by their kinds

MOST_AT_ONCE = 1 << 16  # bytes


class Network:
    """A proxy between a browser and all servers.

    Attributes:
        address: Its own address, for the browser.
    """

    def __init__(self) -> None:
        """Starts nothing yet."""
        self.address = ""
        self._server: asyncio.Server | None = None
        self._open = set[StreamWriter]()
        self._is_cut = False

    async def start(self) -> None:
        """Listens at its own address."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.address = f"socks5://127.0.0.1:{port}"

    def cut(self) -> None:
        """Ends all connections, and refuses new ones."""
        self._is_cut = True
        for writer in self._open:
            writer.transport.abort()

    def mend(self) -> None:
        """Allows connections again."""
        self._is_cut = False

    def stop(self) -> None:
        """Ends it with all its connections."""
        self.cut()
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._open.add(writer)
        try:
            with suppress(OSError, IncompleteReadError):
                if not self._is_cut:
                    await self._connect(reader, writer)
        finally:
            self._open.discard(writer)
            writer.close()

    async def _connect(self, reader: StreamReader, writer: StreamWriter) -> None:
        _, offers = await reader.readexactly(2)  # ways to prove who asks
        await reader.readexactly(offers)
        writer.write(NO_PASSWORD)

        host, port = await _wanted(reader)
        from_server, to_server = await asyncio.open_connection(host, port)
        writer.write(IS_OPEN)

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_carry(reader, to_server))
            tasks.create_task(_carry(from_server, writer))


async def _wanted(reader: StreamReader) -> tuple[str, int]:
    """Reads the host and port of a wanted connection."""
    kind = (await reader.readexactly(4))[3]
    if kind == NAME:
        (size,) = await reader.readexactly(1)
        host = (await reader.readexactly(size)).decode()
    else:
        host = str(ip_address(await reader.readexactly(SIZES[kind])))

    port = int.from_bytes(await reader.readexactly(2))
    return host, port


async def _carry(reader: StreamReader, writer: StreamWriter) -> None:
    """Carries bytes in one direction until its end."""
    try:
        with suppress(OSError):
            while data := await reader.read(MOST_AT_ONCE):
                writer.write(data)
                await writer.drain()
    finally:
        writer.close()
