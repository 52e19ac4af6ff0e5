"""The live tables of other chats: their people come in by a proof, and act as themselves there.

A proof is exchanged once for a secret of ours, which is good for twelve hours. Its hash is kept in memory
alone: after a restart the page asks for another proof.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

import structlog
from aiohttp import WSCloseCode, web
from cachetools import TTLCache

from adapters import port
from adapters.port import gettext_noop
from adapters.web import inbound
from adapters.web.handlers import GREETING_SECONDS, PRESSES, QUESTIONS, STILL_HERE, UNKNOWN, Repeats
from adapters.web.refs import PLATFORM
from adapters.web.render import (
    OWN,
    VIEW_LIMITS,
    Json,
    form_json,
    game_name,
    replay_json,
    screen_content,
    tokens_on,
)
from adapters.web.request_guard import (
    HEADERS,
    NO_PROXIES,
    ConcurrencyLimit,
    Handler,
    RateLimiter,
    RequestGuard,
    Sentences,
    Translations,
    TrustedProxies,
    get_robots,
    network_of,
    secure,
)
from adapters.web.server import PAGE, PageFiles, digest_of_first
from adapters.web.throws import THROWS, Range, ThrowFrames, range_of

log = structlog.get_logger()

IN = "/in/"
GAME = r"{table:\d{1,15}}-{game:\d{1,9}}"
SECRET_SECONDS = 12 * 60 * 60.0
SECRET_BYTES = 24
MAX_VISITS = 20_000  # secrets that are good at the same time
MAX_PROOF_LENGTH = 4096  # characters
MAX_WANTED_LENGTH = 128

PROOFS = port.Budget(seconds=6.0, burst=10)  # of one person
FAILURES = port.Budget(seconds=6.0, burst=20)  # of one address: proofs that open nothing
# The same where a chat's own proxy hides the addresses of all its people behind a few.
FAILURES_BEHIND_PROXY = port.Budget(seconds=0.5, burst=200)
MAX_VIEWS = 3  # that one person may have open
CHECK_SECONDS = 5 * 60.0  # the time between two checks that a person is still in the chat

# A stream is asked this often whether it is there; a phone that sleeps counts as closed half of this later.
HEARTBEAT_SECONDS = 10.0

# The messages of a view: a page draws the later one of two tables as the result.
TABLE = "1"
HAND = "2"
RESULT = "3"
ANSWER = "4"
PRIVATE = frozenset({HAND, ANSWER})

UNKNOWN_VISIT = gettext_noop("This table isn't open here any more. Open it anew from the chat.")
TOO_MANY_VIEWS = gettext_noop("You have this table open too often. Close it elsewhere.")

PROBLEMS: Mapping[port.ProofProblem, tuple[int, str]] = {
    port.ProofProblem.UNREADABLE: (
        400,
        gettext_noop("This link is incomplete. Open the table anew from the chat."),
    ),
    port.ProofProblem.FORGED: (
        403,
        gettext_noop("This link opens nothing. Open the table anew from the chat."),
    ),
    port.ProofProblem.OLD: (403, gettext_noop("This link is too old. Open the table anew from the chat.")),
    port.ProofProblem.USED: (
        403,
        gettext_noop("This link was opened before, and it opens once. Open the table anew from the chat."),
    ),
    port.ProofProblem.STRANGER: (
        403,
        gettext_noop("This table is for the people of its chat. Ask there to be let in."),
    ),
    port.ProofProblem.NO_TABLE: (404, gettext_noop("There's no such table any more.")),
}


@dataclass(eq=False, slots=True)
class Session:
    """A person's visit, when it was checked last, and the tokens on the messages that their view shows.

    `throws` are the seats that they can throw at.
    """

    visit: port.Visit
    checked_at: float
    tokens: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)
    throws: Range | None = None


class Visits:
    """The visits whose secrets are good, by the hash of the secret."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._sessions = TTLCache[str, Session](MAX_VISITS, SECRET_SECONDS, timer=now)

    def begin(self, visit: port.Visit) -> str:
        """Returns a new secret for a visit."""
        secret = token_urlsafe(SECRET_BYTES)
        self._sessions[inbound.hash_of(secret)] = Session(visit, self._now())
        return secret

    def session(self, secret: object) -> Session | None:
        """Returns the visit with this secret; None if there is none (any more)."""
        if not isinstance(secret, str) or len(secret) > inbound.MAX_SECRET_LENGTH:
            return None
        return self._sessions.get(inbound.hash_of(secret))

    def end(self, ended: Session) -> None:
        """Ends a visit."""
        for key, session in list(self._sessions.items()):
            if session is ended:
                del self._sessions[key]

    def forget(self, user: port.UserRef) -> None:
        """Ends all visits of a person."""
        for key, session in list(self._sessions.items()):
            if session.visit.user.ref == user:
                del self._sessions[key]


class ViewPage:
    """The page of live tables; its routes are added to the application that serves HTTP.

    Only the entry pages may stand in a frame, each in those of its own chat alone.
    """

    def __init__(
        self,
        views: port.Views,
        inbox: port.Inbox,
        doors: Sequence[port.Door],
        *,
        languages: Sequence[str] = ("en",),
        translations: Translations = lambda language: {},
        host: str = "127.0.0.1",
        public_url: str = "",
        proxies: TrustedProxies = NO_PROXIES,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Opens the tables of `views` by these doors; the other arguments are those of `WebAdapter`."""
        self._views = views
        self._inbox = inbox
        self._doors = {door.name: door for door in doors}
        self._monotonic = monotonic
        self._visits = Visits(monotonic)
        self._sentences = Sentences(languages, translations)
        self._files = PageFiles(self._sentences)
        self._proofs = RateLimiter(PROOFS, monotonic)
        self._failures = RateLimiter(FAILURES, monotonic)
        self._failures_behind_proxy = RateLimiter(FAILURES_BEHIND_PROXY, monotonic)
        self._presses = RateLimiter(PRESSES, monotonic)
        self._questions = RateLimiter(QUESTIONS, monotonic)
        self._throws = RateLimiter(THROWS, monotonic)
        self._thrown = ThrowFrames()
        self._open = ConcurrencyLimit(MAX_VIEWS)
        self._repeats = Repeats()
        self._sockets = set[web.WebSocketResponse]()

        origins = [origin for door in doors for origin in door.origins]
        self._guard = RequestGuard((host,), monotonic, self._sentences, public_url, proxies, origins=origins)
        views.on_forgotten.append(self._forget)

    def attach(self, app: web.Application, *, is_alone: bool) -> None:
        """Adds the routes to an application that does not run yet.

        It `is_alone` where no rooms of guests are served: then the page's files are up to it.
        """
        app.add_routes(self.routes(is_alone=is_alone))
        app.on_shutdown.append(self._close)
        if is_alone:
            app.on_response_prepare.append(secure)

    def routes(self, *, is_alone: bool) -> list[web.RouteDef]:
        """Returns the routes of entry pages, of visits and, where it `is_alone`, of the page's files."""
        routes = [
            web.get(f"{IN}{{door}}", self._framed(PAGE / "view.html")),
            web.get(f"{IN}{{door}}/games/{GAME}", self._framed(PAGE / "game.html")),
            web.post("/visits", self.post_visit),
            web.get("/visits/stream", self.stream),
            web.post("/visits/presses", self.post_press),
            web.post("/visits/throws", self.post_throw),
            web.get("/visits/rules", self.get_rules),
            web.get("/visits/privacy", self.get_privacy),
            web.get(f"/visits/games/{GAME}", self.get_game),
        ]
        if is_alone:
            lost = self._files.serving(PAGE / "lost.html", status=404)
            routes += [
                web.get("/robots.txt", get_robots),
                *self._files.routes(),
                web.get("/{unknown:.*}", lost),
            ]

        return [web.route(route.method, route.path, self._guard(route.handler)) for route in routes]

    # --- coming in ----------------------------------------------------------------------------------------

    async def post_visit(self, request: web.Request) -> web.Response:
        """Exchanges a proof for a secret; gives the person's language, too, which the page may not have."""
        network = network_of(request)
        body = await inbound.body_of(request)
        door = self._doors.get(inbound.text_from(body, "door"))
        has_proxy = door is not None and bool(door.origins)
        failures = self._failures_behind_proxy if has_proxy else self._failures
        failures.check(network)

        try:
            visit = await self._vouched(door, body)
        except port.ProofRefusedError as refused:
            failures.count(network)
            raise _refusal(refused) from None

        language = await self._views.language(visit)
        return web.json_response({"secret": self._visits.begin(visit), "language": language}, status=201)

    async def _vouched(self, door: port.Door | None, body: dict[str, Any]) -> port.Visit:
        """Returns the visit that the proof in a request opens.

        Raises:
            ProofRefusedError: It opens nothing.
        """
        proof = inbound.text_from(body, "proof")
        wanted = inbound.text_from(body, "wanted")
        if door is None or not 0 < len(proof) <= MAX_PROOF_LENGTH or len(wanted) > MAX_WANTED_LENGTH:
            raise port.ProofRefusedError(port.ProofProblem.UNREADABLE)

        visit = await door.visit(proof, wanted)
        self._proofs.count(_name_of(visit))
        await self._views.check(visit)

        return visit

    def _session(self, request: web.Request) -> Session:
        """Returns the session of a request.

        Raises:
            RefusedError: It carries no secret that is good.
        """
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        session = self._visits.session(secret) if scheme.lower() == "bearer" else None
        if session is None:
            raise inbound.RefusedError(401, UNKNOWN_VISIT)
        return session

    def _forget(self, user: port.UserRef) -> None:
        self._visits.forget(user)
        self._repeats.forget()

    def _framed(self, path: Path) -> Handler:
        """Returns a handler that serves a page which may stand in the frames of its door.

        Of all scripts that stand in a page itself, its policy lets `FIRST` run alone.
        """
        serve = self._files.serving(path)

        async def framed(request: web.Request) -> web.StreamResponse:
            door = self._doors.get(request.match_info["door"])
            if door is None:
                return await self._files.serving(PAGE / "lost.html", status=404)(request)

            response = await serve(request)
            policy = HEADERS["Content-Security-Policy"]
            policy = policy.replace("script-src 'self'", f"script-src 'self' {digest_of_first()}")
            if door.framed_by:
                frames = f"frame-ancestors {' '.join(door.framed_by)}"
                policy = policy.replace("frame-ancestors 'none'", frames)

            response.headers["Content-Security-Policy"] = policy
            return response

        return framed

    # --- the newest state ---------------------------------------------------------------------------------

    async def stream(self, request: web.Request) -> web.WebSocketResponse:
        """Streams the newest state of a view for as long as it is open; its first frame has the secret."""
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT_SECONDS, max_msg_size=1024)
        await socket.prepare(request)
        session = await self._greeting_session(socket)
        if session is None:
            await socket.close(code=UNKNOWN, message=b"unknown")
            return socket

        with self._open.slot(_name_of(session.visit)) as is_free:
            if not is_free:
                reason = self._sentences.said(request, TOO_MANY_VIEWS).encode()
                await socket.close(code=WSCloseCode.TRY_AGAIN_LATER, message=reason)
                return socket

            self._sockets.add(socket)
            try:
                await self._keep_up_to_date(socket, session)
            finally:
                self._sockets.discard(socket)

        return socket

    async def _greeting_session(self, socket: web.WebSocketResponse) -> Session | None:
        try:
            greeting = await socket.receive_json(timeout=GREETING_SECONDS)
            return self._visits.session(greeting["secret"])
        except (TimeoutError, TypeError, ValueError, LookupError, RecursionError):
            return None

    async def _keep_up_to_date(self, socket: web.WebSocketResponse, session: Session) -> None:
        with self._thrown.of(session.visit.table_id) as throws:
            async with asyncio.TaskGroup() as tasks:
                sending = tasks.create_task(self._send(socket, session))
                throwing = tasks.create_task(_send_throws(socket, throws))
                async for _ in socket:  # until the page is closed
                    with suppress(ConnectionError):
                        await socket.send_str(STILL_HERE)

                sending.cancel()
                throwing.cancel()

    async def _send(self, socket: web.WebSocketResponse, session: Session) -> None:
        """Sends the newest state after each change, until the visit ends or the connection breaks."""
        code = UNKNOWN
        try:
            async with aclosing(self._views.watch(session.visit, VIEW_LIMITS)) as states:
                async for state in states:
                    await socket.send_str(_frame_of(state, session))
            self._visits.end(session)
        except ConnectionError:
            code = WSCloseCode.GOING_AWAY
        except Exception:
            log.exception("view_failed", table=session.visit.table_id)
            code = WSCloseCode.INTERNAL_ERROR

        await socket.close(code=code)

    async def _close(self, _: web.Application) -> None:
        """Closes the streams of open views; their pages come back by themselves."""
        for socket in list(self._sockets):
            await socket.close(code=WSCloseCode.GOING_AWAY)

    # --- presses and questions ----------------------------------------------------------------------------

    async def post_press(self, request: web.Request) -> web.Response:
        """Forwards a pressed button."""
        session = self._session(request)
        visit = session.visit
        body = await inbound.body_of(request)
        token = inbound.token_from(body)
        message = inbound.text_from(body, "message")
        name = inbound.name_of_request(body)
        self._presses.count(_name_of(visit))
        await self._check(session)

        async def answered() -> Json:
            press = port.Press(
                visit.user,
                await self._views.room(visit),
                token,
                port.MessageRef(PLATFORM, message),
                # It goes into the shuffle: drawn now, nobody can have known it before.
                inbound.new_event_id(),
                on_private_message=message in PRIVATE,
                shown=session.tokens.get(message, frozenset()),
                view=VIEW_LIMITS,
            )
            reply = await self._inbox.press(press)

            verbs = VisitReply(self._views, session, press.message)
            await port.answer_press(press, reply, verbs, self._inbox)
            self._views.redraw(visit)
            return verbs.response(reply)

        return web.json_response(await self._repeats.once(_name_of(visit), name, answered))

    async def post_throw(self, request: web.Request) -> web.Response:
        """Shows a throw at a seat in all views of its table; nothing happens where nobody else sits."""
        session = self._session(request)
        visit = session.visit
        body = await inbound.body_of(request)
        self._throws.count(_name_of(visit))
        await self._check(session)

        frame = None if session.throws is None else session.throws.frame(body.get("seat"))
        if frame is not None:
            self._thrown.send(visit.table_id, frame)

        return web.json_response({})

    async def _check(self, session: Session) -> None:
        """Checks that a person may still see their table.

        Raises:
            RefusedError: They may not.
        """
        now = self._monotonic()
        if now < session.checked_at + CHECK_SECONDS:
            return

        try:
            await self._views.check(session.visit)
        except port.ProofRefusedError as refused:
            self._visits.end(session)
            raise _refusal(refused) from None

        session.checked_at = now

    async def get_rules(self, request: web.Request) -> web.Response:
        """Explains the rules of the table."""
        visit = self._session(request).visit
        self._questions.count(_name_of(visit))
        guide = await self._views.rules(visit, inbound.locale_of(request))
        return web.json_response(asdict(guide))

    async def get_privacy(self, request: web.Request) -> web.Response:
        """Returns the data kept about people, and the address of the owner's own page about it."""
        visit = self._session(request).visit
        self._questions.count(_name_of(visit))
        screen = await self._views.privacy(visit)
        buttons = chain.from_iterable(screen.rows)
        links = [button.url for button in buttons if isinstance(button, port.LinkButton)]

        content = screen_content(screen, reader=visit.user.ref).facts
        return web.json_response({"message": _message_json(ANSWER, content), "links": links})

    async def get_game(self, request: web.Request) -> web.Response:
        """Returns a finished game of the table step by step, to a person with a seat in it."""
        visit = self._session(request).visit
        self._questions.count(_name_of(visit))
        replay = None
        if int(request.match_info["table"]) == visit.table_id:
            replay = await self._views.replay(
                visit,
                int(request.match_info["game"]),
                inbound.locale_of(request),
                wants_review="review" in request.query,
            )
        if replay is None:
            raise inbound.RefusedError(404, gettext_noop("There's no finished game with this number."))

        response = web.json_response(replay_json(replay))
        response.enable_compression()
        return response


def _name_of(visit: port.Visit) -> str:
    """Returns the name under which a person's requests are counted: addresses are those of whole networks."""
    return f"{visit.user.ref.platform}:{visit.user.ref.id}"


def _refusal(refused: port.ProofRefusedError) -> inbound.RefusedError:
    status, sentence = PROBLEMS[refused.problem]
    return inbound.RefusedError(status, sentence)


async def _send_throws(socket: web.WebSocketResponse, throws: asyncio.Queue[Json]) -> None:
    """Sends the throws at a table as they come, until the connection breaks."""
    with suppress(ConnectionError):
        while True:
            await socket.send_json(await throws.get())


def _frame_of(state: port.View, session: Session) -> str:
    """Returns the newest state as one frame, so that a page never shows half of it."""
    visit = session.visit
    shown = {TABLE: state.table, HAND: state.hand, RESULT: state.result}
    messages = {
        number: screen_content(screen, reader=visit.user.ref).facts
        for number, screen in shown.items()
        if screen is not None
    }
    if state.hand is None and RESULT in messages:
        messages[RESULT].pop("game", None)  # the replay is for the players

    for number in shown:
        session.tokens[number] = tokens_on(messages.get(number, {}))

    session.throws = range_of(messages[TABLE], OWN)

    return json.dumps(
        {
            "type": "all",
            "you": {"id": OWN, "name": visit.user.name, "owner": False},
            "now": time.time(),
            "commands": [],
            "messages": [_message_json(number, content) for number, content in messages.items()],
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def _message_json(number: str, content: Json) -> Json:
    kind = "answer" if number == ANSWER else "post"
    return {"id": number, "kind": kind, "private": number in PRIVATE, "at": time.time(), "content": content}


class VisitReply:
    """The reply to a press in a view: the parts for the presser alone are gathered for the response."""

    platform = PLATFORM
    limits = VIEW_LIMITS
    is_public_first = False

    def __init__(self, views: port.Views, session: Session, pressed: port.MessageRef) -> None:
        self._views = views
        self._session = session
        self._pressed = pressed
        self._notice: str | None = None
        self._answer: Json | None = None
        self._is_posted = False

    async def notify(self, toast: str) -> None:
        """Keeps the notice for the response."""
        self._notice = toast

    async def show_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Keeps the screen for the response."""
        return self._keep(screen, document)

    async def send_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Keeps the screen for the response."""
        return self._keep(screen, document)

    async def show_ephemeral(self, screen: port.Screen) -> port.Delivery:
        """Keeps the screen for the response."""
        return self._keep(screen, None)

    async def replace(self, screen: port.Screen) -> port.Delivery:
        """Keeps the screen for the response, unless it is a hand, which the view draws anew by itself."""
        self._keep(screen, None)
        return port.Delivered(self._pressed)

    async def send_public(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Posts the screen to the room of the table, and keeps it for the response as well.

        Its file is in the room alone.
        """
        self._keep(screen, None)
        delivery = await self._views.post(self._session.visit, screen, document)
        self._is_posted = isinstance(delivery, port.Delivered)
        return delivery

    def _keep(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        if screen.board is None and screen.ended is None:
            whole = screen if document is None else document.left_out_of(screen)
            words = replace(whole, picture=None)  # which say the same
            content = screen_content(words, reader=self._session.visit.user.ref).facts
            self._session.tokens[ANSWER] = tokens_on(content)
            self._answer = _message_json(ANSWER, content)

        return port.Delivered(port.MessageRef(PLATFORM, ANSWER))

    def response(self, reply: port.Reply) -> Json:
        """Returns the response to the presser's page."""
        response: Json = {}
        if self._notice is not None:
            response["toast"] = self._notice
        if self._answer is not None:
            response["answer"] = self._answer
        if self._is_posted:
            response["posted"] = True
        if reply.review is not None:
            response["review"] = game_name(reply.review)
        if reply.form is not None:
            response["form"] = form_json(reply.form)

        return response
