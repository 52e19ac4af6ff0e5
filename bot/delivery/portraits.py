"""Portraits: the pictures that people at tables show of themselves in their chats."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from secrets import token_urlsafe
from typing import TypeVar

import structlog
from cachetools import LRUCache, TTLCache

from adapters.port import Board, BoardSeat, Chat, LobbyBoard, LobbySeat, Screen, ServerRef, UserRef
from bot.cache import LIMITS
from bot.delivery.illustrator import Illustrator
from bot.delivery.views import OpenViews
from bot.model.table import Phase, Table
from bot.people import People

log = structlog.get_logger()

KEPT_SECONDS = 24 * 60 * 60.0  # how long a portrait is shown without another request
AGAIN_SECONDS = 12 * 60 * 60.0  # the pause between two requests about a person
PAUSE_SECONDS = 10 * 60.0  # the same after a failure, or while nothing shows portraits
FETCHED_WITHIN = 10.0  # seconds
AT_ONCE = 4  # requests at the same time
MAX_WAITING = 1000  # requests in the queue; more are left for the next change of their tables
KEY_BYTES = 16

SEATED = frozenset({Phase.LOBBY, Phase.PLAYING, Phase.OVER})

Seat = TypeVar("Seat", BoardSeat, LobbySeat)


@dataclass(frozen=True, slots=True)
class Portrait:
    """A small JPEG of a person; pages ask for it by its `key`, which reveals nothing about them."""

    key: str
    jpeg: bytes = field(repr=False)


@dataclass(eq=False, slots=True)
class Request:
    """The newest request for a person's portrait, and when there may be another."""

    user: UserRef
    table_id: int
    server: ServerRef
    again_at: float


class Portraits:
    """The portraits of people with a seat, in memory only.

    They are fetched in the background: a table shows them once they are here, and nobody waits for them.
    """

    def __init__(
        self,
        chats: Mapping[str, Chat],
        people: People,
        illustrator: Illustrator,
        now: Callable[[], float],
        *,
        open_views: OpenViews,
    ) -> None:
        """Asks the `chats`, and redraws the `open_views` of a table that has a new portrait."""
        self._chats = chats
        self._people = people
        self._illustrator = illustrator
        self._now = now
        self._open_views = open_views

        self._portraits = TTLCache[UserRef, Portrait](LIMITS.portraits, KEPT_SECONDS, timer=now)
        self._owners = TTLCache[str, UserRef](LIMITS.portraits, KEPT_SECONDS, timer=now)
        self._requests = LRUCache[UserRef, Request](LIMITS.known)
        self._waiting = asyncio.Queue[Request](MAX_WAITING)

    def request(self, table: Table) -> None:
        """Requests the portraits of everybody with a seat at a table, unless they were asked about lately."""
        if table.phase not in SEATED:
            return

        now = self._now()
        for user in table.people():
            chat = self._chats.get(user.platform)
            before = self._requests.get(user)
            is_due = before is None or now >= before.again_at
            if chat is None or not chat.limits.portraits or not is_due or self._waiting.full():
                continue

            request = self._requests[user] = Request(user, table.id, table.room.server, now + AGAIN_SECONDS)
            self._waiting.put_nowait(request)

    async def run(self) -> None:
        """Carries out requests until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            for _ in range(AT_ONCE):
                tasks.create_task(self._serve())

    async def _serve(self) -> None:
        while True:
            request = await self._waiting.get()
            try:
                await self._carry_out(request)
            except Exception as error:
                # Without the trace: it could hold the person's id.
                log.error("portrait_failed", error=type(error).__name__)

    async def _carry_out(self, request: Request) -> None:
        """Fetches a portrait and keeps it, unless its person was forgotten or asked about again meanwhile."""
        user = request.user
        if not await self._can_be_seen(request):
            request.again_at = self._now() + PAUSE_SECONDS
            return

        profile = await self._people.profile(user)
        if not profile.shows_portrait or self._requests.get(user) is not request:
            return

        try:
            jpeg = await self._fetch(user)
        except OSError:  # among them TimeoutError; an older portrait stays for its time
            request.again_at = self._now() + PAUSE_SECONDS
            return

        is_newest = self._requests.get(user) is request
        if is_newest and self._keep(user, jpeg):
            self._open_views.changed(request.table_id)

    async def _can_be_seen(self, request: Request) -> bool:
        """Returns whether anything could show a portrait: a page, or the picture of a result."""
        limits = self._chats[request.server.platform].limits
        return self._open_views.is_offered or await self._illustrator.draws_on(request.server, limits)

    async def _fetch(self, user: UserRef) -> bytes | None:
        """Returns a person's picture, made small; None if they show none.

        Raises:
            OSError: It did not come in time.
        """
        async with asyncio.timeout(FETCHED_WITHIN):
            content = await self._chats[user.platform].portrait_of(user)

        return None if content is None else await self._illustrator.portrait(content)

    def _keep(self, user: UserRef, jpeg: bytes | None) -> bool:
        """Keeps a person's newest portrait, if they show one; returns whether anything has changed."""
        before = self._portraits.pop(user, None)
        if jpeg is None:
            return before is not None

        if before is None or before.jpeg != jpeg:
            portrait = Portrait(token_urlsafe(KEY_BYTES), jpeg)
        else:
            portrait = before  # with the key that pages have

        self._portraits[user] = portrait
        self._owners[portrait.key] = user
        return portrait is not before

    def of(self, user: UserRef | None) -> bytes | None:
        """Returns a person's portrait, a JPEG; None without one."""
        portrait = None if user is None else self._portraits.get(user)
        return None if portrait is None else portrait.jpeg

    def with_key(self, key: str) -> bytes | None:
        """Returns the portrait with this key; None if it is no longer shown."""
        owner = self._owners.get(key)
        portrait = None if owner is None else self._portraits.get(owner)
        return portrait.jpeg if portrait is not None and portrait.key == key else None

    def beside_seats(self, screen: Screen) -> Screen:
        """Returns a screen whose board has the keys of its people's portraits."""
        match screen.board:
            case Board() as board:
                return replace(screen, board=replace(board, seats=tuple(map(self._beside_seat, board.seats))))
            case LobbyBoard() as lobby:
                players = tuple(map(self._beside_seat, lobby.players))
                expected = tuple(map(self._beside_seat, lobby.expected))
                return replace(screen, board=replace(lobby, players=players, expected=expected))

        return screen

    def _beside_seat(self, seat: Seat) -> Seat:
        portrait = None if seat.user is None else self._portraits.get(seat.user)
        return seat if portrait is None else replace(seat, portrait=portrait.key)

    def forget(self, user: UserRef) -> None:
        """Drops a person's portrait, also one that is on its way."""
        self._requests.pop(user, None)
        self._portraits.pop(user, None)
