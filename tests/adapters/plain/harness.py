"""The contract's harness for a plain chat: one room of the wire server, and a real adapter in it."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from adapters.port import RoomRef, UserRef
from tests.adapters.contract import Answer, ListeningInbox, Seen, Trait, eventually
from tests.adapters.plain.adapter import PlainAdapter
from tests.adapters.plain.inbound import Choices
from tests.adapters.plain.refs import room_ref, user_ref
from tests.wire.lines import MEMBER, OPERATOR, LineServer, Person, Printed

CHOICE = re.compile(r"\[(\d+)\] ")
GAP = "  "  # between two choices in a line


class PlainHarness:
    """People in one room of the wire server."""

    traits = frozenset({Trait.CONNECTION, Trait.MESSAGES, Trait.MODERATORS, Trait.TOKENS})

    def __init__(self, server: LineServer) -> None:
        self.server = server
        self.parlour = server.room("#parlour")
        server.newcomer("Owner", self.parlour)
        self.inbox = ListeningInbox()
        self._choices: dict[str, Choices] = {}
        self.adapter = PlainAdapter(server.port, choices=self._choices)
        self._running: asyncio.Task[None] | None = None

    @property
    def room(self) -> RoomRef:
        return room_ref(self.parlour.name)

    async def start(self) -> None:
        self._running = asyncio.create_task(self.adapter.run(self.inbox))
        await eventually(lambda: self.adapter.ready)

    async def stop(self) -> None:
        assert self._running is not None
        self._running.cancel()
        with suppress(asyncio.CancelledError):
            await self._running

    async def newcomer(self, name: str, *, moderator: bool = False) -> UserRef:
        person = self.server.newcomer(name, self.parlour, rank=OPERATOR if moderator else MEMBER)
        ref = user_ref(person.id)
        async with asyncio.timeout(10.0):
            while not await self.adapter.is_member(ref, self.room):
                await asyncio.sleep(0.01)

        return ref

    async def types(self, who: UserRef, text: str) -> None:
        await self._person(who).says(text, self.parlour)

    async def presses(self, who: UserRef, seen: Seen, label: str) -> Answer:
        """Types the number of a choice, where it was printed."""
        person = self._person(who)
        number = str(seen.labels.index(label) + 1)
        notes = len(self._notes(person))
        if seen.key in {str(printed.number) for printed in person.printed}:
            await person.tells(number)
        else:
            await person.says(number, self.parlour)

        new = self._notes(person)[notes:]
        return Answer(new[-1] if new else None)

    def room_sees(self) -> tuple[Seen, ...]:
        return tuple(map(seen_as, self.parlour.printed))

    def sees_alone(self, who: UserRef) -> tuple[Seen, ...]:
        return tuple(map(seen_as, self._person(who).printed))

    async def break_connection(self) -> None:
        self.server.cut()

    async def restart(self) -> None:
        await self.stop()
        self.adapter = PlainAdapter(self.server.port, choices=self._choices)
        await self.start()

    def stranger(self) -> PlainAdapter:
        return PlainAdapter(self.server.port, token="wrong")

    def _person(self, who: UserRef) -> Person:
        return self.server.people[who.id]

    def _notes(self, person: Person) -> list[str]:
        return [printed.lines[0] for printed in person.printed if printed.is_note]

    # --- what this chat lacks ---------------------------------------------------------------------------

    async def opens_private(self, who: UserRef) -> None:
        """Does nothing: it is open."""

    async def block_private_messages(self, who: UserRef) -> None:
        raise NotImplementedError

    async def throttle(self, seconds: float) -> None:
        raise NotImplementedError

    async def forget(self, seen: Seen) -> None:
        raise NotImplementedError

    async def expel(self) -> None:
        raise NotImplementedError

    async def readmit(self) -> None:
        raise NotImplementedError

    async def show_portrait(self, who: UserRef, picture: bytes) -> None:
        raise NotImplementedError

    async def let_pin(self, *, is_allowed: bool) -> None:
        raise NotImplementedError

    async def let_write(self, *, is_allowed: bool) -> None:
        raise NotImplementedError


def seen_as(printed: Printed) -> Seen:
    """Reads printed lines as a person does: the numbered choices are below the text."""
    lines = list(printed.lines)
    rows = list[tuple[str, ...]]()
    while lines and CHOICE.match(lines[-1]):
        rows.insert(0, labels_in(lines.pop()))

    return Seen(str(printed.number), "\n".join(lines), tuple(rows))


def labels_in(line: str) -> tuple[str, ...]:
    """Returns the labels of the choices in a line."""
    _, *parts = CHOICE.split(line)
    return tuple(label.removesuffix(GAP) for label in parts[1::2])


def choices_in(printed: Sequence[Printed]) -> dict[str, str]:
    """Returns the numbers of the choices that were offered last, by label."""
    for seen in map(seen_as, reversed(printed)):
        if seen.labels:
            return {label: str(number) for number, label in enumerate(seen.labels, start=1)}
    return {}


@asynccontextmanager
async def plain_harness() -> AsyncIterator[PlainHarness]:
    """Runs a wire server and an adapter that is connected to it."""
    async with LineServer() as server:
        harness = PlainHarness(server)
        await harness.start()
        yield harness
        await harness.stop()
