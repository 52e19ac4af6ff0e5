"""A chat of plain lines for tests: rooms and people on a local port, with which a bot communicates.

A message between the server and the bot is one line, its fields divided by tabs:

    from the bot              from the server
    hello TOKEN               denied
    say ROOM LINE …           member ROOM PERSON NAME RANK
    tell PERSON LINE …        left ROOM PERSON
    note PERSON LINE          welcome                  all members are named
    done ID                   said ID ROOM PERSON LINE
                              told ID PERSON LINE

What was printed stays as it is, and the server knows of no buttons.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Self

TOKEN = "a-token-of-lines"
ANSWERED_WITHIN = 40.0  # seconds, on a machine that is busy with other tests
OPERATOR = "operator"
MEMBER = "member"


@dataclass(frozen=True)
class Printed:
    """Some lines that the bot printed at once; a note is for the moment."""

    number: int
    lines: tuple[str, ...]
    is_note: bool = False


@dataclass
class Room:
    """A room with its members and their ranks, and what the bot printed there."""

    name: str
    ranks: dict[str, str] = field(default_factory=dict)
    printed: list[Printed] = field(default_factory=list)


@dataclass
class Person:
    """Somebody with a private chat with the bot."""

    id: str
    name: str
    server: "LineServer" = field(repr=False)
    printed: list[Printed] = field(default_factory=list)

    async def says(self, line: str, room: Room) -> None:
        """Types a line in a room, and returns when the bot has answered it."""
        await self.server.asks("said", room.name, self.id, line)

    async def tells(self, line: str) -> None:
        """Types a line in the private chat with the bot, and returns when the bot has answered it."""
        await self.server.asks("told", self.id, line)


class LineServer:
    """The server; a line that is typed while no bot is connected waits for the next one."""

    def __init__(self) -> None:
        self.rooms: dict[str, Room] = {}
        self.people: dict[str, Person] = {}
        self._numbers = count(1)
        self._answers: dict[str, asyncio.Future[None]] = {}
        self._waiting: list[str] = []
        self._bot: asyncio.StreamWriter | None = None
        self._serving = set[asyncio.Task[None]]()

    async def __aenter__(self) -> Self:
        self._listening = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port: int = self._listening.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cut()
        self._listening.close()
        await asyncio.gather(*self._serving)
        await self._listening.wait_closed()

    # --- the world --------------------------------------------------------------------------------------

    def room(self, name: str) -> Room:
        return self.rooms.setdefault(name, Room(name))

    def newcomer(self, name: str, room: Room, *, rank: str = MEMBER) -> Person:
        """Lets a new person come into a room."""
        person = Person(f"id{next(self._numbers)}", name, self)
        self.people[person.id] = person
        room.ranks[person.id] = rank
        self._send(_member(room, person))
        return person

    def leaves(self, person: Person, room: Room) -> None:
        """Lets a person go out of a room."""
        del room.ranks[person.id]
        self._send(f"left\t{room.name}\t{person.id}")

    def cut(self) -> None:
        """Breaks the connection to the bot."""
        if self._bot is not None:
            self._bot.close()
            self._bot = None

    async def asks(self, verb: str, *fields: str) -> None:
        """Sends a typed line to the bot, and waits until it is answered."""
        number = f"line{next(self._numbers)}"
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        self._send("\t".join((verb, number, *fields)))
        async with asyncio.timeout(ANSWERED_WITHIN):
            await answer

    # --- the bot ----------------------------------------------------------------------------------------

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(task)
        await task

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hello = (await reader.readline()).decode().rstrip("\n")
        if hello != f"hello\t{TOKEN}":
            writer.write(b"denied\n")
            writer.close()
            return

        waiting = self._waiting
        self._waiting = []
        self._bot = writer
        for room in self.rooms.values():
            for member in room.ranks:
                self._send(_member(room, self.people[member]))

        for line in ("welcome", *waiting):
            self._send(line)

        while line := (await reader.readline()).decode().rstrip("\n"):
            self._take(line.split("\t"))

        writer.close()

    def _take(self, fields: Sequence[str]) -> None:
        match fields:
            case ["done", number]:
                self._answers.pop(number).set_result(None)
            case ["say", room, *lines] if room in self.rooms:
                self.rooms[room].printed.append(Printed(next(self._numbers), tuple(lines)))
            case [("tell" | "note") as verb, person, *lines] if person in self.people:
                printed = Printed(next(self._numbers), tuple(lines), is_note=verb == "note")
                self.people[person].printed.append(printed)
            case _:
                raise ValueError(f"the bot said {fields}")

    def _send(self, line: str) -> None:
        if self._bot is not None:
            self._bot.write(f"{line}\n".encode())
        elif not line.startswith("member"):  # these are named at the next welcome
            self._waiting.append(line)


def _member(room: Room, person: Person) -> str:
    return f"member\t{room.name}\t{person.id}\t{person.name}\t{room.ranks[person.id]}"
