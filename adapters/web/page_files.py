"""The files of the page as they are sent: compressed once, and asked for together.

A script names the scripts that it needs, so a browser would learn of them one after the other, which takes
long on a slow phone. The page names all of them at its beginning, first those without which nobody comes in.
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

AT_ONCE, LATER = "  <template", "  </template>"
"""Before these the page names its scripts: first those that a browser runs at once."""

DOOR, ROOM = "main.js", "room.js"
"""What a browser runs at once, and once somebody has come in."""

_IMPORTED = re.compile(r'^import .*"\./([\w.]+)";$', re.MULTILINE)

COMPRESSED = {".css", ".html", ".js", ".svg", ".webmanifest"}

ROOT_SCOPE = {"Service-Worker-Allowed": "/"}
"""Lets the one script that works while there is no network care for all rooms."""


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file as it is sent."""

    content: bytes = field(repr=False)
    kind: str
    tag: str
    is_compressed: bool


def page_response(request: web.Request, path: Path) -> web.Response:
    """Serve a file of the page, unless the browser has it as it is."""
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
    """Return a file of the page, read anew if it has changed."""
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=2 * len(PAGE_FILES))
def _read(path: Path, changed_at: int) -> PageFile:
    del changed_at
    content = path.read_bytes()
    if path == INDEX:
        content = _with_scripts(content.decode()).encode()
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
