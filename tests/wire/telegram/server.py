"""An HTTP server that answers like api.telegram.org, and the world behind it."""

import asyncio
import itertools
import json
from email import message_from_bytes, policy
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl

from aiohttp import web

from tests.wire.specs import load_spec
from tests.wire.telegram.ephemeral import Ephemerals
from tests.wire.telegram.errors import ApiError
from tests.wire.telegram.faults import Faults, Loss
from tests.wire.telegram.methods import Methods
from tests.wire.telegram.people import Person
from tests.wire.telegram.schema import Json, Schema, Upload
from tests.wire.telegram.transcript import Sent, Transcript
from tests.wire.telegram.updates import UpdateQueue
from tests.wire.telegram.world import Chat, Message, Status, World

TOKEN = "424242:wire-server-token-that-opens-nothing"
PAIR = 2  # people in a private chat
LARGEST_REQUEST = 20 * 2**20


class TelegramServer:
    """A Telegram, served on a local port while entered; on leaving, a broken schema is an error.

    Attributes:
        url: The value for `DURAK_TELEGRAM_API_URL`.
        mentions: The mentions of the bot in chats without it, by the query to answer.
        offers: What the bot offers to those who type its name, by the query.
        menus: The menus of commands by scope and language code.
        violations: Requests that break the published API; clear the list to forgive them.
        answer_within: Seconds a press may wait for its answer.
        undeletable: Messages that are too old to be deleted.
        ephemerals: The server's support of ephemeral messages in groups.
        hidden_commands: The commands that only their senders see in a group.
    """

    def __init__(self, *, port: int = 0, token: str = TOKEN) -> None:
        self.token = token
        self.world = World(int(token.partition(":")[0]), "durak_wire_bot")
        self.schema = Schema(load_spec("telegram-bot-api.json"))

        self.updates = UpdateQueue()
        self.faults = Faults()
        self.transcript = Transcript()

        self.menus: dict[str, dict[str, dict[str, str]]] = {}
        self.descriptions: dict[str, str] = {}
        self.short_descriptions: dict[str, str] = {}

        self.callbacks: dict[str, asyncio.Future[Json]] = {}
        self.pressers: dict[str, int] = {}
        self.mentions: dict[str, Message] = {}
        self.offers: dict[str, asyncio.Future[list[Json]]] = {}
        self.pressed_at: dict[str, float] = {}

        self.ephemerals = Ephemerals.REFUSED
        self.hidden_commands: set[str] = set()
        self.uploads: dict[str, Upload] = {}
        self.answer_within = 15.0
        self.undeletable: list[Message] = []
        self.violations: list[str] = []

        self.people: dict[int, Person] = {}
        self._ids = itertools.count(5001)
        self.methods = Methods(self)

        self._port = port
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=LARGEST_REQUEST)
        app.router.add_post("/bot{token}/{method}", self._answer)
        app.router.add_get("/file/bot{token}/documents/{name}", self._file)
        app.router.add_get("/file/bot{token}/photos/{name}", self._photo)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()
        if error is None:
            assert not self.violations, "\n".join(self.violations)

    @property
    def commands(self) -> dict[str, dict[str, str]]:
        """The default menu, by language code."""
        return self.menus_for("default")

    def menus_for(self, scope: str) -> dict[str, dict[str, str]]:
        """Returns the menu of a scope, by language code."""
        return self.menus.setdefault(scope, {})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    # --- people and chats ---------------------------------------------------------------------------------

    def person(self, name: str, *, username: str = "", language: str = "", started: bool = True) -> Person:
        """Creates a person; `started`: they have opened the private chat with the bot before."""
        person = Person(self, next(self._ids), name, username, language)
        self.people[person.id] = person
        private = self.world.open_private(person.id, name)
        private.bot = Status.MEMBER if started else Status.LEFT
        return person

    def group(self, title: str, *members: Person) -> Chat:
        """Creates a basic group, owned by the first member."""
        return self._fill(self.world.open_group(title, "group"), members)

    def supergroup(self, title: str, *members: Person) -> Chat:
        """Creates a supergroup, owned by the first member."""
        return self._fill(self.world.open_group(title, "supergroup"), members)

    def forum(self, title: str, *members: Person) -> Chat:
        """Creates a supergroup with topics, owned by the first member."""
        return self._fill(self.world.open_group(title, "supergroup", forum=True), members)

    def channel(self, title: str, *members: Person) -> Chat:
        """Creates a channel without the bot, owned by the first member."""
        return self._fill(self.world.open_group(title, "channel"), members)

    def topic(self, forum: Chat, name: str) -> int:
        """Creates a topic in a forum, and returns its thread id."""
        thread = next(forum.ids)
        forum.topics[thread] = name
        return thread

    def migrate(self, group: Chat, by: Person) -> Chat:
        """Upgrades a group to a supergroup with a new id, and reports it to the bot in both chats."""
        new = self.world.open_group(group.title, "supergroup")
        new.members = dict(group.members)
        self.report("message", _service(group, by, {"migrate_to_chat_id": new.id}))
        self.report("message", _service(new, by, {"migrate_from_chat_id": group.id}))
        group.moved_to = new
        return new

    def outside(self, title: str, *members: Person, protected: bool = False) -> Chat:
        """Creates a chat without the bot, of two people or a group of more."""
        chat = self.world.open_outside(title, "private" if len(members) == PAIR else "group")
        chat.is_protected = protected
        return self._fill(chat, members)

    def user_json(self, user: int) -> Json | None:
        """Returns a person or the bot by id."""
        if user == self.world.bot["id"]:
            return self.world.bot
        return self.people[user].to_json() if user in self.people else None

    def report(self, kind: str, content: Json) -> None:
        """Queues an update for the bot; it must be one that Telegram could send."""
        described = {
            "message": "Message",
            "guest_message": "Message",
            "inline_query": "InlineQuery",
            "callback_query": "CallbackQuery",
            "my_chat_member": "ChatMemberUpdated",
            "chat_member": "ChatMemberUpdated",
        }
        problems = self.schema.check(content, described[kind])
        assert not problems, problems
        self.updates.put(kind, content)

    def _fill(self, chat: Chat, members: tuple[Person, ...]) -> Chat:
        for person in members:
            chat.members[person.id] = Status.MEMBER if chat.members else Status.OWNER
        return chat

    # --- the wire -----------------------------------------------------------------------------------------

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        raw = await request.read()
        if request.match_info["token"] != self.token:
            return _json(ApiError(401, "Unauthorized"))
        if not self.methods.ephemeral_messages.knows(method):
            return _json(ApiError(404, "Not Found"))
        if not self.schema.knows(method) or method not in self.methods.known:
            self.violations.append(f"unknown method {method}")
            return _json(ApiError(404, "Not Found"))

        parameters, problems = self._read(request, method, raw)
        if problems:
            self.violations += problems
            return _json(ApiError(400, f"Bad Request: {'; '.join(problems)}"))

        return await self._carry_out(request, method, parameters, raw)

    async def _file(self, request: web.Request) -> web.Response:
        """Returns the content of a file that somebody has sent."""
        document = self.world.document(request.match_info["name"])
        if request.match_info["token"] != self.token or document is None:
            return _json(ApiError(404, "Not Found"))
        return web.Response(body=document.content)

    async def _photo(self, request: web.Request) -> web.Response:
        """Returns the content of a profile photo."""
        photo = self.photo(request.match_info["name"])
        if request.match_info["token"] != self.token or photo is None:
            return _json(ApiError(404, "Not Found"))
        return web.Response(body=photo, content_type="image/jpeg")

    def photo(self, name: str) -> bytes | None:
        """Returns the profile photo with this id of a file."""
        person, _, width = name.partition("-")
        owner = self.people.get(int(person)) if person.isdecimal() and width.isdecimal() else None
        return owner.photo_in(int(width)) if owner is not None and owner.photo else None

    def _read(self, request: web.Request, method: str, raw: bytes) -> tuple[Json, list[str]]:
        given = read_form(request.headers.get("Content-Type", ""), raw)
        attached = {
            name
            for name, value in given.items()
            if isinstance(value, Upload) and f"attach://{name}".encode() in raw
        }
        parameters, problems = self.schema.read(method, {k: v for k, v in given.items() if k not in attached})
        return parameters | {name: given[name] for name in attached}, problems

    async def _carry_out(
        self, request: web.Request, method: str, parameters: Json, raw: bytes
    ) -> web.StreamResponse:
        chat = parameters.get("chat_id")
        readers = self._readers(method, parameters)
        fault = self.faults.next(method, chat)
        refused = ""
        result = None

        try:
            if fault is not None:
                await asyncio.sleep(fault.delay)
                if fault.loss is Loss.BEFORE:
                    return _hang_up(request)
                if fault.error is not None:
                    raise fault.error
                if fault.nonsense is not None:
                    return web.json_response({"ok": True, "result": fault.nonsense})

            self.faults.spend(method, chat)
            result = await self.methods.known[method](parameters)
        except ApiError as error:
            refused = error.description
            return _json(error)
        finally:
            if method != "getUpdates":
                self.transcript.add(Sent(method, chat, readers, parameters, raw, refused))

        if isinstance(result, dict) and "message_id" in result:
            assert not (problems := self.schema.check(result, "Message")), problems

        if method == "getUserProfilePhotos":
            assert not (problems := self.schema.check(result, "UserProfilePhotos")), problems

        if fault is not None and fault.loss is Loss.AFTER:
            return _hang_up(request)

        return web.json_response({"ok": True, "result": result})

    def _readers(self, method: str, parameters: Json) -> frozenset[int]:
        if method in {"setMyCommands", "setMyDescription", "setMyShortDescription"}:
            return frozenset(self.people)
        if method == "answerCallbackQuery":
            presser = self.pressers.get(parameters["callback_query_id"])
            return frozenset({presser}) if presser else frozenset()

        alone = parameters.get("ephemeral_message_parameters", parameters).get("receiver_user_id")
        if alone is not None and self.ephemerals is not Ephemerals.IGNORED:
            return frozenset({alone})

        outside = self._outside_chat(method, parameters)
        if outside is not None:
            return outside.readers

        chat = self.world.chats.get(parameters.get("chat_id", 0))
        return chat.readers if chat is not None else frozenset()

    def _outside_chat(self, method: str, parameters: Json) -> Chat | None:
        """Returns the chat without the bot in which a request shows something."""
        if method == "answerGuestQuery":
            mention = self.mentions.get(parameters["guest_query_id"])
            return None if mention is None else mention.chat
        if "inline_message_id" not in parameters:
            return None

        said = (message for chat in self.world.outside for message in chat.messages)
        wanted = parameters["inline_message_id"]
        return next((message.chat for message in said if message.inline_id == wanted), None)


def read_form(content_type: str, raw: bytes) -> Json:
    """Returns the fields of a JSON, urlencoded or multipart body; files as `Upload`."""
    if content_type == "application/json":
        given: Json = json.loads(raw)
        return given
    if not content_type.startswith("multipart/"):
        return dict(parse_qsl(raw.decode(), keep_blank_values=True, strict_parsing=bool(raw)))

    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    fields: Json = {}
    for part in message_from_bytes(head + raw, policy=policy.HTTP).iter_parts():
        name = str(part.get_param("name", header="content-disposition"))
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        filename = part.get_filename()
        fields[name] = content.decode() if filename is None else Upload(filename, content)

    return fields


def _service(chat: Chat, by: Person, content: Json) -> Json:
    return Message(chat, next(chat.ids), by.to_json(), "", service=content).to_json()


def _json(error: ApiError) -> web.Response:
    return web.json_response(error.body(), status=error.code)


def _hang_up(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()
