"""The gateway: hello, identify, heartbeats, events in a zlib stream, resuming, and being cut off."""

import asyncio
import json
import secrets
import zlib
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from tests.wire.discord.payloads import account_json, guild_json
from tests.wire.discord.state import DiscordState
from tests.wire.discord.world import Guild

HEARTBEAT_EVERY = 41_250
GUILDS = 1 << 0


class Op(IntEnum):
    """The opcode of a gateway message."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    RECONNECT = 7
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Close(IntEnum):
    """The code of a closed connection."""

    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    INVALID_SHARD = 4010


@dataclass(eq=False)
class Connection:
    """One websocket connection, with its own compressor."""

    socket: web.WebSocketResponse
    request: web.Request
    outgoing: asyncio.Queue[dict[str, Any] | int] = field(default_factory=asyncio.Queue)
    stream: "zlib._Compress | None" = None

    def send(self, op: Op, data: object, sequence: int | None = None, event: str | None = None) -> None:
        self.outgoing.put_nowait({"op": int(op), "d": data, "s": sequence, "t": event})

    def hang_up(self, code: int) -> None:
        self.outgoing.put_nowait(code)

    def cut(self) -> None:
        """Breaks the connection without closing it, as networks do."""
        if self.request.transport is not None:
            self.request.transport.abort()

    async def pump(self) -> None:
        """Sends the messages of the queue `outgoing`."""
        while True:
            message = await self.outgoing.get()
            if isinstance(message, int):
                await self.socket.close(code=message)
                return

            text = json.dumps(message)
            if self.stream is None:
                await self.socket.send_str(text)
            else:
                packed = self.stream.compress(text.encode()) + self.stream.flush(zlib.Z_SYNC_FLUSH)
                await self.socket.send_bytes(packed)


@dataclass(eq=False)
class Session:
    """The session of one shard, with its events; it outlives its connection until it is resumed."""

    shard: tuple[int, int]
    connection: Connection | None
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    sequence: int = 0
    events: list[tuple[int, str, dict[str, Any]]] = field(default_factory=list)

    def dispatch(self, event: str, data: dict[str, Any]) -> None:
        self.sequence += 1
        self.events.append((self.sequence, event, data))
        if self.connection is not None:
            self.connection.send(Op.DISPATCH, data, self.sequence, event)

    def serves(self, guild: Guild | None) -> bool:
        number, count = self.shard
        return number == 0 if guild is None else (guild.id >> 22) % count == number


@dataclass(eq=False)
class Gateway:
    """All sessions.

    Attributes:
        identified: The payload of each IDENTIFY.
        resumed: The number of resumed sessions.
    """

    sessions: dict[str, Session] = field(default_factory=dict)
    connections: set[Connection] = field(default_factory=set)
    identified: list[dict[str, Any]] = field(default_factory=list)
    resumed: int = 0
    heartbeats: int = 0

    def publish(self, event: str, data: dict[str, Any], guild: Guild | None) -> None:
        """Dispatches an event to the shard of this guild (direct messages: to the first)."""
        for session in self.sessions.values():
            if session.serves(guild):
                session.dispatch(event, data)

    # --- faults -------------------------------------------------------------------------------------------

    def cut(self) -> None:
        """Breaks every connection."""
        for connection in list(self.connections):
            connection.cut()

    def hang_up(self, code: int) -> None:
        """Closes every connection with a code."""
        for connection in self.connections:
            connection.hang_up(code)

    def ask_to_reconnect(self) -> None:
        for connection in self.connections:
            connection.send(Op.RECONNECT, None)

    def invalidate(self, *, resumable: bool = False) -> None:
        """Declares every session invalid."""
        if not resumable:
            self.sessions.clear()
        for connection in self.connections:
            connection.send(Op.INVALID_SESSION, resumable)

    # --- a connection -------------------------------------------------------------------------------------

    async def serve(self, state: DiscordState, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=4096)
        await socket.prepare(request)
        packed = request.query.get("compress") == "zlib-stream"
        compressor = zlib.compressobj() if packed else None
        connection = Connection(socket, request, stream=compressor)
        self.connections.add(connection)

        try:
            async with asyncio.TaskGroup() as tasks:
                pump = tasks.create_task(self._pump(connection))
                connection.send(Op.HELLO, {"heartbeat_interval": HEARTBEAT_EVERY, "_trace": []})
                await self._listen(state, connection)
                pump.cancel()
        finally:
            self.connections.discard(connection)
            for session in self.sessions.values():
                if session.connection is connection:
                    session.connection = None

        return socket

    async def _pump(self, connection: Connection) -> None:
        try:
            await connection.pump()
        except ConnectionError:
            connection.cut()

    async def _listen(self, state: DiscordState, connection: Connection) -> None:
        async for message in connection.socket:
            if message.type is not WSMsgType.TEXT:
                continue

            try:
                received = json.loads(message.data)
                op = Op(received["op"])
                data = received.get("d")
            except (ValueError, KeyError):
                connection.hang_up(Close.DECODE_ERROR)
                return

            self._receive(state, connection, op, data)

        if connection.socket.close_code in {WSCloseCode.OK, WSCloseCode.GOING_AWAY}:
            ended = [session.id for session in self.sessions.values() if session.connection is connection]
            for session in ended:  # closed by the bot, so there is nothing to resume
                del self.sessions[session]

    def _receive(self, state: DiscordState, connection: Connection, op: Op, data: dict[str, Any]) -> None:
        match op:
            case Op.HEARTBEAT:
                self.heartbeats += 1
                connection.send(Op.HEARTBEAT_ACK, None)
            case Op.IDENTIFY:
                self._identify(state, connection, data)
            case Op.RESUME:
                self._resume(state, connection, data)
            case _:
                connection.hang_up(Close.NOT_AUTHENTICATED)

    def _identify(self, state: DiscordState, connection: Connection, data: dict[str, Any]) -> None:
        self.identified.append(data)
        if data["token"] != state.token:
            connection.hang_up(Close.AUTHENTICATION_FAILED)
            return

        number, count = data.get("shard", (0, 1))
        if number not in range(count):
            connection.hang_up(Close.INVALID_SHARD)
            return

        session = Session((number, count), connection)
        self.sessions[session.id] = session
        guilds = [guild for guild in state.guilds.values() if guild.has_bot and session.serves(guild)]
        session.dispatch("READY", self._ready(state, session, guilds, connection))

        if data["intents"] & GUILDS:
            for guild in guilds:
                session.dispatch("GUILD_CREATE", guild_json(guild, state.bot))

    def _ready(
        self, state: DiscordState, session: Session, guilds: list[Guild], connection: Connection
    ) -> dict[str, Any]:
        return {
            "v": 10,
            "user": account_json(state.bot) | {"verified": True, "mfa_enabled": False, "email": None},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": str(connection.request.url.with_query(None).with_scheme("ws")),
            "application": {"id": str(state.application), "flags": 0},
            "shard": list(session.shard),
            "private_channels": [],
            "relationships": [],
            "session_type": "normal",
        }

    def _resume(self, state: DiscordState, connection: Connection, data: dict[str, Any]) -> None:
        session = self.sessions.get(data["session_id"])
        if data["token"] != state.token:
            connection.hang_up(Close.AUTHENTICATION_FAILED)
        elif session is None:
            connection.send(Op.INVALID_SESSION, data=False)
        else:
            self.resumed += 1
            missed = [event for event in session.events if event[0] > data["seq"]]
            session.connection = connection

            for sequence, name, content in missed:
                connection.send(Op.DISPATCH, content, sequence, name)
            session.dispatch("RESUMED", {"_trace": []})
