"""Serves the live tables of other chats: the framed page, its stream, and its presses."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import asdict
from itertools import chain
from pathlib import Path

import structlog
from aiohttp import WSCloseCode, web

from adapters import port
from adapters.port import gettext_noop
from adapters.web import inbound
from adapters.web.handlers import GREETING_SECONDS, NO_SUCH_GAME, PRESSES, QUESTIONS, Repeats
from adapters.web.page_streams import LATER, UNKNOWN, answer_questions, open_stream
from adapters.web.refs import PLATFORM
from adapters.web.render import VIEW_LIMITS, Json, replay_json, screen_content
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
    secure,
)
from adapters.web.server import PAGE, PageFiles, digest_of_first
from adapters.web.throws import REMARKS, RETURN_SECONDS, THROWS, ThrowFrames
from adapters.web.view_messages import ANSWER, PRIVATE, frame_of, view_message
from adapters.web.view_replies import ViewReply
from adapters.web.visits import Session, Visits, name_of

log = structlog.get_logger()

IN = "/in/"
GAME = r"{table:\d{1,15}}-{game:\d{1,9}}"
MAX_VIEWS = 3  # views that one person may have open

# The interval of a stream's pings. Without an answer, it counts as closed after half of this again.
HEARTBEAT_SECONDS = 10.0

PORTRAITS = port.Budget(seconds=1.0, burst=40)  # per person
PORTRAIT_HEADERS = {"Cache-Control": "private, max-age=3600", "Vary": "Authorization"}

TOO_MANY_VIEWS = gettext_noop("You have this table open too often. Close it elsewhere.")


class ViewPage:
    """The page of live tables, whose routes are added to the application that serves HTTP.

    Only the entry pages may be framed, each only by its own chat.
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
        """Opens the tables of `views` through `doors`; the other arguments are those of `WebAdapter`."""
        self._views = views
        self._inbox = inbox
        self._monotonic = monotonic
        self._doors = {door.name: door for door in doors}
        self._visits = Visits(views, doors, monotonic=monotonic)
        self._sentences = Sentences(languages, translations)
        self._files = PageFiles(self._sentences)
        self._order = port.AnswerOrder()
        self._presses = RateLimiter(PRESSES, monotonic)
        self._questions = RateLimiter(QUESTIONS, monotonic)
        self._portraits = RateLimiter(PORTRAITS, monotonic)
        self._throws = RateLimiter(THROWS, monotonic)
        self._remarks = RateLimiter(REMARKS, monotonic)
        self._thrown = ThrowFrames()
        self._open = ConcurrencyLimit(MAX_VIEWS)
        self._repeats = Repeats()
        self._sockets = set[web.WebSocketResponse]()

        origins = [origin for door in doors for origin in door.origins]
        self._guard = RequestGuard((host,), monotonic, self._sentences, public_url, proxies, origins=origins)
        views.on_ended.append(self._end)

    def attach(self, app: web.Application, *, is_alone: bool) -> None:
        """Adds the routes to an application that has not started yet.

        `is_alone`: no `WebAdapter` serves the page's files and headers, so this class does.
        """
        app.add_routes(self.routes(is_alone=is_alone))
        app.on_shutdown.append(self._close)
        if is_alone:
            app.on_response_prepare.append(secure)

    def routes(self, *, is_alone: bool) -> list[web.RouteDef]:
        """Returns the routes of entry pages, of visits and, if `is_alone`, of the page's files."""
        routes = [
            web.get(f"{IN}{{door}}", self._framed(PAGE / "view.html")),
            web.get(f"{IN}{{door}}/games/{GAME}", self._framed(PAGE / "game.html")),
            web.post("/visits", self._visits.post_visit),
            web.get("/visits/stream", self.stream),
            web.post("/visits/presses", self.post_press),
            web.post("/visits/throws", self.post_throw),
            web.post("/visits/remarks", self.post_remark),
            web.get("/visits/rules", self.get_rules),
            web.get("/visits/privacy", self.get_privacy),
            web.get(f"/visits/games/{GAME}", self.get_game),
            web.get("/visits/portraits/{key}", self.get_portrait),
            web.get(f"/visits/addresses/{GAME}", self.get_address),
        ]
        if is_alone:
            not_found = self._files.serving(PAGE / "lost.html", status=404)
            routes += [
                web.get("/robots.txt", get_robots),
                *self._files.routes(),
                web.get("/{unknown:.*}", not_found),
            ]

        return [web.route(route.method, route.path, self._guard(route.handler)) for route in routes]

    def _framed(self, path: Path) -> Handler:
        """Returns a handler for a page that the chat of its door may frame.

        Its policy allows only one inline script, `server.FIRST`.
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
        """Streams the newest state of a view while it is open. The page's first frame has the secret."""
        socket = await open_stream(request, HEARTBEAT_SECONDS)
        session = await self._greeting_session(socket)
        if session is None or not await self._is_welcome(session):
            await socket.close(code=UNKNOWN, message=b"unknown")
            return socket

        with self._open.slot(name_of(session.visit)) as is_free:
            if not is_free:
                reason = self._sentences.in_language_of(request, TOO_MANY_VIEWS).encode()
                await socket.close(code=LATER, message=reason)
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

    async def _is_welcome(self, session: Session) -> bool:
        try:
            await self._visits.check_now(session)
        except inbound.RequestRefusedError:
            return False
        return True

    async def _keep_up_to_date(self, socket: web.WebSocketResponse, session: Session) -> None:
        with self._thrown.of(session.visit.table_id) as throws:
            async with asyncio.TaskGroup() as tasks:
                sending = tasks.create_task(self._send(socket, session))
                throwing = tasks.create_task(_send_throws(socket, throws))
                await answer_questions(socket, self._monotonic)
                sending.cancel()
                throwing.cancel()

    async def _send(self, socket: web.WebSocketResponse, session: Session) -> None:
        """Sends the newest state after each change, until the visit ends or the connection breaks."""
        code = UNKNOWN
        try:
            async with aclosing(self._views.watch(session.visit, VIEW_LIMITS)) as states:
                async for state in states:
                    await socket.send_str(frame_of(state, session))
            self._visits.end(session)
        except ConnectionError:
            code = WSCloseCode.GOING_AWAY
        except Exception:
            log.exception("view_failed", table=session.visit.table_id)
            code = WSCloseCode.INTERNAL_ERROR

        await socket.close(code=code)

    async def _close(self, _: web.Application) -> None:
        """Closes the streams of open views, whose pages then reconnect."""
        for socket in list(self._sockets):
            await socket.close(code=WSCloseCode.GOING_AWAY)

    # --- presses and questions ----------------------------------------------------------------------------

    async def post_press(self, request: web.Request) -> web.Response:
        """Forwards a pressed button."""
        session = self._visits.authenticate(request)
        visit = session.visit
        body = await inbound.body_of(request)
        token = inbound.token_from(body)
        message = inbound.text_from(body, "message")
        name = inbound.name_of_request(body)
        self._presses.count(name_of(visit))
        await self._visits.check(session)

        async def answer() -> Json:
            press = port.Press(
                visit.user,
                await self._views.room(visit),
                token,
                port.MessageRef(PLATFORM, message),
                # The id goes into the shuffle, so nobody may know it in advance.
                inbound.new_event_id(),
                on_private_message=message in PRIVATE,
                tokens=session.tokens.get(message, frozenset()),
                view=VIEW_LIMITS,
            )
            verbs = ViewReply(self._views, session, press.message)
            async with self._order.turn(visit.user.ref):
                reply = await self._inbox.press(press)
                await port.answer_press(press, reply, verbs, self._inbox)

            self._views.redraw(visit)
            return verbs.response(reply)

        return web.json_response(await self._repeats.once(name_of(visit), name, answer))

    def _end(self, is_over: Callable[[port.Visit], bool]) -> None:
        self._visits.end_all(is_over)
        self._repeats.forget()

    async def post_throw(self, request: web.Request) -> web.Response:
        """Shows a throw at a seat in all views of its table; ignores an impossible one.

        A bot that is hit throws something back.
        """
        session = self._visits.authenticate(request)
        visit = session.visit
        body = await inbound.body_of(request)
        self._throws.count(name_of(visit))
        await self._visits.check(session)

        seats = session.throws
        frame = None if seats is None else seats.frame(body.get("seat"), body.get("thing"))
        if seats is None or frame is None:
            return web.json_response({})

        self._thrown.send(visit.table_id, frame)
        back = seats.answer(frame["seat"])
        if back is not None:
            asyncio.get_running_loop().call_later(RETURN_SECONDS, self._thrown.send, visit.table_id, back)

        return web.json_response({})

    async def post_remark(self, request: web.Request) -> web.Response:
        """Shows a player's remark at their seat in all views of its table."""
        session = self._visits.authenticate(request)
        visit = session.visit
        body = await inbound.body_of(request)
        self._remarks.count(name_of(visit))
        await self._visits.check(session)

        frame = None if session.throws is None else session.throws.remark(body.get("remark"))
        if frame is not None:
            self._thrown.send(visit.table_id, frame)

        return web.json_response({})

    async def get_rules(self, request: web.Request) -> web.Response:
        """Explains the rules of the table."""
        visit = self._visits.authenticate(request).visit
        self._questions.count(name_of(visit))
        guide = await self._views.rules(visit, inbound.locale_of(request))
        return web.json_response(asdict(guide))

    async def get_privacy(self, request: web.Request) -> web.Response:
        """Returns the screen about stored personal data, and the links on it."""
        visit = self._visits.authenticate(request).visit
        self._questions.count(name_of(visit))
        screen = await self._views.privacy(visit)
        buttons = chain.from_iterable(screen.rows)
        links = [button.url for button in buttons if isinstance(button, port.LinkButton)]

        content = screen_content(screen, reader=visit.user.ref).facts
        return web.json_response({"message": view_message(ANSWER, content), "links": links})

    async def get_portrait(self, request: web.Request) -> web.Response:
        """Returns the portrait of a person at the table, to those whose newest view shows it."""
        session = self._visits.authenticate(request)
        self._portraits.count(name_of(session.visit))
        key = request.match_info["key"]
        portrait = self._views.portrait(key) if key in session.portraits else None
        if portrait is None:
            raise inbound.RequestRefusedError(404, gettext_noop("That file's gone."))

        return web.Response(body=portrait, content_type="image/jpeg", headers=PORTRAIT_HEADERS)

    async def get_address(self, request: web.Request) -> web.Response:
        """Returns the public address of a finished game of the table, to a player of that game."""
        visit = self._visits.authenticate(request).visit
        self._questions.count(name_of(visit))
        address = ""
        if int(request.match_info["table"]) == visit.table_id:
            address = await self._views.address(visit, int(request.match_info["game"]))
        if not address:
            raise inbound.RequestRefusedError(404, NO_SUCH_GAME)

        return web.json_response({"address": address})

    async def get_game(self, request: web.Request) -> web.Response:
        """Returns a finished game of the table step by step, to a player of that game."""
        visit = self._visits.authenticate(request).visit
        self._questions.count(name_of(visit))
        replay = None
        if int(request.match_info["table"]) == visit.table_id:
            replay = await self._views.replay(
                visit,
                int(request.match_info["game"]),
                inbound.locale_of(request),
                wants_review="review" in request.query,
            )
        if replay is None:
            raise inbound.RequestRefusedError(404, NO_SUCH_GAME)

        response = web.json_response(replay_json(replay))
        response.enable_compression()
        return response


async def _send_throws(socket: web.WebSocketResponse, throws: asyncio.Queue[Json]) -> None:
    """Sends throws and remarks as they are queued, until the connection breaks."""
    with suppress(ConnectionError):
        while True:
            await socket.send_json(await throws.get())
