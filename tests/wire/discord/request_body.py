"""Bodies of requests: JSON, or JSON with files beside it."""

import json
import re
from typing import Any

from aiohttp import web

from tests.wire.discord.state import Call

JSON = "application/json"
NAME = re.compile(rb'name="([^"]*)"(?:; filename="([^"]*)")?')


async def read(request: web.Request) -> Call:
    """Reads a request, and also keeps its raw body."""
    raw = await request.read()
    body: Any = None
    files: dict[str, tuple[str, bytes]] = {}

    if request.content_type == "multipart/form-data":
        boundary = request.headers["Content-Type"].partition("boundary=")[2].strip('"')
        for name, filename, content in _parts(raw, boundary.encode()):
            if name == "payload_json":
                body = json.loads(content)
            else:
                files[name] = (filename, content)
    elif raw:
        assert request.headers["Content-Type"] == JSON, request.headers["Content-Type"]
        body = json.loads(raw)

    return Call(dict(request.match_info), dict(request.query), body, files, raw)


def _parts(raw: bytes, boundary: bytes) -> list[tuple[str, str, bytes]]:
    """Yields the name, the file name and the content of each part."""
    parts = []
    for piece in raw.split(b"--" + boundary)[1:-1]:
        head, _, content = piece.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        match = NAME.search(head)
        assert match is not None, head
        parts.append((match[1].decode(), (match[2] or b"").decode(), content.removesuffix(b"\r\n")))
    return parts
