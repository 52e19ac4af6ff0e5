"""Pictures and documents: kept within their message, fetched by the page with its guest's secret.

An address names the message and the digest of the file. Who may read the message may have the file, and what
an address stands for never changes, so that a browser may keep it.
"""

from base64 import b64decode
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from aiohttp import web

from adapters.web.gate import Refused
from adapters.web.store import Message

FILES = {"picture": "png", "document": "file"}
"""Where the content of a message holds files, and under which key each holds its bytes, in Base64."""

TYPES = {"picture": "image/png", "document": "application/octet-stream"}

KEPT_BY_THE_READER = {"Cache-Control": "private, max-age=31536000, immutable", "Vary": "Authorization"}

SIZE_OF_PNG = slice(16, 24)
"""Where a PNG says how wide and high it is."""


def file_json(kept: Mapping[str, Any]) -> dict[str, Any]:
    """Give a file as the page gets it: everything but its bytes, and the digest in their place."""
    facts = {key: value for key, value in kept.items() if key not in FILES.values()}
    encoded = next(kept[key] for key in FILES.values() if key in kept)
    if "png" in kept:  # the page leaves room for it before it is there
        size = b64decode(encoded[:32])[SIZE_OF_PNG]
        facts |= {"width": int.from_bytes(size[:4]), "height": int.from_bytes(size[4:])}
    return facts | {"digest": _digest(encoded)}


def file_response(message: Message, digest: str) -> web.Response:
    """Serve the file of a message that has this digest.

    Raises:
        Refused: The message shows something else by now.
    """
    for name, key in FILES.items():
        kept = message.content.get(name)
        if kept and _digest(kept[key]) == digest:
            body = b64decode(kept[key])
            return web.Response(body=body, content_type=TYPES[name], headers=KEPT_BY_THE_READER)
    raise Refused(404, "That file is gone.")


def _digest(encoded: str) -> str:
    return blake2b(encoded.encode(), digest_size=16).hexdigest()
