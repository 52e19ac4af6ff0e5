"""Checks the right to use the page before anything else.

Every other site open in the same browser can send requests here, so each request must name this page as its
host, and each change must come from it:

- The host is a loopback name, an IP address, this machine's own name, or a name the owner gave. Another site
  can make its own name lead here (DNS rebinding), but it cannot become an address or take another's name.
- Requests that change something, and the stream, must come from an origin equal to that host, or to the
public
  address that the owner gave, and not too often from one address.
"""

import json
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from math import ceil
from urllib.parse import urlsplit

import ifaddr
from aiohttp import web
from cachetools import LRUCache

from adapters import port
from adapters.port import gettext_noop
from adapters.web.inbound import UNKNOWN_GUEST, RequestRefusedError, locale_of
from adapters.web.store import NoSuchGuestError

MOVES_FORGOTTEN = gettext_noop("That game's moves aren't kept any more, only its result.")

FORWARDED_FOR = "X-Forwarded-For"

Network = IPv4Network | IPv6Network


def address_of(text: str) -> IPv4Address | IPv6Address | None:
    """Reads an IP address, also one of version 4 that is written as version 6; None when it is none."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped if isinstance(address, IPv6Address) else None) or address


def machine_addresses() -> list[str]:
    """Returns the addresses of this machine in networks that others may share, the usual kinds first."""
    ips = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips]
    # Those of IPv6 come with flow and scope.
    addresses = [ip_address(ip if isinstance(ip, str) else ip[0]) for ip in ips]
    shared = [
        address
        for address in addresses
        if not (address.is_loopback or address.is_link_local or address.is_unspecified)
    ]
    return [str(address) for address in sorted(shared, key=lambda address: address.version)]


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """The proxies that are believed: those on this machine, and those in `networks`.

    None `is_expected` where the page is reached directly: then forwarding headers are ignored.
    """

    is_expected: bool = False
    networks: tuple[Network, ...] = ()

    def trusts(self, address: str) -> bool:
        """Returns whether an address is that of a proxy which is believed."""
        ip = address_of(address.strip())
        return bool(
            ip and self.is_expected and (ip.is_loopback or any(ip in network for network in self.networks))
        )

    def without_proxies(self, request: web.Request) -> web.Request:
        """Returns the request as if its sender had no proxy."""
        if not self.trusts(request.remote or ""):
            return request

        hops = ",".join(request.headers.getall(FORWARDED_FOR, ()))
        nearest_first = (part.strip() for part in reversed(hops.split(",")))
        # The nearest that no trusted proxy has: anybody could write the others.
        client = next((address for address in nearest_first if not self.trusts(address)), "")
        return request.clone(remote=client) if client else request


NO_PROXIES = TrustedProxies()


# --- How much one guest, or one address, may ask for ---


# Guests or addresses whose requests are counted; the least recent one is dropped first.
MAX_KNOWN = 10_000

HOME_BITS = 64  # one household has as many bits of IPv6 addresses to itself


class RateLimiter:
    """Keeps each sender of requests to the same budget."""

    def __init__(self, budget: port.Budget, monotonic: Callable[[], float]) -> None:
        """Counts by a monotonic clock."""
        self._budget = budget
        self._monotonic = monotonic
        self._buckets = LRUCache[str, port.TokenBucket](MAX_KNOWN)

    def check(self, who: str) -> port.TokenBucket:
        """Checks that another request may be counted; returns the bucket that it would be taken from.

        Raises:
            RequestRefusedError: It would be too much.
        """
        now = self._monotonic()
        bucket = self._buckets.setdefault(who, port.TokenBucket(self._budget))
        if wait := ceil(bucket.wait(now)):
            if wait == 1:
                raise RequestRefusedError(429, gettext_noop("Not so fast, please: try again in a second."))
            raise RequestRefusedError(
                429, gettext_noop("Not so fast, please: try again in {n} seconds."), n=wait
            )

        return bucket

    def count(self, who: str) -> None:
        """Counts a request.

        Raises:
            RequestRefusedError: It is too much; it does not count.
        """
        self.check(who).take(self._monotonic())


class ConcurrencyLimit:
    """Limits how many requests each client has open at once to `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = Counter[str]()

    @contextmanager
    def slot(self, who: str) -> Iterator[bool]:
        """Takes a slot while the context lasts; gives whether there was one."""
        is_free = self._taken[who] < self._most
        self._taken[who] += is_free
        try:
            yield is_free
        finally:
            self._taken[who] -= is_free
            if not self._taken[who]:
                del self._taken[who]


def network_of(request: web.Request) -> str:
    """Returns the network that a request comes from: an address, or the part of it that one household shares.

    Where a proxy asks for others, the guard has put theirs in place of its own.
    """
    return network(request.remote or "")


def network(text: str) -> str:
    """Returns the part of an address that one household shares; empty when it is no address."""
    address = address_of(text)
    if isinstance(address, IPv6Address):
        return str(int(address) >> (128 - HOME_BITS))
    return str(address or "")


# --- The page's own sentences, in the languages of its readers; the code has them in English ---


Translations = Callable[[str], Mapping[str, str]]  # gives each sentence in a language


class Sentences:
    """Returns the page's own sentences, which are not the bot's."""

    def __init__(self, languages: Sequence[str], translations: Translations) -> None:
        """Speaks these languages, the first of which is the one in the code."""
        self._languages = languages
        self._translations = translations

    def in_language_of(self, request: web.Request, english: str, **values: object) -> str:
        """Returns a sentence in the sender's language; `values` fill its places."""
        text = self._translations(self.language_of(request)).get(english, english)
        return text.format(**values) if values else text

    def as_data(self, request: web.Request) -> str:
        """Returns the JSON of all sentences in the reader's language, and of the languages there are."""
        language = self.language_of(request)
        texts = {} if language == self._languages[0] else dict(self._translations(language))
        return json.dumps({"language": language, "languages": list(self._languages), "texts": texts})

    def language_of(self, request: web.Request) -> str:
        """Returns the language in which the sender of a request reads the page."""
        locale = locale_of(request)
        return locale if locale in self._languages else self._languages[0]


# --- Checks the right to use the page before anything else ---


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
    "X-Robots-Tag": "noindex, nofollow",  # rooms, results and replays name people
}
ROBOTS = "User-agent: *\nDisallow: /r/\nDisallow: /games/\nDisallow: /facts/\nDisallow: /results\n"


async def secure(request: web.Request, response: web.StreamResponse) -> None:
    """Gives a response the headers that it lacks, and hides the software; also where nothing is found."""
    del request
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.popall("Server", None)


async def get_robots(request: web.Request) -> web.Response:
    """Asks search engines to leave all pages alone that name people."""
    del request
    return web.Response(text=ROBOTS)


# From one address come this many changes and streams at once, then one each this many seconds.
REQUESTS = port.Budget(seconds=0.025, burst=200)


class RequestGuard:
    """Lets requests of this page pass."""

    def __init__(
        self,
        hosts: Collection[str],
        monotonic: Callable[[], float],
        sentences: Sentences,
        public_url: str = "",
        proxies: TrustedProxies = NO_PROXIES,
        *,
        origins: Collection[str] = (),
    ) -> None:
        """Know the page by these `hosts` and by `public_url`, as in `https://durak.example`.

        `origins` are those of other proxies through which it is opened.
        """
        self._origins = frozenset(origins)
        self._sentences = sentences
        self._rate_limiter = RateLimiter(REQUESTS, monotonic)
        self._public_url = public_url.lower()
        self._proxies = proxies
        machine = socket.gethostname().lower()
        public = urlsplit(self._public_url).hostname
        names = (machine, f"{machine}.local", *(host.lower() for host in hosts), public)
        self._hosts = frozenset(filter(None, names))

    def __call__(self, handler: Handler) -> Handler:
        """Returns a handler that serves the requests of this page alone."""

        async def guarded(request: web.Request) -> web.StreamResponse:
            request = self._proxies.without_proxies(request)
            try:
                self._check_host(request.host)
                is_stream = request.headers.get("Upgrade", "").lower() == "websocket"
                if is_stream or request.method == "POST":
                    self._check_origin(request)
                    self._rate_limiter.count(network_of(request))

                response = await handler(request)
            except RequestRefusedError as refusal:
                sentence = self._sentences.in_language_of(request, str(refusal), **refusal.values)
                way = {"way": refusal.way} if refusal.way else {}
                response = web.json_response({"error": sentence} | way, status=refusal.status)
            except port.MovesForgottenError:
                sentence = self._sentences.in_language_of(request, MOVES_FORGOTTEN)
                response = web.json_response({"error": sentence}, status=410)
            except NoSuchGuestError:  # forgotten while they asked
                response = web.json_response(
                    {"error": self._sentences.in_language_of(request, UNKNOWN_GUEST)}, status=401
                )

            return response

        return guarded

    def _check_host(self, host: str) -> None:
        try:
            address = urlsplit(f"//{host}")
            _ = address.port  # raises if the port is no number
            name = (address.hostname or "").lower()
        except ValueError:
            name = ""

        if name in self._hosts or name == "localhost" or name.endswith(".localhost") or address_of(name):
            return

        raise RequestRefusedError(403, gettext_noop("This page isn't served under that name."))

    def _check_origin(self, request: web.Request) -> None:
        origin = request.headers.get("Origin", "").lower()
        if origin in self._origins or (self._public_url and origin == self._public_url):
            return

        scheme, _, host = origin.partition("://")
        is_encrypted_elsewhere = self._public_url.startswith("https:") and self._is_public(request.host)
        schemes = {"https"} if is_encrypted_elsewhere else {"http", "https"}
        if scheme not in schemes or host != request.host.lower():
            raise RequestRefusedError(403, gettext_noop("This request comes from another page."))

    def _is_public(self, host: str) -> bool:
        """Returns whether a request came to the public name."""
        return urlsplit(f"//{host}").hostname == urlsplit(self._public_url).hostname
