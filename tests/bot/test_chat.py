"""The chat of these tests fulfils the contract of the real chats, so that test results apply to those."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field

import pytest_asyncio

from adapters.port import (
    Adapter,
    Button,
    CallbackButton,
    Everyone,
    MessageRef,
    PrivateChatButton,
    RoomRef,
    User,
    UserRef,
)
from tests.adapters.contract import AnsweringContract, PortraitContract, SendingContract, TroubleContract
from tests.adapters.contract.harness import Answer, Harness, ListeningInbox, Seen, Trait
from tests.bot.chat import ROOM, Chat, person
from tests.bot.messages import Message


@dataclass
class ChatHarness:
    """The contract's people in a `Chat`."""

    adapter: Chat = field(default_factory=Chat)
    inbox: ListeningInbox = field(default_factory=ListeningInbox)
    room: RoomRef = ROOM
    traits: frozenset[Trait] = frozenset(Trait) - {Trait.CONNECTION, Trait.TOKENS}
    people: dict[UserRef, User] = field(default_factory=dict)

    async def newcomer(self, name: str, *, moderator: bool = False) -> UserRef:
        user = person(name)
        self.people[user.ref] = user
        if moderator:
            self.adapter.moderators.add(user.ref)
        return user.ref

    async def types(self, who: UserRef, text: str) -> None:
        await self.adapter.types(self.people[who], text)

    async def presses(self, who: UserRef, seen: Seen, label: str) -> Answer:
        reply = await self.adapter.presses(
            self.people[who], MessageRef(self.adapter.platform, seen.key), label
        )
        return Answer(reply.toast, led=reply.open_private)

    async def opens_private(self, who: UserRef) -> None:
        await self.adapter.opens_private(self.people[who])

    def room_sees(self) -> tuple[Seen, ...]:
        return tuple(map(_seen, self.adapter.room_sees()))

    def sees_alone(self, who: UserRef) -> tuple[Seen, ...]:
        notices = (Seen("", text) for user, text in self.adapter.notices if user == who)
        return (*map(_seen, self.adapter.sees_alone(self.people[who])), *notices)

    async def block_private_messages(self, who: UserRef) -> None:
        self.adapter.closed.add(who)

    async def throttle(self, seconds: float) -> None:
        self.adapter.floods[self.room] = seconds

    async def forget(self, seen: Seen) -> None:
        self.adapter.forget(MessageRef(self.adapter.platform, seen.key))

    async def let_pin(self, *, is_allowed: bool) -> None:
        self.adapter.may_pins = is_allowed

    async def let_write(self, *, is_allowed: bool) -> None:
        (self.adapter.banned.discard if is_allowed else self.adapter.banned.add)(self.room)

    async def expel(self) -> None:
        self.adapter.banned.add(self.room)
        await self.inbox.became_unreachable(self.room)

    async def readmit(self) -> None:
        self.adapter.banned.discard(self.room)
        await self.inbox.became_reachable(self.room)
        hello = (await self.inbox.greet(self.room, "")).public
        if hello is not None:
            await self.adapter.post(Everyone(self.room), hello)

    async def show_portrait(self, who: UserRef, picture: bytes) -> None:
        self.adapter.portraits[who] = picture

    async def break_connection(self) -> None:
        raise NotImplementedError

    async def restart(self) -> None:
        """Does nothing: a chat in memory has nothing to lose."""

    def stranger(self) -> Adapter:
        raise NotImplementedError


def _seen(message: Message) -> Seen:
    rows = (tuple(button.label for button in row if _is_seen(button)) for row in message.screen.rows)
    picture = message.screen.picture

    image = None if picture is None else picture.png
    return Seen(message.ref.opaque, message.text, tuple(filter(None, rows)), image)


def _is_seen(button: Button) -> bool:
    """Returns whether a button can be pressed; nobody has to open this chat's private messages."""
    if isinstance(button, CallbackButton):
        return button.enabled
    return not isinstance(button, PrivateChatButton)


@pytest_asyncio.fixture
async def harness() -> AsyncIterator[Harness]:
    harness = ChatHarness()
    running = asyncio.create_task(harness.adapter.run(harness.inbox))
    await asyncio.sleep(0)
    yield harness
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


class TestSending(SendingContract):
    """Sending: post, edit, delete."""


class TestAnswering(AnsweringContract):
    """Answers: commands, presses, opened private chats."""


class TestPortraits(PortraitContract):
    """Pictures of people."""


class TestTrouble(TroubleContract):
    """Trouble: blocked messages, floods, removals."""
