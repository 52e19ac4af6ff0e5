"""The HTTP server. It may face the internet directly, so it cuts off slow or greedy clients."""

import asyncio
import gzip
import logging
import mimetypes
import re
from base64 import b64encode
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b, sha256
from ipaddress import ip_address
from pathlib import Path
from typing import cast

import brotli
from aiohttp import ClientPayloadError, ETag, StreamReader, web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Middleware
from cachetools import LRUCache

from adapters import port
from adapters.port import gettext_noop
from adapters.web import bundle
from adapters.web.inbound import MAX_BODY_BYTES, RequestRefusedError
from adapters.web.previews import Preview
from adapters.web.request_guard import (
    MAX_KNOWN,
    NO_PROXIES,
    Handler,
    Sentences,
    TrustedProxies,
    machine_addresses,
    network,
    network_of,
)

PAGE = Path(__file__).parent / "page"
INDEX = PAGE / "index.html"
BUNDLES = bundle.Bundles(PAGE)
AS_THEY_ARE = {".png", ".svg", ".webmanifest"}
PAGE_FILES = (
    *BUNDLES.names,
    *sorted(file.name for file in PAGE.iterdir() if file.suffix in AS_THEY_ARE),
    "offline.html",
    "worker.js",
)

# A page's inline script, and its element in the page.
FIRST = PAGE / "first.js"
_FIRST_PLACE = '<script id="before-modules">'

# The beginning of every page's head. The translations are inserted after `TEXTS`.
HEAD = PAGE / "head.html"
_PART = re.compile(r"^ *<!-- ([\w-]+\.html) -->\n", re.MULTILINE)  # a placeholder for a part that pages share
TEXTS = 'id="texts">'
FACTS = b'  <script type="application/json" id="facts">'  # the facts of the preview are inserted after it

FAST = 4  # the compression level for content that is sent once
COMPRESSED = {".css", ".html", ".js", ".svg", ".webmanifest"}

FOR_GOOD = "public, max-age=31536000, immutable"
UNVERSIONED = ("worker.js", "durak.webmanifest")  # browsers identify these by a fixed address

# Allows the service worker to handle all rooms.
ROOT_SCOPE = {"Service-Worker-Allowed": "/"}


PreviewOf = Callable[[web.Request], Awaitable[Preview]]  # returns the preview of the requested address


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of the page, ready to be sent.

    Attributes:
        content: The uncompressed bytes.
        compressed: The compressed bytes by encoding, the smallest first; empty for pictures.
        kind: The `Content-Type`.
        tag: A digest of the content, for the `ETag`.
    """

    content: bytes = field(repr=False)
    compressed: dict[str, bytes] = field(repr=False)
    kind: str
    tag: str


def version() -> str:
    """Returns a digest of the current files of the page and of `bundle`."""
    sources = [*sorted(PAGE.iterdir()), Path(bundle.__file__)]
    return _version(tuple((path, path.stat().st_mtime_ns) for path in sources))


@lru_cache(maxsize=1)
def _version(files: tuple[tuple[Path, int], ...]) -> str:
    digest = blake2b(digest_size=6)
    for path, _ in files:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def page_response(request: web.Request, path: Path, file: PageFile, status: int = 200) -> web.Response:
    """Returns the response with a file of the page, or a 304 if the browser already has it."""
    if any(tag.value == file.tag for tag in request.if_none_match or ()):
        response = web.Response(status=304)
    else:
        headers = {"Content-Type": file.kind, **(ROOT_SCOPE if path.name == "worker.js" else {})}
        accepted = request.headers.get("Accept-Encoding", "")
        encoding = next((name for name in file.compressed if name in accepted), None)
        content = file.content
        if encoding is not None:
            headers["Content-Encoding"] = encoding
            content = file.compressed[encoding]

        response = web.Response(status=status, body=content, headers=headers)

    response.headers["Vary"] = (
        "Accept-Encoding, Accept-Language, Cookie" if path.suffix == ".html" else "Accept-Encoding"
    )
    response.etag = ETag(file.tag, is_weak=True)
    if request.match_info.get("version") == version():
        response.headers["Cache-Control"] = FOR_GOOD

    return response


class PageFiles:
    """Serves the files of the page, with its sentences in the reader's language."""

    def __init__(self, sentences: Sentences) -> None:
        self._sentences = sentences

    def serving(
        self,
        path: Path,
        status: int = 200,
        preview: PreviewOf | None = None,
    ) -> Handler:
        """Returns a handler that serves one file, with a preview of the requested address if given."""

        async def serve(request: web.Request) -> web.StreamResponse:
            texts = self._sentences.as_data(request) if path.suffix == ".html" else ""
            # Building a file takes up to a third of a second.
            file = await asyncio.to_thread(page_file, path, texts)
            if preview is not None:
                file = await asyncio.to_thread(_with_preview, file, await preview(request))

            return page_response(request, path, file, status)

        return serve

    def routes(self) -> list[web.RouteDef]:
        """Returns the routes of the files that pages link to, with and without a version."""
        return [
            web.get("/page/{file}", self._get_file),
            web.get("/page/{version:[0-9a-f]{12}}/{file}", self._get_file),
        ]

    async def _get_file(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["file"]
        if name not in PAGE_FILES:
            return web.Response(status=404)
        return await self.serving(PAGE / name)(request)


def page_file(path: Path, texts: str = "") -> PageFile:
    """Returns a file of the page, cached until a file changes; HTML links to the newest versions."""
    return _made_file(path, version(), texts)


@lru_cache(maxsize=3 * len(PAGE_FILES))
def _made_file(path: Path, newest: str, texts: str) -> PageFile:
    content = _content_of(path, newest, texts)
    kind = mimetypes.types_map.get(path.suffix, "application/octet-stream")
    tag = blake2b(content, digest_size=12).hexdigest()
    if path.suffix not in COMPRESSED:
        return PageFile(content, {}, kind, tag)

    compressed = {
        "br": brotli.compress(content),
        "gzip": gzip.compress(content, mtime=0),
    }
    return PageFile(content, compressed, f"{kind}; charset=utf-8", tag)


def _with_preview(file: PageFile, preview: Preview) -> PageFile:
    """Returns a page with its preview, compressed fast because the preview changes often."""
    facts = preview.facts.replace("<", "\\u003c")  # so that a name can't close the element
    content = file.content.replace(FACTS, preview.tags().encode() + FACTS + facts.encode(), 1)
    tag = blake2b(content, digest_size=12).hexdigest()
    compressed = {"br": brotli.compress(content, quality=FAST), "gzip": gzip.compress(content, FAST, mtime=0)}
    return PageFile(content, compressed, file.kind, tag)


def _content_of(path: Path, newest: str, texts: str) -> bytes:
    if path.name in BUNDLES.names:
        return BUNDLES.text_of(path.name).encode()

    match path.suffix:
        case ".html":
            return _complete(path.read_text("utf-8"), newest, texts).encode()
        case ".js":
            return bundle.minified_script(path.read_text("utf-8")).encode()
        case _:
            return path.read_bytes()


def digest_of_first() -> str:
    """Returns the digest of a page's inline script, for its Content-Security-Policy."""
    digest = sha256(_first().encode()).digest()
    return f"'sha256-{b64encode(digest).decode()}'"


def _first() -> str:
    return bundle.minified_script(FIRST.read_text("utf-8"))


def _complete(html: str, newest: str, texts: str) -> str:
    """Returns a page with its shared parts, its translations, and links to the newest files."""
    data = texts.replace("<", "\\u003c")  # so that a sentence can't close the element
    head = HEAD.read_text("utf-8").replace(TEXTS, TEXTS + data)
    html = html.replace("<head>\n", f"<head>\n{head}", 1)
    html = html.replace(_FIRST_PLACE, _FIRST_PLACE + _first(), 1)
    html = _PART.sub(lambda part: (PAGE / part[1]).read_text("utf-8"), html)

    others = "|".join(UNVERSIONED)
    return re.sub(rf'"/page/(?!{others})', f'"/page/{newest}/', bundle.with_joined_styles(html))


# --- The server and its limits ---


# The time a connection may take to send the head of a request, since it opened or since the last response.
IDLE_SECONDS = 20.0

# All requests from one network, files of the page included: a burst, then one per this many seconds.
ALL_REQUESTS = port.Budget(seconds=0.01, burst=600)

ENDING_SECONDS = 2.0  # the time to wait for the rest of a request's body
STUCK_SECONDS = 30.0  # the time after which a client that reads nothing is cut off
STOPPING_SECONDS = 2.0  # the time that running responses have when the server stops

# The limit of incoming data on a page's stream: a burst in bytes, and the bytes added each second.
STREAM_BYTES = 4096
STREAM_BYTES_PER_SECOND = 256
MAX_HEAD_BYTES = 32_768  # of the request that opens a stream; a page sends nothing before it is open

MAX_CONNECTIONS = 300
"""Connections that one address may hold open; a browser has up to six, and one for each page's stream.

Trusted proxies are exempt, because their connections carry many clients.
"""


def _is_fault_of_the_bot(record: logging.LogRecord) -> bool:
    """Filters aiohttp's log: keeps faults of the bot, and drops malformed requests.

    Replaces the message, because it may quote a secret in the request, or the client's address.
    """
    error = record.exc_info[1] if record.exc_info else None
    record.msg = "request_failed"
    record.args = ()
    return not isinstance(error, HttpProcessingError)


log = logging.getLogger(__name__)
log.addFilter(_is_fault_of_the_bot)


@asynccontextmanager
async def listening(
    app: web.Application, host: str, number: int, proxies: TrustedProxies = NO_PROXIES
) -> AsyncIterator[str]:
    """Serves an application while the context lasts; yields its address, as in `http://127.0.0.1:8080`.

    Raises:
        OSError: The host or the port cannot be used.
    """
    app.middlewares.extend([_paced(proxies), _cut_unwanted_bodies])
    runner = web.AppRunner(
        app,
        access_log=None,
        logger=log,
        keepalive_timeout=IDLE_SECONDS,
        lingering_time=0,  # `_cut_unwanted_bodies` has read as much as is wanted
        shutdown_timeout=STOPPING_SECONDS,
        auto_decompress=False,  # half a megabyte can decompress to half a gigabyte
    )
    await runner.setup()

    try:
        make = cast("web.Server", runner.server)
        connections = Counter[str]()
        server = await asyncio.get_running_loop().create_server(
            lambda: _Connection(make, connections, proxies), host, number
        )

        try:
            host, number = server.sockets[0].getsockname()[:2]
            name = _reachable(host)
            yield f"http://[{name}]:{number}" if ":" in name else f"http://{name}:{number}"
        finally:
            server.close()
    finally:
        await runner.cleanup()


def _paced(proxies: TrustedProxies) -> Middleware:
    """Returns the middleware that delays the requests of a network that exceeds `ALL_REQUESTS`.

    A delay is better than a refusal: a company behind one router gets its page a little later, and a flood
    only occupies the attacker's own connections.
    """
    buckets = LRUCache[str, port.TokenBucket](MAX_KNOWN)

    @web.middleware
    async def paced(request: web.Request, handler: Handler) -> web.StreamResponse:
        now = asyncio.get_running_loop().time()
        whose = network_of(proxies.without_proxies(request))
        bucket = buckets.setdefault(whose, port.TokenBucket(ALL_REQUESTS))
        seconds = bucket.wait(now)
        bucket.take(now)

        if seconds:
            await asyncio.sleep(seconds)
        return await handler(request)

    return paced


@web.middleware
async def _cut_unwanted_bodies(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuses compressed bodies, and reads a body only as far as the page ever sends.

    The rest of a small body is read before the response is sent. Otherwise the connection would be reset, and
    the response lost.
    """
    if "Content-Encoding" in request.headers:
        return web.Response(status=415, text="Requests are not to be compressed.\n")

    try:
        response = await handler(request)
    except Exception:
        await _skip(request.content)
        raise

    await _skip(request.content)
    return response


async def _skip(body: StreamReader) -> None:
    """Reads and drops the rest of a body, up to `MAX_BODY_BYTES`."""
    left = MAX_BODY_BYTES
    with suppress(TimeoutError, ClientPayloadError, HttpProcessingError):
        async with asyncio.timeout(ENDING_SECONDS):
            while left > 0 and not body.at_eof():
                left -= len(await body.readany())


def limit_stream(request: web.Request) -> None:
    """Limits incoming data on the connection of a request, which becomes a stream.

    Raises:
        RequestRefusedError: Too much data has come in already.
    """
    connection = None if request.transport is None else request.transport.get_protocol()
    if isinstance(connection, _Connection):
        connection.limit()


def _reachable(host: str) -> str:
    """Returns an address by which others can reach a server that listens at this host."""
    if not ip_address(host).is_unspecified:
        return host
    return next(iter(machine_addresses()), "localhost")


class _Connection(asyncio.Protocol):
    """A connection that aiohttp serves, unless its address has too many or the client stops reading.

    A page's stream is cut off if too much data comes in, because small frames cost the server more than their
    sender.
    """

    def __init__(
        self, make: Callable[[], asyncio.Protocol], connections: Counter[str], proxies: TrustedProxies
    ) -> None:
        self._make = make
        self._connections = connections
        self._proxies = proxies
        self._address = ""
        self._served: asyncio.Protocol | None = None
        self._transport: asyncio.Transport | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._newest = [0, 0]  # the sizes of the last two chunks of incoming data
        self._stream_began: float | None = None
        self._stream_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        peer = (transport.get_extra_info("peername") or [""])[0]
        self._address = network(peer)
        if self._connections[self._address] >= MAX_CONNECTIONS and not self._proxies.trusts(peer):
            cast("asyncio.Transport", transport).abort()
            return

        self._connections[self._address] += 1
        self._transport = cast("asyncio.Transport", transport)
        self._served = self._make()
        self._served.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        self._newest = [self._newest[1], len(data)]
        if self._stream_began is not None and self._is_too_much(len(data), self._stream_began):
            cast("asyncio.Transport", self._transport).abort()
        elif self._served is not None:
            self._served.data_received(data)

    def _is_too_much(self, size: int, began: float) -> bool:
        self._stream_bytes += size
        seconds = asyncio.get_running_loop().time() - began
        return self._stream_bytes > STREAM_BYTES + seconds * STREAM_BYTES_PER_SECOND

    def limit(self) -> None:
        """Starts to limit incoming data, as on a stream.

        Raises:
            RequestRefusedError: The last two chunks are larger than the head of a request.
        """
        if sum(self._newest) > MAX_HEAD_BYTES:
            raise RequestRefusedError(400, gettext_noop("Bad request."))
        self._stream_began = asyncio.get_running_loop().time()

    def eof_received(self) -> bool | None:
        return None if self._served is None else self._served.eof_received()

    def pause_writing(self) -> None:
        if self._served is not None and self._transport is not None:
            self._served.pause_writing()
            self._stuck = asyncio.get_running_loop().call_later(STUCK_SECONDS, self._transport.abort)

    def resume_writing(self) -> None:
        self._unstick()
        if self._served is not None:
            self._served.resume_writing()

    def connection_lost(self, error: Exception | None) -> None:
        self._unstick()
        if self._served is None:
            return

        self._connections[self._address] -= 1
        if not self._connections[self._address]:
            del self._connections[self._address]

        self._served.connection_lost(error)

    def _unstick(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
