"""The contract's harness for the local page, served by the real adapter."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from adapters.port import Adapter, RoomRef, UserRef
from adapters.web import WebAdapter
from tests.adapters.contract import Answer, ListeningInbox, Seen, Trait, eventually
from tests.adapters.web.client import Company, Visitor, digests_in, text_of, visitors
from tests.adapters.web.site import Site, web_site


class WithoutTroubles:
    """The troubles that the page lacks, as its `traits` declare."""

    async def block_private_messages(self, who: UserRef) -> None:
        raise NotImplementedError

    async def throttle(self, seconds: float) -> None:
        raise NotImplementedError

    async def expel(self) -> None:
        raise NotImplementedError

    async def readmit(self) -> None:
        raise NotImplementedError

    async def let_pin(self, *, is_allowed: bool) -> None:
        raise NotImplementedError

    async def let_write(self, *, is_allowed: bool) -> None:
        raise NotImplementedError

    async def show_portrait(self, who: UserRef, picture: bytes) -> None:
        raise NotImplementedError

    def stranger(self) -> Adapter:
        raise NotImplementedError


class WebHarness(WithoutTroubles):
    """People in the page's main room, and the page's owner, a spectator."""

    traits = frozenset({Trait.CONNECTION, Trait.FORGETS, Trait.KEYS, Trait.MESSAGES, Trait.MODERATORS})

    def __init__(self, site: Site, company: Company, owner: Visitor) -> None:
        self.site = site
        self._company = company
        self._owner = owner
        self._people = {owner.id: owner}
        self._toasts: dict[str, list[str]] = {}

    @property
    def adapter(self) -> WebAdapter:
        return self.site.adapter

    @property
    def inbox(self) -> ListeningInbox:
        return self.site.inbox

    @property
    def room(self) -> RoomRef:
        return self.site.room

    async def newcomer(self, name: str, *, moderator: bool = False) -> UserRef:
        if moderator:  # the owner is the only one
            return UserRef("web", self._owner.id)
        visitor = await self._company.newcomer(self.site.url, name)
        self._people[visitor.id] = visitor
        return UserRef("web", visitor.id)

    async def types(self, who: UserRef, text: str) -> None:
        _, answer = await self._people[who.id].send("lines", {"text": text})
        self._toasts.setdefault(who.id, []).append(answer.get("toast", ""))

    async def presses(self, who: UserRef, seen: Seen, label: str) -> Answer:
        shown = self._people[who.id].shown[seen.key]
        buttons = [button for row in shown["content"]["rows"] for button in row]
        token = next(button["token"] for button in buttons if button["label"] == label)
        status, answer = await self._people[who.id].send("presses", {"message": seen.key, "token": token})
        assert status == 200, answer
        return Answer(answer.get("toast"), led=bool(answer.get("open_private")))

    def room_sees(self) -> tuple[Seen, ...]:
        return _seen(self._owner, private=False)

    def sees_alone(self, who: UserRef) -> tuple[Seen, ...]:
        toasts = [Seen(f"toast {n}", text) for n, text in enumerate(self._toasts.get(who.id, ()))]
        return (*toasts, *_seen(self._people[who.id], private=True))

    async def forget(self, seen: Seen) -> None:
        await self.site.store.delete_message(int(seen.key))

    async def break_connection(self) -> None:
        for person in self._people.values():
            person.cut()

    async def restart(self) -> None:
        connects = {person: person.connects for person in self._people.values()}
        await self.site.restart()
        await eventually(lambda: all(person.connects > before for person, before in connects.items()))

    async def opens_private(self, who: UserRef) -> None:
        """Does nothing: the private pane is always open."""


def _seen(person: Visitor, *, private: bool) -> tuple[Seen, ...]:
    """Returns a player's messages, oldest first; a message counts once its files have arrived."""
    return tuple(
        read_as(message, person.files)
        for message in person.sees(private=private)
        if all(digest in person.files for digest in digests_in(message))
    )


def read_as(message: Mapping[str, Any], files: Mapping[str, bytes]) -> Seen:
    content = message["content"]
    rows = tuple(
        labels
        for row in content.get("rows", ())
        if (labels := tuple(button["label"] for button in row if button["enabled"]))
    )
    picture = content.get("picture")
    kept = content.get("document")
    document = (kept["name"], files[kept["digest"]]) if kept else None
    shown = files[picture["digest"]] if picture else None

    return Seen(message["id"], text_of(message), rows, shown, document)


@asynccontextmanager
async def web_harness() -> AsyncIterator[WebHarness]:
    """Serves a page, and opens it for its owner."""
    async with web_site() as site, visitors() as company:
        owner = await company.newcomer(site.url, "Owner")
        await owner.shows_key(site.owner_key)
        yield WebHarness(site, company, owner)
