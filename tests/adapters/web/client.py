"""Guests without a browser, which use HTTP and a websocket as the page's JavaScript does."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from socket import SHUT_RDWR
from typing import Any
from urllib.parse import urlsplit

from aiohttp import ClientConnectionError, ClientSession, ClientWebSocketResponse, TCPConnector, WSMsgType

from tests.adapters.contract import eventually


class Visitor:
    """One open page, with every frame it ever got and the messages it shows now."""

    def __init__(self, session: ClientSession, url: str) -> None:
        self.session = session
        self.url = url
        self.id = ""
        self.secret = ""

        self.frames: list[str] = []
        self.shown: dict[str, dict[str, Any]] = {}
        self.files: dict[str, bytes] = {}
        self.people: list[str] = []
        self.commands: list[dict[str, Any]] = []

        self.connects = 0
        self.closed_with: int | None = None
        self.closed_because: str | None = None
        self._socket: ClientWebSocketResponse | None = None

    @property
    def headers(self) -> dict[str, str]:
        address = urlsplit(self.url)
        return {"Origin": f"{address.scheme}://{address.netloc}", "Authorization": f"Bearer {self.secret}"}

    @property
    def is_in(self) -> bool:
        """Whether the page shows the room and its people."""
        return bool(self.people)

    async def come_in(self, name: str) -> None:
        status, answer = await self.send("guests", {"name": name})
        assert status == 201, answer
        self.id = answer["id"]
        self.secret = answer["secret"]

    async def shows_key(self, key: str) -> tuple[int, dict[str, Any]]:
        """Asks to be the owner of the page."""
        return await self.send("owner", {"key": key})

    def another_page(self) -> "Visitor":
        """Returns a second tab of the same guest."""
        other = Visitor(self.session, self.url)
        other.id = self.id
        other.secret = self.secret
        return other

    async def send(self, what: str, body: object, **headers: str) -> tuple[int, dict[str, Any]]:
        """Posts a request, and returns the status and the answer."""
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        async with self.session.post(f"{self.url}/{what}", json=body, headers=sent) as response:
            answer = await response.json()
            return response.status, answer

    async def follow(self) -> None:
        """Follows the stream until cancelled or unknown, and reconnects after each break."""
        while self.closed_with != 4401:
            try:
                async with self.session.ws_connect(f"{self.url}/stream", headers=self.headers) as socket:
                    self._socket = socket
                    await socket.send_json({"secret": self.secret})
                    while (message := await socket.receive()).type is WSMsgType.TEXT:
                        self._take(message.data)
                        await self._fetch_files()

                    self.closed_with = socket.close_code
                    self.closed_because = message.extra
            except ClientConnectionError:
                pass

            await asyncio.sleep(0.02)

    def cut(self) -> None:
        """Breaks the connection without closing it."""
        assert self._socket is not None
        transport = self._socket.get_extra_info("socket")
        assert transport is not None
        transport.shutdown(SHUT_RDWR)

    def _take(self, text: str) -> None:
        self.frames.append(text)
        frame: Mapping[str, Any] = json.loads(text)

        match frame["type"]:
            case "all":
                self.connects += 1
                self.commands = frame["commands"]
                self.shown = {message["id"]: message for message in frame["messages"]}
            case "message":
                self.shown[frame["message"]["id"]] = frame["message"]
            case "gone":
                self.shown.pop(frame["id"], None)
            case "people":
                self.people = [person["name"] for person in frame["people"]]

    async def _fetch_files(self) -> None:
        """Fetches every picture and document of the shown messages, by digest."""
        for message in list(self.shown.values()):
            for digest in digests_in(message):
                if digest not in self.files:
                    status, content = await self.file(message["id"], digest)
                    if status == HTTPStatus.OK:  # it may have changed by now
                        self.files[digest] = content

    async def file(self, message: str, digest: str) -> tuple[int, bytes]:
        """Requests a file of a message, and returns the status and the content."""
        address = f"{self.url}/files/{message}/{digest}"
        async with self.session.get(address, headers=self.headers) as response:
            return response.status, await response.read()

    def sees(self, *, private: bool) -> list[dict[str, Any]]:
        """Returns the messages on the page, oldest first."""
        ids = sorted(self.shown, key=int)
        return [self.shown[number] for number in ids if self.shown[number]["private"] is private]

    def texts(self, *, private: bool) -> list[str]:
        return [text_of(message) for message in self.sees(private=private)]


def digests_in(message: Mapping[str, Any]) -> list[str]:
    """Returns the digests of a message's files."""
    files = (message["content"].get(kind) for kind in ("picture", "document"))
    return [file["digest"] for file in files if file]


def text_of(message: Mapping[str, Any]) -> str:
    content = message["content"]
    return str(content["text"]) if message["kind"] == "chat" else "".join(s["text"] for s in content["body"])


@asynccontextmanager
async def visitors(address: str = "127.0.0.1") -> AsyncIterator["Company"]:
    """Yields a company that connects from one address of this machine, and leaves at the end."""
    connector = TCPConnector(limit=0, local_addr=(address, 0))
    async with ClientSession(connector=connector) as session, asyncio.TaskGroup() as tasks:
        company = Company(session, tasks)
        yield company
        company.leave()


class Company:
    """The people with the page open."""

    def __init__(self, session: ClientSession, tasks: asyncio.TaskGroup) -> None:
        self.session = session
        self._tasks = tasks
        self._following: dict[Visitor, asyncio.Task[None]] = {}

    async def newcomer(self, url: str, name: str) -> Visitor:
        """Lets a new guest in by name, and opens the room for them."""
        visitor = Visitor(self.session, url)
        await visitor.come_in(name)
        return await self.opens(visitor)

    async def opens(self, visitor: Visitor) -> Visitor:
        """Opens a guest's page, and waits until it shows the room or is closed."""
        self._following[visitor] = self._tasks.create_task(visitor.follow())
        await eventually(lambda: visitor.is_in or visitor.closed_with)
        return visitor

    def leave(self, *those: Visitor) -> None:
        """Closes the pages of these people, or of everyone if none is named."""
        for visitor in those or self._following:
            self._following[visitor].cancel()
