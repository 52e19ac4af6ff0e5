"""The contract's harness for live tables: people of a chat, and the real page that shows them its table.

A view has no messages: the table takes the place of the contract's posts to a room, and a hand
that of its posts to one person.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from adapters.port import (
    Audience,
    Delivered,
    Delivery,
    Document,
    Everyone,
    MessageRef,
    PinTrouble,
    Press,
    Reply,
    RoomRef,
    Screen,
    Throttled,
    User,
    UserRef,
    View,
    Visit,
)
from adapters.web.refs import PLATFORM
from adapters.web.render import VIEW_LIMITS
from adapters.web.view_messages import HAND, TABLE
from adapters.web.view_page import ViewPage
from tests.adapters.contract import Answer, ListeningInbox, Seen, Trait, eventually
from tests.adapters.web.client import Company, Visitor, visitors
from tests.adapters.web.harness import WithoutTroubles, read_as
from tests.adapters.web.tables import ROOM, KnownViews

CHAT = ROOM.server.platform
ONLOOKER = "Olga"


class ShownTable(KnownViews):
    """A table that shows the contract's posts."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Screen(())
        self.hand: Screen | None = None
        self.holder: UserRef | None = None

    def view_for(self, user: UserRef) -> View:
        """Returns the newest state for one person."""
        hand = self.hand if user == self.holder else None
        return View(self.table, hand)

    def show(self, message: str, screen: Screen | None) -> Delivery:
        """Changes the table or the hand."""
        if message == TABLE:
            self.table = screen or Screen(())
        else:
            self.hand = screen

        self.change()
        return Delivered(MessageRef(PLATFORM, message))


class AnyDoor:
    """A door that accepts any name as a proof."""

    name = "any"
    framed_by = ()
    origins = ()

    async def visit(self, proof: str, wanted: str, network: str) -> Visit:
        return Visit(User(UserRef(CHAT, proof), proof), 7, self.name)

    def use(self, proof: str, network: str) -> None:
        pass

    def way(self, proof: str, wanted: str) -> str:
        return ""


class Poster:
    """An adapter that shows its posts at the table."""

    platform = CHAT
    limits = VIEW_LIMITS
    ready = True

    def __init__(self, shown: ShownTable) -> None:
        self._shown = shown

    async def post(
        self, audience: Audience, screen: Screen, key: str = "", document: Document | None = None
    ) -> Delivery:
        if isinstance(audience, Everyone):
            return self._shown.show(TABLE, screen)

        self._shown.holder = audience.user
        return self._shown.show(HAND, screen)

    async def edit(self, ref: MessageRef, screen: Screen) -> Delivery:
        self._shown.show(ref.opaque, screen)
        return Delivered(ref)  # a message of the chat counts as edited, too

    async def delete(self, ref: MessageRef) -> Delivery:
        return self._shown.show(ref.opaque, None)

    async def is_moderator(self, user: UserRef, room: RoomRef) -> bool:
        return False

    async def is_member(self, user: UserRef, room: RoomRef) -> bool | None:
        return None

    async def portrait_of(self, user: UserRef) -> bytes | None:
        return None

    async def may_pin(self, room: RoomRef) -> bool | None:
        return None

    async def pin(self, ref: MessageRef, *, is_pinned: bool) -> PinTrouble | Throttled | None:
        return PinTrouble.REFUSED


class ViewInbox(ListeningInbox):
    """An inbox that shows a hand that answers a press as the newest one."""

    def __init__(self, shown: ShownTable) -> None:
        super().__init__()
        self._shown = shown

    def press_answered(self, press: Press, reply: Reply, delivery: Delivery) -> None:
        super().press_answered(press, reply, delivery)
        if press.message.opaque == HAND and reply.secret is not None:
            self._shown.show(HAND, reply.secret)


class Viewer(Visitor):
    """A person with the table open, and the last answer to them."""

    answer: Mapping[str, Any] | None = None

    @property
    def is_in(self) -> bool:
        """Whether the page shows the table."""
        return self.connects > 0

    async def come_in(self, name: str) -> None:
        """Presents the name as a proof to the door."""
        headers = {"Origin": self.headers["Origin"]}
        body = {"door": AnyDoor.name, "proof": name, "wanted": ""}
        async with self.session.post(self.url, json=body, headers=headers) as response:
            answer = await response.json()
            assert response.status == 201, answer

        self.id = name
        self.secret = answer["secret"]


class ViewHarness(WithoutTroubles):
    """People with one table open, one of them as a spectator."""

    traits = frozenset({Trait.CONNECTION})
    room = ROOM

    def __init__(self, company: Company) -> None:
        self.shown = ShownTable()
        self.adapter = Poster(self.shown)
        self.inbox = ViewInbox(self.shown)
        self._company = company
        self._people = dict[str, Viewer]()
        self._runner: web.AppRunner | None = None
        self._port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/visits"

    async def start(self) -> None:
        page = ViewPage(self.shown, self.inbox, [AnyDoor()])
        app = web.Application()
        page.attach(app, is_alone=True)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        self._port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    async def newcomer(self, name: str, *, moderator: bool = False) -> UserRef:
        viewer = Viewer(self._company.session, self.url)
        await viewer.come_in(name)
        await self._company.opens(viewer)
        self._people[name] = viewer
        return UserRef(CHAT, name)

    async def presses(self, who: UserRef, seen: Seen, label: str) -> Answer:
        viewer = self._people[who.id]
        buttons = [button for row in viewer.shown[seen.key]["content"]["rows"] for button in row]
        token = next(button["token"] for button in buttons if button["label"] == label)
        before = viewer.connects

        status, answer = await viewer.send("presses", {"message": seen.key, "token": token})
        assert status == 200, answer

        viewer.answer = answer.get("answer")

        await eventually(lambda: viewer.connects > before)  # a press renders the view once more
        return Answer(answer.get("toast"))

    def room_sees(self) -> tuple[Seen, ...]:
        return tuple(read_as(message, {}) for message in self._people[ONLOOKER].sees(private=False))

    def sees_alone(self, who: UserRef) -> tuple[Seen, ...]:
        viewer = self._people[who.id]
        answers = [viewer.answer] if viewer.answer else []
        return tuple(read_as(message, {}) for message in (*viewer.sees(private=True), *answers))

    async def break_connection(self) -> None:
        for viewer in self._people.values():
            viewer.cut()

    async def restart(self) -> None:
        """Restarts the page, which forgets all secrets; everybody then opens the table again."""
        await self.stop()
        await self.start()
        for name in self._people:
            await self.newcomer(name)

    # --- not part of a view, which has no messages ---

    async def types(self, who: UserRef, text: str) -> None:
        raise NotImplementedError

    async def opens_private(self, who: UserRef) -> None:
        raise NotImplementedError

    async def forget(self, seen: Seen) -> None:
        raise NotImplementedError


@asynccontextmanager
async def view_harness() -> AsyncIterator[ViewHarness]:
    """Serves a page of live tables, and opens the table for a spectator."""
    async with visitors() as company:
        harness = ViewHarness(company)
        await harness.start()
        await harness.newcomer(ONLOOKER)
        yield harness
        await harness.stop()
