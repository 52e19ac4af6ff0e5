"""Creates guests by name, authenticates them by the secret in their link, and the owner by a key."""

import asyncio
import io
import secrets
from collections.abc import Callable, Sequence
from hmac import compare_digest
from urllib.parse import urlsplit

import segno
from aiohttp import web

from adapters import port
from adapters.port import gettext_noop
from adapters.web import inbound
from adapters.web.event_streams import EventStreams
from adapters.web.render import guest_json
from adapters.web.request_guard import RateLimiter, address_of, machine_addresses, network_of
from adapters.web.store import SPECTATOR, Guest, GuestStore

SECRET_BYTES = 24

# New guests per address: a burst for a group, then one per this many seconds.
NEWCOMERS = port.Budget(seconds=10.0, burst=30)

KEPT_SECONDS = 24 * 60 * 60.0  # seconds after which an absent newcomer is removed
AWAY_SECONDS = 10 * 60.0  # the same while the page is full
CUT_OFF_SECONDS = 1.0  # seconds after which the pages opened with a replaced secret are closed
SEEN_SECONDS = 60.0  # the resolution, in seconds, of `Guest.seen_at`


MAX_IN_COOKIE = 8  # guests whose secrets one browser's cookie holds
COOKIE_SEPARATOR = "."  # between secrets, which have letters, digits, - and _
BY_COOKIE = "cookie:"  # before a guest's id, in place of a secret that only the browser's cookie holds
COOKIE_SECONDS = 400 * 24 * 60 * 60  # the longest lifetime that browsers allow a cookie


class Sessions:
    """Creates, authenticates and expires guests.

    A newcomer is a guest who has not joined a table yet. Only newcomers expire and count towards
    `most_newcomers`, so idle visitors can't fill the page; other guests can always return by their link.

    Attributes:
        owner_key: Makes a guest the owner of the page. Generated at each start and never stored.
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
        """Creates a guest from a name."""
        name = inbound.name_from(await inbound.body_of(request))
        self._rate_limiter.count(network_of(request))
        await self._free_a_place()
        secret = secrets.token_urlsafe(SECRET_BYTES)
        now = self._now()
        guest = Guest(secrets.token_hex(8), name, inbound.hash_of(secret), now, now)
        await self._store.add_guest(guest)
        response = web.json_response(guest_json(guest) | {"secret": secret}, status=201)

        return with_cookie(request, response, secret)

    async def post_renewal(self, request: web.Request) -> web.Response:
        """Replaces a guest's secret; the old link, and pages opened with it, stop working."""
        guest = await self.authenticate(request)
        self._rate_limiter.count(network_of(request))
        secret = secrets.token_urlsafe(SECRET_BYTES)
        await self._store.renew_secret(guest.id, inbound.hash_of(secret))
        # The requesting page has to receive the new secret before its stream is closed.
        asyncio.get_running_loop().call_later(CUT_OFF_SECONDS, self._streams.cut_off, guest)
        return with_cookie(request, web.json_response({"name": guest.name, "secret": secret}), secret)

    async def post_return(self, request: web.Request) -> web.Response:
        """Returns the guests in the browser's cookie, the last to act first; removes unknown ones from it.

        In place of its secret, each has `BY_COOKIE` and an id, which the page can send instead.
        """
        remembered = _secrets_in(request, _cookie(request))
        guests = [(secret, guest) for secret in remembered if (guest := await self._guest_by(secret))]
        names = [{"name": guest.name, "secret": f"{BY_COOKIE}{guest.id}"} for _, guest in guests]
        response = web.json_response({"guests": names})
        if len(guests) < len(remembered):
            _set_cookie(request, response, [secret for secret, _ in guests])

        return response

    async def post_owner(self, request: web.Request) -> web.Response:
        """Makes a guest with the owner's key the owner, in place of the previous one."""
        guest = await self.authenticate(request)
        key = inbound.key_from(await inbound.body_of(request))
        if not compare_digest(inbound.hash_of(key), inbound.hash_of(self.owner_key)):
            raise inbound.RequestRefusedError(
                403,
                gettext_noop("This owner's link is an old one: each start of the bot makes a new one."),
            )

        await self._store.make_owner(guest.id)
        return web.json_response({})

    async def authenticate(self, request: web.Request) -> Guest:
        """Returns the sender of a request.

        Raises:
            RequestRefusedError: It carries no known secret.
        """
        guest = await self.guest_with(inbound.secret_of(request), request)
        if guest is None:
            raise inbound.RequestRefusedError(401, inbound.UNKNOWN_GUEST)
        return guest

    async def reader(self, request: web.Request) -> Guest:
        """Returns the sender of a read request, or the spectator if it carries no secret.

        Raises:
            RequestRefusedError: The secret is unknown.
        """
        return await self.authenticate(request) if "Authorization" in request.headers else SPECTATOR

    async def guest_with(self, secret: object, request: web.Request) -> Guest | None:
        """Returns the guest with this secret and records that they were seen; None if it is unknown.

        `secret` may also be `BY_COOKIE` plus a guest's id, if the browser's cookie holds that guest's secret.
        """
        if not isinstance(secret, str) or len(secret) > inbound.MAX_SECRET_LENGTH:
            return None
        if not secret.startswith(BY_COOKIE):
            return await self._guest_by(secret)

        for own in _secrets_in(request, *_cookies(request)):
            guest = await self._guest_by(own)
            if guest is not None and guest.id == secret.removeprefix(BY_COOKIE):
                return guest

        return None

    async def _guest_by(self, secret: str) -> Guest | None:
        guest = await self._store.guest_by_secret(inbound.hash_of(secret))
        now = self._now()
        if guest is not None and now - guest.seen_at > SEEN_SECONDS:
            await self._store.note_visits([guest.id], now)
        return guest

    async def tidy(self) -> None:
        """Records that the guests with an open page were seen; deletes newcomers absent for a day."""
        now = self._now()
        present = self._streams.guests()
        await self._store.note_visits(present, now)
        await self._store.free_newcomers(now - KEPT_SECONDS, besides=present)

    async def _free_a_place(self) -> None:
        """Deletes the newcomer with the longest absence if the page is full.

        Raises:
            RequestRefusedError: All newcomers are present, or were a short time ago.
        """
        if await self._store.count_newcomers() < self._most_newcomers:
            return

        since = self._now() - AWAY_SECONDS
        if not await self._store.free_newcomers(since, besides=self._streams.guests(), most=1):
            raise inbound.RequestRefusedError(
                409,
                gettext_noop("There's no room for more guests right now: please try again in a few minutes."),
            )


def _is_encrypted(request: web.Request) -> bool:
    return request.headers.get("Origin", "").startswith("https:")


def _cookie(request: web.Request) -> str:
    """Returns the name of the cookie that identifies guests after the browser has cleared the page's storage.

    Safari clears that storage after a week. The port is in the name because browsers send a host's cookies to
    all of its ports, where other bots may listen. With encryption, the prefix `__Host-` keeps other hosts of
    the domain from setting the cookie; without it, browsers reject the prefix.
    """
    protected, plain = _cookies(request)
    return protected if _is_encrypted(request) else plain


def _cookies(request: web.Request) -> tuple[str, str]:
    """Returns the cookie's names with and without encryption; a GET request doesn't show which applies.

    A request has no port once its client has hung up; nobody reads the cookie then.
    """
    _, port, *_ = request.get_extra_info("sockname", ("", 0))
    return f"__Host-durak-guest-{port}", f"durak-guest-{port}"


def _secrets_in(request: web.Request, *cookies: str) -> list[str]:
    """Returns the secrets in the first of these cookies that the browser sent, the newest first."""
    values = [request.cookies[name] for name in cookies if name in request.cookies]
    secrets_kept = values[0].split(COOKIE_SEPARATOR) if values else []
    return [secret for secret in secrets_kept if secret][:MAX_IN_COOKIE]


def _set_cookie(request: web.Request, response: web.Response, secrets_kept: Sequence[str]) -> None:
    """Sets the cookie, which no script can read, to these secrets; deletes it if there are none."""
    name = _cookie(request)
    if not secrets_kept:
        response.del_cookie(name, path="/", secure=_is_encrypted(request))
        return

    response.set_cookie(
        name,
        COOKIE_SEPARATOR.join(secrets_kept[:MAX_IN_COOKIE]),
        max_age=COOKIE_SECONDS,
        path="/",  # required by the prefix `__Host-`
        httponly=True,
        samesite="Strict",  # only the page's own requests need it
        secure=_is_encrypted(request),
    )


def with_cookie(request: web.Request, response: web.Response, secret: str) -> web.Response:
    """Moves the secret to the front of the browser's cookie, unless it begins with `BY_COOKIE`.

    Returns the response.
    """
    before = _secrets_in(request, _cookie(request))
    if before[:1] != [secret] and not secret.startswith(BY_COOKIE):
        _set_cookie(request, response, list(dict.fromkeys([secret, *before])))
    return response


# --- Invitations: the addresses of the page, and links as QR codes ---


# Characters of a link in a QR code; a longer one needs modules too fine for a phone's camera.
MAX_LINK_LENGTH = 400

INVITATIONS = port.Budget(seconds=2.0, burst=10)  # QR codes and address lists per guest


class Invitation:
    """Serves the addresses of the page, and links as QR codes."""

    def __init__(
        self, sessions: Sessions, host: str, public_url: str, monotonic: Callable[[], float]
    ) -> None:
        """Serves the addresses of a page that listens at `host`; `public_url` is its public one, if any."""
        self._sessions = sessions
        self._rate_limiter = RateLimiter(INVITATIONS, monotonic)
        self._host = host
        self._public_url = public_url

    async def get_addresses(self, request: web.Request) -> web.Response:
        """Returns the page's addresses, the best first; none if only this machine can reach it."""
        self._rate_limiter.count((await self._sessions.authenticate(request)).id)
        return web.json_response({"addresses": await asyncio.to_thread(self._addresses, request.host)})

    async def post_qr_code(self, request: web.Request) -> web.Response:
        """Returns a link to the page as a QR code."""
        self._rate_limiter.count((await self._sessions.authenticate(request)).id)
        link = inbound.text_from(await inbound.body_of(request), "link")
        if not 0 < len(link) <= MAX_LINK_LENGTH:
            raise inbound.RequestRefusedError(400, gettext_noop("That isn't a link to this page."))
        return web.Response(body=await asyncio.to_thread(qr_code, link), content_type="image/svg+xml")

    def _addresses(self, host: str) -> list[str]:
        """Returns the addresses; `host` is the `Host` header of the request."""
        if self._public_url:
            return [self._public_url]
        if is_loopback(self._host):
            return []

        address = urlsplit(f"//{host}")
        at_port = "" if address.port is None else f":{address.port}"
        listens_everywhere = (own := address_of(self._host)) is not None and own.is_unspecified
        names = machine_addresses() if listens_everywhere else [self._host]

        if not is_loopback(address.hostname or ""):  # the request reached the page by this name
            names = [address.hostname or "", *names]

        hosts = dict.fromkeys(f"[{name}]" if ":" in name else name for name in names)
        return [f"http://{host}{at_port}" for host in hosts]


def is_loopback(host: str) -> bool:
    """Returns whether only this machine can reach a host."""
    address = address_of(host)
    return host == "localhost" or host.endswith(".localhost") or (address is not None and address.is_loopback)


def qr_code(link: str) -> bytes:
    """Returns a link as a QR code in SVG."""
    picture = io.BytesIO()
    segno.make_qr(link, error="m").save(picture, kind="svg", scale=4, border=3, light="#fff", svgclass=None)
    return picture.getvalue()
