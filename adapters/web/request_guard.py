"""Who may talk to the page at all, checked before anything else.

Every other site open in the same browser can send requests here, so each request must name this page as its
host, and each change must come from it:

- The host is a loopback name, an IP address, this machine's own name, or a name the owner gave. Another site
  can make its own name lead here (DNS rebinding), but it cannot become an address or take another's name.
- What changes something, and the stream, must come from an origin equal to that host, or to the public
  address that the owner gave, and not too often from one address.
"""

import socket
from collections.abc import Awaitable, Callable, Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from aiohttp import web

from adapters.port import Budget
from adapters.web.errors import UNKNOWN_GUEST, RefusedError, gettext_noop
from adapters.web.proxies import NO_PROXIES, TrustedProxies
from adapters.web.rate_limiter import RateLimiter, network_of
from adapters.web.sentences import Sentences
from adapters.web.store import NoSuchGuestError

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        "manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}

REQUESTS = Budget(seconds=0.025, burst=200)
"""From one address come this many changes and streams at once, then one each this many seconds."""


class RequestGuard:
    """Lets requests of this page pass."""

    def __init__(
        self,
        hosts: Collection[str],
        monotonic: Callable[[], float],
        sentences: Sentences,
        public_url: str = "",
        proxies: TrustedProxies = NO_PROXIES,
    ) -> None:
        """Know the page by these `hosts` and by `public_url`, as in `https://durak.example`."""
        self._sentences = sentences
        self._rate_limiter = RateLimiter(REQUESTS, monotonic)
        self._public_url = public_url.lower()
        self._proxies = proxies
        machine, public = socket.gethostname().lower(), urlsplit(self._public_url).hostname
        named = (machine, f"{machine}.local", *(host.lower() for host in hosts), public)
        self._hosts = frozenset(filter(None, named))

    def any_origin(self, handler: Handler) -> Handler:
        """Return the handler of a page or of something that changes nothing."""

        async def guarded(request: web.Request) -> web.StreamResponse:
            return await self._answer(request, handler, needs_origin=False)

        return guarded

    def same_origin(self, handler: Handler) -> Handler:
        """Return the handler of a change or of the stream."""

        async def guarded(request: web.Request) -> web.StreamResponse:
            return await self._answer(request, handler, needs_origin=True)

        return guarded

    async def _answer(
        self, request: web.Request, handler: Handler, *, needs_origin: bool
    ) -> web.StreamResponse:
        request = self._proxies.asked_by(request)
        try:
            self._check_host(request.host)
            if needs_origin:
                self._check_origin(request)
                self._rate_limiter.count(network_of(request))
            response = await handler(request)
        except RefusedError as refusal:
            told = self._sentences.said(request, str(refusal), **refusal.values)
            response = web.json_response({"error": told}, status=refusal.status)
        except NoSuchGuestError:  # forgotten while they asked
            response = web.json_response({"error": self._sentences.said(request, UNKNOWN_GUEST)}, status=401)
        if not response.prepared:
            response.headers.update(HEADERS | dict(response.headers))
        return response

    def _check_host(self, host: str) -> None:
        name = _host_name(host)
        if name in self._hosts or name == "localhost" or name.endswith(".localhost") or _is_address(name):
            return
        raise RefusedError(403, gettext_noop("This page is not served under that name."))

    def _check_origin(self, request: web.Request) -> None:
        origin = request.headers.get("Origin", "").lower()
        if self._public_url and origin == self._public_url:
            return
        scheme, _, host = origin.partition("://")
        if scheme not in {"http", "https"} or host != request.host.lower():
            raise RefusedError(403, gettext_noop("This request comes from another page."))


def _host_name(host: str) -> str:
    try:
        address = urlsplit(f"//{host}")
        _ = address.port  # what is no number is no port
        return (address.hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
