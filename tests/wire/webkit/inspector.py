"""One of Debian's MiniBrowsers, driven by the protocol of WebKit's inspector.

A MiniBrowser listens on a socket for developer tools and for WebDriver. Both send JSON in frames of GLib's
variants, either to a target that is a page, or to the target that automates all pages.
"""

import asyncio
import json
import os
import re
import socket
import struct
from asyncio import (
    BaseTransport,
    Future,
    IncompleteReadError,
    StreamReader,
    StreamReaderProtocol,
    StreamWriter,
)
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from aiohttp.test_utils import unused_port

from tests.wire.webkit.network import Network

Facts = dict[str, Any]
Handler = Callable[[str, Facts], None]

PLACES = ("usr/lib/*/webkit2gtk-4.1/MiniBrowser", "usr/lib/*/webkit2gtk-4.0/MiniBrowser")
START_SECONDS = 25.0
PAUSE_SECONDS = 0.05
MOST_BYTES = 1 << 26  # of one message

_LITTLE_ENDIAN = b"\x01"
_SESSION = b"tests\0\0\0\x06"  # a name, no wishes, and the offset of the name's end
_TARGET = re.compile(rb"(.{8})(WebPage|Automation)\0", re.DOTALL)


def mini_browser() -> str | None:
    """Returns the path of Debian's MiniBrowser, if it is installed."""
    return next((str(path) for place in PLACES for path in Path("/").glob(place)), None)


CLOSED = "its page or its browser is closed"


class RefusedError(Exception):
    """A command that WebKit does not carry out."""


class Target:
    """A receiver of commands: a page, a document of a page, or the automation.

    Attributes:
        handle: What gets its events.
    """

    def __init__(self, send: Callable[[str], None]) -> None:
        self.handle: Handler | None = None
        self._send = send
        self._numbers = count(1)
        self._asked: dict[int, Future[Facts]] = {}
        self._parts = list[Target]()
        self._is_closed = False

    def part(self, send: Callable[[str], None]) -> "Target":
        """Returns a target that is reached through this one, and closed with it."""
        part = Target(send)
        self._parts.append(part)
        return part

    def ask(self, method: str, **params: object) -> Future[Facts]:
        """Sends a command; returns its answer to come, which raises RefusedError for an error."""
        number = next(self._numbers)
        answer: Future[Facts] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(_read)
        if self._is_closed:
            answer.set_exception(RefusedError(CLOSED))
            return answer

        self._asked[number] = answer
        self._send(json.dumps({"id": number, "method": method, "params": params}))
        return answer

    def hear(self, message: Facts) -> None:
        """Passes an answer to its caller, and an event to the handler."""
        if "id" not in message:
            if self.handle is not None:
                self.handle(message["method"], message.get("params", {}))
            return

        answer = self._asked.pop(message["id"], None)
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(RefusedError(message["error"]["message"]))
        else:
            answer.set_result(message.get("result", {}))

    def close(self) -> None:
        """Refuses all that has no answer yet, and all that is asked from now on."""
        self._is_closed = True
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(RefusedError(CLOSED))
        for part in self._parts:
            part.close()


def _read(answer: Future[Facts]) -> None:
    """Marks an error as seen: not every command is waited for."""
    if not answer.cancelled():
        answer.exception()


class MiniBrowser:
    """A process with pages that share their cookies.

    Attributes:
        automation: The target that opens windows, and moves pointers and keys.
        network: The way of all its connections.
    """

    automation: Target

    def __init__(self) -> None:
        """Starts nothing yet."""
        self.network = Network()
        self._targets = dict[int, Target]()
        self._pages = dict[int, bytes]()
        self._is_ready = asyncio.Event()
        self._process: Process | None = None
        self._writer: StreamWriter | None = None
        self._listening: asyncio.Task[None] | None = None

    async def start(self, environment: Mapping[str, str]) -> None:
        """Starts the process, and waits for its automation; once more where none answers at its port."""
        await self.network.start()
        with suppress(TimeoutError):
            await self._start(environment)
            return

        await self._end()
        await self._start(environment)

    async def _start(self, environment: Mapping[str, str]) -> None:
        program = mini_browser()
        assert program is not None
        port = unused_port()
        variables = {"GDK_BACKEND": "x11", "WEBKIT_INSPECTOR_SERVER": f"127.0.0.1:{port}"}
        self._process = await asyncio.create_subprocess_exec(
            program,
            "--automation",
            f"--proxy={self.network.address}",
            "--enable-page-cache=false",  # pages that come from there are no news for the inspector
            env={**os.environ, **environment, **variables},
            stdout=DEVNULL,
            stderr=DEVNULL,
        )

        async with asyncio.timeout(START_SECONDS):
            reader, self._writer = await _connected(port)
            self._listening = asyncio.create_task(self._listen(reader))
            self._send("StartAutomationSession", _SESSION)
            self._send("SetupInspectorClient", b"\0")
            await self._is_ready.wait()

    async def stop(self) -> None:
        """Ends the process, and its way to the network."""
        await self._end()
        self.network.stop()

    async def _end(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            await self._process.wait()
        if self._listening is not None:
            self._listening.cancel()

    def _send(self, name: str, params: bytes) -> None:
        assert self._writer is not None
        body = name.encode() + b"\0" + params
        self._writer.write(struct.pack(">I", len(body)) + _LITTLE_ENDIAN + body)

    async def _listen(self, reader: StreamReader) -> None:
        """Hands on all messages, until the process ends."""
        try:
            with suppress(IncompleteReadError, ConnectionError):
                while True:
                    await self._hear(reader)
        finally:
            for target in self._targets.values():
                target.close()

    async def _hear(self, reader: StreamReader) -> None:
        head = await reader.readexactly(5)
        (size,) = struct.unpack(">I", head[:4])
        name, _, params = (await reader.readexactly(size)).partition(b"\0")

        if name == b"SetTargetList":
            self._meet(params)
        elif name == b"SendMessageToFrontend":
            _, number = struct.unpack("<QQ", params[:16])
            self._targets[number].hear(json.loads(params[16:-1]))
            await asyncio.sleep(0)  # an answer is handed on before the event that follows it

    def _meet(self, params: bytes) -> None:
        """Sets up the automation, and notes the pages of a list."""
        (connection,) = struct.unpack("<Q", params[:8])
        for found in _TARGET.finditer(params, 8):
            (number,) = struct.unpack("<Q", found[1])
            address = struct.pack("<QQ", connection, number)

            if found[2] == b"WebPage":
                self._pages.setdefault(number, address)
            elif not self._is_ready.is_set():
                self.automation = self._set_up(number, address)
                self._is_ready.set()

    def _set_up(self, number: int, address: bytes) -> Target:
        target = Target(lambda text: self._send("SendMessageToBackend", address + text.encode() + b"\0"))
        self._targets[number] = target
        self._send("Setup", address)
        return target

    async def open_page(self) -> tuple[str, Target]:
        """Opens a window; returns the automation's name of it, and the target of its page.

        A page has no process before it shows something, and no target set up earlier gets an answer.
        """
        opened = await self.automation.ask("Automation.createBrowsingContext")
        handle = opened["handle"]
        await self.automation.ask("Automation.navigateBrowsingContext", handle=handle, url="about:blank")

        await self.automation.ask("Automation.switchToBrowsingContext", browsingContextHandle=handle)

        while not (new := self._pages.keys() - self._targets.keys()):
            await asyncio.sleep(PAUSE_SECONDS)
        number = min(new)
        return handle, self._set_up(number, self._pages[number])


class _Prompt(StreamReaderProtocol):
    """Acknowledges all data at once.

    WebKit writes a message in two parts, and keeps the second one until the first is acknowledged. Left to
    itself, a system takes 40 ms for that.
    """

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self._socket = transport.get_extra_info("socket")

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)  # the system forgets it soon


async def _connected(port: int) -> tuple[StreamReader, StreamWriter]:
    """Connects as soon as the port is open."""
    loop = asyncio.get_running_loop()
    reader = StreamReader(limit=MOST_BYTES)

    while True:
        try:
            transport, protocol = await loop.create_connection(lambda: _Prompt(reader), "127.0.0.1", port)
        except OSError:
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            return reader, StreamWriter(transport, protocol, reader, loop)
