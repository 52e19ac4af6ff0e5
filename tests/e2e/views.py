"""People of a chat at its live table, without a browser: over HTTP, as the page's scripts do."""

import asyncio
import json
import time
from collections.abc import Sequence

from aiohttp import ClientSession, ClientWebSocketResponse

from adapters.web.view_messages import HAND
from tests.e2e.chats import Person, Read, Shown


class Viewer:
    """A person of a chat with the live table open, playing there."""

    def __init__(self, person: Person, address: str, http: ClientSession) -> None:
        self.person = person
        self.read: list[Read] = []
        """Each state of the table, as it arrived."""
        self._visits = f"{address.rstrip('/')}/visits"
        self._http = http
        self._headers = {"Origin": address.rstrip("/")}
        self._hand: Sequence[Shown] = ()
        self._stream: ClientWebSocketResponse | None = None

    async def opens(self, tasks: asyncio.TaskGroup, door: str, proof: str, wanted: str = "") -> None:
        """Opens the table by a proof, and follows it until the page is closed."""
        body = {"door": door, "proof": proof, "wanted": wanted}
        async with self._http.post(self._visits, json=body, headers=self._headers) as response:
            answer = await response.json()
            assert response.status == 201, answer

        secret = answer["secret"]
        self._headers["Authorization"] = f"Bearer {secret}"
        self._stream = await self._http.ws_connect(f"{self._visits}/stream", headers=self._headers)
        await self._stream.send_json({"secret": secret})
        tasks.create_task(self._follow(self._stream))

    async def closes(self) -> None:
        """Closes the page."""
        assert self._stream is not None
        await self._stream.close()

    async def _follow(self, stream: ClientWebSocketResponse) -> None:
        async for message in stream:
            self._take(message.data)

    def _take(self, text: str) -> None:
        self.read.append(Read(time.time(), text))
        shown = {message["id"]: message["content"] for message in json.loads(text)["messages"]}
        rows = shown.get(HAND, {}).get("rows", ())
        buttons = {button["token"]: button["label"] for row in rows for button in row}
        self._hand = (Shown("", buttons, None),)

    # --- as a person of the chat ---

    @property
    def name(self) -> str:
        return self.person.name

    async def types(self, line: str) -> str:
        return await self.person.types(line)

    async def public(self) -> Sequence[Shown]:
        return await self.person.public()

    async def private(self) -> Sequence[Shown]:
        return self._hand

    async def presses(self, shown: Shown, token: str) -> str:
        body = {"message": HAND, "token": token}
        async with self._http.post(f"{self._visits}/presses", json=body, headers=self._headers) as response:
            answer = await response.json()
        return str(answer.get("toast", ""))

    async def forces(self, shown: Shown, token: str) -> str:
        return await self.presses(shown, token)

    async def looks(self) -> None:
        """Does nothing: the table keeps itself up to date."""

    def has_read(self) -> Sequence[Read]:
        return [*self.person.has_read(), *self.read]

    async def keeps(self) -> Sequence[Shown]:
        return await self.person.keeps()

    def rang(self) -> Sequence[str]:
        return self.person.rang()
