"""Pictures and documents: kept beside their message, fetched by the page with its guest's secret.

An address names the message and the digest of the file. Who may read the message may have the file, and what
an address stands for never changes, so that a browser may keep it.
"""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from aiohttp import web

from adapters.port import Document, Picture
from adapters.web.errors import RefusedError, gettext_noop
from adapters.web.store import Message

TYPES = {"picture": "image/png", "document": "application/octet-stream"}
"""Where the content of a message names a file, and of which type that is."""

KEPT_BY_THE_READER = {"Cache-Control": "private, max-age=31536000, immutable", "Vary": "Authorization"}

WIDTH, HEIGHT = slice(16, 20), slice(20, 24)
"""Where a PNG says how large it is."""


def picture_json(picture: Picture) -> dict[str, Any]:
    """Return what the page needs to know of a picture before it is there."""
    return {
        "alt": picture.alt,
        "width": int.from_bytes(picture.png[WIDTH]),
        "height": int.from_bytes(picture.png[HEIGHT]),
        "digest": digest_of(picture.png),
    }


def document_json(document: Document) -> dict[str, Any]:
    """Return what the page needs to know of a document."""
    return {"name": document.name, "digest": digest_of(document.content)}


def digest_of(file: bytes) -> str:
    """Return what stands for a file."""
    return blake2b(file, digest_size=16).hexdigest()


def digests_in(content: Mapping[str, Any]) -> set[str]:
    """Return the digests of the files that the content of a message names."""
    return {file["digest"] for name in TYPES if (file := content.get(name))}


def type_of(message: Message, digest: str) -> str:
    """Return the type of the message's file that has this digest.

    Raises:
        RefusedError: The message shows something else by now.
    """
    for name, kind in TYPES.items():
        if (message.content.get(name) or {}).get("digest") == digest:
            return kind
    raise RefusedError(404, gettext_noop("That file is gone."))


def file_response(file: bytes, kind: str) -> web.Response:
    """Serve a file."""
    return web.Response(body=file, content_type=kind, headers=KEPT_BY_THE_READER)
