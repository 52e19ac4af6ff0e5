"""Checks the right to use the page before anything else.

Any other site that is open in the same browser can send requests to this page. So two headers are checked:

- The host must be a loopback name, an IP address, this machine's name, or a name from the owner's settings.
  Another site can make its own name resolve to this machine (DNS rebinding), but not use one of these.
- The origin of POST requests and of streams must be that host, the owner's public address, or a chat's proxy.
  The rate of these requests is limited by address.
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
    """Reads an IP address, and turns IPv4-mapped IPv6 into IPv4; None if the text is not an address."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped if isinstance(address, IPv6Address) else None) or address


def machine_addresses() -> list[str]:
    """Returns this machine's addresses that other machines may reach, IPv4 first."""
    ips = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips]
    # IPv6 addresses come in a tuple with flow and scope.
    addresses = [ip_address(ip if isinstance(ip, str) else ip[0]) for ip in ips]
    shared = [
        address
        for address in addresses
        if not (address.is_loopback or address.is_link_local or address.is_unspecified)
    ]
    return [str(address) for address in sorted(shared, key=lambda address: address.version)]


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """The proxies whose forwarding headers are trusted: those on this machine, and those in `networks`.

    Unless a proxy `is_expected`, the page is reached directly, and these headers are ignored.
    """

    is_expected: bool = False
    networks: tuple[Network, ...] = ()

    def trusts(self, address: str) -> bool:
        """Returns whether an address is that of a trusted proxy."""
        ip = address_of(address.strip())
        return bool(
            ip and self.is_expected and (ip.is_loopback or any(ip in network for network in self.networks))
        )

    def without_proxies(self, request: web.Request) -> web.Request:
        """Returns the request with the client's address in place of a trusted proxy's."""
        if not self.trusts(request.remote or ""):
            return request

        hops = ",".join(request.headers.getall(FORWARDED_FOR, ()))
        nearest_first = (part.strip() for part in reversed(hops.split(",")))
        # The nearest address that is not a trusted proxy; the client could have forged those before it.
        client = next((address for address in nearest_first if not self.trusts(address)), "")
        return request.clone(remote=client) if client else request


NO_PROXIES = TrustedProxies()


# --- Rate limits by guest or address ---


# Guests or addresses whose requests are counted; the least recently used is dropped first.
MAX_KNOWN = 10_000

HOME_BITS = 64  # the prefix length of one household's IPv6 addresses


class RateLimiter:
    """Keeps each sender of requests to the same budget."""

    def __init__(self, budget: port.Budget, monotonic: Callable[[], float]) -> None:
        """Measures time by `monotonic`, in seconds."""
        self._budget = budget
        self._monotonic = monotonic
        self._buckets = LRUCache[str, port.TokenBucket](MAX_KNOWN)

    def check(self, who: str) -> port.TokenBucket:
        """Checks that another request fits the budget; returns the sender's bucket.

        Raises:
            RequestRefusedError: The budget is used up.
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
            RequestRefusedError: The budget is used up; the request is not counted.
        """
        self.check(who).take(self._monotonic())


class ConcurrencyLimit:
    """Limits each client to `most` open requests at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = Counter[str]()

    @contextmanager
    def slot(self, who: str) -> Iterator[bool]:
        """Takes a slot while the context lasts; yields whether one was free."""
        is_free = self._taken[who] < self._most
        self._taken[who] += is_free
        try:
            yield is_free
        finally:
            self._taken[who] -= is_free
            if not self._taken[who]:
                del self._taken[who]


def network_of(request: web.Request) -> str:
    """Returns the network that a request comes from, as `network` does.

    Behind a trusted proxy, the guard has already replaced the proxy's address with the client's.
    """
    return network(request.remote or "")


def network(text: str) -> str:
    """Returns an IPv4 address, or the prefix of an IPv6 address that one household shares.

    Empty if the text is not an address.
    """
    address = address_of(text)
    if isinstance(address, IPv6Address):
        return str(int(address) >> (128 - HOME_BITS))
    return str(address or "")


# --- The page's own sentences, which are English in the code ---


Translations = Callable[[str], Mapping[str, str]]  # maps a language to its sentences by the English ones


class Sentences:
    """Translates the page's own sentences, as opposed to the bot's."""

    def __init__(self, languages: Sequence[str], translations: Translations) -> None:
        """Translates to `languages`, the first of which is the language of the code."""
        self._languages = languages
        self._translations = translations

    def in_language_of(self, request: web.Request, english: str, **values: object) -> str:
        """Returns a sentence in the sender's language; `values` fill its places."""
        text = self._translations(self.language_of(request)).get(english, english)
        return text.format(**values) if values else text

    def as_data(self, request: web.Request) -> str:
        """Returns the JSON of the reader's language, the available languages and the translations."""
        language = self.language_of(request)
        texts = {} if language == self._languages[0] else dict(self._translations(language))
        return json.dumps({"language": language, "languages": list(self._languages), "texts": texts})

    def language_of(self, request: web.Request) -> str:
        """Returns the sender's language if the page has it, and the language of the code otherwise."""
        locale = locale_of(request)
        return locale if locale in self._languages else self._languages[0]


# --- The guard ---


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
    """Adds missing security headers to a response, also to a 404, and removes the `Server` header."""
    del request
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.popall("Server", None)


async def get_robots(request: web.Request) -> web.Response:
    """Returns the robots.txt that excludes all pages with people's names."""
    del request
    return web.Response(text=ROBOTS)


# POST requests and new streams from one network: a burst, then one per this many seconds.
REQUESTS = port.Budget(seconds=0.025, burst=200)


class RequestGuard:
    """Wraps handlers, so that they serve only known hosts, and POST requests and streams only of the page."""

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
        """Accepts these `hosts` and that of `public_url`, as in `https://durak.example`.

        `origins` are those of other sites' proxies through which the page is opened, such as a chat's.
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
        """Returns a handler that refuses other hosts, and turns refusals into JSON responses.

        It also refuses POST requests and streams of other sites, and too many of them from one network.
        """

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
            _ = address.port  # raises if the port is not a number
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
        """Returns whether a host is that of the public address."""
        return urlsplit(f"//{host}").hostname == urlsplit(self._public_url).hostname
