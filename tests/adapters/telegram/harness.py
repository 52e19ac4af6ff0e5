"""The contract's harness for Telegram: one supergroup of the wire server, and a real adapter in it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.port import ArgumentChoice, ArgumentKind, ArgumentSpec, CommandSpec, RoomRef, UserRef
from adapters.telegram import TelegramAdapter
from adapters.telegram.refs import payload_of, room_ref
from tests.adapters.contract import Answer, ListeningInbox, Seen, Trait, eventually
from tests.wire.telegram import Loss, Message, Person, Status, TelegramServer

PERIODS = tuple(ArgumentChoice(period, period) for period in ("week", "month", "all"))
COMMANDS = (
    CommandSpec("hand", "Show my hand", summaries={"de": "Meine Karten zeigen"}, is_secret=True),
    CommandSpec("rules", "Explain the rules", (ArgumentSpec("preset", "Rule set"),)),
    CommandSpec(
        "leaderboard",
        "Who is best",
        (ArgumentSpec("period", "Since when", ArgumentKind.CHOICE, PERIODS),),
    ),
    CommandSpec("stats", "How somebody plays", (ArgumentSpec("player", "Who", ArgumentKind.PERSON),)),
)


class TelegramHarness:
    """People in one supergroup of the wire server."""

    traits = frozenset(Trait) - {Trait.KEYS, Trait.RIGHTS}

    def __init__(self, server: TelegramServer) -> None:
        self.server = server
        self.inbox = ListeningInbox()
        self.owner = server.person("Owner")
        self.chat = server.supergroup("Players", self.owner)
        self.adapter = self._adapter(server.token)
        self._running: asyncio.Task[None] | None = None

    def _adapter(self, token: str) -> TelegramAdapter:
        return TelegramAdapter(token, api_url=self.server.url, commands=COMMANDS)

    @property
    def room(self) -> RoomRef:
        return room_ref(self.chat.id)

    async def start(self) -> None:
        self._running = asyncio.create_task(self.adapter.run(self.inbox))
        await eventually(lambda: self.adapter.ready)

    async def stop(self) -> None:
        assert self._running is not None
        self._running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._running

    async def ended(self) -> None:
        """Waits until the adapter ends by itself, and passes its exception on."""
        assert self._running is not None
        await self._running

    async def newcomer(self, name: str, *, moderator: bool = False) -> UserRef:
        person = self.server.person(name)
        self.chat.members[person.id] = Status.ADMINISTRATOR if moderator else Status.MEMBER
        return UserRef("telegram", str(person.id))

    async def types(self, who: UserRef, text: str) -> None:
        self.person(who).says(text, in_=self.chat)
        await eventually(lambda: not self.server.updates.waiting)

    async def presses(self, who: UserRef, seen: Seen, label: str) -> Answer:
        answer = await self.person(who).presses(label, self._message(seen))
        return Answer(answer.text or None, led=bool(answer.url))

    async def opens_private(self, who: UserRef) -> None:
        self.person(who).starts(payload_of(self.room))

    def room_sees(self) -> tuple[Seen, ...]:
        return tuple(map(seen_as, self.owner.sees(self.chat)))

    def sees_alone(self, who: UserRef) -> tuple[Seen, ...]:
        person = self.person(who)
        return tuple(map(seen_as, person.sees(person.private)))

    async def block_private_messages(self, who: UserRef) -> None:
        self.person(who).blocks()

    async def throttle(self, seconds: float) -> None:
        self.server.faults.throttle(int(seconds), chat=self.chat.id)

    async def forget(self, seen: Seen) -> None:
        self.chat.messages.remove(self._message(seen))

    async def expel(self) -> None:
        self.owner.kicks_bot(self.chat)

    async def let_pin(self, *, is_allowed: bool) -> None:
        self.chat.bot = Status.ADMINISTRATOR if is_allowed else Status.MEMBER
        self.chat.bot_rights = {"can_pin_messages"} if is_allowed else set()

    async def let_write(self, *, is_allowed: bool) -> None:
        raise NotImplementedError

    async def readmit(self) -> None:
        self.owner.invites_bot(self.chat)

    async def show_portrait(self, who: UserRef, picture: bytes) -> None:
        self.person(who).photo = picture

    async def break_connection(self) -> None:
        self.server.faults.drop(Loss.BEFORE, method="getUpdates", times=2)

    async def restart(self) -> None:
        await self.stop()
        await self.restart_from_nothing()

    async def restart_from_nothing(self) -> None:
        """Starts a new adapter in the place of one that has stopped."""
        self.adapter = self._adapter(self.server.token)
        await self.start()

    def stranger(self) -> TelegramAdapter:
        return self._adapter("1:wrong")

    def person(self, who: UserRef) -> Person:
        return self.server.people[int(who.id)]

    def _message(self, seen: Seen) -> Message:
        chat, _, message = seen.key.partition(":")
        found = self.server.world.chats[int(chat)].message(int(message))
        assert found is not None
        return found


class TelegramOutsideHarness(TelegramHarness):
    """People in a group without the bot."""

    def __init__(self, server: TelegramServer) -> None:
        super().__init__(server)
        self.chat = server.outside("Friends", self.owner)

    async def types(self, who: UserRef, text: str) -> None:
        self.person(who).mentions_bot(text.removeprefix("/"), in_=self.chat)
        await eventually(lambda: not self.server.updates.waiting)

    def _message(self, seen: Seen) -> Message:
        found = self.chat.message(int(seen.key.rpartition(":")[2]))
        assert found is not None
        return found


def seen_as(message: Message) -> Seen:
    rows = tuple(tuple(button.label for button in row) for row in message.rows)
    document = (message.document.name, message.document.content) if message.document else None
    return Seen(f"{message.chat.id}:{message.id}", message.text, rows, message.picture, document)


@asynccontextmanager
async def telegram_harness(
    kind: type[TelegramHarness] = TelegramHarness,
) -> AsyncIterator[TelegramHarness]:
    """Runs a wire server and an adapter that is connected to it."""
    async with TelegramServer() as server:
        harness = kind(server)
        await harness.start()
        yield harness
        await harness.stop()
