"""The files of the page as they are sent: compressed once, and asked for together.

A script names the scripts that it needs, so a browser would learn of them one after the other, which takes
long on a slow phone. The page names all of them at its beginning, first those without which nobody comes in.

What a page names stands under an address with a digest of all files, so a browser keeps it for good: a page
that is loaded again asks for itself alone, and a new version has other addresses.
"""

import gzip
import mimetypes
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from aiohttp import ETag, web

PAGE = Path(__file__).parent / "page"
INDEX = PAGE / "index.html"
SUFFIXES = {".css", ".js", ".png", ".svg", ".webmanifest"}
PAGE_FILES = (*(sorted(file.name for file in PAGE.iterdir() if file.suffix in SUFFIXES)), "offline.html")

VERSIONED = frozenset(PAGE / name for name in ("index.html", "results.html", "game.html"))
"""The pages that name other files by their version; the one for the time without network is kept as it is."""

AT_ONCE, LATER = "  <template", "  </template>"
"""Before these the page names its scripts: first those that a browser runs at once."""

DOOR, ROOM = "main.js", "room.js"
"""What a browser runs at once, and once somebody has come in."""

_IMPORTED = re.compile(r'^import .*"\./([\w.]+)";$', re.MULTILINE)

COMPRESSED = {".css", ".html", ".js", ".svg", ".webmanifest"}

FOR_GOOD = "public, max-age=31536000, immutable"

UNVERSIONED = ("worker.js", "durak.webmanifest")
"""What browsers know by one address for ever."""

ROOT_SCOPE = {"Service-Worker-Allowed": "/"}
"""Lets the one script that works while there is no network care for all rooms."""


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file as it is sent."""

    content: bytes = field(repr=False)
    kind: str
    tag: str
    is_compressed: bool


def version() -> str:
    """Return a digest of all files of the page, as they are now."""
    return _version(tuple((path, path.stat().st_mtime_ns) for path in sorted(PAGE.iterdir())))


@lru_cache(maxsize=1)
def _version(files: tuple[tuple[Path, int], ...]) -> str:
    digest = blake2b(digest_size=6)
    for path, _ in files:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def page_response(request: web.Request, path: Path) -> web.Response:
    """Serve a file of the page, unless the browser has it as it is."""
    response = _page_response(request, path)
    if request.match_info.get("version") == version():
        response.headers["Cache-Control"] = FOR_GOOD
    return response


def _page_response(request: web.Request, path: Path) -> web.Response:
    file = page_file(path)
    if any(tag.value == file.tag for tag in request.if_none_match or ()):
        response = web.Response(status=304)
    else:
        headers = {"Content-Type": file.kind, **(ROOT_SCOPE if path.name == "worker.js" else {})}
        content = file.content
        if file.is_compressed and "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"] = "gzip"
        elif file.is_compressed:
            content = gzip.decompress(content)
        response = web.Response(body=content, headers=headers)
        response.headers["Vary"] = "Accept-Encoding"
    response.etag = ETag(file.tag, is_weak=True)
    return response


def page_file(path: Path) -> PageFile:
    """Return a file of the page, read anew if it has changed; pages name the newest version of all others."""
    return _read(path, path.stat().st_mtime_ns, version() if path in VERSIONED else "")


@lru_cache(maxsize=2 * len(PAGE_FILES))
def _read(path: Path, changed_at: int, newest: str) -> PageFile:
    del changed_at
    content = path.read_bytes()
    if path == INDEX:
        content = _with_scripts(content.decode()).encode()
    if newest:
        others = "|".join(UNVERSIONED).encode()
        content = re.sub(rb'"/page/(?!%s)' % others, b'"/page/%s/' % newest.encode(), content)
    kind = mimetypes.types_map.get(path.suffix, "application/octet-stream")
    tag = blake2b(content, digest_size=12).hexdigest()
    is_compressed = path.suffix in COMPRESSED
    if is_compressed:
        content, kind = gzip.compress(content, mtime=0), f"{kind}; charset=utf-8"
    return PageFile(content, kind, tag, is_compressed)


def _with_scripts(index: str) -> str:
    at_once = _with_all_it_imports(DOOR)
    later = [name for name in _with_all_it_imports(ROOM) if name not in at_once]
    return index.replace(AT_ONCE, f"{_links(at_once)}{AT_ONCE}").replace(LATER, f"{_links(later)}{LATER}")


def _links(scripts: Iterable[str]) -> str:
    return "".join(f'<link rel="modulepreload" href="/page/{name}">\n' for name in scripts)


def _with_all_it_imports(script: str) -> list[str]:
    """Return a script and those that it cannot run without."""
    found = [script]
    for name in found:
        imported = _IMPORTED.findall((PAGE / name).read_text("utf-8"))
        found += [each for each in dict.fromkeys(imported) if each not in found]
    return found
