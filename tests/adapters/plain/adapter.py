"""The life cycle of a plain chat: it connects, hands over typed lines, and answers them."""

import asyncio
from collections.abc import Collection, MutableMapping
from contextlib import suppress

from adapters import port
from tests.adapters.plain.inbound import Choices, TypedLine, event_of
from tests.adapters.plain.messages import RETRY_SECONDS, LinePrinter, Members
from tests.adapters.plain.refs import PLATFORM, room_ref, user_ref
from tests.adapters.plain.render import LIMITS
from tests.adapters.plain.replies import PlainReply
from tests.wire.lines import OPERATOR, TOKEN

NO_BUDGET = port.Budgets(port.Budget(0.0, 5), port.Budget(0.0, 5))
STAYS = port.Gone(port.Lost.MESSAGE, "a printed line stays as it is")


class PlainAdapter:
    """The chat of the server at a port of this machine."""

    platform = PLATFORM
    user_platform = PLATFORM
    outside = None
    limits = LIMITS
    budgets = NO_BUDGET
    badges = None
    door = None

    def __init__(
        self, server_port: int, *, choices: MutableMapping[str, Choices] | None = None, token: str = TOKEN
    ) -> None:
        """Connects to nothing yet; `choices` are what numbers mean, kept from one start to the next."""
        self.calls = port.CallLimiter(port.UNLIMITED)
        self.ready = False
        self.trouble = ""
        self._port = server_port
        self._token = token
        self._members = Members()
        self.choices = {} if choices is None else choices
        self._printer = LinePrinter(self._members, self.choices)
        self._order = port.AnswerOrder()

    # --- connected --------------------------------------------------------------------------------------

    async def run(self, inbox: port.Inbox) -> None:
        """Serves one connection after another."""
        while True:
            with suppress(OSError):
                await self._connect(inbox)
            await asyncio.sleep(RETRY_SECONDS)

    async def _connect(self, inbox: port.Inbox) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._printer.writer = writer
        try:
            await self._printer.send("hello", self._token)
            line = await _line(reader)
            if line == "denied":
                raise port.AccessDeniedError("DURAK_PLAIN_TOKEN is refused")

            async with asyncio.TaskGroup() as tasks:
                while line:
                    await self._take(line.split("\t"), inbox, tasks)
                    line = await _line(reader)
        finally:
            self.ready = False
            self._printer.writer = None
            writer.close()

    async def _take(self, fields: list[str], inbox: port.Inbox, tasks: asyncio.TaskGroup) -> None:
        members = self._members
        match fields:
            case ["welcome"]:
                self.ready = True
            case ["member", room, person, name, rank]:
                members.people[person] = port.User(user_ref(person), name, handle=name)
                members.ranks.setdefault(room, {})[person] = rank
            case ["left", room, person]:
                members.ranks[room].pop(person, None)
                await inbox.member_left(port.MemberLeft(user_ref(person), room_ref(room)))
            case ["said", id_, room, person, text]:
                line = TypedLine(id_, members.people[person], room_ref(room), text)
                tasks.create_task(self._answer(line, inbox))
            case ["told", id_, person, text]:
                line = TypedLine(id_, members.people[person], room_ref(person), text)
                tasks.create_task(self._answer(line, inbox))

    async def _answer(self, line: TypedLine, inbox: port.Inbox) -> None:
        handles = {user.handle: user for user in self._members.people.values()}
        event = event_of(line, self.choices.get(line.room.id), handles)

        async with self._order.turn(line.user.ref):
            match event:
                case port.Command():
                    reply = await inbox.command(event)
                    await port.answer_command(event, reply, PlainReply(event, self._printer), inbox)
                case port.Press():
                    reply = await inbox.press(event)
                    await port.answer_press(event, reply, PlainReply(event, self._printer), inbox)

        await self._printer.send("done", line.id)

    async def account(self) -> port.Account:
        return port.Account("durak")

    # --- calls of the bot -------------------------------------------------------------------------------

    async def post(
        self,
        audience: port.Audience,
        screen: port.Screen,
        key: str = "",
        document: port.Document | None = None,
    ) -> port.Delivery:
        return await self._printer.post(audience, screen, document)

    async def edit(self, ref: port.MessageRef, screen: port.Screen) -> port.Delivery:
        return STAYS

    async def delete(self, ref: port.MessageRef) -> port.Delivery:
        return STAYS

    async def pin(self, ref: port.MessageRef, *, is_pinned: bool) -> port.PinTrouble | None:
        return port.PinTrouble.REFUSED

    async def may_pin(self, room: port.RoomRef) -> bool:
        return False

    def shows_alone_in(self, room: port.RoomRef) -> bool:
        return False

    async def can_answer_alone(self, press: port.Press) -> bool:
        return False

    async def is_moderator(self, user: port.UserRef, room: port.RoomRef) -> bool:
        is_own_chat = room.id == user.id
        return is_own_chat or self._members.ranks.get(room.id, {}).get(user.id) == OPERATOR

    async def is_admin(self, user: port.UserRef, server: port.ServerRef) -> bool:
        return await self.is_moderator(user, room_ref(server.id))

    async def is_member(self, user: port.UserRef, room: port.RoomRef) -> bool:
        return room.id == user.id or user.id in self._members.ranks.get(room.id, {})

    def name_of(self, server: port.ServerRef) -> str:
        return server.id

    def way_to(self, table_id: int | None, room: port.RoomRef | None) -> str:
        return ""

    def private_server(self, user: port.UserRef) -> port.ServerRef:
        return room_ref(user.id).server

    async def portrait_of(self, user: port.UserRef) -> bytes | None:
        return None

    async def forget_person(self, user: port.UserRef, names: Collection[str]) -> Collection[port.MessageRef]:
        self.choices.pop(user.id, None)
        return ()


async def _line(reader: asyncio.StreamReader) -> str:
    """Reads a line of the protocol; empty at the end of the connection."""
    return (await reader.readline()).decode().rstrip("\n")
