"""Lets people in: new guests by a name, known ones by the secret in their link, the owner by a key."""

import secrets
from collections.abc import Callable
from hmac import compare_digest

from aiohttp import web

from adapters.port import Budget
from adapters.web.errors import UNKNOWN_GUEST, RefusedError, gettext_noop
from adapters.web.event_streams import EventStreams
from adapters.web.inbound import LONGEST_SECRET, body_of, hash_of, key_from, name_from, secret_of
from adapters.web.rate_limiter import RateLimiter, network_of
from adapters.web.render import guest_json
from adapters.web.store import SPECTATOR, Guest, GuestStore

SECRET_BYTES = 24

NEWCOMERS = Budget(seconds=10.0, burst=30)
"""From one address a company comes in at once, then somebody each this many seconds."""

KEPT_SECONDS = 24 * 60 * 60.0
"""How long a newcomer may stay away."""

AWAY_SECONDS = 10 * 60.0
"""The same when the page is full."""

SEEN_SECONDS = 60.0
"""How exactly it is known when a guest was last there."""


class Sessions:
    """Who comes in, as whom, and who is let go.

    A newcomer is a guest who has been at no table yet. Only they are counted against `most_newcomers` and let
    go: whoever played comes back by their link as long as the page exists, and nobody who does nothing but
    come in can keep others out.

    Attributes:
        owner_key: Makes a guest the owner of the page. Each start has another one, so none is kept anywhere.
    """

    def __init__(
        self,
        store: GuestStore,
        streams: EventStreams,
        most_newcomers: int,
        *,
        now: Callable[[], float],
        monotonic: Callable[[], float],
    ) -> None:
        self.owner_key = secrets.token_urlsafe(SECRET_BYTES)
        self._store = store
        self._streams = streams
        self._most_newcomers = most_newcomers
        self._now = now
        self._rate_limiter = RateLimiter(NEWCOMERS, monotonic)

    async def post_guest(self, request: web.Request) -> web.Response:
        """Welcome a new guest: a name is all it takes."""
        name = name_from(await body_of(request))
        self._rate_limiter.count(network_of(request))
        await self._free_a_place()
        secret, now = secrets.token_urlsafe(SECRET_BYTES), self._now()
        guest = Guest(secrets.token_hex(8), name, hash_of(secret), now, now)
        await self._store.add_guest(guest)
        return web.json_response(guest_json(guest) | {"secret": secret}, status=201)

    async def post_owner(self, request: web.Request) -> web.Response:
        """Make the guest who knows the owner's key the owner, in place of whoever was."""
        guest = await self.authenticate(request)
        if not compare_digest(hash_of(key_from(await body_of(request))), hash_of(self.owner_key)):
            raise RefusedError(
                403, gettext_noop("This owner's link is an old one: each start of the bot prints a new one.")
            )
        await self._store.make_owner(guest.id)
        return web.json_response({})

    async def authenticate(self, request: web.Request) -> Guest:
        """Return whose request this is.

        Raises:
            RefusedError: It brings no known secret.
        """
        guest = await self.guest_with(secret_of(request))
        if guest is None:
            raise RefusedError(401, UNKNOWN_GUEST)
        return guest

    async def reader(self, request: web.Request) -> Guest:
        """Return who asks for what they may read: somebody who shows no secret at all only looks.

        Raises:
            RefusedError: The secret is unknown.
        """
        return await self.authenticate(request) if "Authorization" in request.headers else SPECTATOR

    async def guest_with(self, secret: object) -> Guest | None:
        """Find the guest whose secret this is, who is there now; None for whatever is no known secret."""
        if not isinstance(secret, str) or len(secret) > LONGEST_SECRET:
            return None
        guest = await self._store.guest_by_secret(hash_of(secret))
        now = self._now()
        if guest is not None and now - guest.seen_at > SEEN_SECONDS:
            await self._store.saw([guest.id], now)
        return guest

    async def tidy(self) -> None:
        """Let go of the newcomers who have been away for a day."""
        now, present = self._now(), self._streams.guests()
        await self._store.saw(present, now)
        await self._store.free_newcomers(now - KEPT_SECONDS, besides=present)

    async def _free_a_place(self) -> None:
        """Let the newcomer who has been away longest go, if otherwise there were too many."""
        if await self._store.count_newcomers() < self._most_newcomers:
            return
        since = self._now() - AWAY_SECONDS
        if not await self._store.free_newcomers(since, besides=self._streams.guests(), most=1):
            raise RefusedError(
                409,
                gettext_noop("There is no room for more guests just now: please try again in some minutes."),
            )
