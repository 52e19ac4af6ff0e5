"""The page's adapter: its life cycle, its routes, and sending."""

import asyncio
import time
from collections.abc import Callable, Collection, Sequence

import structlog
from aiohttp import web

from adapters import port
from adapters.web.event_streams import EventStreams
from adapters.web.handlers import Catalogue, Handlers
from adapters.web.inbound import RequestRefusedError
from adapters.web.messages import RoomMessages
from adapters.web.previews import Preview, Previews
from adapters.web.refs import HERE, MAIN_ROOM, PLATFORM, message_ref
from adapters.web.render import LIMITS, screen_content
from adapters.web.request_guard import (
    NO_PROXIES,
    RequestGuard,
    Sentences,
    Translations,
    TrustedProxies,
    get_robots,
    secure,
)
from adapters.web.server import INDEX, PAGE, PageFiles
from adapters.web.sessions import Invitation, Sessions
from adapters.web.store import POST, GuestStore, NoSuchGuestError

log = structlog.get_logger()

ROOM = r"/r/{room:[\w-]{1,32}}"
GAMES = "/games/"
PUZZLES = "/puzzles/"
PUZZLE = r"{puzzle:\d{1,15}}"
GAME = r"{table:\d{1,15}}-{game:\d{1,9}}{secret:(?:-[0-9a-f]{32})?}"
FILE = ROOM + r"/files/{message:\d{1,18}}/{digest:[0-9a-f]{32}}"

# Guests get messages without delay, rooms about as fast as people read.
BUDGETS = port.Budgets(public=port.Budget(seconds=0.4, burst=4), private=port.Budget(seconds=0.0, burst=100))


class WebAdapter:
    """The local chat page, whose routes are added to the application that serves HTTP.

    Every guest has their own link, `/r/<room>#<secret>`. Browsers never send the fragment after `#`, so
    the secret appears in no request line, log or `Referer`; the page sends it in a header and in the first
    frame of the stream. The link that makes a guest the owner carries the owner's key in the same way.
    A cookie also holds the secret; it is only read to identify the guest of a browser that has lost it.
    """

    platform = PLATFORM
    user_platform = PLATFORM
    outside = None
    limits = LIMITS
    budgets = BUDGETS
    badges = None  # guests have no tags or roles
    door = None  # the page itself is live, so it needs no separate view of a table

    def __init__(
        self,
        store: GuestStore,
        *,
        commands: Sequence[port.CommandSpec],
        languages: Sequence[str] = ("en",),
        translations: Translations = lambda language: {},
        host: str = "127.0.0.1",
        public_url: str = "",
        proxies: TrustedProxies = NO_PROXIES,
        most_newcomers: int = 1000,
        now: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Serves the guests in `store`.

        Args:
            store: Stores guests and messages.
            commands: The commands that the page lists.
            languages: The page's languages; the first is the language of its source.
            translations: Maps the page's sentences to those of another language.
            host: The address to listen at, and the only accepted host name besides `localhost`.
            public_url: The public address behind a proxy, as in `https://durak.example`.
            proxies: Proxies trusted to name the client's address.
            most_newcomers: The maximum number of guests who have not joined a table yet.
            now: Returns Unix seconds.
            monotonic: Returns monotonic seconds, for rate limits.
        """
        self._store = store
        self._monotonic = monotonic

        self._streams = EventStreams()
        self._messages = RoomMessages(store, self._streams, commands)
        self._sessions = Sessions(store, self._streams, most_newcomers, now=now, monotonic=monotonic)
        self._sentences = Sentences(languages, translations)
        self._previews = Previews(store, self._sentences, public_url)

        self._handlers = Handlers(
            store, self._messages, self._streams, self._sessions, self._sentences, monotonic=monotonic
        )
        self._invitation = Invitation(self._sessions, host, public_url, monotonic)
        self.calls = port.CallLimiter(port.UNLIMITED)
        self._guard = RequestGuard((host,), monotonic, self._sentences, public_url, proxies)

    @property
    def owner_path(self) -> str:
        """The path of the link that makes a guest the owner; it is secret, and valid until the next start."""
        return f"/r/{MAIN_ROOM}#owner={self._sessions.owner_key}"

    @property
    def ready(self) -> bool:
        """Whether an inbox receives the page's events."""
        return self._handlers.inbox is not None

    @property
    def trouble(self) -> str:
        """Always empty, because this process itself serves the page."""
        return ""

    async def account(self) -> port.Account:
        """Returns a placeholder, because the page needs no account."""
        return port.Account("the page")

    def attach(self, app: web.Application, pages: port.Pages) -> None:
        """Adds the routes of the page and its catalogue to an application that has not started yet."""
        catalogue = Catalogue(self._store, self._streams, self._sessions, pages, self._monotonic)
        app.add_routes(self.routes(catalogue))
        app.on_response_prepare.append(secure)

    def routes(self, catalogue: Catalogue) -> list[web.RouteDef]:
        """Returns the routes of rooms, of the catalogue, and of the page's own files."""
        handlers = self._handlers
        sessions = self._sessions
        files = PageFiles(self._sentences)
        invitation = self._invitation

        async def game_preview(request: web.Request) -> Preview:
            try:
                headline = await catalogue.headline(request)
            except (port.MovesForgottenError, RequestRefusedError):
                headline = None
            return self._previews.game(request, headline)

        routes = [
            web.get("/", _to_main_room),
            web.get(ROOM, files.serving(INDEX, preview=self._previews.room)),
            web.get("/robots.txt", get_robots),
            web.get("/results", files.serving(PAGE / "results.html")),
            web.get(f"{GAMES}{GAME}", files.serving(PAGE / "game.html", preview=game_preview)),
            web.get(f"{GAMES}{GAME}/picture", catalogue.get_picture),
            web.get(f"{PUZZLES}{PUZZLE}", files.serving(PAGE / "puzzle.html", preview=self._previews.puzzle)),
            web.get(f"{PUZZLES}{PUZZLE}/picture", catalogue.get_puzzle_picture),
            web.get("/facts/results", catalogue.get_results),
            web.get("/facts/players/{player:[0-9a-f]{1,32}}", catalogue.get_player),
            web.get(f"/facts/games/{GAME}", catalogue.get_game),
            web.get(f"/facts/puzzles/{PUZZLE}", catalogue.get_puzzle),
            *files.routes(),
            web.get(f"{ROOM}/stream", handlers.stream),
            web.get(FILE, handlers.get_file),
            web.get(f"{ROOM}/rule-sets", catalogue.get_rule_sets),
            web.get(f"{ROOM}/own", catalogue.get_own),
            web.get(f"{ROOM}/rules", catalogue.get_rules),
            web.get(f"{ROOM}/rooms", catalogue.get_rooms),
            web.get(f"{ROOM}/addresses", invitation.get_addresses),
            web.post(f"{ROOM}/qr-code", invitation.post_qr_code),
            web.post(f"{ROOM}/guests", sessions.post_guest),
            web.post(f"{ROOM}/renewals", sessions.post_renewal),
            web.post(f"{ROOM}/return", sessions.post_return),
            web.post(f"{ROOM}/owner", sessions.post_owner),
            web.post(f"{ROOM}/lines", handlers.post_line),
            web.post(f"{ROOM}/presses", handlers.post_press),
            web.post(f"{ROOM}/dismissals", handlers.post_dismissal),
            web.post(f"{ROOM}/throws", handlers.post_throw),
            web.post(f"{ROOM}/remarks", handlers.post_remark),
            web.get("/{unknown:.*}", files.serving(PAGE / "lost.html", status=404)),
        ]

        return [web.route(route.method, route.path, self._guard(route.handler)) for route in routes]

    async def run(self, inbox: port.Inbox) -> None:
        """Forwards the page's events until cancelled; then closes the streams of open pages."""
        self._handlers.inbox = inbox
        try:
            await asyncio.Event().wait()
        finally:
            self._handlers.inbox = None
            self._streams.close()

    async def tidy(self) -> None:
        """Removes guests without a table, and old messages."""
        await self._sessions.tidy()
        await self._messages.tidy()

    async def post(
        self,
        audience: port.Audience,
        screen: port.Screen,
        key: str = "",
        document: port.Document | None = None,
    ) -> port.Delivery:
        """Posts a message to a room, for everybody or for one guest."""
        room = audience.room
        if room.server != HERE:
            return port.Gone(port.Lost.ROOM, "not a room of the page")

        guest = None
        if not isinstance(audience, port.Everyone):
            guest = audience.user.id
            if audience.user.platform != PLATFORM:
                return port.NeedsOptIn(audience.user)

        try:
            content = screen_content(screen, document=document)
            message = await self._messages.add(room.id, guest, POST, content, key=key)
        except NoSuchGuestError:
            return port.NeedsOptIn(port.UserRef(PLATFORM, guest or ""))

        return port.Delivered(message_ref(message))

    async def edit(self, ref: port.MessageRef, screen: port.Screen) -> port.Delivery:
        """Replaces a message's content on every page that shows it."""
        return await self._messages.edit(ref, screen_content(screen))

    async def delete(self, ref: port.MessageRef) -> port.Delivery:
        """Removes a message from every page that shows it."""
        return await self._messages.delete(ref)

    def languages_in(self, room: port.RoomRef) -> Collection[str]:
        """Returns the languages of a room's open pages, and of those closed within the last hour."""
        return self._streams.languages(room.id)

    def shows_alone_in(self, room: port.RoomRef) -> bool:
        """Returns True: the page answers presses privately."""
        del room
        return True

    async def is_moderator(self, user: port.UserRef, room: port.RoomRef) -> bool:
        """Returns whether a guest is the page's owner, the only one allowed to manage its rooms."""
        return await self.is_admin(user, room.server)

    async def is_admin(self, user: port.UserRef, server: port.ServerRef) -> bool:
        """Returns whether a guest is the page's owner."""
        if server != HERE or user.platform != PLATFORM:
            return False
        guest = await self._store.guest(user.id)
        return guest is not None and guest.is_owner

    async def can_answer_alone(self, press: port.Press) -> bool:
        """Returns True: the page shows a guest's messages beside those of the room."""
        del press
        return True

    async def is_member(self, user: port.UserRef, room: port.RoomRef) -> bool:
        """Returns whether a user is a guest of the page; guests can read all of its rooms."""
        if room.server != HERE or user.platform != PLATFORM:
            return False
        return await self._store.guest(user.id) is not None

    async def pin(self, ref: port.MessageRef, *, is_pinned: bool) -> None:
        """Does nothing: the page has no pins."""
        del ref, is_pinned

    async def may_pin(self, room: port.RoomRef) -> bool:
        """Returns False: the page has no pins."""
        del room
        return False

    def name_of(self, server: port.ServerRef) -> str:
        """Returns an empty name: the page is one community without a name."""
        del server
        return ""

    def way_to(self, table_id: int | None, room: port.RoomRef | None) -> str:
        """Returns an empty address: the page itself is live."""
        del table_id, room
        return ""

    def private_server(self, user: port.UserRef) -> port.ServerRef | None:
        """Returns None: all rooms of the page are public."""
        del user
        return None

    async def portrait_of(self, user: port.UserRef) -> bytes | None:
        """Returns None: guests have the sign that they choose with their name."""
        del user
        return None

    async def forget_person(self, user: port.UserRef, names: Collection[str]) -> Collection[port.MessageRef]:
        """Deletes a guest with their words and private messages, and their name elsewhere.

        Returns the messages that were edited.
        """
        self._handlers.repeats.forget()
        return await self._messages.forget(user.id, names)


async def _to_main_room(_: web.Request) -> web.StreamResponse:
    return web.Response(status=302, headers={"Location": f"/r/{MAIN_ROOM}"})
